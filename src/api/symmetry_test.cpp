// Symmetric matrices that nobody called so: recognised, solved as one triangle, and with the
// answers of the whole.
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>

#include "api/floyd_warshall.hpp"
#include "api/solve.hpp"
#include "base/random.hpp"
#include "semiring/semirings.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/recorded_progress.hpp"
#include "support/temporary_folder.hpp"
#include "support/textbook.hpp"

namespace apsp {
namespace {

constexpr std::int64_t kTile = 16;

/// Undirected edges with loops and parallel ones; as a directed graph, both arcs of each.
Graph random_graph(std::int64_t n, bool directed, bool with_a_lone_arc = false) {
  base::SplitMix64 random(static_cast<std::uint64_t>(n));
  const auto below = [&](std::int64_t end) {
    return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(end)));
  };
  GraphBuilder builder(n, directed);
  for (std::int64_t i = 0; i < 3 * n; ++i) {
    const auto u = static_cast<Vertex>(below(n)), v = static_cast<Vertex>(below(n));
    const auto weight = static_cast<double>(1 + below(100));
    builder.add_edge(u, v, weight);
    if (directed && u != v) builder.add_edge(v, u, weight);
  }
  if (with_a_lone_arc) builder.add_edge(0, static_cast<Vertex>(n - 1), 1);
  return std::move(builder).build();
}

double cube(std::int64_t n) {
  const auto side = static_cast<double>(n);
  return side * side * side;
}

/// The bytes of all files below `folder`, by their paths.
std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    files[std::filesystem::relative(entry.path(), folder)] = {std::istreambuf_iterator<char>(in),
                                                              {}};
  }
  return files;
}

TEST(Symmetry, IsAFactOfTheGraphAndNotItsDirection) {
  EXPECT_TRUE(random_graph(50, false).symmetric());
  const Graph both_ways = random_graph(50, true);
  EXPECT_TRUE(both_ways.symmetric());
  EXPECT_TRUE(both_ways.directed());
  EXPECT_EQ(both_ways.edge_count(), both_ways.arc_count());
  EXPECT_FALSE(random_graph(50, true, true).symmetric());
  EXPECT_TRUE(Graph().symmetric());
}

TEST(Symmetry, HalfTheWorkAndTheSameAnswerInEverySemiring) {
  for (const std::int64_t n : {1, 2, 15, 16, 17, 61, 131}) {
    for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::min_max}) {
      for (const bool lone : {false, true}) {
        const Graph graph = random_graph(n, true, lone && n > 1);
        SolveOptions options{.question = {.semiring = semiring}, .method = {.tile = kTile}};
        const Result result = solve(graph, options);
        EXPECT_EQ(result.report().relaxations, cube(n) / (lone && n > 1 ? 1 : 2));
        const std::vector<double> expected = verifier::floyd_warshall(graph, semiring);
        for (Vertex s = 0; s < n; ++s) {
          const std::vector<double> row = result.distances_from(s);
          ASSERT_TRUE(std::equal(row.begin(), row.end(), expected.begin() + s * n))
              << name(semiring) << " " << n << " from " << s;
        }
        EXPECT_TRUE(result.verify().passed);
      }
    }
  }
}

TEST(Symmetry, TheStoreOfTheHalfIsTheStoreOfTheWhole) {
  // Five devices are no square grid, and solve the whole matrix: what they store besides the report
  // is what the half stored.
  const TemporaryFolder folder;
  const Graph graph = random_graph(150, true);
  SolveOptions options{.question = {.predecessors = true},
                       .method = {.tile = kTile},
                       .storage = {.output = folder / "half.zarr"}};
  EXPECT_EQ(solve(graph, options).report().relaxations, cube(150) / 2);
  options.machine.device = Device::cuda;
  options.machine.device_ordinals = {0, 1, 2, 3, 4};
  options.storage.output = folder / "whole.zarr";
  constexpr auto five_devices = planner::several_devices<5>;
  EXPECT_EQ(api::solve_among(five_devices, graph, options).report().relaxations, cube(150));
  const auto half = contents(folder / "half.zarr"), whole = contents(folder / "whole.zarr");
  ASSERT_EQ(half.size(), whole.size());
  for (const auto& [file, bytes] : half) {
    if (file == "zarr.json") continue;  // holds the report
    EXPECT_TRUE(whole.contains(file) && whole.at(file) == bytes) << file;
  }
}

