// How a solve by rows or on disk resumes the unfinished results of an earlier run.
#pragma once

#include <apsp/solve.hpp>
#include <memory>
#include <optional>

#include "engine/process_group.hpp"
#include "planner/plan.hpp"
#include "store/disk_matrix.hpp"
#include "store/leftovers.hpp"
#include "store/store.hpp"

namespace apsp::api {

/// Returns the unfinished results for `options.storage.output` if `resume` is set. Otherwise
/// removes them with `overwrite`, or throws `Error` (usage), which names the ways out.
std::optional<store::Resumable> earlier_run(const SolveOptions& options);
/// The same in all processes of a solve. Only process 0 looks, as others would mistake its locks
/// for those of a run. Collective. Throws, in all processes, as `earlier_run`.
std::optional<store::Resumable> earlier_run(engine::ProcessGroup& group,
                                            const SolveOptions& options);

/// Throws `Error` (usage) if one process is to resume rounded values of several, or the reverse.
void require_begun_by(const store::Resumable& earlier, bool several);

/// The plan of a solve that resumes from a matrix on disk, regardless of `plan`'s own choice.
/// Throws `Error`: usage, does_not_fit, input.
planner::Plan plan_again(const store::Resumable& earlier, const planner::PlanRequest& asked,
                         const planner::Plan& plan);

/// Opens the matrix on disk that `earlier` left, or creates one. Throws as `open_output`.
std::unique_ptr<store::DiskMatrix> open_matrix(const Graph& graph, const planner::Plan& plan,
                                               const SolveOptions& options,
                                               const std::optional<store::Resumable>& earlier);

/// The facts that rounded values depend on, apart from graph, algorithm and type; empty: none.
std::string rounding_of(const planner::Plan& plan);

/// Opens or creates the matrix of a solve on a grid, tiled as in `earlier`. Throws the same.
std::unique_ptr<store::DiskMatrix> open_checkpoints(const Graph& graph, const planner::Plan& plan,
                                                    const SolveOptions& options,
                                                    const std::optional<store::Resumable>& earlier);
/// Side of the tiles with which the matrix was begun.
std::int64_t tile_of(const store::Resumable& earlier);
/// Whether GPUs rounded its sums; only GPUs may continue it.
bool rounded_by_gpus(const store::Resumable& earlier);

/// Returns `options` with those of the earlier run that determine values and planes of a result.
SolveOptions options_of(const store::Resumable& earlier, SolveOptions options = {});

/// Throws `Error` (usage) if `earlier` began with another graph.
void require_graph_of(const store::Resumable& earlier, const Graph& graph);

/// Replaces automatic choices by those of the earlier run: the algorithm, and the device if rounded
/// values depend on it. Counts the disk space that is already in use as available.
SolveOptions decided_by(const store::Resumable& earlier, SolveOptions options);

/// Whether rows are written as they are computed, in bands that a journal lists.
bool fills_by_rows(const planner::Plan& plan, const SolveOptions& options);

/// Opens the rows that `earlier` left, or a new output, with a journal if rows fill a .zarr. Throws
/// `Error`: usage (`earlier` is of another solve), input_output.
std::unique_ptr<store::Store> open_output(const Graph& graph, const planner::Plan& plan,
                                          const SolveOptions& options, const store::Layout& layout,
                                          const std::optional<store::Resumable>& earlier);

}  // namespace apsp::api
