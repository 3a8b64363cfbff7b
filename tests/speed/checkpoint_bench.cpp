// What Floyd-Warshall on two processes loses to checkpoints on a slow disk: none are written, they
// are written while the solve goes on, or all wait for them. The processes are threads, the disk is
// memory that takes so many bytes a second from each; it takes no processor meanwhile. It lies here
// since it runs on what tests share.
//
//   apsp_checkpoint_bench [N] [SECONDS between checkpoints] [MB a second of each process] [TIMES]
//                         [none | beside | waiting …]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cluster/grid_run.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "support/faulty_file_system.hpp"
#include "support/memory_file_system.hpp"
#include "support/random_graph.hpp"
#include "support/thread_communicator.hpp"

namespace {

using namespace apsp;
using Clock = std::chrono::steady_clock;

constexpr int kProcesses = 2;

enum class Way { none, beside, waiting };

struct Taken {
  double seconds = 0;
  std::int64_t checkpoints = 0;  // named
};

struct Setting {
  const Graph& graph;
  const planner::Plan& plan;
  double every = 1;
  double bytes_per_second = 1e8;
};

std::unique_ptr<store::DiskMatrix> matrix_of_all(cluster::Processes& processes, const Setting& of,
                                                 store::FileSystem& disk) {
  const store::Layout layout{of.plan.n, of.plan.type, of.plan.semiring, of.plan.tile()};
  std::unique_ptr<store::DiskMatrix> matrix;
  if (processes.first()) {
    matrix = std::make_unique<store::DiskMatrix>(
        disk, "o.zarr", store::JournalHead{layout, false, {of.graph.digest(), "floyd-warshall"}},
        of.graph);
  }
  const std::string place =
      processes.share_text(matrix != nullptr ? matrix->shared_place() : std::string());
  if (matrix != nullptr) return matrix;
  return std::make_unique<store::DiskMatrix>(store::Joined{}, disk, place, layout, std::nullopt);
}

/// Lines of the ledger that name a checkpoint.
std::int64_t named(store::FileSystem& disk, const store::DiskMatrix& matrix) {
  const std::string text = disk.read_text(store::join(matrix.shared_place(), store::kJournalName));
  return std::count(text.begin(), text.end(), '\n') - 1;
}

Taken solve(const Setting& of, Way way) {
  store::MemoryFileSystem memory;
  store::FaultyFileSystem disk(memory, {.bytes_per_second = of.bytes_per_second});
  ThreadPost post(1, kProcesses);
  Taken taken;
  run_grid(
      post,
      [&](int row, int col) {
        ThreadCommunicator communicator(post, row, col);
        cluster::Processes processes(communicator);
        cluster::GridRun run(processes, {1, kProcesses}, of.plan);
        run.fill(of.graph, {});
        const auto matrix = matrix_of_all(processes, of, disk);
        std::optional<cluster::Checkpoints> checkpoints;
        if (way != Way::none) {
          checkpoints.emplace(processes, *matrix, of.every, way == Way::beside);
        }
        processes.run_local([] {});
        const auto began = Clock::now();
        run.solve({}, checkpoints ? &*checkpoints : nullptr);
        processes.run_local([] {});
        if (!processes.first()) return;
        taken = {std::chrono::duration<double>(Clock::now() - began).count(), named(disk, *matrix)};
      },
      [](const std::string& what) {
        fmt::print(stderr, "{}\n", what);
        std::exit(1);
      });
  return taken;
}

}  // namespace

int main(int count, char** words) {
  const auto word = [&](int i, double otherwise) {
    return count > i ? std::atof(words[i]) : otherwise;
  };
  const auto n = static_cast<std::int64_t>(word(1, 8192));
  const int times = static_cast<int>(word(4, 3));
  const Graph graph = random_graph({.n = n, .arcs = 8 * n, .real = true});
  SolveOptions options;
  options.method.algorithm = Algorithm::floyd_warshall;
  options.machine.device = Device::cpu;
  options.machine.threads = 1;
  options.method.tile = 256;
  planner::Plan plan = planner::find_plan(graph, options, {});
  plan.shape = dense::Shape::full;
  plan.method = planner::DensePlan{options.method.tile};
  const Setting setting{graph, plan, word(2, 1), 1e6 * word(3, 100)};
  fmt::print(
      "n = {}, {} processes, each writes {:.0f} MB a checkpoint at {:.0f} MB/s, every {} s\n", n,
      kProcesses, static_cast<double>(n * n * size_of(plan.type)) / kProcesses / 1e6,
      setting.bytes_per_second / 1e6, setting.every);
  std::vector<std::pair<Way, const char*>> ways = {
      {Way::none, "none"}, {Way::beside, "beside"}, {Way::waiting, "waiting"}};
  const std::vector<std::string> chosen(words + std::min(count, 5), words + count);
  std::erase_if(ways, [&](const auto& way) {
    return !chosen.empty() && std::find(chosen.begin(), chosen.end(), way.second) == chosen.end();
  });
  std::vector<Taken> best(ways.size(), {std::numeric_limits<double>::max(), 0});
  for (int time = 0; time < times; ++time) {
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const Taken taken = solve(setting, ways[i].first);
      if (taken.seconds < best[i].seconds) best[i] = taken;
    }
  }
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (ways[0].first != Way::none) {
      fmt::print("{:8} {:7.3f} s  {} checkpoints\n", ways[i].second, best[i].seconds,
                 best[i].checkpoints);
      continue;
    }
    const double lost = best[i].seconds - best[0].seconds;
    fmt::print("{:8} {:7.3f} s  {} checkpoints  {:+.1f} %{}\n", ways[i].second, best[i].seconds,
               best[i].checkpoints, 100 * lost / best[0].seconds,
               best[i].checkpoints > 0
                   ? fmt::format("  {:.3f} s each", lost / static_cast<double>(best[i].checkpoints))
                   : "");
  }
  return 0;
}
