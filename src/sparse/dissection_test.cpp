// Orders by several processes beside the order by one.
#include "sparse/dissection.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <apsp/graph.hpp>
#include <csignal>

#include "sparse/tree.hpp"
#include "support/recorded_progress.hpp"
#include "support/test.hpp"
#include "system/child_process.hpp"

namespace apsp::sparse::dissection_test {
namespace {

Pattern grid_of(std::int64_t vertices) {
  return pattern_of(generate({.kind = GraphKind::grid, .vertices = vertices, .directed = false}));
}

Pattern pattern_of_kind(GraphKind kind, std::int64_t vertices) {
  return pattern_of(generate({.kind = kind, .vertices = vertices, .directed = false}));
}

/// Grids beside each other, and vertices without neighbours.
Pattern islands() {
  constexpr Vertex kSide = 60, kIslands = 5, kAlone = 100;
  GraphBuilder builder(kIslands * kSide * kSide + kAlone, false);
  for (Vertex v = 0; v < kIslands * kSide * kSide; ++v) {
    if ((v + 1) % kSide != 0) builder.add_edge(v, v + 1, 1);
    if (v % (kSide * kSide) < kSide * (kSide - 1)) builder.add_edge(v, v + kSide, 1);
  }
  return pattern_of(std::move(builder).build());
}

std::vector<Vertex> by(int workers, const Pattern& pattern) {
  return dissected(pattern, {workers, {}});
}

TEST(Dissection, IsTheSameByAnyNumberOfProcesses) {
  for (const Pattern& pattern : {grid_of(20'000), pattern_of_kind(GraphKind::roads, 40'000),
                                 pattern_of_kind(GraphKind::geometric, 10'000), islands()}) {
    const std::vector<Vertex> alone = by(1, pattern);
    order_of(alone);  // every vertex once
    for (const int workers : {2, 3, 4, 16}) {
      EXPECT_EQ(by(workers, pattern), alone) << workers << " workers";
    }
  }
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "no child is left";
}

TEST(Dissection, HoldsEveryVertexOfGraphsThatHardlyDivide) {
  std::vector<Pattern> patterns;
  for (const std::int64_t n : {0, 1, 2, 3, 8191, 8192, 8193, 20'000}) {
    for (const GraphKind kind : {GraphKind::path, GraphKind::star}) {
      if (n > 0) patterns.push_back(pattern_of_kind(kind, n));
    }
    patterns.push_back(pattern_of(GraphBuilder(n, false).build()));
  }
  for (const Pattern& pattern : patterns) {
    EXPECT_EQ(std::ssize(order_of(by(2, pattern)).vertex_at), pattern.vertices());
  }
}

TEST(Dissection, ShowsTheVerticesOfAllProcesses) {
  const Pattern pattern = grid_of(40'000);
  for (const int workers : {1, 4}) {
    RecordedProgress progress;
    dissected(pattern, {workers, {.progress = &progress}});
    EXPECT_EQ(progress.task, "ordering");
    EXPECT_EQ(progress.total, 40'000);
    EXPECT_TRUE(progress.complete()) << progress.done;
    EXPECT_TRUE(progress.ascending);
    EXPECT_GT(progress.reports, 4);
  }
}

TEST(Dissection, TakesMoreMemoryTheMoreProcessesShareIt) {
  const std::int64_t one = dissection_bytes(1'000'000, 4'000'000, 1);
  EXPECT_GT(dissection_bytes(1'000'000, 4'000'000, 2), one);
  EXPECT_LT(dissection_bytes(1'000'000, 4'000'000, 16), 2 * one) << "pages that they share";
  const Pattern grid = grid_of(40'000);
  EXPECT_GT(nested_dissection(grid, {2, {}}).peak_bytes,
            dissection_bytes(40'000, std::ssize(grid.neighbours), 2));
}

TEST(Dissection, IsTheSameWhereNoChildIsToBeHad) {
  const Pattern pattern = grid_of(20'000);
  const system::SharedArray<Vertex> found(static_cast<std::size_t>(pattern.vertices()));
  system::ChildProcess child([&] {
    system::forbid_children();
    const std::vector<Vertex> order = by(4, pattern);
    std::copy(order.begin(), order.end(), found.values().begin());
  });
  ASSERT_TRUE(child.succeeded());
  EXPECT_EQ(std::vector(found.values().begin(), found.values().end()), by(1, pattern));
}

/// Ends all children of this process; how many.
int end_children() {
  int ended = 0;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", none)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream status(entry.path() / "status");
    const std::string parent = "PPid:\t" + std::to_string(getpid());
    for (std::string line; std::getline(status, line);) {
      if (line == parent && kill(std::stoi(name), SIGKILL) == 0) ++ended;
    }
  }
  return ended;
}

TEST(Dissection, IsTheSameWhereChildrenAreKilled) {
  const Pattern pattern = grid_of(40'000);
  const std::vector<Vertex> alone = by(1, pattern);
  std::atomic<bool> over{false};
  std::atomic<int> ended{0};
  std::thread killer([&] {
    while (!over) {
      ended += end_children();
      std::this_thread::yield();
    }
  });
  EXPECT_EQ(by(4, pattern), alone);
  over = true;
  killer.join();
  EXPECT_GT(ended, 0);
}

TEST(Dissection, EndsEarlyWhenItIsAskedTo) {
  const Pattern pattern = grid_of(40'000);
  for (const int workers : {1, 4}) {
    Cancellation cancellation;
    std::thread asks([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      cancellation.request();
    });
    const Error error = error_of([&] {
      for (;;) dissected(pattern, {workers, {nullptr, &cancellation}});
    });
    asks.join();
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "no child is left";
  }
}

}  // namespace
}  // namespace apsp::sparse::dissection_test
