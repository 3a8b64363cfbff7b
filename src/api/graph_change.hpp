// What a matrix is updated by: the graphs before and after, whose vertices have the same numbers,
// and the arcs that differ. One process has all rows of the matrix, or several have some each.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <memory>
#include <vector>

#include "engine/matrix_operations.hpp"
#include "engine/matrix_update.hpp"
#include "planner/devices.hpp"
#include "store/store.hpp"

namespace apsp::api {

struct GraphChange {
  Graph before, after;
  std::vector<VertexPair> arcs;  ///< that differ
  store::Layout layout;          ///< of the matrix after
  UpdateReport report;
};

/// `layout`: of the matrix of `before`. Throws `Error` as `updated_matrix`, but device and
/// does_not_fit.
GraphChange graph_change(const Graph& before, const store::Layout& layout, const Graph& graph,
                         const UpdateOptions& options);

engine::MatrixChange matrix_change(const GraphChange& change, const UpdateOptions& options);

/// Where its products run. Throws `Error`: does_not_fit (sums of a GPU), usage, device.
std::unique_ptr<engine::MatrixOperations> update_operations(const GraphChange& change,
                                                            const UpdateOptions& options,
                                                            const planner::FindDevices& find);

/// rows [count, n after], from `first` on ← the distances of `stored`, and new vertices without
/// arcs. Bands of the store are read by the threads.
void read_rows_before(const store::Store& stored, const GraphChange& change, std::int64_t first,
                      kernels::View rows, int threads);

/// rows [count, n], which begin with a band of `target` → it.
void write_rows_after(kernels::ConstView rows, std::int64_t first, const UpdateOptions& options,
                      store::Store& target);

/// How the graph is solved again, where an update would take as long.
SolveOptions solve_again(const store::Layout& layout, const UpdateOptions& options);

}  // namespace apsp::api
