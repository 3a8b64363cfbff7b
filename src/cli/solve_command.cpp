// apsp solve: distances for all pairs; and apsp closure, the same over the semiring (or, and).
#include "cli/solve_request.hpp"

#include <fmt/format.h>

#include <apsp/error.hpp>
#include <chrono>
#include <future>

#include "api/earlier_run.hpp"
#include "api/json.hpp"
#include "api/stored_result.hpp"
#include "base/json.hpp"
#include "base/seconds_since.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/graph_options.hpp"
#include "cli/graph_view.hpp"
#include "cli/leftovers.hpp"
#include "cli/memory_use.hpp"
#include "cli/near_commands.hpp"
#include "cli/option_values.hpp"
#include "cli/option_words.hpp"
#include "cli/solve_view.hpp"
#include "cli/statistics_view.hpp"
#include "cli/table_output.hpp"
#include "cli/verb.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "planner/memory.hpp"
#include "store/file_system.hpp"
#include "store/store.hpp"
#include "system/memory_limit.hpp"
#include "system/threads.hpp"

namespace apsp::cli {
namespace {

/// Refuses options that would change values or planes of the earlier run.
void require_same(const SolveRequest& request, const store::Resumable& earlier,
                  const SolveOptions& begun, bool names_semiring) {
  const SolveOptions& asked = request.solving;
  const auto refuse_if = [&](bool differs, const std::string& words, const std::string& had) {
    if (!differs) return;
    throw usage_error(
        "{0}: this run was started {2}, not with {1}: leave {1} out, or start "
        "over with apsp solve GRAPH -o {0} --overwrite",
        request.graph, words, had);
  };
  const auto with = [](std::string_view word) { return "with " + std::string(word); };
  refuse_if(names_semiring && asked.question.semiring != begun.question.semiring,
            fmt::format("--semiring {}", name(asked.question.semiring)),
            with(name(begun.question.semiring)));
  refuse_if(asked.method.algorithm != Algorithm::automatic &&
                asked.method.algorithm != begun.method.algorithm,
            fmt::format("--algorithm {}", name(asked.method.algorithm)),
            with(name(begun.method.algorithm)));
  const ValueType type = earlier.contents.head.layout.type;
  refuse_if(asked.method.value_type.value_or(type) != type,
            fmt::format("--dtype {}", name(asked.method.value_type.value_or(type))),
            with(name(type)));
  refuse_if(asked.storage.compress && !begun.storage.compress, "--compress", "without compression");
  refuse_if(asked.question.predecessors && !begun.question.predecessors, "--predecessors",
            "without predecessors");
  refuse_if(request.no_statistics && begun.question.statistics, "--no-statistics",
            "with statistics");
}

/// Notes a command that opens the file: a path between the two most distant vertices, or the first
/// and the last.
void note_output(const Context& context, const SolveRequest& request, const Result& result) {
  const std::string& output = request.solving.storage.output;
  for (const std::string& place : result.report().damaged) {
    context.note(place + "; it was computed again");
  }
  context.note(fmt::format("{}: {} written", output, base::format_bytes(bytes_on_disk(output))));
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
  context.note("  open it: " + shell_command(words) +
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
  if (const std::string& output = request.solving.storage.output; !output.empty()) {
    object["output"] = {{"path", output}, {"bytes", bytes_on_disk(output)}};
  }
  return object;
}

const Graph& read_graph_of(Context& context, const SolveRequest& request) {
  ReadOptions reading = request.reading;
  reading.on_header = [&request](const GraphHeader& header) {
    SolveOptions known = request.solving;
    if (!request.sources.empty())
      known.question.sources = {0};  // a placeholder until the sources are known
    if (!request.targets.empty()) known.question.targets = {0};
    known.question.verify = request.verify;
    known.question.statistics = !request.no_statistics;
    planner::require_room(header, known);
  };
  return read_for(context, request.graph, reading);
}

/// Starts the GPU driver in the background if GPUs were requested.
std::future<void> started_driver(const SolveOptions& options) {
  if (options.machine.device != Device::cuda) return {};
  return std::async(std::launch::async, [ordinals = options.machine.device_ordinals]() mutable {
    if (ordinals.empty()) ordinals = {0};
    if (ordinals.front() == kAllGpus) {
      ordinals.clear();
      for (const auto& device : kernels::cuda::devices()) ordinals.push_back(device.ordinal);
    }
    system::on_threads(static_cast<int>(ordinals.size()), [&](int number) {
      kernels::cuda::start(ordinals[static_cast<std::size_t>(number)]);
    });
  });
}

/// The steps of a solve. Every process of a job takes them; only process 0 prints
/// (`Context::silent`).
class SolveRun : public cluster::JobProgram {
 public:
  SolveRun(Context& context, SolveRequest& request) : context_(context), request_(request) {}

  int run_here() {
    const auto began = std::chrono::steady_clock::now();
    const bool resumed = names_output_alone(request_);
    if (resumed) {
      request_.solving.storage.output = request_.graph;
      const std::optional<store::Resumable> earlier = api::earlier_run(request_.solving);
      take_up(earlier);
      context_.graph = earlier->graph(store::posix_file_system());
    }
    check(true);
    const std::future<void> driver = started_driver(request_.solving);
    const Graph read = resumed ? *context_.graph : read_graph_of(context_, request_);
    const double taken = base::seconds_since(began);
    const Graph& graph = keep(read, taken);
    return tell(solve_or_keep(graph, options(graph, true)), {});
  }

  int in_job() {
    cluster::JobRequest asked{request_.job, request_.graph, request_.reading};
    asked.reading.control = context_.control();
    asked.reading.threads = request_.solving.machine.threads;
    if (names_output_alone(request_)) {
      request_.solving.storage.output = request_.graph;
      asked.resumed = request_.solving;
    }
    if (request_.verify && request_.solving.storage.output.empty()) asked.checks = checks();
    return cluster::run_solve_job(*context_.launch, asked, *this);
  }

 private:
  void take_up(const std::optional<store::Resumable>& earlier) override {
    refuse_if(!earlier,
              "{}: nothing to resume; to start from the beginning: apsp solve GRAPH -o {}",
              request_.graph, request_.graph);
    const SolveOptions begun = api::options_of(*earlier);
    require_same(request_, *earlier, begun, context_.gave("--semiring"));
    request_.graph_left = true;
    request_.no_statistics = !begun.question.statistics;
    request_.solving.method.algorithm = begun.method.algorithm;
    request_.solving.question.semiring = begun.question.semiring;
    request_.solving.method.value_type = begun.method.value_type;
    request_.solving.storage.compress = begun.storage.compress;
    request_.solving.question.predecessors = begun.question.predecessors;
    request_.solving.method.tile = begun.method.tile;
    request_.solving.question.sources = begun.question.sources;
    request_.solving.question.targets = begun.question.targets;
  }

  void check(bool first) override {
    cli::check(request_);
    if (!first) return;
    const SolveOptions& solving = request_.solving;
    const bool start_over = solving.storage.overwrite && !solving.storage.resume;
    clean_beside(context_, solving.storage.output,
                 start_over ? store::Resumables::removed : store::Resumables::spared);
    if (solving.storage.output.empty() && !solving.storage.resume) return;
    const std::optional<store::Resumable> earlier = api::earlier_run(solving);
    if (!earlier) return;
    const store::JournalContents& left = earlier->contents;
    context_.note(fmt::format("{}: an earlier run left {} of {} {}", solving.storage.output,
                              base::format_count(left.done()), base::format_count(left.all()),
                              left.unit()));
  }

  const Graph& keep(Graph graph, double seconds) override {
    seconds_read_ = seconds;
    context_.graph = request_.largest_component ? largest_component(graph) : graph;
    context_.note(graph_line(*context_.graph, request_.graph, context_.err()));
    return *context_.graph;
  }

  SolveOptions options(const Graph& graph, bool first) override {
    SolveRequest mine = request_;
    if (!first) mine.sources = mine.targets = {};
    SolveOptions options = solve_options(context_, mine, graph);
    options.on_plan = [this](const PlanReport& made) {
      plan_ = in_option_words(made);
      note_plan(context_, plan_);
    };
    return options;
  }

  Result solve_or_keep(const Graph& graph, const SolveOptions& options) {
    try {
      return solve(graph, options);
    } catch (const Error&) {
      ended_early(options);
      throw;
    }
  }

  /// Records in the context how much can be resumed.
  void ended_early(const SolveOptions& options) override {
    try {
      const auto left = store::find_resumable(store::posix_file_system(), options.storage.output);
      if (!left) return;
      const store::JournalContents& contents = left->contents;
      context_.unfinished = {options.storage.output, contents.done(), contents.all(),
                             contents.unit()};
    } catch (const Error&) {
    }
  }

  int tell(const cluster::CollectiveResult& found) override {
    return tell(found.result, found.verified);
  }
  int tell(const Result& result, const std::optional<VerifyReport>& verified) {
    const std::string& output = request_.solving.storage.output;
    if (!output.empty()) context_.keep(output);
    if (!request_.no_statistics) {
      context_.print(statistics_text({result.statistics(), result.graph(), result.semiring(),
                                      result.value_type(), request_.top},
                                     context_.out()));
    }
    nlohmann::json object;
    if (context_.json) {
      object = answer(request_, result, seconds_read_);
      object["plan"] = api::to_json(plan_);
    }
    bool passed = true;
    if (request_.verify) {
      const VerifyReport report = verified ? *verified : verify(result);
      passed = report.passed;
      context_.print("\n" + verify_text(report, context_.out(), output));
      if (context_.json) object["verification"] = api::to_json(report);
    }
    if (context_.json) context_.print_json(object);
    context_.note(context_.err().spelled(timing_line(result.report(), seconds_read_)));
    if (context_.verbose && result.report().bandwidth > 0) {
      context_.note(bandwidth_line(result.report()));
    }
    if (!output.empty()) note_output(context_, request_, result);
    return passed ? kExitOk : kExitNegativeAnswer;
  }

  VerifyOptions checks() { return {.seed = request_.seed, .control = context_.control()}; }

  /// Checks the written file if there is one, else the result in memory.
  VerifyReport verify(const Result& result) {
    const std::string& output = request_.solving.storage.output;
    if (output.empty()) return result.verify(checks());
    return api::verify_stored(
        output, result.graph(), result.semiring(), checks(), nullptr,
        {.sources = std::vector(result.sources().begin(), result.sources().end()),
         .targets = std::vector(result.targets().begin(), result.targets().end())});
  }

  Context& context_;
  SolveRequest& request_;
  PlanReport plan_;
  double seconds_read_ = 0;
};

/// Solves as the only process or as one of a job. Returns the exit code: 1 if a requested
/// verification failed.
int run_solve(Context& context, SolveRequest& request) {
  refuse_idle_options(context, request);
  SolveRun run(context, request);
  if (context.launch != nullptr) return run.in_job();
  if (gave_job_options(context)) {
    if (cluster::has_launcher()) cluster::go_on_under_mpi(context.words());
    throw usage_error(
        "--tuning and --checkpoint are for several processes: start them with mpirun -n 4 apsp "
        "solve "
        "…");
  }
  return run.run_here();
}

class Solve : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_solving(arguments, request_);
    SolveOptions& options = request_.solving;
    arguments.section("Result");
    arguments.flag("--resume", options.storage.resume,
                   "continue from what an interrupted or killed run left next to OUT: apsp solve "
                   "--resume OUT, or the command of that run with --resume; starts from the "
                   "beginning if nothing is left");
    declare_planes(arguments, options);
    arguments.section("Result");
    parsed(arguments, "--within", "D", tolerance_value, within_,
           "only the pairs at most D apart, in time and memory for these: -o OUT.npz is a sparse "
           "matrix for SciPy, OUT.zarr one for zarr-python and AnnData, OUT.csv or OUT.parquet a "
           "table, OUT.geojson a map of what --sources reach");
    arguments.rare();
    declare_positions(arguments, map_, "--within -o OUT.geojson");
    parsed(arguments, "--top", "K", at_least<0>, request_.top,
           "number of central vertices to list; default: 5");
    declare_method(arguments, request_);
    declare_job(arguments, request_);
    declare_plan_flag(arguments);
    declare_reading(arguments, request_.reading);
  }

