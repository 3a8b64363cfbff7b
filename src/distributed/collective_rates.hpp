// Rates of the processes of a job: all of them plan with those of the slowest.
//
// A planner asks for rates when it needs them, and knows only then how long the solve may take. So
// process 0 asks. Each process looks for its own figures, of its own threads, or measures them. All
// do so at the same time and share the machine. Process 0 tells the slowest to the others, who wait
// for it when they come to the same question. For a GPU only the first process of each machine
// answers.
#pragma once

#include <functional>
#include <optional>

#include "distributed/collective_solve.hpp"
#include "planner/rates.hpp"

namespace apsp::distributed {

/// All processes, in step: runs `work` with rates of all that work together, in which nothing else
/// is exchanged. `threads`: of this process. Throws, in all of them, what the first of them throws.
void with_collective_rates(const Job& job, const Graph& graph, int threads,
                           const std::function<void(const planner::RateSource&)>& work);

/// A GPU that a process takes, and what it is asked for.
struct GpuQuestion {
  planner::KernelKind kernel{};
  places::Shape shape = places::Shape::full;
  planner::DeviceFacts device{};
  int threads = 1;
  double solve = 0;  // s, that the device may take; 0: for rows, of which its rates say nothing
  double start = 0;  // s, that its driver may take
};

/// All processes, in step; each that has a GPU says which. Returns a source of the figures of the
/// slowest, which answers for any GPU. Throws, in all of them, what the first of
/// them throws.
planner::RateSource collective_gpu_rates(const Job& job, const std::optional<GpuQuestion>& mine);

}  // namespace apsp::distributed
