#include "program/cluster_benchmark.hpp"
#include "cluster/cluster_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "base/json.hpp"
#include "base/seconds_since.hpp"
#include "base/units.hpp"
#include "cluster/collective_plan.hpp"
#include "cluster/process_device.hpp"
#include "planner/device_plan.hpp"
#include "system/machine.hpp"

namespace apsp::bench {
namespace {

using cluster::Job;
using cluster::Processes;

constexpr std::int64_t kRowsDefined = 4;
constexpr std::int64_t kRound = 1024;  // vertices

/// The share of the free memory that a size takes if none is named.
double share_of_memory(BenchmarkExtent extent) {
  return extent == BenchmarkExtent::full ? 0.8 : 0.5;
}

/// A graph that plans as the matrix does: one arc of the greatest weight, in one direction.
Graph graph_like(std::int64_t n, ValueType type) {
  GraphBuilder builder(n);
  if (n > 1) builder.add_edge(0, 1, static_cast<double>(RandomGraph::greatest(type)));
  return std::move(builder).build();
}

class ClusterBenchmark {
 public:
  ClusterBenchmark(Job& job, const dense::Variant& variant, int of_each_machine,
                   const ClusterBenchmarkOptions& options)
      : job_(job),
        processes_(job.processes),
        variant_(variant),
        of_each_machine_(of_each_machine),
        options_(options) {}

  ClusterBenchmarkReport run() {
    ClusterBenchmarkReport report{.variant = std::string(variant_.name),
                                  .place = {},
                                  .type = options_.type,
                                  .grid_rows = job_.shape.rows,
                                  .grid_columns = job_.shape.cols,
                                  .seed = options_.seed};
    const int machines = processes_.size() / std::max(1, of_each_machine_);
    report.nodes_are_machines = machines > 1;
    report.nodes = cluster::bandwidth_nodes(processes_.size(), of_each_machine_);
    for (const std::int64_t n : sizes()) report.rows.push_back(solve(n, report));
    return report;
  }

 private:
  std::vector<std::int64_t> sizes() {
    if (!options_.vertices.empty()) return options_.vertices;
    std::int64_t mine = 0;
    processes_.run_local([&] { mine = memory_of_part(); });
    std::int64_t n = vertices_in(share_of_memory(options_.extent), processes_.least(mine),
                                 processes_.size(), options_.type);
    if (options_.extent == BenchmarkExtent::quick) {
      n = std::min<std::int64_t>(n, options_.device == Device::cuda ? 32768 : 4096);
    }
    return {n};
  }

  /// Bytes that a part and its panels may take: of the host, and of the GPU if the part is there.
  std::int64_t memory_of_part() const {
    const std::int64_t host = system::available_memory() / job_.of_machine;
    if (options_.device != Device::cuda) return host;
    const planner::Devices mine = cluster::own_device(
        {options_.device, options_.ordinals},
        {job_.shape.rows, job_.shape.cols, job_.on_machine, job_.of_machine, job_.shape.offload},
        job_.find);
    const std::int64_t there = planner::allowed_device_bytes(0, {&mine.list.front(), 1});
    return job_.shape.offload ? host : std::min(host, there);
  }

  SolveOptions solve_options() const {
    SolveOptions options;
    options.method.algorithm = Algorithm::floyd_warshall;
    options.method.value_type = options_.type;
    options.machine.device = options_.device;
    options.machine.device_ordinals = options_.ordinals;
    options.method.tile = options_.tile;
    options.machine.threads = options_.threads;
    options.question.statistics = false;
    options.control = options_.control;
    return options;
  }

  /// Seconds of the slowest process.
  double timed(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    processes_.least(0);  // all have come
    return base::seconds_since(start);
  }

  ClusterBenchmarkRow solve(std::int64_t n, ClusterBenchmarkReport& report) {
    const RandomGraph matrix(
        {.type = options_.type, .n = n, .seed = options_.seed, .complete = true});
    const Graph graph = graph_like(n, options_.type);
    const planner::Plan plan = cluster::collective_plan(job_, graph, solve_options());
    ClusterBenchmarkRow row{.n = n, .tile = plan.tile(), .bytes = plan.bytes};
    report.place =
        plan.on_device ? plan.on_device->title() : base::counted(plan.threads, "thread", "threads");
    if (plan.on_device) {
      row.device_bytes = plan.on_device->bytes;
      row.streamed = plan.on_device->streamed;
    }
    predict(plan, report.nodes_are_machines, row);
    processes_.run_local([&] { cluster::require_fit(job_, plan); });
    std::optional<cluster::GridRun> run;
    row.opened = timed([&] {
      processes_.run_local([&] { run.emplace(processes_, job_.shape, plan); });
      cluster::connect_gpus(job_, plan, cluster::goes_direct(job_, plan), *run);
    });
    row.generated = timed([&] { generate(matrix, *run); });
    row.solved = timed([&] { run->solve(options_.control); });
    row.checked = timed([&] {
      row.check = check_grid(processes_, run->held(), matrix, kRowsDefined, options_.seed + 1,
                             plan.threads);
    });
    row.bandwidth = cluster::effective_bandwidth(static_cast<double>(n), report.nodes,
                                                 size_of(options_.type), row.solved);
    return row;
  }

