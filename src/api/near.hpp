// Near pairs: found with GPUs as an argument, for tests, and stored in a .zarr (docs/stores.md).
#pragma once

#include <apsp/near.hpp>
#include <optional>
#include <string>
#include <vector>

#include "planner/devices.hpp"
#include "store/store.hpp"

namespace apsp::api {

SparseDistances within_among(const planner::FindDevices& find, const Graph& graph, double limit,
                             const NearOptions& options);

/// Whether the store holds near pairs, which do not give the distances of other pairs.
bool holds_near_pairs(const store::Store& stored);
/// Throws `Error` (usage) if it does.
void require_all_pairs(const store::Store& stored, const std::string& path);

struct StoredPairs {
  Graph graph;
  SparseDistances pairs;
  double limit = 0;
  std::vector<Vertex> sources;  // empty: all
};

/// Empty: the store holds something else. Throws `Error`: input (damaged), input_output.
std::optional<StoredPairs> read_near_pairs(const std::string& path);

}  // namespace apsp::api
