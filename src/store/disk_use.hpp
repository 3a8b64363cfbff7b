// Bytes that a result takes on a disk, before they are written: every file of it, each in whole
// blocks of the disk. Compression is not counted, as nothing is known of the values.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>
#include <string>

#include "store/store.hpp"

namespace apsp::store {

/// The graph beside a result: its rows, or its matrix, and its labels. O(n) where there are labels.
std::int64_t graph_bytes_on_disk(const Graph& graph);

/// What a result of some layout holds besides its planes.
struct BesidePlanes {
  std::int64_t graph = 0;           ///< bytes, as above
  std::span<const Array> arrays{};  ///< `Store::arrays`
  std::int64_t vertex_values = 0;   ///< how many arrays of one value a vertex
};

/// Of the file or folder at `path`. An .npy holds the distances alone.
std::int64_t result_bytes_on_disk(const std::string& path, const Layout& layout,
                                  const BesidePlanes& beside);

}  // namespace apsp::store
