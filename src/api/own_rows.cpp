// The part of rows of user-defined semirings that does not depend on their values.
#include <apsp/own_rows.hpp>

#include "base/refusal.hpp"
#include "graph/arc_walk.hpp"
#include "system/machine.hpp"
#include "system/threads.hpp"

namespace apsp::detail {

void for_each_own_row(std::int64_t rows, const OwnRowsOptions& options,
                      const std::function<void(std::int64_t)>& row) {
  refuse_if(options.threads < 0, "threads must not be negative");
  system::for_each_row(rows, system::thread_count(options.threads), options.control, row);
}

std::vector<Vertex> own_selection(const Graph& graph, std::span<const Vertex> chosen) {
  const std::int64_t n = graph.vertex_count();
  if (chosen.empty()) return graph::all_vertices(n);
  for (const Vertex v : chosen) {
    refuse_if(v >= n, "vertex {} is not in the graph, whose vertices are 0 to {}", v, n - 1);
  }
  return {chosen.begin(), chosen.end()};
}

void require_own_shape(const void* data, std::int64_t rows, std::int64_t cols, std::int64_t stride,
                       std::size_t sources, std::size_t targets) {
  refuse_if(rows != static_cast<std::int64_t>(sources) ||
                cols != static_cast<std::int64_t>(targets) || stride < cols,
            "a matrix of {} rows, {} columns and stride {} does not hold {} sources × {} targets",
            rows, cols, stride, sources, targets);
  refuse_if(data == nullptr && rows > 0 && cols > 0, "the matrix has no data: its pointer is null");
}

}  // namespace apsp::detail
