#include <apsp/statistics.hpp>

#include "statistics/statistics_pass.hpp"

#include "support/graph_of.hpp"
#include "support/random_blocks.hpp"
#include "support/random_graph.hpp"
#include "support/recorded_progress.hpp"
#include "support/same_statistics.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"
#include "support/vector_store.hpp"

namespace apsp::statistics::statistics_pass_test {
namespace {

store::MatrixBytes bytes_of(const store::VectorStore& matrix) {
  return {matrix.distance, matrix.layout().n, matrix.layout().type};
}

StatisticsPass pass_of(const Graph& graph, const store::VectorStore& matrix) {
  const store::Layout& layout = matrix.layout();
  return {graph, layout.semiring, layout.type, largest_distance(layout.type)};
}

/// Feeds a solved matrix to a pass, band by band, by `threads` threads.
Statistics pass_over(const Graph& graph, store::VectorStore& matrix, int threads,
                     std::int64_t band) {
  const std::int64_t n = matrix.layout().n;
  StatisticsPass pass = pass_of(graph, matrix);
  system::parallel_for((n + band - 1) / band, threads, [&](std::int64_t i) {
    std::vector<Vertex> sources(static_cast<std::size_t>(std::min(band, n - i * band)));
    std::iota(sources.begin(), sources.end(), static_cast<Vertex>(i * band));
    store::push_rows(pass, bytes_of(matrix), sources, 0);
  });
  pass.finish();
  return pass.statistics();
}

std::vector<double> as_doubles(store::VectorStore& matrix) {
  const store::Layout& layout = matrix.layout();
  std::vector<double> result(static_cast<std::size_t>(layout.n * layout.n));
  semiring::dispatch(layout.semiring, layout.type, [&]<class S>() {
    std::copy_n(matrix.as<typename S::Value>(), layout.n * layout.n, result.begin());
  });
  return result;
}

/// [n] who is in the largest class of vertices that reach one another, of equal ones in the first.
std::vector<bool> largest_class(const std::vector<double>& d, std::size_t n, double none) {
  std::vector<bool> largest(n);
  std::size_t most = 0;
  for (std::size_t u = 0; u < n; ++u) {
    std::vector<bool> mine(n);
    std::size_t size = 0;
    for (std::size_t v = 0; v < n; ++v) {
      mine[v] = u == v || (d[u * n + v] != none && d[v * n + u] != none);
      size += mine[v] ? 1 : 0;
    }
    if (size > most) largest = mine;
    most = std::max(most, size);
  }
  return largest;
}

/// The definitions of statistics.hpp, word by word.
Statistics by_definition(store::VectorStore& matrix) {
  const store::Layout& layout = matrix.layout();
  const auto n = static_cast<std::size_t>(layout.n);
  const std::vector<double> d = as_doubles(matrix);
  const double none = no_path(layout.semiring, layout.type);
  Statistics result;
  std::vector<double> all;
  std::vector<double> sum(n), reached(n);
  result.eccentricity.assign(n, 0);
  result.harmonic.assign(n, 0);
  result.closeness.assign(n, 0);
  const std::vector<bool> largest = largest_class(d, n, none);
  for (std::size_t u = 0; u < n; ++u) {
    std::optional<double> farthest, farthest_within;
    for (std::size_t v = 0; v < n; ++v) {
      const double x = d[u * n + v];
      if (u == v || x == none) continue;
      all.push_back(x);
      sum[v] += x;
      reached[v] += 1;
      if (x > 0) result.harmonic[v] += 1 / x;
      farthest = std::max(farthest.value_or(x), x);
      if (largest[u] && largest[v]) farthest_within = std::max(farthest_within.value_or(x), x);
    }
    if (!farthest) continue;
    result.eccentricity[u] = *farthest;
    result.diameter = std::max(result.diameter.value_or(*farthest), *farthest);
    if (!farthest_within) continue;
    result.radius = std::min(result.radius.value_or(*farthest_within), *farthest_within);
  }
  for (std::size_t v = 0; v < n; ++v) {
    if (sum[v] > 0) {
      result.closeness[v] = reached[v] / sum[v] * reached[v] / static_cast<double>(n - 1);
    }
  }
  result.vertices = layout.n;
  result.pairs = layout.n * (layout.n - 1);
  result.reachable_pairs = std::ssize(all);
  result.connected = result.reachable_pairs == result.pairs;
  if (all.empty()) return result;
  std::sort(all.begin(), all.end());
  result.least = all.front();
  result.greatest = all.back();
  result.median = all[(all.size() - 1) / 2];
  double total = 0;
  for (const double x : all) total += x;
  result.mean = total / static_cast<double>(all.size());
  return result;
}

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t v = 0; v < actual.size(); ++v) {
    EXPECT_NEAR(actual[v], expected[v], 1e-12 * std::abs(expected[v])) << v;
  }
}

