// The benchmark of several processes, on threads: its matrix, its check, its sizes.
#include "program/cluster_benchmark.hpp"

#include "base/json.hpp"
#include "cluster/collective_solve.hpp"
#include "support/test.hpp"
#include "support/thread_communicator.hpp"

namespace apsp::bench::cluster_benchmark_test {
namespace {

using cluster::HeldPlanes;
using cluster::Processes;
using dense::BlockCyclic;
using dense::LocalIndex;

RandomGraph complete(std::int64_t n, ValueType type, std::uint64_t seed = 1) {
  return RandomGraph({.type = type, .n = n, .seed = seed, .complete = true});
}

TEST(RandomGraph, IsTheSameInPartsAndChangesWithTheSeed) {
  const RandomGraph graph = complete(50, ValueType::u16, 3),
                    other = complete(50, ValueType::u16, 4);
  std::int64_t same = 0;
  for (std::int64_t i = 0; i < 50; ++i) {
    std::vector<std::uint16_t> whole(50), part(20);
    graph.fill_row(i, 0, 50, whole.data());
    graph.fill_row(i, 30, 20, part.data());
    EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 30));
    EXPECT_EQ(whole[static_cast<std::size_t>(i)], 0);
    for (std::int64_t j = 0; j < 50; ++j) {
      if (i == j) continue;
      EXPECT_GE(graph.weight(i, j), 1);
      EXPECT_LE(graph.weight(i, j), RandomGraph::greatest(ValueType::u16));
      same += graph.weight(i, j) == other.weight(i, j) ? 1 : 0;
    }
  }
  EXPECT_LT(same, 10);
}

/// Runs work(processes, row, col) on a grid of threads.
void on_grid(int rows, int cols, const std::function<void(Processes&, int, int)>& work) {
  ThreadPost post(rows, cols);
  run_grid(
      post,
      [&](int row, int col) {
        ThreadCommunicator communicator(post, row, col, 4096);
        Processes processes(communicator);
        work(processes, row, col);
      },
      [](const std::string& what) { ADD_FAILURE() << what; });
}

constexpr std::int64_t kN = 61, kTile = 8;

/// The distances by the textbook's three loops.
std::vector<float> solved(const RandomGraph& matrix) {
  std::vector<float> d(kN * kN);
  for (std::int64_t i = 0; i < kN; ++i) matrix.fill_row(i, 0, kN, d.data() + i * kN);
  for (std::int64_t k = 0; k < kN; ++k)
    for (std::int64_t i = 0; i < kN; ++i)
      for (std::int64_t j = 0; j < kN; ++j) {
        auto& here = d[static_cast<std::size_t>(i * kN + j)];
        here = std::min(here, d[static_cast<std::size_t>(i * kN + k)] +
                                  d[static_cast<std::size_t>(k * kN + j)]);
      }
  return d;
}

/// The check of `distances` in parts on 2 × 3 processes; all rows are sampled, or one.
GridCheck checked(const std::vector<float>& distances, const RandomGraph& matrix,
                  std::int64_t rows) {
  GridCheck found;
  on_grid(2, 3, [&](Processes& processes, int row, int col) {
    const BlockCyclic down{2, row}, across{3, col};
    const std::int64_t height = down.vertices(kN, kTile), width = across.vertices(kN, kTile);
    std::vector<float> part(static_cast<std::size_t>(height * width));
    for (std::int64_t i = 0; i < height; ++i)
      for (std::int64_t j = 0; j < width; ++j) {
        part[static_cast<std::size_t>(i * width + j)] = distances[static_cast<std::size_t>(
            down.vertex(LocalIndex(i), kTile) * kN + across.vertex(LocalIndex(j), kTile))];
      }
    const HeldPlanes held{kN,
                          down,
                          across,
                          Semiring::min_plus,
                          ValueType::f32,
                          {{part.data(), height, width, width}, sizeof(float), kTile},
                          {}};
    const GridCheck mine = check_grid(processes, held, matrix, rows, 5, 2);
    if (processes.first()) found = mine;
  });
  return found;
}

