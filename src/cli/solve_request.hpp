// What the user asks of `solve`, `closure` and `plan`: options, and checks before a graph is read.
#pragma once

#include <apsp/io.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <string>

#include "cli/arguments.hpp"
#include "cli/context.hpp"
#include "distributed/solve_job.hpp"

namespace apsp::cli {

struct SolveRequest {
  std::string graph;
  bool graph_left = false;  ///< `graph` names no file: an earlier run left it with its output
  ReadOptions reading;
  SolveOptions solving;
  std::string sources, targets;  ///< as the options name them; empty: all
  bool verify = false;
  bool no_statistics = false;
  bool largest_component = false;  ///< nothing but that of the graph is solved
  distributed::JobOptions job;     ///< of several processes
  std::uint64_t seed = 1;
  std::size_t top = 5;
};

/// The options of all these verbs: the graph, where the result goes, machine, checks.
void declare_solving(Arguments& arguments, SolveRequest& request, bool needs_graph = true);
/// Where to solve, and in how much memory.
void declare_place(Arguments& arguments, SolveOptions& options);
/// Value type and algorithm.
void declare_algorithm(Arguments& arguments, SolveOptions& options);
/// More planes than the distances.
void declare_planes(Arguments& arguments, SolveOptions& options);
/// Semiring, value type, algorithm, tile.
void declare_method(Arguments& arguments, SolveRequest& request);
/// The grid of several processes, and which variant they run.
void declare_grid(Arguments& arguments, distributed::JobOptions& job);
/// Options of several processes.
void declare_job(Arguments& arguments, SolveRequest& request);
/// Whether one of them was given.
bool gave_job_options(const Context& context);

/// "apsp solve --resume OUT" names no graph: the graph, and all that decides over the result, are
/// those of the earlier run.
bool names_output_alone(const SolveRequest& request);

/// Throws `Error` (usage) for an option that has no effect in this request.
void refuse_idle_options(const Context& context, const SolveRequest& request);
/// Throws `Error` (usage) for options that do not go together.
void check(const SolveRequest& request);
/// The request as the library takes it.
SolveOptions solve_options(Context& context, const SolveRequest& request, const Graph& graph);

/// Alone, or as one process of a job. Returns the exit code: 1 if a verification was asked for and
/// failed.
int run_solve(Context& context, SolveRequest& request);

}  // namespace apsp::cli
