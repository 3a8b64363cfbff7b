// apsp plan: explains what solve would do, and why.
#include <fmt/format.h>
#include <apsp/error.hpp>
#include <cmath>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

#include "api/json.hpp"
#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_options.hpp"
#include "cli/graph_view.hpp"
#include "cli/machine_view.hpp"
#include "cli/option_values.hpp"
#include "cli/option_words.hpp"
#include "cli/solve_request.hpp"
#include "cli/solve_view.hpp"
#include "cli/table.hpp"
#include "cli/terminal_style.hpp"
#include "cli/verb.hpp"
#include "cluster/cluster_plan.hpp"
#include "rates/machine_report.hpp"
#include "rates/measured_rates.hpp"

namespace apsp::cli {
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
                   "predict Floyd-Warshall on the cluster that FILE describes (JSON, as "
                   "tests/machines/summit.json)");
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
      used.insert({"--format", "--directed", "--undirected", "--columns", "--as-rel",
                   "--coordinates", "--threads"});
    }
    context.refuse_others(used, "has no effect on the prediction for --machine: leave it out");
  }

  int plan_graph(Context& context, const cluster::MessageRates& messages) {
    check(request_);
    const Graph& read = read_for(context, request_.graph, request_.reading);
    if (request_.largest_component) context.graph = largest_component(read);
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
          {"apsp plan roads.gr                                 what solve would do, and why",
           "apsp plan roads.gr -o roads.zarr --memory 2GiB     what would fit there",
           "apsp plan --machine tests/machines/summit.json --nodes 64 --vertices 300000"},
          make_verb<PlanOnly>,
          true};
}

}  // namespace apsp::cli
