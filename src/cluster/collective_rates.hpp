// Rates of the processes of a job: all plan with those of the slowest.
//
// A planner asks for rates when it knows how long the solve may take, so process 0 asks. Each
// process looks up or measures its own figures, all at the same time, as they share the machine.
// Process 0 sends the slowest to the others, which wait for them at the same question. For a GPU
// only the first process of each machine answers.
#pragma once

#include <functional>
#include <optional>

#include "cluster/collective_solve.hpp"
#include "planner/rates.hpp"

namespace apsp::cluster {

/// Collective: runs `work`, which must not communicate otherwise, with the common rates. `threads`:
/// of this process. Throws, in all processes, the error of the first that failed.
void with_collective_rates(const Job& job, const Graph& graph, int threads,
                           const std::function<void(const planner::RateSource&)>& work);

struct GpuQuestion {
  planner::KernelKind kernel{};
  dense::Shape shape = dense::Shape::full;
  planner::DeviceFacts device{};
  int threads = 1;
  double solve = 0;  // s, of the solve on the device; 0: rows, which its rates do not describe
  double start = 0;  // s, of the driver's start
};

/// Collective. Returns a source of the slowest GPU's figures, which answers for any GPU. Throws, in
/// all processes, the error of the first that failed.
planner::RateSource collective_gpu_rates(const Job& job, const std::optional<GpuQuestion>& mine);

}  // namespace apsp::cluster
