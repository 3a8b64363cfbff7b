#include "cli/solve_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <nlohmann/json.hpp>

#include "api/json.hpp"
#include "api/verify_stored.hpp"
#include "base/on_threads.hpp"
#include "base/units.hpp"
#include "calibration/measured_rates.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/graph_view.hpp"
#include "cli/idle_options.hpp"
#include "cli/leftovers_view.hpp"
#include "cli/plan_view.hpp"
#include "cli/reading.hpp"
#include "cli/report_view.hpp"
#include "cli/resuming.hpp"
#include "cli/statistics_view.hpp"
#include "cli/values.hpp"
#include "cli/verify_view.hpp"
#include "cli/vertex_choice.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "planner/memory.hpp"
#include "store/store.hpp"

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

void check_keep(const SolveOptions& options) {
  const bool to_file = !options.output.empty();
  if (options.stored == Keep::statistics && to_file) {
    throw Error(ErrorKind::usage,
                "--keep statistics keeps no distances, and -o is where they go: leave one out");
  }
  if (options.stored == Keep::matrix && !to_file) {
    throw Error(ErrorKind::usage, "--keep matrix: say where, with -o OUT.zarr or OUT.npy");
  }
  if (options.stored == Keep::factor && !store::is_zarr(options.output)) {
    throw Error(ErrorKind::usage, "--keep factor is for a .zarr: say where, with -o OUT.zarr");
  }
}

Choices<Keep> keeps() {
  Choices<Keep> choices;
  for (const Keep keep : {Keep::automatic, Keep::matrix, Keep::factor, Keep::statistics}) {
    choices.emplace_back(name(keep), keep);
  }
  return choices;
}

Choices<Algorithm> algorithms() {
  Choices<Algorithm> choices;
  for (const Algorithm algorithm : kAlgorithms) choices.emplace_back(name(algorithm), algorithm);
  return choices;
}

void check_choices(const SolveRequest& request) {
  const bool of_all = request.sources.empty() && request.targets.empty();
  const SolveOptions& options = request.solving;
  if (!of_all && (options.predecessors || options.via || options.hops)) {
    throw Error(ErrorKind::usage,
                "--predecessors, --via and --hops are kept for all pairs, not for those of "
                "--sources and --targets; apsp path needs none of them");
  }
  if (!of_all && options.stored == Keep::factor) {
    throw Error(ErrorKind::usage,
                "--keep factor keeps what gives the distances of all pairs: leave --sources and "
                "--targets out, or keep the matrix");
  }
  if (request.verify && (!request.targets.empty() || !options.targets.empty())) {
    throw Error(ErrorKind::usage,
                "--verify checks whole rows, and --targets leaves columns out: leave one of them "
                "out");
  }
  const int from_input =
      (request.graph == "-") + (request.sources == "@-") + (request.targets == "@-");
  if (from_input > 1) {
    throw Error(ErrorKind::usage,
                "standard input holds the graph, the sources or the targets: name files for the "
                "others");
  }
}

/// How to go on from the file: a path between the two most distant vertices, or first and last.
void note_output(const Session& session, const SolveRequest& request, const Result& result) {
  const std::string& output = request.solving.output;
  for (const std::string& place : result.report().damaged) {
    session.note(place + "; it was computed again");
  }
  session.note(fmt::format("{}: {} written", output, base::format_bytes(bytes_on_disk(output))));
  const bool of_all = result.sources().empty() && result.targets().empty();
  if (result.vertex_count() < 2 || (!of_all && output.ends_with(".npy"))) return;
  VertexPair ends{0, static_cast<Vertex>(result.vertex_count() - 1)};
  std::optional<VertexPair> furthest;
  if (!request.no_statistics) furthest = result.statistics().diameter_pair;
  if (furthest) ends = *furthest;
  if (!of_all && !furthest) return;
  const bool whole_rows = result.targets().empty();
  std::vector<std::string> words = {whole_rows ? "path" : "distance", output,
                                    result.graph().name(ends.from), result.graph().name(ends.to)};
  const bool needs_graph = output.ends_with(".npy");
  if (needs_graph) {
    words.insert(words.end(), {"--graph", request.graph_left ? "GRAPH" : request.graph});
  }
  session.note("  open it: " + shell_command(words) +
               (needs_graph && request.graph_left ? ", with the graph that was solved" : ""));
}

