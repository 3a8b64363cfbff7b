// The choice of GPUs by the processes of a job, with rates common to all (collective_rates.hpp).
// Either all processes use a GPU or none does. If the part of one streams through its GPU, all
// parts do, with the same panels.
#pragma once

#include <apsp/solve.hpp>
#include <optional>

#include "cluster/collective_rates.hpp"
#include "cluster/collective_solve.hpp"
#include "cluster/process_device.hpp"
#include "planner/plan.hpp"
#include "store/leftovers.hpp"

namespace apsp::cluster {

planner::DevicePreference device_preference(const SolveOptions& options);
ProcessPlace place_of(const Job& job);

/// Half of a symmetric matrix is solved on square grids, without intermediate vertices.
dense::Shape shape_on_grid(const Job& job, const Graph& graph, bool with_via);

/// Whether all parts stream, with the memory of the smallest GPU.
struct Streaming {
  bool streams = false;
  std::int64_t memory = 0;  // bytes of a GPU; 0: as the options say
};

class GpusTogether {
 public:
  /// All must outlive this. `earlier`: the resumed run, which fixes the tiles.
  GpusTogether(const Job& job, const Graph& graph, const SolveOptions& options,
               const std::optional<store::Resumable>& earlier);

  /// Decides whether this process may use a GPU. Throws `Error`: device, usage, if a GPU was named
  /// and is not available.
  void prepare(const planner::Plan& plan, const planner::RateSource& rates);
  /// Collective. Sets the GPU of this process in the plan, or the reason for none. Throws, in all
  /// processes, as `prepare`, and `does_not_fit`.
  void choose(planner::Plan& plan);
  /// The rates of the GPUs, common to all. Requires: `choose` is complete.
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
  planner::HostRates host_;              // of all processes together, if they may use CPUs
  std::optional<GpuQuestion> question_;  // empty: this process uses none
  planner::RateSource rates_;
};

}  // namespace apsp::cluster