TEST(Symmetry, NegativeArcsBothWaysAreACycleAndNothingElse) {
  const Graph graph = graph_of(3, {{0, 1, -1}, {1, 0, -1}});
  EXPECT_TRUE(graph.symmetric());
  EXPECT_THROW(solve(graph), Error);
  SolveOptions widest{.question = {.semiring = Semiring::max_min}};
  EXPECT_EQ(solve(graph, widest).distance(0, 1), -1);
}

template <class T>
std::vector<T> symmetric_matrix(std::int64_t n, std::int64_t stride, T no_path) {
  base::SplitMix64 random(static_cast<std::uint64_t>(n));
  std::vector<T> matrix(static_cast<std::size_t>(n * stride), no_path);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j) {
      if (random.below(4) != 0) continue;
      const auto weight = static_cast<T>(1 + random.below(100));
      matrix[static_cast<std::size_t>(i * stride + j)] = weight;
      matrix[static_cast<std::size_t>(j * stride + i)] = weight;
    }
  }
  return matrix;
}

/// In place on `device`, against the triple loop; returns the relaxations announced.
template <class T>
double solve_in_place(std::vector<T> matrix, std::int64_t n, ValueType type, Device device) {
  const std::int64_t stride = n + 3;
  std::vector<T> expected = matrix;
  const auto at = [&](std::int64_t i, std::int64_t j) -> T& {
    return expected[static_cast<std::size_t>(i * stride + j)];
  };
  for (std::int64_t i = 0; i < n; ++i) at(i, i) = 0;
  close_by_the_textbook<semiring::MinPlus<T>>(n, at);
  RecordedProgress progress;
  FloydWarshallOptions options{.tile = kTile, .device = device};
  options.control.progress = &progress;
  api::floyd_warshall_among(planner::one_device, Semiring::min_plus, type,
                            {matrix.data(), n, n, stride}, options);
  EXPECT_EQ(matrix, expected) << name(type) << ", n = " << n;
  return progress.totals["Floyd-Warshall"];
}

template <class T>
void recognises_matrices(ValueType type) {
  const auto no_path = static_cast<T>(apsp::no_path(Semiring::min_plus, type));
  for (const Device device : {Device::cpu, Device::cuda}) {
    for (const std::int64_t n : {2, 15, 16, 17, 61, 97}) {
      std::vector<T> matrix = symmetric_matrix<T>(n, n + 3, no_path);
      const double whole = cube(n);
      EXPECT_EQ(solve_in_place(matrix, n, type, device), whole / 2);
      matrix[static_cast<std::size_t>((n - 1) * (n + 3) + n - 2)] = T{101};
      EXPECT_EQ(solve_in_place(matrix, n, type, device), whole);
    }
  }
}

TEST(Symmetry, MatricesInPlaceAreRecognised) {
  recognises_matrices<float>(ValueType::f32);
  recognises_matrices<double>(ValueType::f64);
  recognises_matrices<std::int32_t>(ValueType::i32);
  recognises_matrices<std::uint16_t>(ValueType::u16);
}

template <class SemiringTag>
ErrorKind cycle_in(float weight) {
  constexpr std::int64_t kSide = 40;
  const float no_path = SemiringTag::kind == Semiring::max_plus
                            ? -std::numeric_limits<float>::infinity()
                            : std::numeric_limits<float>::infinity();
  std::vector<float> matrix(kSide * kSide, no_path);
  matrix[3 * kSide + 30] = matrix[30 * kSide + 3] = weight;
  FloydWarshallOptions options{.tile = kTile};
  return error_of([&] {
           floyd_warshall<SemiringTag>(MatrixView<float>{matrix.data(), kSide, kSide}, options);
         })
      .kind();
}

TEST(Symmetry, CyclesThatImproveAreFoundInSymmetricMatricesToo) {
  EXPECT_EQ(cycle_in<MinPlus>(-1), ErrorKind::negative_cycle);
  EXPECT_EQ(cycle_in<MaxPlus>(1), ErrorKind::negative_cycle);
}

}  // namespace
}  // namespace apsp
