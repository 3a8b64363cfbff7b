// The plan of a solve by the processes of a job (collective_solve.hpp): how, chosen once, and what
// each of them takes.
//
// The way that is taken is the one that a single process with all their threads would take, if no
// memory bounded it. A way by rows needs no exchange: each process makes the source of rows, such
// as a factor, for itself, in the time that one of them would take while the others waited, and
// without the time that sending it would take besides; its rows are distributed.
#pragma once

#include <apsp/solve.hpp>
#include <optional>
#include <string>

#include "distributed/collective_solve.hpp"
#include "planner/plan.hpp"
#include "store/leftovers.hpp"

namespace apsp::distributed {

/// What stands beside the output to go on from (earlier_run.hpp). Process 0 alone looks: others
/// that look at the same time take its locks for those of a run. Throws, in all processes, as
/// `earlier_run`.
std::optional<store::Resumable> earlier_run_of_all(Processes& processes,
                                                   const SolveOptions& options);

/// All processes, with the same graph. `earlier`: what is gone on from; the algorithm is its, and
/// of a matrix the tiles. Throws, in all of them, `Error`: usage, for
/// what is not offered on several processes; usage that names a process whose plan is another, and
/// in what.
planner::Plan collective_plan(const Job& job, const Graph& graph, const SolveOptions& options,
                              const std::optional<store::Resumable>& earlier = {});

/// All processes: whether panels go from GPU to GPU. Throws, in all of them, `Error` (usage) where
/// they must and cannot.
bool goes_direct(const Job& job, const planner::Plan& plan);

/// All processes: panels go from GPU to GPU, or processes that share one take turns. Throws, in all
/// of them, `Error` (device).
void connect_gpus(const Job& job, const planner::Plan& plan, bool direct, GridRun& run);

/// "floyd-warshall min-plus f32 on 2 × 2 processes, 1 thread and 21.0 MiB each, predicted 80 ms".
std::string plan_line(const Job& job, const planner::Plan& plan, bool direct = false);

/// Whether memory holds a copy of a process's part, so that it is written while the solve goes on.
bool copies_checkpoints(const Job& job, const Graph& graph, const SolveOptions& options,
                        const planner::Plan& plan);

/// Throws `Error` (does_not_fit).
void require_fit(const Job& job, const planner::Plan& plan);

}  // namespace apsp::distributed