  int run(Context& context) override {
    if (within_) return run_within(context, request_, *within_, map_.positions);
    refuse_if(context.gave("--plan"),
              "--plan is for --within: apsp plan GRAPH says what a solve would take");
    refuse_if(!map_.positions.empty(), "--positions is for a map of --within: -o OUT.geojson");
    return run_solve(context, request_);
  }

 protected:
  SolveRequest request_;

 private:
  std::optional<double> within_;
  TableOutput map_;
};

class Closure : public Solve {
 public:
  void declare(Arguments& arguments) override {
    request_.solving.question.semiring = Semiring::or_and;
    declare_solving(arguments, request_);
    declare_reading(arguments, request_.reading);
  }
};

}  // namespace

VerbEntry solve_verb() {
  return {"solve GRAPH [-o OUT]",
          "distances between all pairs of vertices",
          "Solve: the distance between every pair of vertices of a graph, with statistics. With "
          "--verify, a check that shares no code with the solver.",
          {"apsp solve roads.gr                                statistics only, nothing is kept",
           "apsp solve flights.mtx -o flights.zarr --verify    keep and check the distances",
           "zcat links.csv.gz | apsp solve - --undirected --semiring max-min    widest paths"},
          make_verb<Solve>,
          true};
}

VerbEntry closure_verb() {
  return {
      "closure GRAPH [-o OUT]",
      "which vertices reach which (transitive closure)",
      "Closure: for every pair of vertices, whether there is a path at all. Weights are ignored.",
      {"apsp closure links.txt --directed            how many pairs are connected",
       "apsp closure packages.csv -o reach.zarr      keep the matrix of ones and zeros",
       "apsp closure links.txt --json --quiet        for a script"},
      make_verb<Closure>,
      true};
}

}  // namespace apsp::cli
