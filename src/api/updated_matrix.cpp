#include "api/update.hpp"

#include <algorithm>
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

/// Panels of products, of all threads.
constexpr std::int64_t kProducts = std::int64_t{16} << 20;

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
  // How much more it takes follows from the rows that change, which are known once they are read.
  const std::int64_t bytes = store::bytes_in_memory(layout);
  const std::int64_t held = before.memory_bytes() + change.after.memory_bytes();
  require_update_room(bytes + kProducts, held, options);
  UpdatedMatrix updated{store::make_memory_store(layout), {}, {}};
  const kernels::View matrix{updated.matrix->data(store::Plane::distance), layout.n, layout.n,
                             updated.matrix->stride()};
  bool done = false;
  if (layout.type == stored.layout().type) {
    read_rows_before(stored, change, 0, matrix, base::thread_count(options.threads));
    engine::MatrixChange wanted = matrix_change(change, options);
    wanted.memory = std::max<std::int64_t>(1, update_room(held + bytes, options) - kProducts);
    const engine::MatrixUpdated found =
        engine::update_matrix(matrix, wanted, *update_operations(change, options, find));
    change.report.rows_solved = found.touched;
    done = found.done;
  }
  if (!done) {
    change.report.rows_solved = layout.n;
    require_update_room(bytes + kProducts, held + bytes, options);
    solve_into(matrix, change, options, find);
  }
  updated.report = change.report;
  updated.report.seconds = base::seconds_since(start);
  updated.graph = std::move(change.after);
  return updated;
}

}  // namespace apsp::api
