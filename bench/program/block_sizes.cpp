#include "program/block_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/aligned_memory.hpp"
#include "base/control.hpp"
#include "base/json.hpp"
#include "base/machine.hpp"
#include "engine/run.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "program/benchmark_matrix.hpp"
#include "program/benchmark_peaks.hpp"

namespace apsp::bench {
namespace {

constexpr ValueType kType = ValueType::f32;
constexpr std::int64_t kCheckedRows = 3;

std::vector<std::int64_t> sizes_of(const BlockSizeOptions& options) {
  if (!options.vertices.empty()) return options.vertices;
  std::vector<std::int64_t> sizes = {512, 1024};
  if (options.extent != BenchmarkExtent::quick) sizes = {1024, 2048, 4096};
  if (options.extent == BenchmarkExtent::full) sizes.push_back(8192);
  constexpr std::int64_t kOfGpu = 4;  // times as many vertices take it about as long
  if (options.device == Device::cuda) {
    for (std::int64_t& n : sizes) n *= kOfGpu;
  }
  return sizes;
}

int turns_of(std::int64_t n) { return n <= 1024 ? 9 : n <= 4096 ? 5 : 3; }

planner::Plan plan_of(const BlockSizeOptions& options, const planner::FindDevices& find,
                      std::int64_t n, std::int64_t tile, int threads) {
  return planner::plan_matrix(
      {.n = n,
       .kernel = {Semiring::min_plus, kType, kernels::Sign::non_negative, false},
       .shape = places::Shape::full,
       .tile = tile,
       .threads = threads},
      {options.device,
       options.device == Device::cuda ? std::vector<int>{options.ordinal} : std::vector<int>{}},
      find);
}

/// All sides at one size.
class Study {
 public:
  Study(const BlockSizeOptions& options, const planner::FindDevices& find, std::int64_t n,
        int threads)
      : options_(options), n_(n), threads_(threads) {
    const std::int64_t chosen = plan_of(options, find, n, 0, threads).tile();
    std::set<std::int64_t> sides = {chosen};
    for (const std::int64_t tile : options.tiles) {
      sides.insert(plan_of(options, find, n, std::min(tile, n), threads).tile());
    }
    for (const std::int64_t tile : sides) {
      plans_.push_back(plan_of(options, find, n, tile, threads));
      rows_.push_back({.n = n, .tile = tile, .chosen = tile == chosen});
    }
  }

  double work() const {
    const auto side = static_cast<double>(n_);
    return turns_of(n_) * static_cast<double>(rows_.size()) * side * side * side;
  }

  void measure(base::ProgressTask& progress) {
    base::AlignedMemory memory(n_ * n_ * size_of(kType));
    const double part = work() / turns_of(n_) / static_cast<double>(rows_.size());
    for (int turn = 0; turn < turns_of(n_); ++turn) {
      const BenchmarkGraph graph(Semiring::min_plus, n_,
                                 options_.seed + static_cast<std::uint64_t>(turn));
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        solve(graph, {memory.data(), n_, n_, n_}, plans_[i], rows_[i]);
        progress.advance(part);
      }
    }
  }

  const std::vector<BlockSizeRow>& rows() const { return rows_; }
  const planner::Plan& plan() const { return plans_.front(); }

 private:
  void solve(const BenchmarkGraph& graph, kernels::View matrix, const planner::Plan& plan,
             BlockSizeRow& row) const {
    const Control control = {nullptr, options_.control.cancellation};
    base::check_cancelled(control);
    graph.fill(matrix, kType, threads_);
    row.samples.push_back(timed([&] { engine::run(plan, {matrix}, control); }));
    if (row.samples.size() > 1) return;
    row.correct = true;
    for (std::int64_t r = 0; r < std::min(kCheckedRows, n_); ++r) {
      row.correct = row.correct && graph.is_solution(matrix, kType, r * (n_ - 1) / kCheckedRows);
    }
  }

  const BlockSizeOptions& options_;
  std::int64_t n_;
  int threads_;
  std::vector<planner::Plan> plans_;
  std::vector<BlockSizeRow> rows_;
};

}  // namespace

BlockSizeReport study_block_sizes(const BlockSizeOptions& options,
                                  const planner::FindDevices& find) {
  BlockSizeReport report;
  report.threads = base::thread_count(options.threads);
  report.seed = options.seed;
  const Sample all = timed([&] {
    std::vector<Study> studies;
    double work = 0;
    for (const std::int64_t n : sizes_of(options)) {
      work += studies.emplace_back(options, find, n, report.threads).work();
    }
    base::ProgressTask progress(options.control, "measuring", work, "relaxation");
    for (Study& study : studies) {
      study.measure(progress);
      report.rows.insert(report.rows.end(), study.rows().begin(), study.rows().end());
    }
    const planner::Plan& plan = studies.front().plan();
    report.where = plan.on_device
                       ? plan.on_device->title()
                       : fmt::format("{} thread{}", plan.threads, plan.threads == 1 ? "" : "s");
  });
  report.seconds = all.seconds;
  for (const BlockSizeRow& row : report.rows) report.correct = report.correct && row.correct;
  return report;
}

double rate(const BlockSizeRow& row) {
  const auto side = static_cast<double>(row.n);
  return side * side * side / best_seconds(row.samples);
}

double best_rate(const BlockSizeReport& report, std::int64_t n) {
  double best = 0;
  for (const BlockSizeRow& row : report.rows) {
    if (row.n == n) best = std::max(best, rate(row));
  }
  return best;
}

nlohmann::json to_json(const BlockSizeReport& report) {
  nlohmann::json rows = nlohmann::json::array();
  for (const BlockSizeRow& row : report.rows) {
    nlohmann::json samples = nlohmann::json::array();
    for (const Sample& sample : row.samples) samples.push_back(sample.seconds);
    rows.push_back({{"vertices", row.n},
                    {"tile", row.tile},
                    {"chosen", row.chosen},
                    {"relaxations_per_second", rate(row)},
                    {"correct", row.correct},
                    {"seconds", std::move(samples)}});
  }
  return {{"where", report.where},   {"threads", report.threads}, {"seed", report.seed},
          {"rows", std::move(rows)}, {"seconds", report.seconds}, {"correct", report.correct}};
}

}  // namespace apsp::bench
