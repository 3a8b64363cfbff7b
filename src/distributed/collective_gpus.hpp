// The GPUs of the processes of a job: which of them each takes for its part of a matrix, chosen by
// rates that all have in common (collective_rates.hpp). Where one process has none, none takes any;
// where the part of one streams through its GPU, those of all do, in the same panels.
#pragma once

#include <apsp/solve.hpp>
#include <optional>

#include "distributed/collective_rates.hpp"
#include "distributed/collective_solve.hpp"
#include "distributed/process_device.hpp"
#include "planner/plan.hpp"
#include "store/leftovers.hpp"

namespace apsp::distributed {

planner::DevicePreference device_preference(const SolveOptions& options);
ProcessPlace place_of(const Job& job);

/// Half of a symmetric matrix is solved on square grids, without intermediate vertices.
places::Shape shape_on_grid(const Job& job, const Graph& graph, bool with_via);

/// Where the part of one process streams, those of all do, through as much memory as the least has.
struct Streaming {
  bool streams = false;
  std::int64_t memory = 0;  // bytes of a GPU; 0: what the options say
};

class GpusTogether {
 public:
  /// All outlive it. `earlier`: what is gone on from, whose tiles stay.
  GpusTogether(const Job& job, const Graph& graph, const SolveOptions& options,
               const std::optional<store::Resumable>& earlier);

  /// This process: what the GPU that it may take is to be asked for. Throws `Error`: device, usage,
  /// where a GPU is asked for by name and there is none for it.
  void prepare(const planner::Plan& plan, const planner::RateSource& rates);
  /// All processes, in step: puts the GPU of this one, or why there is none, into the plan. Throws,
  /// in all of them, as `prepare`, and `does_not_fit`.
  void choose(planner::Plan& plan);
  /// What all were told of their GPUs. Requires: `choose` is complete.
  const planner::RateSource& rates() const { return rates_; }

 private:
  bool named() const { return options_.device == Device::cuda; }
  planner::DeviceProblem problem_of(const planner::Plan& plan) const;
  bool may_take_one(const planner::Plan& plan, double start) const;
  void take_messages();
  planner::DeviceChoice choose_mine(const planner::Plan& plan, const Streaming& all = {}) const;
  planner::DeviceChoice none_because(const std::string& why) const;
  Streaming streaming_of_all(const planner::DeviceChoice& choice) const;
  void agree_on_panels(planner::DevicePlan& device) const;
  void take(planner::DeviceChoice choice, planner::Plan& plan) const;

  const Job& job_;
  const Graph& graph_;
  const SolveOptions& options_;
  const std::optional<store::Resumable>& earlier_;
  planner::HostRates host_;              // of all processes together, where the CPUs may be taken
  std::optional<GpuQuestion> question_;  // empty: this process takes none
  planner::RateSource rates_;
};

}  // namespace apsp::distributed
