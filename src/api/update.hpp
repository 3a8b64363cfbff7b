// Updates a solved graph for other weights: its factor, or its matrix (engine/matrix_update.hpp).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/matrix_update.hpp"
#include "engine/process_group.hpp"
#include "kernels/contract.hpp"
#include "planner/devices.hpp"
#include "store/store.hpp"
#include "system/file_lock.hpp"

namespace apsp::api {

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

/// Options of a full solve that replaces an update.
SolveOptions solve_again(const store::Layout& layout, const UpdateOptions& options);

/// The input of a matrix update: graphs of the same vertex numbers, and the arcs that differ.
struct GraphChange {
  Graph before, after;
  std::vector<VertexPair> arcs;
  store::Layout layout;  ///< of the matrix after
  UpdateReport report;
};

/// The flow of an update, the same for one process and for several, which have a range of rows
/// each. What the processes of a job do otherwise (cluster/collective_update.cpp) are the virtual
/// steps; those of this class are of one process.
class UpdateFlow {
 public:
  UpdateFlow(engine::ProcessGroup& group, const UpdateOptions& options,
             const planner::FindDevices& find)
      : group_(group), options_(options), find_(find) {}
  virtual ~UpdateFlow() = default;
  UpdateFlow(const UpdateFlow&) = delete;
  UpdateFlow& operator=(const UpdateFlow&) = delete;

  /// Collective. Process 0 calls `change`, and updates a factor while the others wait. Throws, in
  /// all processes, as `update_stored`.
  UpdateReport run(const std::string& path, const std::function<Graph(const Graph&)>& change);
  /// One process calls this. Throws as `updated_matrix`.
  UpdatedMatrix in_memory(const Graph& before, const store::Store& stored, const Graph& graph);

 protected:
  /// Returns the graph of process 0. Called within `ProcessGroup::communicate`.
  virtual Graph shared(const Graph& graph) { return graph; }
  /// Takes memory for the own rows, `rows_`; false: an update has too little. Throws `Error`
  /// (does_not_fit).
  virtual bool reserve();
  virtual engine::RowShares& shares() { return whole_; }
  /// Bytes of an update in addition to its rows; called when these are read.
  virtual std::int64_t room() const;
  /// The options with the device of this process.
  virtual UpdateOptions on_own_device() const { return options_; }
  /// Solves the new graph instead, into `rows_` or the output. Returns whether into `rows_`.
  virtual bool solve();

  engine::ProcessGroup& group_;
  const UpdateOptions& options_;
  const planner::FindDevices find_;
  std::string output_;
  GraphChange change_;
  kernels::View rows_{};

 private:
  void open(const std::string& path);
  void read(const std::string& path);
  void update_factor(const std::string& path, const Graph& after);
  std::unique_ptr<store::Store> create(const store::Layout& layout,
                                       const std::string& shares_with = {}) const;
  void begin(const Graph& before, const store::Store& stored, const Graph& graph);
  bool compute(const store::Store& stored);
  bool update(const store::Store& stored);
  void write();

  std::unique_ptr<system::Lock> in_place_;  // in process 0
  std::unique_ptr<store::Store> stored_, matrix_;
  Graph before_;
  engine::RowShares whole_;
  std::int64_t graph_bytes_ = 0;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace apsp::api
