// apsp solve: distances for all pairs; closure, the same over the semiring (or, and); and plan,
// which explains what solve would do, and why.
#include <fmt/format.h>
#include <apsp/error.hpp>
#include <chrono>
#include <cmath>
#include <future>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

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
#include "cli/machine_view.hpp"
#include "cli/memory_use.hpp"
#include "cli/near_commands.hpp"
#include "cli/option_values.hpp"
#include "cli/option_words.hpp"
#include "cli/solve_request.hpp"
#include "cli/solve_view.hpp"
#include "cli/statistics_view.hpp"
#include "cli/table.hpp"
#include "cli/table_output.hpp"
#include "cli/terminal_style.hpp"
#include "cli/turn_options.hpp"
#include "cli/verb.hpp"
#include "cluster/cluster_plan.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "planner/memory.hpp"
#include "rates/machine_report.hpp"
#include "rates/measured_rates.hpp"
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
  reading.on_header = [known = known_options(request)](const GraphHeader& header) {
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
    refuse_if(gave_turns(context_), "turns are for one process: start apsp without mpirun");
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
    const SolveOptions begun = api::options_of(*earlier, request_.solving);
    require_same(request_, *earlier, begun, context_.gave("--semiring"));
    request_.graph_left = true;
    request_.no_statistics = !begun.question.statistics;
    request_.solving = begun;
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
    if (request_.largest_component) require_no_turns(graph, "--component");
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
    arguments.text(
        "--within", "D[,D2,…]", within_,
        "only the pairs at most D apart: OUT.npz for SciPy, OUT.zarr for zarr-python and AnnData, "
        "a table OUT.csv or OUT.parquet, or a map OUT.geojson or OUT.geo.parquet of what --sources "
        "reach for each D");
    arguments.rare();
    choice(
        arguments, "--direction", direction_choices(), directions_,
        "for a map: what is reached from the sources, what reaches them, or both; default: from");
    declare_positions(arguments, map_, "a map of --within");
    declare_points(arguments, snapping_);
    declare_unit(arguments, unit_);
    parsed(arguments, "--top", "K", at_least<0>, request_.top,
           "number of central vertices to list; default: 5");
    declare_method(arguments, request_);
    declare_job(arguments, request_);
    declare_plan_flag(arguments);
    declare_reading(arguments, request_.reading);
  }

  int run(Context& context) override {
    if (context.gave("--within")) {
      return run_within(context, request_, limits_value("--within", within_, unit_).values,
                        directions_, map_, snapping_);
    }
    refuse_if(!unit_.text.empty(), "--unit is for --within D");
    refuse_if(context.gave("--direction"),
              "--direction is for a map of --within: -o OUT.geojson or OUT.geo.parquet");
    refuse_if(snapping_.snap || context.gave("--snap-limit"),
              "--snap and --snap-limit are for --within D");
    refuse_if(context.gave("--plan"),
              "--plan is for --within: apsp plan GRAPH says what a solve would take");
    refuse_if(!map_.positions.empty() || !map_.geometry.empty(),
              "--positions and --geometry are for a map of --within: -o OUT.geojson or "
              "OUT.geo.parquet");
    return run_solve(context, request_);
  }

 protected:
  SolveRequest request_;

 private:
  std::string within_;
  Directions directions_;
  Unit unit_;
  TableOutput map_;
  PointOptions snapping_;
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
          {"apsp solve roads.csv                       statistics only, nothing is kept",
           "apsp solve roads.csv -o roads.zarr --verify    keep and check the distances",
           "apsp solve lengths.csv --columns from,to,lanes --semiring max-min    widest"},
          make_verb<Solve>,
          true};
}

VerbEntry closure_verb() {
  return {
      "closure GRAPH [-o OUT]",
      "which vertices reach which (transitive closure)",
      "Closure: for every pair of vertices, whether there is a path at all. Weights are ignored.",
      {"apsp closure roads.csv --directed            how many pairs are connected",
       "apsp closure roads.csv -o reach.zarr         keep the matrix of ones and zeros",
       "apsp closure roads.csv --json --quiet        for a script"},
      make_verb<Closure>,
      true};
}

