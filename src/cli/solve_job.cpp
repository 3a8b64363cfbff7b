// A solve by several processes, each of which runs this page.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <chrono>

#include "api/solve_together.hpp"
#include "base/processors.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_view.hpp"
#include "cli/leftovers_view.hpp"
#include "cli/reading.hpp"
#include "cli/resuming.hpp"
#include "cli/solve_run.hpp"
#include "cli/values.hpp"
#include "engine/shared_graph.hpp"

namespace apsp::cli {
namespace {

/// "2x3": rows and columns of processes.
void take_grid(const std::string& text, SolveRequest& request) {
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos) {
    throw Error(ErrorKind::usage,
                fmt::format("--grid takes ROWSxCOLUMNS of processes, such as 2x3, not '{}'", text));
  }
  request.grid_rows = static_cast<int>(integer_value("--grid", text.substr(0, cross), 1));
  request.grid_columns = static_cast<int>(integer_value("--grid", text.substr(cross + 1), 1));
  request.names_job = true;
}

engine::GridShape shape_of(const SolveRequest& request, int processes) {
  engine::GridShape shape = api::nearest_square(processes);
  if (request.grid_rows > 0) {
    shape.rows = request.grid_rows;
    shape.cols = request.grid_columns;
  }
  if (shape.rows * shape.cols != processes) {
    throw Error(ErrorKind::usage,
                fmt::format("--grid {}x{} is for {} processes, and there are {}", shape.rows,
                            shape.cols, shape.rows * shape.cols, processes));
  }
  shape.transport.pattern = request.broadcast;
  return shape;
}

/// Processes that a launcher has not bound to processors of their own share all that there are.
int threads_of_process(const Launch& launch, int asked) {
  if (asked > 0) return asked;
  const int offered = base::thread_count(0);
  const bool bound = offered < sysconf(_SC_NPROCESSORS_ONLN);
  return bound ? offered : std::max(1, offered / launch.of_machine);
}

/// The vertices that process 0 was told to choose, which may have come from its standard input.
void share_choice(engine::Processes& processes, std::vector<Vertex>& vertices) {
  base::ByteWriter writer;
  writer.put_all(std::span<const Vertex>(vertices));
  const base::ByteVector of_first = processes.share(writer.take());
  base::ByteReader reader(of_first);
  vertices = reader.get_all<Vertex>();
}

/// What all processes ask the library for.
SolveOptions options_of_all(Session& session, const SolveRequest& request,
                            engine::Processes& processes, const Graph& graph) {
  SolveOptions options;
  processes.together([&] {
    SolveRequest mine = request;
    if (!processes.first()) mine.sources = mine.targets = {};
    options = solve_options(session, mine, graph);
  });
  processes.apart([&] {
    share_choice(processes, options.sources);
    share_choice(processes, options.targets);
  });
  return options;
}

int solve_in_step(Session& session, SolveRequest& request, engine::Processes& processes,
                  const engine::GridShape& shape) {
  const auto began = std::chrono::steady_clock::now();
  processes.together([&] {
    check(request);
    if (names_output_alone(request)) {
      throw Error(ErrorKind::usage, "--resume is not offered on several processes");
    }
    if (!processes.first()) return;
    clean_beside(
        session, request.solving.output,
        request.solving.overwrite ? store::Resumables::removed : store::Resumables::spared);
    require_way(session, request);
    read_for(session, request.graph, request.reading);
  });
  processes.apart([&] {
    session.graph = engine::share_graph(processes, processes.first() ? *session.graph : Graph());
  });
  const Graph& graph = *session.graph;
  const double seconds_read =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  session.note(graph_line(graph, request.graph, session.err()));

  SolveOptions options = options_of_all(session, request, processes, graph);
  options.keep = Keep::statistics;
  options.threads = threads_of_process(*session.launch, options.threads);
  PlanReport plan;
  options.on_plan = [&](const PlanReport& made) {
    plan = made;
    session.note("plan: " + session.err().spelled(plan.line));
  };
  api::Job job{processes, shape, session.launch->of_machine};
  if (request.verify && options.output.empty()) {
    job.checks.emplace();
    job.checks->seed = request.seed;
    job.checks->control = session.control();
  }
  const api::Together found = api::solve_together(job, graph, options);
  int code = kExitOk;
  processes.together([&] {
    if (!processes.first()) return;
    Told told{found.result, plan, seconds_read};
    if (found.verified) told.verify = [&] { return *found.verified; };
    if (request.verify && !options.output.empty()) {
      told.verify = [&] { return verify_answer(session, request, found.result); };
    }
    code = tell(session, request, told);
  });
  return static_cast<int>(processes.least(processes.first() ? code : kExitDefect));
}

}  // namespace

void declare_job(Arguments& arguments, SolveRequest& request) {
  arguments.section("Several processes (mpirun -n 4 apsp solve …)");
  arguments.value(
      "--grid", "ROWSxCOLUMNS", [&request](const std::string& text) { take_grid(text, request); },
      "how the processes share the matrix; as near a square as their number allows unless given");
  arguments.value(
      "--broadcast", "ring|binomial|library",
      [&request](const std::string& text) {
        request.broadcast =
            choose("--broadcast", text,
                   Choices<places::Broadcast>{{"ring", places::Broadcast::ring},
                                              {"binomial", places::Broadcast::binomial},
                                              {"library", places::Broadcast::library}});
        request.names_job = true;
      },
      "how panels go from one process to the others of its row or column; ring unless given");
}

int run_solve_in_job(Session& session, SolveRequest& request) {
  Launch& launch = *session.launch;
  const engine::GridShape shape = shape_of(request, launch.count);
  const auto mail = launch.grid(shape.rows, shape.cols);
  engine::Processes processes(*mail);
  try {
    return solve_in_step(session, request, processes, shape);
  } catch (...) {
    launch.broken = !processes.in_step();
    if (launch.broken) session.silent = false;
    throw;
  }
}

}  // namespace apsp::cli
