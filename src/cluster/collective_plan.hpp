// The plan of a solve by the processes of a job (collective_solve.hpp): the method, chosen once,
// and the costs of each process.
//
// The method is that of a single process with all their threads and unlimited memory. Rows need no
// exchange: each process makes the source of rows, such as a factor, in the time that one process
// would take while the others waited, and saves the time of sending it. Rows are distributed.
#pragma once

#include <apsp/solve.hpp>
#include <optional>
#include <string>

#include "cluster/collective_solve.hpp"
#include "cluster/process_device.hpp"
#include "planner/plan.hpp"
#include "store/leftovers.hpp"

namespace apsp::cluster {

/// Collective; `graph` is the same in all. `earlier`: the resumed run, which has decided the
/// options (`api::decided_by`), and fixes the tiles of a matrix. Throws, in all processes, `Error`:
/// usage, for options that several processes do not support, or that names a process with another
/// plan and the difference.
planner::Plan collective_plan(const Job& job, const Graph& graph, const SolveOptions& options,
                              const std::optional<store::Resumable>& earlier = {});

/// Collective. Returns whether panels go from GPU to GPU. Throws, in all processes, `Error` (usage)
/// if they must and cannot.
bool goes_direct(const Job& job, const planner::Plan& plan);

/// Collective. Connects GPUs for panels, or lets processes that share one take turns. Throws, in
/// all processes, `Error` (device).
void connect_gpus(const Job& job, const planner::Plan& plan, bool direct, GridRun& run);

/// "floyd-warshall min-plus f32 on 2 × 2 processes, 1 thread and 21.0 MiB each, predicted 80 ms".
std::string plan_line(const Job& job, const planner::Plan& plan, bool direct = false);

/// Whether memory holds a copy of a process's part, so that checkpoints are written while the solve
/// continues.
bool copies_checkpoints(const Job& job, const Graph& graph, const SolveOptions& options,
                        const planner::Plan& plan);

void require_fit(const Job& job, const planner::Plan& plan);

ProcessPlace place_of(const Job& job);

}  // namespace apsp::cluster
