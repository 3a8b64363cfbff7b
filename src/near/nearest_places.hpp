// The nearest of some places for every vertex, by one search from all places at once.
//
// Every vertex keeps its k best labels, a place and a distance each, sorted by distance and then by
// the place's number, so that ties fall as the list says. A label that is among the best of a
// vertex comes from one that is among the best of a neighbour. Vertices are looked at in the order
// of their labels, roughly (buckets as in Δ-stepping, Meyer 2003). Where places are many, the graph
// is cut into regions of consecutive numbers. Each is searched by one thread, and what leaves it
// waits for the next round.
//
// In a symmetric graph of whole weights only the core is searched, without vertices of low degree
// (near/low_degrees.hpp).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/near.hpp>
#include <span>

namespace apsp::near {

/// As `apsp::nearest`. `to_places`: distances from vertices to places; else from places. Requires:
/// weights ≥ 0, k ≥ 1.
NearestPlaces nearest_places(const Graph& graph, std::span<const Vertex> places, std::int64_t k,
                             bool to_places, int threads, const Control& control);

/// Bytes that it takes at most, its answers included.
double nearest_places_bytes(const Graph& graph, std::int64_t k);

}  // namespace apsp::near
