#include "cli/solve_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "api/json.hpp"
#include "api/verify_stored.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/graph_view.hpp"
#include "cli/leftovers_view.hpp"
#include "cli/plan_view.hpp"
#include "cli/reading.hpp"
#include "cli/report_view.hpp"
#include "cli/statistics_view.hpp"
#include "cli/values.hpp"
#include "cli/verify_view.hpp"
#include "planner/memory.hpp"

namespace apsp::cli {
namespace {

using Clock = std::chrono::steady_clock;

Choices<std::optional<ValueType>> types() {
  Choices<std::optional<ValueType>> choices = {{"auto", std::nullopt}};
  for (const ValueType type : {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16}) {
    choices.emplace_back(name(type), type);
  }
  return choices;
}
Choices<Algorithm> algorithms() {
  Choices<Algorithm> choices;
  for (const Algorithm algorithm : kAlgorithms) choices.emplace_back(name(algorithm), algorithm);
  return choices;
}

/// How to go on from the file: a path between the two most distant vertices, or first and last.
void note_output(const Session& session, const SolveRequest& request, const Result& result) {
  const std::string& output = request.solving.output;
  session.note(fmt::format("{}: {} written", output, base::format_bytes(bytes_on_disk(output))));
  if (result.vertex_count() < 2) return;
  VertexPair ends{0, static_cast<Vertex>(result.vertex_count() - 1)};
  if (const auto pair = result.statistics().diameter_pair) ends = *pair;
  std::vector<std::string> words = {"path", output, result.graph().name(ends.from),
                                    result.graph().name(ends.to)};
  if (ends_with(output, ".npy")) words.insert(words.end(), {"--graph", request.graph});
  session.note("  open it: " + shell_command(words));
}

nlohmann::json answer(const SolveRequest& request, const Result& result, double seconds_read) {
  nlohmann::json object = {
      {"graph", api::to_json(result.graph())},
      {"report", api::to_json(result.report())},
      {"statistics", api::to_json(result.statistics(), result.graph(), request.top)},
      {"seconds_read", seconds_read}};
  object["graph"]["file"] = request.graph;
  if (const std::string& output = request.solving.output; !output.empty()) {
    object["output"] = {{"path", output}, {"bytes", bytes_on_disk(output)}};
  }
  return object;
}

/// Of what was written the file is checked, not the memory it came from.
VerifyReport verify_answer(Session& session, const SolveRequest& request, const Result& result) {
  VerifyOptions checks;
  checks.seed = request.seed;
  checks.control = session.control();
  const std::string& output = request.solving.output;
  if (output.empty()) return result.verify(checks);
  return api::verify_stored(output, result.graph(), result.semiring(), checks);
}

}  // namespace

void declare_planes(Arguments& arguments, SolveOptions& options) {
  arguments.flag("--predecessors", options.predecessors,
                 "store the predecessor matrix too (.zarr)");
  arguments.flag(
      "--via", options.via,
      "store an intermediate vertex of every path too (.zarr); takes about twice as long");
  arguments.flag("--hops", options.hops, "--via, and the number of edges of every path (.zarr)");
}

void declare_method(Arguments& arguments, SolveOptions& options) {
  arguments.section("Method");
  choice(arguments, "--semiring", semiring_choices(), options.semiring,
         "what better means: least sum, widest, smallest largest edge, longest (acyclic graphs), "
         "or reachable at all");
  choice(arguments, "--dtype", types(), options.value_type,
         "values of the matrix: auto takes the narrowest integer type that surely holds every "
         "distance, and f32 for real weights");
  choice(arguments, "--algorithm", algorithms(), options.algorithm,
         "how to solve: auto takes what promises to be fastest and fits, floyd-warshall for dense "
         "and small graphs, nested-dissection or searches for sparse ones");
}

void check(const SolveRequest& request) {
  if (request.solving.predecessors && request.solving.output.empty()) {
    throw Error(ErrorKind::usage, "--predecessors stores a matrix: say where, with -o OUT.zarr");
  }
  if ((request.solving.via || request.solving.hops) && request.solving.output.empty()) {
    throw Error(ErrorKind::usage, fmt::format("--{} stores a matrix: say where, with -o OUT.zarr",
                                              request.solving.via ? "via" : "hops"));
  }
  if (request.solving.compress && !ends_with(request.solving.output, ".zarr")) {
    throw Error(ErrorKind::usage, "--compress is for a .zarr: say where, with -o OUT.zarr");
  }
}

SolveOptions solve_options(Session& session, const SolveRequest& request) {
  SolveOptions options = request.solving;
  options.control = session.control();
  options.keep = request.verify && options.output.empty() ? Keep::automatic : Keep::statistics;
  options.verify = request.verify;
  return options;
}

void declare_solving(Arguments& arguments, SolveRequest& request, bool needs_graph) {
  arguments.positional("GRAPH", request.graph, "a graph's file, or - for standard input",
                       needs_graph);
  arguments.section("Result");
  arguments.text("-o,--output", "OUT", request.solving.output,
                 "keep the distances: OUT.zarr (everything in one place) or OUT.npy (the matrix "
                 "alone); without it only the statistics are shown");
  arguments.flag("--compress", request.solving.compress, "zstd behind every chunk of a .zarr");
  arguments.flag("--verify", request.verify,
                 "check the result independently, with -o the file as written; exit 1 if it fails");
  arguments.value(
      "--seed", "N",
      [&request](const std::string& text) { request.seed = seed_value("--seed", text); },
      "which rows --verify checks where all are too many");
  arguments.section("Machine");
  declare_threads(arguments, &request.solving.threads);
  arguments.value(
      "--memory", "SIZE",
      [&request](const std::string& text) {
        request.solving.memory = byte_value("--memory", text);
      },
      "most memory to take, such as 8GiB; what is free unless given");
  arguments.value(
      "--device", "auto|cpu|cuda|cuda:N",
      [&request](const std::string& text) {
        DeviceValue value = device_value("--device", text);
        request.solving.device = value.device;
        request.solving.device_ordinals = std::move(value.ordinals);
      },
      "where to solve: auto takes a GPU where one is there and the graph is large enough to pay; "
      "cuda is the first, cuda:1 the second");
  arguments.value(
      "--device-memory", "SIZE",
      [&request](const std::string& text) {
        request.solving.device_memory = byte_value("--device-memory", text);
      },
      "most of the GPU's memory to take, such as 4GiB; what is free unless given. A matrix that "
      "needs more streams through it");
  arguments.hidden("--tile", [&request](const std::string& text) {
    request.solving.tile = integer_value("--tile", text, 1);
  });
}

int run_solve(Session& session, SolveRequest& request) {
  check(request);
  clean_beside(session, request.solving.output);
  const auto began = Clock::now();
  ReadOptions reading = request.reading;
  reading.on_header = [&request](const GraphHeader& header) {
    planner::require_room(header, request.solving);
  };
  const Graph& graph = read_for(session, request.graph, reading);
  const double seconds_read = std::chrono::duration<double>(Clock::now() - began).count();
  session.note(graph_line(graph, request.graph, session.err()));

  SolveOptions options = solve_options(session, request);
  PlanReport plan;
  options.on_plan = [&](const PlanReport& made) {
    plan = made;
    session.note("plan: " + session.err().spelled(plan.line));
    if (session.verbose) session.note(plan_text(plan, session.err()));
  };
  const Result result = solve(graph, options);
  if (!options.output.empty()) session.kept.push_back(options.output);

  session.print(statistics_text(
      {result.statistics(), graph, result.semiring(), result.value_type(), request.top},
      session.out()));
  nlohmann::json object;
  if (session.json) {
    object = answer(request, result, seconds_read);
    object["plan"] = api::to_json(plan);
  }
  bool passed = true;
  if (request.verify) {
    const VerifyReport verified = verify_answer(session, request, result);
    passed = verified.passed;
    session.print("\n" + verify_text(verified, session.out(), options.output));
    if (session.json) object["verification"] = api::to_json(verified);
  }
  if (session.json) session.print_json(object);
  session.note(session.err().spelled(timing_line(result.report(), seconds_read)));
  if (!options.output.empty()) note_output(session, request, result);
  return passed ? kExitOk : kExitNegativeAnswer;
}

}  // namespace apsp::cli
