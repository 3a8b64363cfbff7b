// The graph of a result: the group `graph` of CSR arrays or of a matrix, and the array `label`.
#pragma once

#include <apsp/graph.hpp>
#include <optional>
#include <string>

#include "store/zarr_group.hpp"

namespace apsp::store {

/// Whether the graph was read from a matrix. Compressed rows could need six times the space.
bool is_stored_as_matrix(const Graph& graph);

void write_graph(const ZarrGroup& group, const Graph& graph);

/// Returns `digest`. Throws `Error` (input) if arrays are damaged or have another digest. Memory:
/// one chunk and the labels; of a matrix as `read_graph`.
std::string read_graph_digest(const ZarrGroup& group, std::int64_t vertices,
                              const std::string& digest);

/// Empty if vertices have names. Throws `Error` (input).
std::optional<Vertex> read_first_number(const ZarrGroup& group);

/// Throws `Error` (input) if arrays are damaged, inconsistent or have another digest. Memory: the
/// offsets and labels; arcs as `ZarrGroup::hold_vector`.
Graph read_graph(const ZarrGroup& group, std::int64_t vertices, const std::string& digest,
                 std::int64_t most_in_memory = ZarrGroup::kMostInMemory);

}  // namespace apsp::store
