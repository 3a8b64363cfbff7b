// What `solve` and `closure` do: read a graph, solve it, and store or print the result.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <apsp/io.hpp>
#include <apsp/solve.hpp>
#include <apsp/verify.hpp>

#include "cli/arguments.hpp"
#include "cli/session.hpp"
#include "places/blocked_floyd_warshall.hpp"
#include "places/route.hpp"

namespace apsp::cli {

struct SolveRequest {
  std::string graph;
  bool graph_left = false;  ///< an earlier run left the graph with its output: `graph` is no file
  ReadOptions reading;
  SolveOptions solving;
  std::string sources, targets;  ///< as they were named, before the graph is there; empty: all
  bool verify = false;
  bool no_statistics = false;
  int grid_rows = 0, grid_columns = 0;  ///< of several processes; 0: chosen
  places::Broadcast broadcast = places::Broadcast::ring;
  bool direct = false;      ///< broadcasts go from GPU to GPU instead
  bool cuda_aware = false;  ///< or by an MPI that reads their memory
  places::Schedule schedule = places::Schedule::overlapped;
  std::optional<int> block_rows{}, block_columns{};  // 0: by machine; none: by machine if it goes
  std::optional<double> checkpoint_minutes{};
  bool names_job = false;       ///< options of several processes are there
  bool names_semiring = false;  ///< it is not left to the run that is resumed
  std::uint64_t seed = 1;
  std::size_t top = 5;
};

/// What these verbs and `plan` take: the graph, where the result goes, machine, checks.
void declare_solving(Arguments& arguments, SolveRequest& request, bool needs_graph = true);

/// Where to solve, and in how much memory.
void declare_place(Arguments& arguments, SolveOptions& options);
/// Value type and algorithm.
void declare_algorithm(Arguments& arguments, SolveOptions& options);

/// What `solve` and `plan` take besides: planes beside the distances; semiring, type, algorithm.
void declare_planes(Arguments& arguments, SolveOptions& options);
void declare_method(Arguments& arguments, SolveRequest& request);

/// Throws `Error` (usage) for options that do not go together.
void check(const SolveRequest& request);
/// What `run_solve` asks the library for.
SolveOptions solve_options(Session& session, const SolveRequest& request, const Graph& graph);

/// Options of several processes.
void declare_job(Arguments& arguments, SolveRequest& request);

/// What is printed about a solve. `verify`: called to check the result, if the user asked for it.
struct Solved {
  const Result& result;
  const PlanReport& plan;
  double seconds_read = 0;
  std::function<VerifyReport()> verify{};
};
/// Prints it in the form that the session asks for. Returns the exit code.
int tell(Session& session, const SolveRequest& request, const Solved& told);

/// Checks the result; if it was written, the file, not the memory it came from.
VerifyReport verify_answer(Session& session, const SolveRequest& request, const Result& result);

/// `run_solve` as one of several processes.
int run_solve_in_job(Session& session, SolveRequest& request);

/// Returns the exit code: 1 if a verification was asked for and failed.
int run_solve(Session& session, SolveRequest& request);

}  // namespace apsp::cli