namespace {

using cluster::ClusterPrediction;

std::string grid_cell(const cluster::NodeGrid& grid) {
  return fmt::format("{}x{}", grid.p_r(), grid.p_c());
}

cluster::FwCosts balanced_costs(const cluster::Cluster& cluster,
                                const cluster::ClusterProblem& problem) {
  return cluster::costs_on(cluster, cluster::balanced_grid(problem.nodes, problem.ranks_per_node),
                           static_cast<double>(problem.n));
}

/// The tile side of the offload variant; 0 without a second memory.
double offload_tile(const cluster::Cluster& cluster, const cluster::ClusterProblem& problem) {
  if (cluster.host_link_rate <= 0) return 0;
  constexpr double kBytes = 4;
  return cluster::least_offload_tile(
      {.t_f = 1 / (2 * cluster.relaxations),
       .t_hd = kBytes / cluster.host_link_rate,
       .t_m = kBytes * problem.ranks_per_node / cluster.host_memory_rate});
}

/// The time of messages between nodes; 0 for one node.
double message_seconds(const cluster::FwCosts& costs) {
  return costs.grid.k_r * costs.grid.k_c > 1 ? cluster::node_communication_seconds(costs) : 0;
}

std::vector<ClusterPrediction> variants_on(const cluster::Cluster& cluster,
                                           const cluster::ClusterProblem& problem) {
  std::vector<ClusterPrediction> variants;
  for (const dense::Variant& variant : dense::kVariants) {
    if (variant.offload && cluster.host_link_rate <= 0) continue;
    variants.push_back(cluster::best_on_cluster(cluster, problem, variant));
  }
  return variants;
}

std::string cluster_text(const cluster::Cluster& cluster, const cluster::ClusterProblem& problem,
                         const TerminalStyle& look) {
  const cluster::FwCosts costs = balanced_costs(cluster, problem);
  const auto n = static_cast<double>(problem.n);
  constexpr std::size_t kWide = 100;
  Table facts({Align::left, Align::left}, kWide);
  facts.row({"matrix", fmt::format("{}, {} of f32", base::counted(problem.n, "vertex", "vertices"),
                                   base::format_bytes(static_cast<std::int64_t>(4 * n * n)))});
  facts.row({"processes", fmt::format("{} on {}", base::format_count(costs.grid.p()),
                                      base::counted(problem.nodes, "node", "nodes"))});
  facts.row(
      {"work", base::format_seconds(cluster::computation_seconds(costs)) + ", only the products"});
  if (const double seconds = message_seconds(costs); seconds > 0) {
    facts.row(
        {"messages", base::format_seconds(seconds) + ", through the network cards of a node"});
    facts.row({"overlap",
               fmt::format("messages can hide under work from {} vertices on",
                           base::format_count(std::llround(cluster::least_overlapping_n(costs))))});
  }
  if (cluster.host_link_rate > 0)
    facts.row(
        {"offload",
         fmt::format("tiles of at least {}, if the matrix is kept in host memory",
                     base::format_count(std::llround(std::ceil(offload_tile(cluster, problem)))))});
  Table table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::right,
               Align::right, Align::right, Align::left});
  table.header({"variant", "grid", "tile", "time", "Tflop/s", "of products", "GB/s a node",
                "each holds", ""});
  for (const ClusterPrediction& found : variants_on(cluster, problem)) {
    table.row({std::string(found.variant), grid_cell(found.grid), base::format_count(found.tile),
               base::format_seconds(found.seconds), fmt::format("{:.4g}", found.flops / 1e12),
               fmt::format("{:.0f} %", 100 * found.share),
               fmt::format("{:.1f}", found.bandwidth / 1e9),
               base::format_bytes(static_cast<std::int64_t>(found.bytes_per_rank)),
               found.fits ? "" : "does not fit"});
  }
  return heading(look, "Cluster", cluster.name) + facts.text(look) + "\n" +
         heading(look, "Variants", "as predicted by the equations of Sao 2021") + table.text(look);
}

