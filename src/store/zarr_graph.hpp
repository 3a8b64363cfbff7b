// The graph of a result: the group `graph` of CSR arrays, or of the matrix that was read, and the
// array `label`.
#pragma once

#include <apsp/graph.hpp>
#include <optional>
#include <string>

#include "store/zarr_group.hpp"

namespace apsp::store {

/// Whether the matrix that a graph was read from is stored. Compressed rows would take 12 bytes a
/// pair, which is up to six times as much. Programs that read versions 1 and 2 do not know it.
bool is_stored_as_matrix(const Graph& graph);

void write_graph(const ZarrGroup& group, const Graph& graph);

/// Returns `digest`. Throws `Error` (input) if arrays are damaged, or have another fingerprint.
/// Memory: one chunk, and the labels; of a matrix as `read_graph`.
std::string read_graph_digest(const ZarrGroup& group, std::int64_t vertices,
                              const std::string& digest);

/// The number of its first vertex; empty: its vertices have names. Throws `Error` (input).
std::optional<Vertex> read_first_number(const ZarrGroup& group);

/// Throws `Error` (input) if arrays are damaged or do not agree, or if the graph they make has
/// another fingerprint than `digest`. Memory: the offsets and labels; arcs stay where
/// `ZarrGroup::hold_vector` leaves them.
Graph read_graph(const ZarrGroup& group, std::int64_t vertices, const std::string& digest,
                 std::int64_t most_in_memory = ZarrGroup::kMostInMemory);

}  // namespace apsp::store
