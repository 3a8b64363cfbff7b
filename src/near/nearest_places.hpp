// The k nearest facilities of every vertex, by one search from all facilities.
//
// Each vertex keeps its k best labels (facility, distance), sorted by distance, then by the
// facility's number. Buckets order the vertices roughly by label (Δ-stepping, Meyer 2003). Regions
// of consecutive vertices are searched in parallel; labels that leave one wait for the next round.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/near.hpp>
#include <span>

namespace apsp::near {

/// `to_places`: distances to facilities, else from them. Requires: weights ≥ 0, k ≥ 1.
NearestPlaces nearest_places(const Graph& graph, std::span<const Vertex> places, std::int64_t k,
                             bool to_places, int threads, const Control& control);

/// Bytes of memory including the result, at most.
double nearest_places_bytes(const Graph& graph, std::int64_t k);

}  // namespace apsp::near
