// A solved graph for other weights: its factor, in the order that it has, or its matrix, also with
// new vertices (engine/matrix_update.hpp).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <functional>
#include <memory>
#include <vector>

#include "base/file_lock.hpp"
#include "elimination/factor.hpp"
#include "planner/devices.hpp"
#include "store/store.hpp"

namespace apsp::api {

/// What is known of the factor before.
struct FactorBefore {
  const Graph& graph;
  std::shared_ptr<const elimination::Tree> tree;
  Semiring semiring;
  ValueType type;
  /// Its values, if they are asked for: they may rest in a file.
  std::function<std::shared_ptr<const elimination::Factor>()> factor;
};

struct UpdatedFactor {
  std::shared_ptr<const elimination::Factor> factor;
  Graph graph;  ///< with the numbers of the vertices that the factor has
  UpdateReport report;
};

/// The type of a new result: that of the one before, or a wider one where it does not hold the
/// weights. `was`: the graph before. Throws `Error` where there is none, or where exact sums of
/// integers would become rounded ones; usage for real weights of both signs.
ValueType type_after(const Graph& was, const Graph& graph, Semiring semiring, ValueType before,
                     int threads, const Control& control);

/// How many edges the arcs are, of graphs that are directed or not.
std::int64_t edges_of(const std::vector<VertexPair>& arcs, bool each_way);

/// Bytes that an update may take besides `held`, those of graphs and values. Where memory was
/// named, it is that of the whole process.
std::int64_t update_room(std::int64_t held, const UpdateOptions& options);
/// Throws `Error` (does_not_fit) where there is no room for so many bytes.
void require_update_room(std::int64_t needed, std::int64_t held, const UpdateOptions& options);

/// The factor of `graph`. Throws as `Result::update`.
UpdatedFactor updated_factor(const FactorBefore& before, const Graph& graph,
                             const UpdateOptions& options);

struct UpdatedMatrix {
  std::unique_ptr<store::Store> matrix;  ///< in memory
  Graph graph;                           ///< vertices of before keep their numbers
  UpdateReport report;
};

/// `stored`: the distances of `before`. Where most rows change, the graph is solved again. Throws
/// as `Result::update`; usage where `stored` holds some rows or columns only, or other planes;
/// device.
UpdatedMatrix updated_matrix(const Graph& before, const store::Store& stored, const Graph& graph,
                             const UpdateOptions& options,
                             const planner::FindDevices& find = planner::cuda_devices);

/// The graph that was solved: beside a .zarr, or the caller's of an .npy, which holds none. Throws
/// `Error` (usage).
Graph graph_beside(const store::Store& stored, const std::string& path,
                   const UpdateOptions& options);

/// Of a result that is changed where it is: waits while another run changes it. From reading to
/// replacing nobody else does, then. Null: the output is another one.
std::unique_ptr<base::Lock> claim_result(const std::string& path, const std::string& output,
                                         const Control& control);

/// What is kept beside an updated matrix: the report of the solve, of the layout and graph of now.
store::Metadata metadata_after(const store::Store& stored, const store::Layout& layout,
                               const Graph& graph);

}  // namespace apsp::api
