// apsp plan: what solve would do and why, without doing it.
#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "api/json.hpp"
#include "base/machine.hpp"
#include "base/numbers.hpp"
#include "base/units.hpp"
#include "calibration/described_cluster.hpp"
#include "calibration/machine_report.hpp"
#include "calibration/measure_messages.hpp"
#include "calibration/renew_rates.hpp"
#include "cli/cluster_view.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_facts.hpp"
#include "cli/idle_options.hpp"
#include "cli/machine_view.hpp"
#include "cli/meeting.hpp"
#include "cli/plan_view.hpp"
#include "cli/reading.hpp"
#include "cli/solve_run.hpp"
#include "cli/table.hpp"
#include "cli/values.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {
namespace {

/// "3.9 GB/s and 1.2 µs on a machine, measured".
std::string message_text(const planner::MessageRate& rate, const char* where) {
  return fmt::format("{:.1f} GB/s and {:.1f} µs {}, {}", rate.bytes / 1e9, rate.seconds * 1e6,
                     where, rate.measured ? "measured" : "assumed");
}

nlohmann::json message_json(const planner::MessageRates& messages) {
  const auto one = [](const planner::MessageRate& rate) {
    return nlohmann::json{
        {"bytes_per_second", rate.bytes}, {"seconds", rate.seconds}, {"measured", rate.measured}};
  };
  return {{"on_machine", one(messages.on_machine)}, {"between_machines", one(messages.between)}};
}

/// The processes of this launch as a cluster: each works as fast as one process is predicted to by
/// Floyd-Warshall.
planner::Cluster cluster_of_launch(const Launch& launch, const PlanReport& plan,
                                   const planner::MessageRates& messages, std::int64_t n) {
  constexpr double kLaunch = 20e-6;  // seconds
  constexpr double kTile = 256;
  constexpr double kMost = 1e13;  // relaxations a second that no process does
  const auto cube = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  planner::Cluster cluster;
  cluster.gpus_per_node = std::max(1, launch.of_each_machine);
  cluster.nodes = launch.size / cluster.gpus_per_node;
  const bool neighbours = cluster.gpus_per_node > 1, apart = cluster.nodes > 1;
  cluster.name = fmt::format("this launch: {} processes of {}; messages: {}{}{}", launch.size,
                             base::counted(plan.threads, "thread", "threads"),
                             neighbours ? message_text(messages.on_machine, "on a machine") : "",
                             neighbours && apart ? "; " : "",
                             apart ? message_text(messages.between, "between") : "");
  cluster.relaxations = 1;
  for (const CandidateReport& way : plan.candidates) {
    if (way.algorithm != Algorithm::floyd_warshall || way.device != Device::cpu || !way.known)
      continue;
    // Without what a process takes to begin.
    const double seconds = std::max(way.seconds - plan.predicted.start, cube / kMost);
    cluster.relaxations = std::max(1.0, cube) / std::max(seconds, 1 / kMost);
  }
  cluster.pivot_seconds = kTile * kTile / cluster.relaxations;  // a tile is closed at the same rate
  cluster.launch_seconds = kLaunch;
  cluster.gpu_bytes = static_cast<double>(base::available_memory()) / cluster.gpus_per_node;
  cluster.host_bytes = static_cast<double>(base::available_memory());
  // A message passes two links, and between machines two cards.
  cluster.link_rate = messages.on_machine.bytes;
  cluster.card_rate = messages.between.bytes;
  cluster.link_seconds = messages.on_machine.seconds / 2;
  cluster.card_seconds = std::max(0.0, messages.between.seconds - messages.on_machine.seconds) / 2;
  return cluster;
}

class PlanOnly : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_solving(arguments, request_, false);
    arguments.section("Result");
    declare_planes(arguments, request_.solving);
    declare_method(arguments, request_);
    arguments.section("Figures");
    arguments.flag("--measure", measure_,
                   "measure this machine now, and keep the figures; without GRAPH those that most "
                   "solves go by");
    declare_reading(arguments, request_.reading);
    declare_machine(arguments);
  }

  int run(Session& session) override {
    refuse_idle_options(session, request_);
    if (!machine_.empty()) return session.silent ? kExitOk : plan_cluster(session);
    if (nodes_ + ranks_ + vertices_ > 0) {
      throw Error(ErrorKind::usage,
                  "--nodes, --ranks-per-node and --vertices are of a machine: --machine FILE");
    }
    if (!request_.graph.empty()) {
      const planner::MessageRates messages = messages_of(session);
      return session.silent ? kExitOk : plan_graph(session, messages);
    }
    if (session.silent) return kExitOk;
    if (!measure_) {
      throw Error(ErrorKind::usage, "name a graph to plan for, or measure the machine: --measure");
    }
    refuse_others(session, {"--measure", "--threads"},
                  "is for the plan of a graph: name a GRAPH, or leave it out");
    calibration::renew_rates(request_.solving.threads, session.control());
    const nlohmann::json machine = calibration::machine_report();
    session.print(rates_text(machine["rates"], session.out()));
    if (session.json) session.print_json({{"rates", machine["rates"]}});
    return kExitOk;
  }

 private:
  void declare_machine(Arguments& arguments) {
    arguments.section("A cluster that one does not have");
    arguments.text("--machine", "FILE", machine_,
                   "predict Floyd-Warshall on the machine that FILE describes (JSON, as "
                   "tests/machines/summit.json)");
    const auto count = [&](const char* name, const char* letter, std::int64_t& target,
                           const char* about) {
      arguments.value(
          name, letter,
          [name, &target](const std::string& text) { target = integer_value(name, text, 1); },
          about);
    };
    count("--nodes", "N", nodes_, "nodes of it; all unless given");
    count("--ranks-per-node", "R", ranks_, "processes of a node; one a GPU unless given");
    count("--vertices", "N", vertices_,
          "of the matrix; without it and GRAPH the largest that the GPUs hold");
  }

  int plan_cluster(Session& session) {
    if (measure_) throw Error(ErrorKind::usage, "--measure is of this machine, not of --machine");
    refuse_unused(session);
    const planner::Cluster cluster = calibration::read_cluster(machine_);
    if (nodes_ > cluster.nodes) {
      throw Error(ErrorKind::usage,
                  "--nodes: the machine has " + base::format_count(cluster.nodes));
    }
    if (ranks_ > cluster.gpus_per_node) {
      throw Error(ErrorKind::usage, "--ranks-per-node: a node has " +
                                        base::counted(cluster.gpus_per_node, "GPU", "GPUs"));
    }
    planner::ClusterProblem problem;
    problem.nodes = nodes_ > 0 ? static_cast<int>(nodes_) : cluster.nodes;
    problem.ranks_per_node = ranks_ > 0 ? static_cast<int>(ranks_) : cluster.gpus_per_node;
    problem.n = vertices_;
    if (problem.n == 0 && !request_.graph.empty()) {
      problem.n = read_for(session, request_.graph, request_.reading).vertex_count();
    }
    if (problem.n == 0) {
      problem.n = planner::largest_on_cluster(cluster, problem.nodes, problem.ranks_per_node,
                                              planner::ClusterSchedule::asynchronous);
    }
    session.print(cluster_text(cluster, problem, session.out()));
    if (session.json) session.print_json({{"cluster", cluster_json(cluster, problem)}});
    return kExitOk;
  }

  /// Floyd-Warshall on another machine takes the size of its matrix, and no more.
  void refuse_unused(const Session& session) const {
    std::set<std::string> used = {"--machine", "--nodes", "--ranks-per-node", "--vertices"};
    if (!request_.graph.empty()) {
      if (vertices_ > 0) {
        throw Error(ErrorKind::usage,
                    "--vertices and GRAPH both say how large the matrix is: leave one of them out");
      }
      used.insert({"--format", "--directed", "--undirected", "--columns", "--as-rel",
                   "--coordinates", "--threads"});
    }
    refuse_others(session, used, "has no effect on the prediction for --machine: leave it out");
  }

  /// All processes of a launch send each other some.
  static planner::MessageRates messages_of(Session& session) {
    const Launch* const launch = session.launch;
    if (launch == nullptr || launch->size == 1) return {};
    const auto communicator = meet_on_grid(session, {1, launch->size});
    engine::Processes processes(*communicator);
    return calibration::measure_messages(processes, launch->machine);
  }

  int plan_graph(Session& session, const planner::MessageRates& messages) {
    check(request_);
    const Graph& graph = read_for(session, request_.graph, request_.reading);
    SolveOptions options = solve_options(session, request_, graph);
    const Launch* const launch = session.launch;
    const bool together = launch != nullptr && launch->size > 1;
    if (together) options.threads = threads_of_process(*launch, options.threads);
    const PlanReport plan = plan_solve(graph, options, measure_);
    const nlohmann::json facts = graph_facts(graph, request_.graph);
    const Look& look = session.out();
    session.print(graph_text(graph, facts, look));
    session.print("\n" + candidates_text(plan, look));
    session.print("  " + figures_text(plan) + "\n");
    if (plan.what_would_fit.empty()) {
      session.print("\n" + heading(look, "Plan") + plan_text(plan, look) + "\n");
    }
    nlohmann::json told = {{"graph", facts}, {"plan", api::to_json(plan)}};
    if (together) {
      const planner::Cluster cluster =
          cluster_of_launch(*launch, plan, messages, graph.vertex_count());
      const planner::ClusterProblem problem{graph.vertex_count(), cluster.nodes,
                                            cluster.gpus_per_node};
      session.print("\n" + cluster_text(cluster, problem, look));
      told["cluster"] = cluster_json(cluster, problem);
      told["cluster"]["messages"] = message_json(messages);
    }
    if (session.json) session.print_json(told);
    if (plan.what_would_fit.empty()) return kExitOk;
    if (session.json) return kExitDoesNotFit;
    throw Error(ErrorKind::does_not_fit, plan.what_would_fit);
  }

  SolveRequest request_;
  bool measure_ = false;
  std::string machine_;
  std::int64_t nodes_ = 0, ranks_ = 0, vertices_ = 0;  // 0: not given
};

}  // namespace

VerbEntry plan_verb() {
  return {
      "plan",
      "plan GRAPH",
      "what solve would do and why: every way with its time and memory",
      "Plan: the ways in which a graph can be solved on this machine, what each would take, and "
      "the\none that solve takes with the same options. Nothing is solved, nothing is written "
      "but the\ncache of this machine's figures.",
      {"apsp plan roads.gr                                what solve would do, and why",
       "apsp plan roads.gr -o roads.zarr --memory 2GiB     what would fit there",
       "apsp plan --machine tests/machines/summit.json --nodes 64 --vertices 300000"},
      [] { return std::unique_ptr<Verb>(std::make_unique<PlanOnly>()); },
      true};
}

}  // namespace apsp::cli