/// That the pair attains the value.
void expect_pair(store::VectorStore& matrix, std::optional<VertexPair> pair,
                 std::optional<double> value) {
  ASSERT_EQ(pair.has_value(), value.has_value());
  if (!value) return;
  EXPECT_NE(pair->from, pair->to);
  EXPECT_EQ(as_doubles(matrix)[static_cast<std::size_t>(pair->from * matrix.layout().n + pair->to)],
            *value);
}

void expect_definitions(const Statistics& actual, store::VectorStore& matrix) {
  const Statistics expected = by_definition(matrix);
  EXPECT_EQ(actual.vertices, expected.vertices);
  EXPECT_EQ(actual.pairs, expected.pairs);
  EXPECT_EQ(actual.reachable_pairs, expected.reachable_pairs);
  EXPECT_EQ(actual.connected, expected.connected);
  if (matrix.layout().semiring == Semiring::or_and) {
    EXPECT_FALSE(actual.least || actual.greatest || actual.mean || actual.median);
    EXPECT_TRUE(actual.histogram.empty());
    return;
  }
  EXPECT_EQ(actual.least, expected.least);
  EXPECT_EQ(actual.greatest, expected.greatest);
  ASSERT_EQ(actual.median.has_value(), expected.median.has_value());
  std::int64_t bars = 0;
  for (const HistogramBin& bar : actual.histogram) bars += bar.pairs;
  EXPECT_EQ(bars, expected.reachable_pairs);
  if (expected.median) {
    EXPECT_NEAR(*actual.mean, *expected.mean, 1e-12 * (1 + std::abs(*expected.mean)));
    EXPECT_LE(actual.median_error, 0x1p-12);
    EXPECT_LE(std::abs(*actual.median - *expected.median),
              actual.median_error * std::abs(*expected.median));
  }
  if (matrix.layout().semiring != Semiring::min_plus) {
    EXPECT_FALSE(actual.diameter || actual.radius);
    EXPECT_TRUE(actual.eccentricity.empty() && actual.closeness.empty());
    return;
  }
  EXPECT_EQ(actual.diameter, expected.diameter);
  EXPECT_EQ(actual.radius, expected.radius);
  expect_pair(matrix, actual.diameter_pair, actual.diameter);
  expect_pair(matrix, actual.radius_pair, actual.radius);
  EXPECT_EQ(actual.eccentricity, expected.eccentricity);
  const bool negative = actual.least && *actual.least < 0;
  expect_near(actual.closeness, negative ? std::vector<double>{} : expected.closeness);
  expect_near(actual.harmonic, negative ? std::vector<double>{} : expected.harmonic);
}

TEST(Statistics, AgreeWithTheirDefinitionsForEverySemiringAndType) {
  for (const auto& [semiring, type] : all_kinds()) {
    for (const std::int64_t n : {0, 1, 2, 3, 31, 64, 65, 131}) {
      SCOPED_TRACE(std::string(name(semiring)) + " " + std::string(name(type)) +
                   " n = " + std::to_string(n));
      const bool real = type == ValueType::f32 || type == ValueType::f64;
      const Graph graph = random_graph(n, 2 * n, semiring == Semiring::max_min ? 1.0 : 0.0, 50,
                                       {.real = real,
                                        .acyclic = semiring == Semiring::max_plus,
                                        .seed = static_cast<std::uint64_t>(n)});
      store::VectorStore matrix = store::solved(graph, semiring, type);
      expect_definitions(pass_over(graph, matrix, 2, 7), matrix);
    }
  }
}

TEST(Statistics, DoNotDependOnTheOrderOfRows) {
  for (const auto& [semiring, type] : all_kinds()) {
    SCOPED_TRACE(std::string(name(semiring)) + " " + std::string(name(type)));
    const bool real = type == ValueType::f32 || type == ValueType::f64;
    // More columns than a strip has; a fifth of the pairs without a path; zeros.
    const Graph graph =
        random_graph(131, 300, 0, 9, {.real = real, .acyclic = semiring == Semiring::max_plus});
    store::VectorStore matrix = store::solved(graph, semiring, type);
    StatisticsPass in_order = pass_of(graph, matrix);
    store::give_in_order(in_order, bytes_of(matrix));
    const Statistics expected = in_order.statistics();
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
      StatisticsPass pass = pass_of(graph, matrix);
      store::give_at_random(pass, bytes_of(matrix), seed, seed % 2 == 0 ? 3 : 1);
      expect_same(pass.statistics(), expected);
    }
  }
}