TEST(GridCheck, TellsEveryWrongEntry) {
  const RandomGraph matrix = complete(kN, ValueType::f32);
  const std::vector<float> right = solved(matrix);
  const GridCheck all = checked(right, matrix, kN);
  EXPECT_TRUE(all.passed());
  EXPECT_EQ(all.rows, kN);
  EXPECT_EQ(all.values_tested, kN * kN);
  EXPECT_EQ(all.entries_tested, kN * kN);
  for (const std::size_t entry : {std::size_t{0}, std::size_t{7}, std::size_t{2000}}) {
    for (const float difference : {-1.0F, 1.0F}) {
      std::vector<float> wrong = right;
      wrong[entry] += difference;
      const GridCheck check = checked(wrong, matrix, kN);
      EXPECT_GT(check.values_failed, 0) << entry;
      EXPECT_GE(check.residual, 1);
    }
  }
}

TEST(GridCheck, BoundsEntriesOfRowsThatWereNotSampled) {
  const RandomGraph matrix = complete(kN, ValueType::f32);
  std::vector<float> unsolved(kN * kN);
  for (std::int64_t i = 0; i < kN; ++i) matrix.fill_row(i, 0, kN, unsolved.data() + i * kN);
  const std::vector<float> right = solved(matrix);
  std::vector<float> wrong = right;
  std::copy_n(unsolved.begin() + 24 * kN, 8 * kN, wrong.begin() + 24 * kN);  // three tiles' rows
  EXPECT_GT(checked(wrong, matrix, 4).entries_failed, 0);
  wrong = right;
  wrong[24 * kN + 3] = 0;
  EXPECT_EQ(checked(wrong, matrix, 4).entries_failed, 1);
}

ClusterBenchmarkReport benchmarked(int rows, int cols, const ClusterBenchmarkOptions& options,
                                   const dense::Variant& variant = {}) {
  ClusterBenchmarkReport found;
  on_grid(rows, cols, [&](Processes& processes, int, int) {
    cluster::Job job{processes, {rows, cols, {.broadcasts = variant.broadcasts}}};
    job.shape.schedule = variant.schedule;
    job.of_machine = rows * cols;
    job.on_machine = processes.rank();
    const ClusterBenchmarkReport mine = run_cluster_benchmark(job, variant, rows * cols, options);
    if (processes.first()) found = mine;
  });
  return found;
}

TEST(ClusterBenchmark, SolvesEveryTypeOnEveryGrid) {
  for (const auto& [rows, cols] : {std::pair{1, 1}, {1, 2}, {2, 2}, {3, 2}}) {
    for (const ValueType type : {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16}) {
      const ClusterBenchmarkReport report =
          benchmarked(rows, cols, {.vertices = {1, 61, 150}, .type = type, .tile = 16});
      ASSERT_EQ(report.rows.size(), 3U);
      EXPECT_TRUE(report.passed()) << rows << " x " << cols << " " << name(type);
      const ClusterBenchmarkRow& last = report.rows.back();
      EXPECT_EQ(last.tile, 16);
      EXPECT_EQ(last.check.rows, 4);
      EXPECT_GT(last.predicted, 0);
      EXPECT_DOUBLE_EQ(flops(last), 2 * 150.0 * 150 * 150 / last.solved);
      EXPECT_GT(last.bandwidth, 0);
    }
  }
}

TEST(ClusterBenchmark, RunsEveryVariantOfTheHost) {
  for (const dense::Variant& variant : dense::kVariants) {
    // Threads have no library's broadcast, and the host no GPU to stream through.
    if (variant.offload || variant.broadcasts.diagonal == dense::Broadcast::library) continue;
    EXPECT_TRUE(benchmarked(2, 2, {.vertices = {90}, .tile = 16}, variant).passed());
  }
}

TEST(ClusterBenchmark, ChoosesASizeByMemory) {
  EXPECT_EQ(vertices_in(0.5, std::int64_t{1} << 30, 4, ValueType::f32), 22528);
  EXPECT_EQ(vertices_in(0.5, std::int64_t{1} << 30, 4, ValueType::f64), 16384);
  EXPECT_EQ(vertices_in(0.5, 1000, 1, ValueType::f32), 11);
  EXPECT_EQ(vertices_in(0.5, 0, 1, ValueType::f32), 1);
}

TEST(ClusterBenchmark, WritesItsReport) {
  const nlohmann::json object = to_json(benchmarked(1, 2, {.vertices = {40}, .tile = 16}));
  EXPECT_EQ(object["nodes"], 2);
  EXPECT_EQ(object["nodes_are"], "processes");
  EXPECT_EQ(object["grid"]["columns"], 2);
  EXPECT_TRUE(object["passed"].get<bool>());
  EXPECT_EQ(object["solves"][0]["check"]["values_failed"], 0);
}

}  // namespace
}  // namespace apsp::bench::cluster_benchmark_test
