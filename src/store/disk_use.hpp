// Disk space of a result before it is written, in bytes: all files, in whole blocks of the disk,
// without compression.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>
#include <string>

#include "store/store.hpp"

namespace apsp::store {

/// Space of the graph of a result: its rows or matrix, and its labels. O(n) with labels.
std::int64_t graph_bytes_on_disk(const Graph& graph);

/// The contents of a result apart from its planes.
struct BesidePlanes {
  std::int64_t graph = 0;  ///< bytes, from `graph_bytes_on_disk`
  std::span<const Array> arrays{};
  std::int64_t vertex_values = 0;  ///< number of arrays with one value for each vertex
};

/// Space of the file or folder `path`. An .npy holds only distances.
std::int64_t result_bytes_on_disk(const std::string& path, const Layout& layout,
                                  const BesidePlanes& beside);

}  // namespace apsp::store