TEST(Statistics, OfDistancesOfAllSizesDoNotDependOnTheOrderOfRows) {
  constexpr std::int64_t kSide = 700;  // more columns than a strip
  std::vector<Edge> cycle;             // one component, as every pair has a distance
  for (Vertex v = 0; v < kSide; ++v)
    cycle.push_back({v, static_cast<Vertex>((v + 1) % kSide), 0.5});
  const Graph graph = graph_of(kSide, cycle);
  for (const int spread : {4, 40, 400}) {
    store::VectorStore matrix({.n = kSide, .type = ValueType::f64, .tile = 64});
    base::SplitMix64 random(static_cast<std::uint64_t>(spread));
    double* const d = matrix.as<double>();
    for (std::int64_t i = 0; i < kSide * kSide; ++i) {
      const auto exponent = static_cast<int>(random.below(static_cast<std::uint64_t>(spread)));
      d[i] = std::ldexp(1 + random.uniform(), exponent - spread / 2);
    }
    StatisticsPass in_order = pass_of(graph, matrix);
    store::give_in_order(in_order, bytes_of(matrix));
    const Statistics expected = in_order.statistics();
    expect_definitions(expected, matrix);
    for (const std::uint64_t seed : {1, 2}) {
      StatisticsPass pass = pass_of(graph, matrix);
      store::give_at_random(pass, bytes_of(matrix), seed, 2);
      expect_same(pass.statistics(), expected);
    }
  }
}

TEST(Statistics, DirectedPathByHand) {
  const Graph graph = graph_of(4, {{0, 1, 1}, {1, 2, 2}, {2, 3, 4}});
  store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::u16);
  const Statistics statistics = pass_over(graph, matrix, 1, 4);
  EXPECT_EQ(statistics.pairs, 12);
  EXPECT_EQ(statistics.reachable_pairs, 6);
  EXPECT_FALSE(statistics.connected);
  EXPECT_EQ(statistics.least, 1);
  EXPECT_EQ(statistics.greatest, 7);
  EXPECT_EQ(statistics.mean, 23.0 / 6);
  EXPECT_EQ(statistics.median, 3);
  EXPECT_EQ(statistics.median_error, 0);
  EXPECT_EQ(statistics.histogram.size(), 7u);
  EXPECT_THAT(statistics.eccentricity, ElementsAre(7, 6, 4, 0));
  EXPECT_EQ(statistics.diameter, 7);
  EXPECT_EQ(statistics.diameter_pair->from, 0u);
  EXPECT_EQ(statistics.diameter_pair->to, 3u);
  EXPECT_FALSE(statistics.radius || statistics.radius_pair);  // no two vertices reach each other
  EXPECT_EQ(statistics.component->components, 4);
  EXPECT_EQ(statistics.component->vertices, 1);
  EXPECT_EQ(statistics.harmonic[3], 1.0 / 7 + 1.0 / 6 + 1.0 / 4);
  EXPECT_EQ(statistics.closeness[3], 3.0 / 17);
  EXPECT_EQ(statistics.closeness[0], 0);
}

TEST(Statistics, DiagonalIsLeftOutOfEverything) {
  const Graph graph = graph_of(3, {});
  const Statistics none = [&] {
    store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::f32);
    return pass_over(graph, matrix, 1, 3);
  }();
  EXPECT_EQ(none.reachable_pairs, 0);
  EXPECT_FALSE(none.least || none.mean || none.median || none.diameter || none.radius);
  EXPECT_TRUE(none.histogram.empty());
  EXPECT_THAT(none.eccentricity, ElementsAre(0, 0, 0));
  EXPECT_THAT(none.closeness, ElementsAre(0, 0, 0));
}

TEST(Statistics, OneOrNoVertexIsConnected) {
  for (const int n : {0, 1}) {
    const Graph graph = graph_of(n, {});
    store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::i32);
    const Statistics statistics = pass_over(graph, matrix, 3, 1);
    EXPECT_TRUE(statistics.connected);
    EXPECT_EQ(statistics.pairs, 0);
    EXPECT_EQ(statistics.closeness.size(), static_cast<std::size_t>(n));
  }
}