nlohmann::json answer(const SolveRequest& request, const Result& result, double seconds_read) {
  nlohmann::json object = {{"graph", api::to_json(result.graph())},
                           {"report", api::to_json(result.report())},
                           {"seconds_read", seconds_read}};
  if (!request.no_statistics) {
    object["statistics"] = api::to_json(result.statistics(), result.graph(), request.top);
  }
  if (!request.graph_left) object["graph"]["file"] = request.graph;
  if (const std::string& output = request.solving.output; !output.empty()) {
    object["output"] = {{"path", output}, {"bytes", bytes_on_disk(output)}};
  }
  return object;
}

/// The graph of the request, from its file.
const Graph& read_graph_of(Session& session, const SolveRequest& request) {
  ReadOptions reading = request.reading;
  reading.on_header = [&request](const GraphHeader& header) {
    SolveOptions known = request.solving;
    if (!request.sources.empty()) known.sources = {0};  // some, which are not known yet
    if (!request.targets.empty()) known.targets = {0};
    known.verify = request.verify;
    known.statistics = !request.no_statistics;
    planner::require_room(header, known);
  };
  return read_for(session, request.graph, reading);
}

/// Solves, and keeps in mind how to go on where that ends early.
Result solve_or_keep(Session& session, const Graph& graph, const SolveOptions& options) {
  try {
    return solve(graph, options);
  } catch (const Error&) {
    keep_in_mind(session, options.output);
    throw;
  }
}

}  // namespace

VerifyReport verify_answer(Session& session, const SolveRequest& request, const Result& result) {
  VerifyOptions checks;
  checks.seed = request.seed;
  checks.control = session.control();
  const std::string& output = request.solving.output;
  if (output.empty()) return result.verify(checks);
  return api::verify_stored(output, result.graph(), result.semiring(), checks, nullptr,
                            {{result.sources().begin(), result.sources().end()},
                             {result.targets().begin(), result.targets().end()}});
}

void declare_planes(Arguments& arguments, SolveOptions& options) {
  choice(arguments, "--keep", keeps(), options.stored,
         "what OUT.zarr holds: all distances (matrix), or the factor of nested dissection, "
         "megabytes from which every verb computes them; auto takes the matrix unless it does "
         "not fit; statistics: no OUT");
  arguments.flag("--predecessors", options.predecessors,
                 "store the predecessor matrix too (.zarr)");
  arguments.flag(
      "--via", options.via,
      "store an intermediate vertex of every path too (.zarr); takes about twice as long");
  arguments.flag("--hops", options.hops, "--via, and the number of edges of every path (.zarr)");
}

void declare_method(Arguments& arguments, SolveRequest& request) {
  arguments.section("Method");
  arguments.value(
      "--semiring", placeholder(semiring_choices()),
      [&request](const std::string& text) {
        request.solving.semiring = choose("--semiring", text, semiring_choices());
        request.names_semiring = true;
      },
      "what better means: least sum, widest, smallest largest edge, longest (acyclic graphs), "
      "or reachable at all");
  declare_algorithm(arguments, request.solving);
  arguments.value(
      "--tile", "N",
      [&request](const std::string& text) {
        request.solving.tile = integer_value("--tile", text, 1);
      },
      "vertices along a side of the tiles of floyd-warshall, and of the chunks of OUT.zarr. Unless "
      "given, tiles fit the processor's caches or the GPU, and chunks have 1024");
}

void declare_algorithm(Arguments& arguments, SolveOptions& options) {
  arguments.section("Method");
  choice(arguments, "--dtype", types(), options.value_type,
         "values of the matrix: auto takes the narrowest integer type that surely holds every "
         "distance, and of real weights f32 or, beyond --tolerance, f64");
  arguments.value(
      "--tolerance", "X",
      [&options](const std::string& text) {
        options.tolerance = tolerance_value("--tolerance", text);
      },
      "how far off f32 may be for --dtype auto to take it, relative to the distance: 1e-5 where "
      "nothing is said");
  choice(arguments, "--algorithm", algorithms(), options.algorithm,
         "how to solve: auto takes what promises to be fastest and fits, floyd-warshall for dense "
         "and small graphs, nested-dissection or searches for sparse ones");
}

