// A solve by several processes, each of which runs this page.
#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <charconv>
#include <chrono>
#include <tuple>
#include <utility>

#include "api/collective_plan.hpp"
#include "api/collective_read.hpp"
#include "api/collective_solve.hpp"
#include "base/numbers.hpp"
#include "base/processors.hpp"
#include "calibration/measure_messages.hpp"
#include "calibration/measured_rates.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_view.hpp"
#include "cli/leftovers_view.hpp"
#include "cli/meeting.hpp"
#include "cli/reading.hpp"
#include "cli/resuming.hpp"
#include "cli/solve_run.hpp"
#include "cli/values.hpp"
#include "engine/shared_graph.hpp"

namespace apsp::cli {
namespace {

/// "2x3": rows and columns of processes.
std::pair<int, int> sides(const char* option, const std::string& text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos) {
    throw Error(ErrorKind::usage,
                fmt::format("{} takes ROWSxCOLUMNS of processes, such as 2x3, not "
                            "'{}'",
                            option, text));
  }
  return {count_value(option, text.substr(0, cross)), count_value(option, text.substr(cross + 1))};
}

/// "plain", "blocked" or a block's sides.
void take_placement(const std::string& text, SolveRequest& request) {
  std::pair<int, int> block = {1, 1};
  if (text == "blocked") {
    block = {0, 0};
  } else if (text != "plain") {
    block = sides("--ranks", text);
  }
  std::tie(request.block_rows, request.block_columns) = block;
  request.names_job = true;
}

places::Placement placement_of(const SolveRequest& request, const engine::GridShape& shape,
                               const Launch& launch) {
  places::Placement plain{shape.rows, shape.cols};
  if (!request.block_rows || *request.block_rows == 0) {
    const auto blocks = places::placed_in_blocks(shape.rows, shape.cols, launch.of_each_machine);
    if (blocks || !request.block_rows) return blocks.value_or(plain);
    throw Error(ErrorKind::usage,
                fmt::format("--ranks blocked: {} processes of a machine are no block of {} × {}; "
                            "choose another --grid, or --ranks plain",
                            launch.of_each_machine, shape.rows, shape.cols));
  }
  if (shape.rows % *request.block_rows != 0 || shape.cols % *request.block_columns != 0) {
    throw Error(ErrorKind::usage,
                fmt::format("--ranks {}x{} does not divide a grid of {} × {}", *request.block_rows,
                            *request.block_columns, shape.rows, shape.cols));
  }
  plain.block_rows = *request.block_rows;
  plain.block_cols = *request.block_columns;
  return plain;
}

engine::GridShape shape_of(const SolveRequest& request, int processes) {
  engine::GridShape shape = api::nearest_square(processes);
  if (request.grid_rows > 0) {
    shape.rows = request.grid_rows;
    shape.cols = request.grid_columns;
  }
  const std::int64_t wanted = std::int64_t{shape.rows} * shape.cols;
  if (wanted != processes) {
    throw Error(ErrorKind::usage,
                fmt::format("--grid {}x{} is for {}, and there are {}", shape.rows, shape.cols,
                            base::counted(wanted, "process", "processes"), processes));
  }
  shape.transport.pattern = request.broadcast;
  shape.transport.cuda_aware = request.cuda_aware;
  shape.schedule = request.schedule;
  return shape;
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
  processes.collective([&] {
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

/// Solves, and keeps in mind how to go on where that ends early.
api::CollectiveResult collective_solve_or_keep(Session& session, const api::Job& job,
                                               const Graph& graph, const SolveOptions& options) {
  try {
    return api::collective_solve(job, graph, options);
  } catch (const Error&) {
    if (job.processes.first()) keep_in_mind(session, options.output);
    throw;
  }
}

/// All read the words alike; process 0 looks at what lies beside the output; the graph comes to
/// all.
void read_in_step(Session& session, SolveRequest& request, engine::Processes& processes) {
  const bool alone = names_output_alone(request);
  if (alone) {
    request.solving.output = request.graph;
    const auto earlier = api::earlier_run_of_all(processes, request.solving);
    processes.collective([&] {
      take_up(request, earlier);
      if (processes.first()) session.graph = earlier->graph(store::posix_file_system());
    });
  }
  processes.collective([&] {
    check(request);
    if (!processes.first()) return;
    const bool anew = request.solving.overwrite && !request.solving.resume;
    clean_beside(session, request.solving.output,
                 anew ? store::Resumables::removed : store::Resumables::spared);
    require_way(session, request);
  });
  if (alone) {
    processes.apart([&] {
      session.graph = engine::share_graph(processes, processes.first() ? *session.graph : Graph());
    });
    return;
  }
  ReadOptions reading = request.reading;
  reading.control = session.control();
  reading.threads = threads_of_process(*session.launch, request.solving.threads);
  session.graph = api::collective_read(processes, request.graph, reading);
}

int solve_in_step(Session& session, SolveRequest& request, engine::Processes& processes,
                  const engine::GridShape& shape) {
  const auto began = std::chrono::steady_clock::now();
  read_in_step(session, request, processes);
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
  calibration::RatePolicy policy = calibration::rate_policy(options.control.cancellation);
  policy.processes = session.launch->of_machine;
  calibration::MeasuredRates measured(std::move(policy));
  api::Job job{processes, shape, session.launch->of_machine, session.launch->on_machine};
  job.find = measured.find();
  job.rates = measured.source();
  job.messages = [&] { return calibration::measure_messages(processes, session.launch->machine); };
  if (request.verify && options.output.empty()) {
    job.checks.emplace();
    job.checks->seed = request.seed;
    job.checks->control = session.control();
  }
  job.links = session.launch->links.get();
  job.why_no_links = session.launch->why_no_links;
  job.direct = request.direct;
  if (request.checkpoint_minutes) job.checkpoint_seconds = 60 * *request.checkpoint_minutes;
  const api::CollectiveResult found = collective_solve_or_keep(session, job, graph, options);
  int code = kExitOk;
  processes.collective([&] {
    if (!processes.first()) return;
    Solved told{found.result, plan, seconds_read};
    if (found.verified) told.verify = [&] { return *found.verified; };
    if (request.verify && !options.output.empty()) {
      told.verify = [&] { return verify_answer(session, request, found.result); };
    }
    code = tell(session, request, told);
  });
  return static_cast<int>(processes.least(processes.first() ? code : kExitDefect));
}

}  // namespace

namespace {

double minutes_of(const std::string& text) {
  double minutes = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), minutes);
  if (failure != std::errc() || end != text.data() + text.size() || !(minutes >= 0)) {
    throw Error(ErrorKind::usage,
                fmt::format("--checkpoint takes minutes, such as 30, not '{}'", text));
  }
  return minutes;
}

}  // namespace

void declare_job(Arguments& arguments, SolveRequest& request) {
  arguments.section("Several processes (mpirun -n 4 apsp solve …)");
  arguments.value(
      "--grid", "ROWSxCOLUMNS",
      [&request](const std::string& text) {
        std::tie(request.grid_rows, request.grid_columns) = sides("--grid", text);
        request.names_job = true;
      },
      "how the processes share the matrix; as near a square as their number allows unless given");
  arguments.value(
      "--broadcast", "ring|binomial|library|nccl",
      [&request](const std::string& text) {
        using Chosen = std::optional<places::Broadcast>;
        const Chosen chosen = choose("--broadcast", text,
                                     Choices<Chosen>{{"ring", places::Broadcast::ring},
                                                     {"binomial", places::Broadcast::binomial},
                                                     {"library", places::Broadcast::library},
                                                     {"nccl", std::nullopt}});
        request.direct = !chosen;
        if (chosen) request.broadcast = *chosen;
        request.names_job = true;
      },
      "how panels go from one process to the others of its row or column; ring unless given. nccl: "
      "from GPU to GPU, where each process has its own");
  arguments.flag(
      "--cuda-aware", request.cuda_aware,
      "MPI takes panels from the memory of GPUs and puts them there, past the host, where it says "
      "that it can");
  arguments.value(
      "--schedule", "overlapped|pipelined|baseline",
      [&request](const std::string& text) {
        request.schedule =
            choose("--schedule", text,
                   Choices<places::Schedule>{{"overlapped", places::Schedule::overlapped},
                                             {"pipelined", places::Schedule::pipelined},
                                             {"baseline", places::Schedule::baseline}});
        request.names_job = true;
      },
      "what of the next step begins before a step has ended: its panels, sent under the rest of "
      "the "
      "step; the same, sent before that; nothing. overlapped unless given");
  arguments.value(
      "--ranks", "blocked|plain|ROWSxCOLUMNS",
      [&request](const std::string& text) { take_placement(text, request); },
      "where processes stand in the grid: those of a machine, or so many, in a block, or all row "
      "by "
      "row; blocked unless given, where blocks fill the grid");
  arguments.value(
      "--checkpoint", "MINUTES",
      [&request](const std::string& text) {
        request.checkpoint_minutes = minutes_of(text);
        request.names_job = true;
      },
      "keep what floyd-warshall has done beside OUT every so many minutes, twice the matrix on "
      "that "
      "disk: --resume goes on from there, on any grid");
}

int run_solve_in_job(Session& session, SolveRequest& request) {
  Launch& launch = *session.launch;
  const engine::GridShape shape = shape_of(request, launch.size);
  const auto communicator = meet_on_grid(session, placement_of(request, shape, launch));
  engine::Processes processes(*communicator);
  if (request.cuda_aware && !communicator->reads_devices()) {
    throw Error(ErrorKind::usage,
                "--cuda-aware: this MPI does not say that it reads the memory of GPUs; leave it "
                "out, and panels go through the host");
  }
  try {
    return solve_in_step(session, request, processes, shape);
  } catch (const std::exception& error) {
    launch.broken = !processes.in_step();
    if (!launch.broken) throw;
    session.silent = false;
    const auto* const ours = dynamic_cast<const Error*>(&error);
    throw Error(ours != nullptr ? ours->kind() : ErrorKind::defect,
                fmt::format("process {} of {}: {}", launch.rank, launch.size, error.what()));
  }
}

}  // namespace apsp::cli
