// The flow of a solve, the same for one process and for several: resume or begin, plan, open the
// output, compute into sinks, store, report. What one process does with a matrix in memory or on
// disk (solve.cpp), and what the processes of a grid do (cluster/collective_solve.cpp), are the
// virtual steps.
#pragma once

#include <apsp/solve.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "api/caller_rows.hpp"
#include "api/result.hpp"
#include "base/seconds_since.hpp"
#include "engine/process_group.hpp"
#include "engine/solve_graph.hpp"
#include "flow/store_rows.hpp"
#include "paths/predecessor_rows.hpp"
#include "planner/devices.hpp"
#include "planner/plan.hpp"
#include "planner/rates.hpp"
#include "statistics/column_statistics.hpp"
#include "statistics/statistics_pass.hpp"
#include "store/disk_matrix.hpp"
#include "store/leftovers.hpp"
#include "store/store.hpp"

namespace apsp::api {

// `solve` and `plan_solve` with GPUs and rates as arguments, for tests. No rates: nothing is
// measured, and predictions are uncalibrated.

Result solve_among(const planner::FindDevices& find, const Graph& graph,
                   const SolveOptions& options, const planner::RateSource& rates = {});

PlanReport plan_among(const planner::FindDevices& find, const Graph& graph,
                      const SolveOptions& options, const planner::RateSource& rates = {},
                      std::int64_t estimated_from = planner::kNeverEstimated);

/// The report of a plan, before its solve.
SolveReport report_of(const planner::Plan& plan);

/// The consumers of rows or columns of a process.
struct SolveSinks {
  /// `output`, `kept`: receive distances; null: none. `predecessors`: they are found with the rows.
  /// `resumed`: some rows are stored and available only as rows, not as columns.
  SolveSinks(const Graph& graph, const planner::Plan& plan, const SolveOptions& options,
             store::Store* output, store::Store* kept, bool predecessors, bool resumed);

  std::vector<flow::RowSink*> all();
  flow::ColumnSink* columns() { return column_statistics ? &*column_statistics : nullptr; }

  std::optional<flow::StoreRows> output, kept;
  std::optional<paths::PredecessorRows> predecessors;
  std::optional<CallbackRows> caller;
  std::optional<DeviceCallbackRows> on_device;
  std::optional<CallerRows> into;
  std::optional<statistics::StatisticsPass> statistics;           // by row, or
  std::optional<statistics::ColumnStatistics> column_statistics;  // by vertex
};

class SolveFlow {
 public:
  SolveFlow(engine::ProcessGroup& group, const Graph& graph, const SolveOptions& given)
      : group_(group), graph_(graph), options_(given) {}
  virtual ~SolveFlow() = default;
  SolveFlow(const SolveFlow&) = delete;
  SolveFlow& operator=(const SolveFlow&) = delete;

  /// Collective. Throws, in all processes, as `solve`.
  Result run();

 protected:
  /// Sets `plan_`. An earlier run is already known, and `options_` are decided by it.
  virtual void make_plan() = 0;
  /// Add to the reports of a plan.
  virtual void describe(SolveReport&) const {}
  virtual void describe(PlanReport&) const {}
  /// Makes the matrix in which distances are solved, if there is one: after the output, so that a
  /// path that cannot be written costs no solve.
  virtual void open_matrix() = 0;
  /// Whether predecessors are found with the rows.
  virtual bool predecessors_with_rows() const = 0;
  /// Computes everything for the sinks, and finishes them. In process 0 they then have the rows of
  /// all.
  virtual engine::Solved compute(SolveSinks& sinks) = 0;
  /// Writes the planes that are no distances, in process 0.
  virtual void write_planes() = 0;
  /// Keeps the data for later questions; the output is complete.
  virtual void keep() {}

  bool matrix_left() const { return earlier_ && earlier_->contents.checkpoint; }
  bool rows_left() const { return earlier_ && !earlier_->contents.checkpoint; }
  bool stores_factor() const { return plan_.stored == Keep::factor; }
  SolveReport& report() { return state_->report; }

  engine::ProcessGroup& group_;
  const Graph& graph_;
  SolveOptions options_;
  planner::Plan plan_;
  std::optional<store::Resumable> earlier_;
  std::unique_ptr<Result::State> state_;
  std::unique_ptr<store::Store> output_;    // of a factor: in process 0
  std::vector<std::int64_t> held_;          // bands of the output that an earlier run stored
  std::unique_ptr<store::Store> selected_;  // rows and columns kept in addition to a matrix
  std::unique_ptr<store::DiskMatrix> matrix_;
  std::shared_ptr<const sparse::Factor> factor_;  // in process 0

 private:
  using Clock = std::chrono::steady_clock;

  void take_up_earlier();
  void tell_plan();
  void open_output();
  void solve();
  void write();
  double seconds_storing() { return base::seconds_since(solving_) - report().seconds_solve; }
  void note_total();

  Clock::time_point start_ = Clock::now(), solving_{};
};

}  // namespace apsp::api
