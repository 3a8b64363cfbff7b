// Near pairs in a .zarr (docs/stores.md).
#pragma once

#include <apsp/near.hpp>
#include <optional>
#include <string>
#include <vector>

#include "store/store.hpp"

namespace apsp::api {

/// Whether it holds near pairs, from which no distance of any pair is to be had.
bool holds_near_pairs(const store::Store& stored);
/// Throws `Error` (usage) for such a store.
void require_all_pairs(const store::Store& stored, const std::string& path);

/// Near pairs as `write_zarr` stored them.
struct StoredPairs {
  Graph graph;
  SparseDistances pairs;
  double limit = 0;
  std::vector<Vertex> sources;  // empty: all
};

/// Empty: the store at `path` holds something else. Throws `Error`: input (damaged), input_output.
std::optional<StoredPairs> read_near_pairs(const std::string& path);

}  // namespace apsp::api
