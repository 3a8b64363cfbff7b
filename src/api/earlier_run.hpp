// How a solve by rows, or over a matrix on disk, keeps what a later run can go on from, and how
// that run does (store/leftovers).
#pragma once

#include <apsp/solve.hpp>
#include <memory>
#include <optional>

#include "planner/plan.hpp"
#include "store/disk_matrix.hpp"
#include "store/leftovers.hpp"
#include "store/store.hpp"

namespace apsp::api {

/// What stands beside `options.output` to go on from, if that is asked for. Where it is not, and
/// something stands there: with `overwrite` it is removed, else `Error` (usage) says the ways out.
std::optional<store::Resumable> earlier_run(const SolveOptions& options);

/// Throws `Error` (usage) where rounded values of a matrix on disk were begun by one process and
/// are to be gone on with by several, or the other way round.
void require_begun_by(const store::Resumable& earlier, bool several);

/// The plan of a solve that goes on from a matrix on disk, however it would be solved now. Throws
/// `Error`: usage, does_not_fit, input.
planner::Plan plan_again(const store::Resumable& earlier, const planner::PlanRequest& asked,
                         const planner::Plan& plan);

/// The matrix of a plan that has it on the disk: what `earlier` left, or a new one. Throws as
/// `open_output`.
std::unique_ptr<store::DiskMatrix> open_matrix(const Graph& graph, const planner::Plan& plan,
                                               const SolveOptions& options,
                                               const std::optional<store::Resumable>& earlier);

/// What rounded values depend on besides graph, algorithm and type, in words; empty: they depend on
/// nothing else.
std::string rounding_of(const planner::Plan& plan);

/// The matrix of a solve on a grid, tiles as they were begun: what `earlier` left, or a new one.
/// Throws as `open_output`.
std::unique_ptr<store::DiskMatrix> open_checkpoints(const Graph& graph, const planner::Plan& plan,
                                                    const SolveOptions& options,
                                                    const std::optional<store::Resumable>& earlier);
/// The side of the tiles that a matrix was begun with.
std::int64_t tile_of(const store::Resumable& earlier);
/// Whether GPUs have rounded its sums: only GPUs continue it then.
bool rounded_by_gpus(const store::Resumable& earlier);

/// The options that decide over the values and planes of a result, as they were when it was begun.
SolveOptions options_of(const store::Resumable& earlier);

/// Throws `Error` (usage) where the graph is not the one that `earlier` began with, before anything
/// is planned for it.
void require_graph_of(const store::Resumable& earlier, const Graph& graph);

/// The options, an automatic choice of the algorithm replaced by the one that was made then, and
/// one of the device where rounded values of a matrix depend on it; the disk has room for what is
/// there already.
SolveOptions decided_by(const store::Resumable& earlier, SolveOptions options);

/// Whether rows go to the output as they are computed, in bands that a ledger names: a band of
/// tiles is complete long before the last.
bool fills_by_rows(const planner::Plan& plan, const SolveOptions& options);

/// Where the output of a solve goes: the rows that `earlier` left, or from the beginning; resumable
/// where rows are passed on and it is a .zarr. Throws `Error`: usage (`earlier` is of another
/// solve), input_output.
std::unique_ptr<store::Store> open_output(const Graph& graph, const planner::Plan& plan,
                                          const SolveOptions& options, const store::Layout& layout,
                                          const std::optional<store::Resumable>& earlier);

}  // namespace apsp::api