nlohmann::json cluster_json(const cluster::Cluster& cluster,
                            const cluster::ClusterProblem& problem) {
  const cluster::FwCosts costs = balanced_costs(cluster, problem);
  nlohmann::json variants = nlohmann::json::array();
  for (const ClusterPrediction& found : variants_on(cluster, problem)) {
    variants.push_back({{"variant", found.variant},
                        {"grid", {found.grid.p_r(), found.grid.p_c()}},
                        {"grid_of_node", {found.grid.q_r, found.grid.q_c}},
                        {"tile", found.tile},
                        {"seconds", found.seconds},
                        {"seconds_work", found.work},
                        {"seconds_network", found.network},
                        {"seconds_chain", found.chain},
                        {"flops_per_second", found.flops},
                        {"share", found.share},
                        {"bytes_per_second_node", found.bandwidth},
                        {"bytes_process", std::llround(found.bytes_per_rank)},
                        {"fits", found.fits}});
  }
  return {{"machine", cluster.name},
          {"nodes", problem.nodes},
          {"processes_per_node", problem.ranks_per_node},
          {"vertices", problem.n},
          {"seconds_work", cluster::computation_seconds(costs)},
          {"seconds_messages", message_seconds(costs)},
          {"vertices_overlap", cluster::least_overlapping_n(costs)},
          {"tile_offload", offload_tile(cluster, problem)},
          {"variants", std::move(variants)}};
}

nlohmann::json message_json(const cluster::MessageRates& messages) {
  const auto one = [](const cluster::MessageRate& rate) {
    return nlohmann::json{
        {"bytes_per_second", rate.bytes}, {"seconds", rate.seconds}, {"measured", rate.measured}};
  };
  return {{"on_machine", one(messages.on_machine)}, {"between_machines", one(messages.between)}};
}

