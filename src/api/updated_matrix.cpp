#include "api/update.hpp"

#include <chrono>
#include <utility>

#include "api/graph_change.hpp"
#include "api/solve_among.hpp"
#include "base/machine.hpp"
#include "base/seconds_since.hpp"
#include "base/team.hpp"
#include "store/tiling.hpp"

namespace apsp::api {
namespace {

/// matrix ← the distances of the graph, solved from the beginning.
void solve_into(kernels::View matrix, const GraphChange& change, const UpdateOptions& options,
                const planner::FindDevices& find) {
  const Result solved = solve_among(find, change.after, solve_again(change.layout, options));
  const RowBlock found = *solved.matrix();
  const std::int64_t size = size_of(change.layout.type);
  base::share_items(matrix.rows, base::thread_count(options.threads), [&](std::int64_t i) {
    store::copy_rows(static_cast<std::byte*>(matrix.data) + i * matrix.stride * size, 0,
                     static_cast<const std::byte*>(found.values) + i * found.stride * size, 0, 1,
                     matrix.cols * size);
  });
}

}  // namespace

UpdatedMatrix updated_matrix(const Graph& before, const store::Store& stored, const Graph& graph,
                             const UpdateOptions& options, const planner::FindDevices& find) {
  const auto start = std::chrono::steady_clock::now();
  GraphChange change = graph_change(before, stored.layout(), graph, options);
  const store::Layout& layout = change.layout;
  require_update_room(store::bytes_in_memory(layout) + engine::update_bytes(layout.n, layout.type),
                      before.memory_bytes() + change.after.memory_bytes(), options);
  UpdatedMatrix updated{store::make_memory_store(layout), {}, {}};
  const kernels::View matrix{updated.matrix->data(store::Plane::distance), layout.n, layout.n,
                             updated.matrix->stride()};
  bool done = false;
  if (layout.type == stored.layout().type) {
    read_rows_before(stored, change, 0, matrix, base::thread_count(options.threads));
    const engine::MatrixUpdated found = engine::update_matrix(
        matrix, matrix_change(change, options), *update_operations(change, options, find));
    change.report.rows_solved = found.touched;
    done = found.done;
  }
  if (!done) {
    change.report.rows_solved = layout.n;
    solve_into(matrix, change, options, find);
  }
  updated.report = change.report;
  updated.report.seconds = base::seconds_since(start);
  updated.graph = std::move(change.after);
  return updated;
}

}  // namespace apsp::api