/// Before the graph is read: where the result goes can be seen from the words alone.
void check_output(const std::string& output) {
  if (output.empty()) return;
  if (!store::is_zarr(output) && !output.ends_with(".npy")) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: a result is kept in a .zarr or an .npy; call it {}", output,
                            std::filesystem::path(output).replace_extension(".zarr").string()));
  }
  const std::string folder = std::filesystem::path(output).parent_path().string();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw Error(ErrorKind::input_output,
                fmt::format("{}: there is no directory {}", output, folder));
  }
}

/// The file that holds a list of vertices; empty: the list stands there itself.
std::string file_of(const std::string& vertices) {
  return vertices.starts_with('@') ? vertices.substr(1) : "";
}

void check(const SolveRequest& request) {
  check_output(request.solving.output);
  require_apart(request.solving.output,
                std::vector{request.graph_left ? "" : request.graph, request.reading.coordinates,
                            file_of(request.sources), file_of(request.targets)});
  calibration::rate_policy();  // what APSP_MEASURE says is looked at before the graph is read
  if (request.solving.predecessors && request.solving.output.empty()) {
    throw Error(ErrorKind::usage, "--predecessors stores a matrix: say where, with -o OUT.zarr");
  }
  if ((request.solving.via || request.solving.hops) && request.solving.output.empty()) {
    throw Error(ErrorKind::usage, fmt::format("--{} stores a matrix: say where, with -o OUT.zarr",
                                              request.solving.via ? "via" : "hops"));
  }
  const bool planes = request.solving.predecessors || request.solving.via || request.solving.hops;
  if (planes && request.solving.output.ends_with(".npy")) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: an .npy holds distances alone; a .zarr holds all",
                            request.solving.output));
  }
  check_keep(request.solving);
  if (request.no_statistics && request.solving.output.empty()) {
    throw Error(ErrorKind::usage, "--no-statistics leaves nothing: say where, with -o OUT.zarr");
  }
  if (request.solving.compress && !store::is_zarr(request.solving.output)) {
    throw Error(ErrorKind::usage, "--compress is for a .zarr: say where, with -o OUT.zarr");
  }
  check_choices(request);
}

SolveOptions solve_options(Session& session, const SolveRequest& request, const Graph& graph) {
  SolveOptions options = request.solving;
  options.control = session.control();
  const auto choose = [&](const char* option, const std::string& words, std::vector<Vertex>& to) {
    if (!words.empty()) to = chosen_vertices({option, words}, graph, request.seed, options.control);
  };
  choose("--sources", request.sources, options.sources);
  choose("--targets", request.targets, options.targets);
  options.keep = request.verify && options.output.empty() ? Keep::automatic : Keep::statistics;
  if (options.output.empty()) options.stored = Keep::automatic;
  options.verify = request.verify;
  options.statistics = !request.no_statistics;
  return options;
}

void declare_place(Arguments& arguments, SolveOptions& options) {
  arguments.section("Machine");
  arguments.value(
      "--memory", "SIZE",
      [&options](const std::string& text) { options.memory = byte_value("--memory", text); },
      "most memory to take, such as 8GiB; what is free unless given");
  arguments.value(
      "--device", "auto|cpu|cuda|cuda:N|cuda:N,M|cuda:all",
      [&options](const std::string& text) {
        DeviceValue value = device_value("--device", text);
        options.device = value.device;
        options.device_ordinals = std::move(value.ordinals);
      },
      "where to solve: auto takes GPUs where they are there and the graph is large enough to pay; "
      "cuda is the first, cuda:1 the second, cuda:0,1 both together, cuda:all every one");
  arguments.value(
      "--device-memory", "SIZE",
      [&options](const std::string& text) {
        options.device_memory = byte_value("--device-memory", text);
      },
      "most of a GPU's memory to take, such as 4GiB; what is free unless given. A matrix that "
      "needs more streams through one");
}