TEST(Statistics, NegativeDistancesLeaveNoCloseness) {
  const Graph graph = graph_of(3, {{0, 1, -5}, {1, 2, 2}});
  for (const ValueType type : {ValueType::i32, ValueType::f32}) {
    store::VectorStore matrix = store::solved(graph, Semiring::min_plus, type);
    const Statistics statistics = pass_over(graph, matrix, 2, 2);
    EXPECT_EQ(statistics.least, -5);
    EXPECT_EQ(statistics.median, -3);
    EXPECT_TRUE(statistics.closeness.empty());
    EXPECT_TRUE(statistics.harmonic.empty());
    EXPECT_THAT(statistics.eccentricity, ElementsAre(-3, 2, 0));
    EXPECT_EQ(statistics.diameter, 2);
    EXPECT_FALSE(statistics.radius);
  }
}

TEST(Statistics, ZeroDistancesAddNothingToHarmonic) {
  const Graph graph = graph_of(3, {{0, 1, 0}, {2, 1, 4}});
  store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::u16);
  const Statistics statistics = pass_over(graph, matrix, 1, 3);
  EXPECT_THAT(statistics.harmonic, ElementsAre(0, 0.25, 0));
  EXPECT_THAT(statistics.closeness, ElementsAre(0, 0.5, 0));
}

TEST(Statistics, ADistanceBeyondTheGreatestPossibleIsStillCounted) {
  const Graph graph = graph_of(3, {{0, 1, 9'000'000}, {1, 2, 20'000'000}});
  store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::i32);
  StatisticsPass pass(graph, Semiring::min_plus, ValueType::i32, 10);
  store::give_in_order(pass, bytes_of(matrix));
  const Statistics statistics = pass.statistics();
  EXPECT_EQ(statistics.reachable_pairs, 3);
  EXPECT_EQ(statistics.greatest, 29'000'000);
  EXPECT_NEAR(*statistics.median, 20'000'000, statistics.median_error * 20'000'000);
  EXPECT_LE(statistics.median_error, 0x1p-12);
}

TEST(Statistics, FromAStoreInBandsOfTiles) {
  const Graph graph = random_graph({.n = 37, .arcs = 120});
  store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::i32, 8);
  expect_definitions(statistics(matrix, graph, {}, 2), matrix);
  EXPECT_THROW(statistics(matrix, graph_of(36, {}), {}, 1), Error);
}

TEST(Statistics, WhatIsNoDistanceIsRefused) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Graph graph = graph_of(3, {{0, 1, 1}, {1, 2, 2}});
  const auto of = [&](float at_0_1, float at_0_2) {
    store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::f32, 8);
    matrix.as<float>()[1] = at_0_1;
    matrix.as<float>()[2] = at_0_2;
    return error_of([&] { statistics(matrix, graph, {}, 1); });
  };
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const std::pair<float, float> wrong[] = {
      {kNan, 3}, {kNan, kNan}, {-kInfinity, 3}, {-kInfinity, -kInfinity}, {-kInfinity, kInfinity}};
  for (const auto& [first, second] : wrong) {
    const Error error = of(first, second);
    EXPECT_EQ(error.kind(), ErrorKind::input) << first << ' ' << second;
  }
}

TEST(Statistics, FromAStoreReportProgressAndObeyCancellation) {
  RecordedProgress progress;
  const Graph graph = random_graph({.n = 20});
  store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::f32, 8);
  statistics(matrix, graph, {.progress = &progress}, 1);
  EXPECT_EQ(progress.task, "statistics");
  EXPECT_EQ(progress.total, 20);
  EXPECT_TRUE(progress.complete());

  Cancellation cancellation;
  cancellation.request();
  EXPECT_ERROR(interrupted, statistics(matrix, graph, {.cancellation = &cancellation}, 1));
}

TEST(Top, LargestFirstTiesByNumber) {
  EXPECT_THAT(top({1, 3, 2, 3}, 3), ElementsAre(1u, 3u, 2u));
  EXPECT_THAT(top({1, 3}, 5), ElementsAre(1u, 0u));
  EXPECT_TRUE(top({}, 5).empty());
  EXPECT_TRUE(top({1, 2}, 0).empty());
}

/// A block of rows of a million values takes a second.
TEST(StatisticsOfRows, EndEarlyWithinABlock) {
  const Graph graph = graph_of(3, {{0, 1, 4}, {1, 2, 5}});
  StatisticsPass pass(graph, Semiring::min_plus, ValueType::i32, 100);
  const std::vector<Vertex> sources = {0};
  const std::vector<std::int32_t> row = {0, 4, 9};
  Cancellation cancellation;
  cancellation.request();
  const Cancellable listening(&cancellation);
  EXPECT_ERROR(interrupted, pass.take({sources, row.data(), 3, ValueType::i32}));
}

}  // namespace
}  // namespace apsp::statistics::statistics_pass_test
