// Changes the weights of some arcs in a factor that is stored.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace apsp::api {

struct UpdateOptions {
  std::string output{};   ///< .zarr; may be the one that is read
  bool compress = false;  ///< zstd behind every chunk
  int threads = 0;        ///< 0: all
  Control control{};
};

struct Updated {
  Graph graph;               ///< with the new weights
  std::int64_t changes = 0;  ///< arcs that were named
  double seconds = 0;        ///< of the elimination
};

/// Gives other weights to the arcs that `changes` returns for the graph at `path`. Only the part of
/// the factor that they may change is eliminated again; what is stored, without statistics, is the
/// factor that a fresh solve in the same order would give. Where that takes the place of what was
/// read, it waits while another update does the same, and is an `Error` (input_output) after a
/// solve has replaced it meanwhile. Throws `Error`: usage (no factor, an arc
/// that the graph has not, weights that the semiring or the factor's type does not take),
/// does_not_fit (the factor's type no longer surely holds every distance), negative_cycle, input,
/// input_output, interrupted; then what stood at `output` stays.
Updated update_stored(const std::string& path,
                      const std::function<std::vector<Edge>(const Graph&)>& changes,
                      const UpdateOptions& options);

}  // namespace apsp::api
