// Disk space of a result before it is written: bytes in whole blocks of the disk, uncompressed.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>
#include <string>

#include "store/store.hpp"

namespace apsp::store {

std::int64_t graph_bytes_on_disk(const Graph& graph);

struct AdditionalArrays {
  std::int64_t graph = 0;  ///< bytes, from `graph_bytes_on_disk`
  std::span<const Array> arrays{};
  std::int64_t vertex_values = 0;  ///< number of arrays with one value for each vertex
};

std::int64_t result_bytes_on_disk(const std::string& path, const Layout& layout,
                                  const AdditionalArrays& additional);

}  // namespace apsp::store