class PlanOnly : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_solving(arguments, request_, false);
    arguments.section("Result");
    declare_planes(arguments, request_.solving);
    declare_method(arguments, request_);
    arguments.section("Measurement");
    arguments.flag("--measure", measure_,
                   "measure this machine now and keep the figures; without GRAPH: the figures that "
                   "most solves need");
    arguments.flag("--exact", exact_,
                   "find the order of a large graph and count its factor, as solve does; default: "
                   "samples of a graph of 131,072 vertices or more tell about what they are");
    declare_reading(arguments, request_.reading);
    declare_machine(arguments);
  }

  int run(Context& context) override {
    refuse_idle_options(context, request_);
    if (!machine_.empty()) return context.silent() ? kExitOk : plan_cluster(context);
    refuse_if(nodes_ > 0 || ranks_ > 0 || vertices_ > 0,
              "--nodes, --ranks-per-node and --vertices are about a cluster: name it with "
              "--machine FILE");
    if (!request_.graph.empty()) {
      const cluster::MessageRates messages = cluster::messages_of_launch(context.launch);
      return context.silent() ? kExitOk : plan_graph(context, messages);
    }
    if (context.silent()) return kExitOk;
    refuse_if(!measure_,
              "GRAPH is missing: name a graph to plan for, or measure this machine with --measure");
    context.refuse_others({"--measure", "--threads"},
                          "is for the plan of a graph: name GRAPH, or leave the option out");
    rates::renew_rates(request_.solving.machine.threads, context.control());
    const nlohmann::json machine = rates::machine_report();
    context.print(rates_text(machine["rates"], context.out()));
    context.print_json({{"rates", machine["rates"]}});
    return kExitOk;
  }

 private:
  void declare_machine(Arguments& arguments) {
    arguments.section("Predicting a cluster");
    arguments.text("--machine", "FILE", machine_,
                   "predict Floyd-Warshall on the cluster that FILE describes (JSON; "
                   "share/apsp/machines has two)");
    parsed(arguments, "--nodes", "N", at_least<1>, nodes_, "nodes to use; default: all");
    parsed(arguments, "--ranks-per-node", "R", at_least<1>, ranks_,
           "processes on each node; default: one for each GPU");
    parsed(arguments, "--vertices", "N", at_least<1>, vertices_,
           "vertices of the matrix; default: those of GRAPH, else the largest matrix that the GPUs "
           "hold");
  }

  int plan_cluster(Context& context) {
    refuse_if(measure_,
              "--measure is for this machine, and --machine names another: leave one out");
    refuse_unused(context);
    const cluster::Cluster cluster = cluster::read_cluster(machine_);
    refuse_if(nodes_ > cluster.nodes, "--nodes: the cluster has only {}",
              base::format_count(cluster.nodes));
    refuse_if(ranks_ > cluster.gpus_per_node, "--ranks-per-node: a node has only {}",
              base::counted(cluster.gpus_per_node, "GPU", "GPUs"));
    cluster::ClusterProblem problem;
    problem.nodes = nodes_ > 0 ? static_cast<int>(nodes_) : cluster.nodes;
    problem.ranks_per_node = ranks_ > 0 ? static_cast<int>(ranks_) : cluster.gpus_per_node;
    problem.n = vertices_;
    if (problem.n == 0 && !request_.graph.empty()) {
      problem.n = read_for(context, request_.graph, request_.reading).vertex_count();
    }
    if (problem.n == 0) {
      problem.n = cluster::largest_on_cluster(cluster, problem.nodes, problem.ranks_per_node,
                                              dense::Variant{});
      refuse_if(problem.n == 0,
                "the GPUs of this machine hold no matrix of 1,024 vertices: give --vertices");
    }
    refuse_if(problem.n > cluster::kMostVerticesPredicted,
              "a matrix of {} vertices: a prediction is for {} at most",
              base::format_count(problem.n), base::format_count(cluster::kMostVerticesPredicted));
    context.print(cluster_text(cluster, problem, context.out()));
    if (context.json) context.print_json({{"cluster", cluster_json(cluster, problem)}});
    return kExitOk;
  }

  /// A prediction for another machine needs only the size of the matrix.
  void refuse_unused(const Context& context) const {
    std::set<std::string> used = {"--machine", "--nodes", "--ranks-per-node", "--vertices"};
    if (!request_.graph.empty()) {
      refuse_if(vertices_ > 0,
                "--vertices and GRAPH both give the size of the matrix: leave one out");
      used.insert("--threads");
      used.merge(reading_options());
    }
    context.refuse_others(used, "has no effect on the prediction for --machine: leave it out");
  }

  int plan_graph(Context& context, const cluster::MessageRates& messages) {
    check(request_);
    const Graph& read = read_for(context, request_.graph, request_.reading);
    if (request_.largest_component) {
      require_no_turns(read, "--component");
      context.graph = largest_component(read);
    }
    const Graph& graph = *context.graph;
    SolveOptions options = solve_options(context, request_, graph);
    const cluster::Launch* const launch = context.launch;
    const bool together = launch != nullptr && launch->size > 1;
    if (together)
      options.machine.threads = cluster::threads_of_process(*launch, options.machine.threads);
    const PlanReport plan =
        in_option_words(plan_solve(graph, options, {.measure = measure_, .estimate = !exact_}));
    const nlohmann::json facts = graph_facts(graph, request_.graph);
    const TerminalStyle& look = context.out();
    context.print(graph_text(graph, facts, look));
    context.print("\n" + candidates_text(plan, look));
    context.print("  " + figures_text(plan) + "\n");
    if (plan.what_would_fit.empty()) {
      context.print("\n" + heading(look, "Plan") + plan_text(plan, look) + "\n");
    }
    nlohmann::json told = {{"graph", facts}, {"plan", api::to_json(plan)}};
    if (together) {
      const cluster::Cluster cluster =
          cluster::cluster_of_launch(*launch, plan, messages, graph.vertex_count());
      const cluster::ClusterProblem problem{graph.vertex_count(), cluster.nodes,
                                            cluster.gpus_per_node};
      context.print("\n" + cluster_text(cluster, problem, look));
      told["cluster"] = cluster_json(cluster, problem);
      told["cluster"]["messages"] = message_json(messages);
    }
    context.print_json(told);
    if (plan.what_would_fit.empty()) return kExitOk;
    if (context.json) return kExitDoesNotFit;
    throw RefusedSolve(ErrorKind::does_not_fit, plan.what_would_fit, plan.advice);
  }

  SolveRequest request_;
  bool measure_ = false, exact_ = false;
  std::string machine_;
  std::int64_t nodes_ = 0, ranks_ = 0, vertices_ = 0;
};

}  // namespace

VerbEntry plan_verb() {
  return {"plan GRAPH",
          "what solve would do and why: every way, its time and memory",
          "Plan: the ways in which a graph can be solved on this machine, what each would take, "
          "and the one that solve takes with the same options. Nothing is solved. Only the cache "
          "of this machine's figures is written.",
          {"apsp plan roads.csv                                what solve would do, and why",
           "apsp plan roads.csv -o roads.zarr --memory 2GiB    what would fit there",
           "apsp plan --machine tests/machines/summit.json --nodes 64 --vertices 300000"},
          make_verb<PlanOnly>,
          true};
}

}  // namespace apsp::cli
