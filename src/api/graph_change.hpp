// The input of a matrix update: graphs of the same vertex numbers, and the arcs that differ.
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
  std::vector<VertexPair> arcs;
  store::Layout layout;  ///< of the matrix after
  UpdateReport report;
};

/// `layout`: of the matrix before. Throws as `updated_matrix`, except device and does_not_fit.
GraphChange graph_change(const Graph& before, const store::Layout& layout, const Graph& graph,
                         const UpdateOptions& options);

engine::MatrixChange matrix_change(const GraphChange& change, const UpdateOptions& options);

/// Host or GPU, by `options`. Throws `Error`: does_not_fit (sums on a GPU), usage, device.
std::unique_ptr<engine::MatrixOperations> update_operations(const GraphChange& change,
                                                            const UpdateOptions& options,
                                                            const planner::FindDevices& find);

/// rows [count, n after], from `first` on ← the distances of `stored`; new vertices have no arcs.
void read_rows_before(const store::Store& stored, const GraphChange& change, std::int64_t first,
                      kernels::View rows, int threads);

/// Writes rows [count, n]. Requires: they begin with a band of `target`.
void write_rows_after(kernels::ConstView rows, std::int64_t first, const UpdateOptions& options,
                      store::Store& target);

/// Options of a full solve that replaces an update.
SolveOptions solve_again(const store::Layout& layout, const UpdateOptions& options);

}  // namespace apsp::api