  void generate(const RandomGraph& matrix, cluster::GridRun& run) {
    processes_.run_local([&] {
      with_sums(options_.type, [&]<class S>() {
        run.fill(
            [&](std::int64_t i, std::int64_t j, std::int64_t count, void* values) {
              matrix.fill_row(i, j, count, static_cast<typename S::Value*>(values));
            },
            options_.control);
      });
    });
  }

  /// Predicts by the model of a cluster whose processes are as fast as they were planned.
  void predict(const planner::Plan& plan, bool machines, ClusterBenchmarkRow& row) {
    cluster::MessageRates messages;
    if (job_.messages && processes_.size() > 1) {
      processes_.communicate([&] { messages = job_.messages(); });
    }
    const double seconds =
        plan.on_device ? plan.on_device->seconds : plan.predicted.seconds - plan.predicted.start;
    const auto n = static_cast<double>(row.n);
    const double each = n * n * n / processes_.size() / std::max(seconds, 1e-9);
    const int of_node = machines ? std::max(1, of_each_machine_) : processes_.size();
    const cluster::Cluster cluster =
        cluster::cluster_of_processes(processes_.size(), of_node, each, messages);
    const auto found = cluster::predict_on_cluster(
        cluster, {row.n, cluster.nodes, cluster.gpus_per_node}, variant_, row.tile);
    row.predicted = found.seconds;
    row.rough = !plan.on_device && plan.predicted.rough;
    row.products = found.work;
    row.messages = found.network;
    row.chain = found.chain;
  }

  Job& job_;
  Processes& processes_;
  dense::Variant variant_;
  int of_each_machine_;
  const ClusterBenchmarkOptions& options_;
};

nlohmann::json to_json(const GridCheck& check) {
  return {{"rows", check.rows},
          {"values_tested", check.values_tested},
          {"values_failed", check.values_failed},
          {"residual", check.residual},
          {"entries_tested", check.entries_tested},
          {"entries_failed", check.entries_failed},
          {"passed", check.passed()}};
}

nlohmann::json to_json(const ClusterBenchmarkRow& row) {
  return {{"vertices", row.n},
          {"tile", row.tile},
          {"bytes", row.bytes},
          {"device_bytes", row.device_bytes},
          {"streamed", row.streamed},
          {"seconds",
           {{"open", row.opened},
            {"generate", row.generated},
            {"solve", row.solved},
            {"check", row.checked}}},
          {"flops_per_second", flops(row)},
          {"bandwidth", row.bandwidth},
          {"model",
           {{"seconds", row.predicted},
            {"products", row.products},
            {"messages", row.messages},
            {"chain", row.chain},
            {"rough", row.rough},
            {"share", share_of_model(row)}}},
          {"check", to_json(row.check)}};
}

}  // namespace

bool ClusterBenchmarkReport::passed() const {
  return std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.check.passed(); });
}

double flops(const ClusterBenchmarkRow& row) {
  const auto n = static_cast<double>(row.n);
  return 2 * n * n * n / std::max(row.solved, 1e-9);
}

double share_of_model(const ClusterBenchmarkRow& row) {
  return row.predicted / std::max(row.solved, 1e-9);
}

std::int64_t vertices_in(double share, std::int64_t bytes, int processes, ValueType type) {
  const double values = share * static_cast<double>(bytes) * processes / size_of(type);
  const auto n = static_cast<std::int64_t>(std::sqrt(values));
  return n < kRound ? std::max<std::int64_t>(n, 1) : n / kRound * kRound;
}

ClusterBenchmarkReport run_cluster_benchmark(Job& job, const dense::Variant& variant,
                                             int of_each_machine,
                                             const ClusterBenchmarkOptions& options) {
  return ClusterBenchmark(job, variant, of_each_machine, options).run();
}

nlohmann::json to_json(const ClusterBenchmarkReport& report) {
  nlohmann::json rows = nlohmann::json::array();
  for (const ClusterBenchmarkRow& row : report.rows) rows.push_back(to_json(row));
  return {{"variant", report.variant},
          {"place", report.place},
          {"value_type", name(report.type)},
          {"grid", {{"rows", report.grid_rows}, {"columns", report.grid_columns}}},
          {"nodes", report.nodes},
          {"nodes_are", report.nodes_are_machines ? "machines" : "processes"},
          {"seed", report.seed},
          {"solves", rows},
          {"passed", report.passed()}};
}

}  // namespace apsp::bench
