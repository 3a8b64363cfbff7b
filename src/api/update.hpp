// Updates a solved graph for other weights: its factor, or its matrix (engine/matrix_update.hpp).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/matrix_operations.hpp"
#include "engine/matrix_update.hpp"
#include "planner/devices.hpp"
#include "sparse/factor.hpp"
#include "store/store.hpp"
#include "system/file_lock.hpp"

namespace apsp::api {

struct FactorBefore {
  const Graph& graph;
  std::shared_ptr<const sparse::Tree> tree;
  Semiring semiring;
  ValueType type;
  /// Returns its values, possibly from a file.
  std::function<std::shared_ptr<const sparse::Factor>()> factor;
};

struct UpdatedFactor {
  std::shared_ptr<const sparse::Factor> factor;
  Graph graph;  ///< vertex numbers as in the factor
  UpdateReport report;
};

/// The type of the new result: `before`, or a wider one if needed. `was`: the graph before. Throws
/// `Error` if no type fits or exact integers would be rounded; usage for real weights of both
/// signs.
ValueType type_after(const Graph& was, const Graph& graph, Semiring semiring, ValueType before,
                     int threads, const Control& control);

/// The number of edges. `each_way`: each undirected edge has two arcs.
std::int64_t edges_of(const std::vector<VertexPair>& arcs, bool each_way);

/// Bytes left for an update. `held`: bytes of graphs and values. A named limit is for the process.
std::int64_t update_room(std::int64_t held, const UpdateOptions& options);
/// Throws `Error` (does_not_fit) if `needed` exceeds `update_room`.
void require_update_room(std::int64_t needed, std::int64_t held, const UpdateOptions& options);

/// The factor of `graph`. Throws as `Result::update`.
UpdatedFactor updated_factor(const FactorBefore& before, const Graph& graph,
                             const UpdateOptions& options);

struct UpdatedMatrix {
  std::unique_ptr<store::Store> matrix;  ///< in memory
  Graph graph;                           ///< previous vertices keep their numbers
  UpdateReport report;
};

/// `stored`: the distances of `before`. Solves again if most rows change. Throws as
/// `Result::update`; usage if `stored` has a selection or other planes; device.
UpdatedMatrix updated_matrix(const Graph& before, const store::Store& stored, const Graph& graph,
                             const UpdateOptions& options,
                             const planner::FindDevices& find = planner::cuda_devices);

/// The solved graph: stored in a .zarr, or the caller's for an .npy. Throws `Error` (usage).
Graph graph_beside(const store::Store& stored, const std::string& path,
                   const UpdateOptions& options);

/// Locks a result that is updated in place, from reading to replacing; waits for other runs.
/// Returns null if the output is elsewhere.
std::unique_ptr<system::Lock> claim_result(const std::string& path, const std::string& output,
                                           const Control& control);

store::Metadata metadata_after(const store::Store& stored, const store::Layout& layout,
                               const Graph& graph);

/// The input of a matrix update: graphs of the same vertex numbers, and the arcs that differ.
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

// Metrics inside the .zarr of a factor.

/// Throws `Error` (usage): invalid name; `result` is no .zarr, or is a metric itself.
std::string metric_to_write(const std::string& result, const std::string& metric);
/// Makes the Zarr group of all metrics. Throws `Error` (input_output).
void make_metric_group(const std::string& result);

}  // namespace apsp::api
