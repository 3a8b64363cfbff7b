// The requests of `solve`, `closure` and `plan`: options, and checks before a graph is read.
#pragma once

#include <apsp/io.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <string>

#include "cli/arguments.hpp"
#include "cli/context.hpp"
#include "cluster/launched_job.hpp"

namespace apsp::cli {

struct SolveRequest {
  std::string graph;
  bool graph_left = false;  ///< `graph` names no file: an earlier run stored it with its output
  ReadOptions reading;
  SolveOptions solving;
  std::string sources, targets;
  bool verify = false;
  bool no_statistics = false;
  bool largest_component = false;
  cluster::JobOptions job;
  std::uint64_t seed = 1;
  std::size_t top = 5;
};

/// Declares the options that all these verbs share: graph, output, machine, checks.
void declare_solving(Arguments& arguments, SolveRequest& request, bool needs_graph = true);
/// Declares the options for device and memory.
void declare_place(Arguments& arguments, SolveOptions& options);
void declare_algorithm(Arguments& arguments, SolveOptions& options);
/// Declares --keep, and the options for predecessors, via and hops.
void declare_planes(Arguments& arguments, SolveOptions& options);
/// Declares semiring, value type, algorithm, tile.
void declare_method(Arguments& arguments, SolveRequest& request);
void declare_tuning(Arguments& arguments, cluster::JobOptions& job);
/// `apsp help tuning`: the keys of --tuning.
std::string tuning_text();
/// Declares the options of several processes.
void declare_job(Arguments& arguments, SolveRequest& request);
bool gave_job_options(const Context& context);

/// Whether this is "apsp solve --resume OUT", which takes graph and options from the earlier run.
bool names_output_alone(const SolveRequest& request);

/// Throws `Error` (usage) for an option without effect in this request.
void refuse_idle_options(const Context& context, const SolveRequest& request);
void check(const SolveRequest& request);
/// The options before the graph is read, with vertex 0 as the only source or target where some are
/// named.
SolveOptions known_options(const SolveRequest& request);
SolveOptions solve_options(Context& context, const SolveRequest& request, const Graph& graph);

}  // namespace apsp::cli