void declare_solving(Arguments& arguments, SolveRequest& request, bool needs_graph) {
  arguments.positional("GRAPH", request.graph, "a graph's file, or - for standard input",
                       needs_graph);
  arguments.section("Result");
  arguments.text("-o,--output", "OUT", request.solving.output,
                 "keep the distances: OUT.zarr (everything in one place) or OUT.npy (the matrix "
                 "alone); without it only the statistics are shown");
  arguments.flag("--overwrite", request.solving.overwrite,
                 "begin anew, though an earlier run left rows beside OUT that --resume could go on "
                 "from; they are removed");
  declare_vertices(arguments, request.sources, request.targets);
  arguments.flag("--no-statistics", request.no_statistics,
                 "only store the result; apsp stats computes them when they are asked for. With "
                 "--keep factor no distance is then computed at all");
  arguments.flag("--compress", request.solving.compress, "zstd behind every chunk of a .zarr");
  arguments.flag("--verify", request.verify,
                 "check the result independently, with -o the file as written; exit 1 if it fails");
  arguments.value(
      "--seed", "N",
      [&request](const std::string& text) { request.seed = seed_value("--seed", text); },
      "which vertices random:K draws, and which rows --verify checks where all are too many");
  declare_threads(arguments, &request.solving.threads);
  declare_place(arguments, request.solving);
  arguments.value(
      "--disk", "SIZE",
      [&request](const std::string& text) { request.solving.disk = byte_value("--disk", text); },
      "most that OUT may take, before any compression; what its disk has free unless given");
}

namespace {

/// Starts the driver of GPUs that were asked for by name, while the graph is read and ordered.
std::future<void> started_driver(const SolveOptions& options) {
  if (options.device != Device::cuda) return {};
  return std::async(std::launch::async, [ordinals = options.device_ordinals]() mutable {
    if (ordinals.empty()) ordinals = {0};
    if (ordinals.front() == kAllGpus) {
      ordinals.clear();
      for (const auto& device : kernels::cuda::devices()) ordinals.push_back(device.ordinal);
    }
    base::on_threads(static_cast<int>(ordinals.size()), [&](int number) {
      kernels::cuda::start(ordinals[static_cast<std::size_t>(number)]);
    });
  });
}

}  // namespace

int tell(Session& session, const SolveRequest& request, const Solved& told) {
  const Result& result = told.result;
  const std::string& output = request.solving.output;
  if (!output.empty()) session.kept.push_back(output);

  if (!request.no_statistics) {
    session.print(statistics_text(
        {result.statistics(), result.graph(), result.semiring(), result.value_type(), request.top},
        session.out()));
  }
  nlohmann::json object;
  if (session.json) {
    object = answer(request, result, told.seconds_read);
    object["plan"] = api::to_json(told.plan);
  }
  bool passed = true;
  if (told.verify) {
    const VerifyReport verified = told.verify();
    passed = verified.passed;
    session.print("\n" + verify_text(verified, session.out(), output));
    if (session.json) object["verification"] = api::to_json(verified);
  }
  if (session.json) session.print_json(object);
  session.note(session.err().spelled(timing_line(result.report(), told.seconds_read)));
  if (!output.empty()) note_output(session, request, result);
  return passed ? kExitOk : kExitNegativeAnswer;
}

int run_solve(Session& session, SolveRequest& request) {
  refuse_idle_options(session, request);
  if (session.launch != nullptr) return run_solve_in_job(session, request);
  if (request.names_job || request.cuda_aware) {
    if (has_launcher()) go_on_under_mpi(session.words());  // as a job of one process
    throw Error(
        ErrorKind::usage,
        "--grid, --ranks, --schedule, --broadcast, --cuda-aware and --checkpoint are for several "
        "processes: mpirun -n 4 apsp solve …");
  }
  const auto began = Clock::now();
  const bool alone = names_output_alone(request);
  if (alone) take_up(session, request);
  check(request);
  const bool anew = request.solving.overwrite && !request.solving.resume;
  clean_beside(session, request.solving.output,
               anew ? store::Resumables::removed : store::Resumables::spared);
  require_way(session, request);
  const std::future<void> driver = started_driver(request.solving);
  const Graph& graph = alone ? *session.graph : read_graph_of(session, request);
  const double seconds_read = std::chrono::duration<double>(Clock::now() - began).count();
  session.note(graph_line(graph, request.graph, session.err()));

  SolveOptions options = solve_options(session, request, graph);
  PlanReport plan;
  options.on_plan = [&](const PlanReport& made) {
    plan = made;
    session.note("plan: " + session.err().spelled(plan.line));
    if (session.verbose) session.note(plan_text(plan, session.err()));
  };
  const Result result = solve_or_keep(session, graph, options);
  Solved told{result, plan, seconds_read};
  if (request.verify) told.verify = [&] { return verify_answer(session, request, result); };
  return tell(session, request, told);
}

}  // namespace apsp::cli
