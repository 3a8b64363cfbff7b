// The way from a graph's file to a stored or summarised result, as `solve` and `closure` walk it.
#pragma once

#include <cstdint>
#include <string>

#include <apsp/io.hpp>
#include <apsp/solve.hpp>

#include "cli/arguments.hpp"
#include "cli/session.hpp"

namespace apsp::cli {

struct SolveRequest {
  std::string graph;
  ReadOptions reading;
  SolveOptions solving;
  std::string sources, targets;  ///< as they were named, before the graph is there; empty: all
  bool verify = false;
  bool no_statistics = false;
  bool names_semiring = false;  ///< and does not leave it to what is resumed
  std::uint64_t seed = 1;
  std::size_t top = 5;
};

/// What these verbs and `plan` take: the graph, where the result goes, machine, checks.
void declare_solving(Arguments& arguments, SolveRequest& request, bool needs_graph = true);

/// What `solve` and `plan` take besides: planes beside the distances; semiring, type, algorithm.
void declare_planes(Arguments& arguments, SolveOptions& options);
void declare_method(Arguments& arguments, SolveRequest& request);

/// Throws `Error` (usage) for options that do not go together.
void check(const SolveRequest& request);
/// What `run_solve` asks the library for.
SolveOptions solve_options(Session& session, const SolveRequest& request, const Graph& graph);

/// Returns the exit code: 1 if a verification was asked for and failed.
int run_solve(Session& session, SolveRequest& request);

}  // namespace apsp::cli
