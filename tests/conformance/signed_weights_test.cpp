// Real weights of both signs against exact arithmetic: cycles whose sums are barely positive, and
// what became of distances on the way. Weights are doubles, so sums of them are integers of one
// small unit; 128 bits hold them.
#include <apsp/apsp.hpp>

#include "base/random.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "support/graph_of.hpp"
#include "support/test.hpp"

namespace apsp::signed_weights_test {
namespace {

__extension__ using Exact = __int128;
constexpr double kInf = std::numeric_limits<double>::infinity();
/// Weights below 2^10 are multiples of 2^-73.
constexpr int kUnitBits = 73;
constexpr Exact kNone = Exact{1} << 120;

Exact exact(double weight) { return static_cast<Exact>(std::ldexp(weight, kUnitBits)); }

/// |value − truth|, to the last bits of either.
double distance_between(double value, Exact truth) {
  const auto high = static_cast<double>(truth);
  const auto low = static_cast<double>(truth - static_cast<Exact>(high));
  return std::abs((value - std::ldexp(high, -kUnitBits)) - std::ldexp(low, -kUnitBits));
}

std::vector<Exact> exact_distances(const Graph& graph, double sign = 1) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<Exact> d(n * n, kNone);
  for (Vertex u = 0; u < n; ++u) {
    for (std::size_t a = 0; a < graph.targets(u).size(); ++a) {
      Exact& best = d[u * n + graph.targets(u)[a]];
      best = std::min(best, exact(sign * graph.weights(u)[a]));
    }
    d[u * n + u] = std::min(d[u * n + u], Exact{0});
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      if (d[i * n + k] == kNone) continue;
      for (std::size_t j = 0; j < n; ++j) {
        if (d[k * n + j] == kNone) continue;
        d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
      }
    }
  }
  return d;
}

/// The double above, a multiple of the unit: sums around cycles stay positive.
double rounded_up(Exact weight) {
  double value = std::ldexp(static_cast<double>(weight), -kUnitBits);
  while (exact(value) < weight) value = std::nextafter(value, kInf);
  return value;
}

/// Differences of potentials, and as much more as 10^-3 … 10^-17.
Graph barely_positive_graph(std::uint64_t seed) {
  base::SplitMix64 random(seed);
  const auto n = static_cast<std::int64_t>(3 + random.below(58));
  const double spread = std::pow(10, -2 + 4 * random.uniform());
  const double density = 0.05 + 0.9 * random.uniform();
  const double least_exponent = -3 - 14 * random.uniform();
  std::vector<Exact> height;
  for (std::int64_t v = 0; v < n; ++v) {
    const double value = spread * (random.uniform() - 0.5);
    height.push_back(static_cast<Exact>(std::ldexp(value, 53)) << (kUnitBits - 53));
  }
  GraphBuilder builder(n);
  for (Vertex u = 0; u < n; ++u) {
    for (Vertex v = 0; v < n; ++v) {
      if (u == v || (v != (u + 1) % n && random.uniform() > density)) continue;
      const double more = std::pow(10, least_exponent + random.uniform());
      const Exact slack = std::max<Exact>(1, static_cast<Exact>(std::ldexp(more, kUnitBits)));
      builder.add_edge(u, v, rounded_up(height[v] - height[u] + slack));
    }
  }
  return std::move(builder).build();
}

SolveOptions on_cpu(ValueType type) {
  SolveOptions options{.machine = {.device = Device::cpu}};
  options.machine.threads = 1;  // the graphs are small
  options.method.value_type = type;
  options.question.statistics = false;
  return options;
}

/// The largest error of a solve; fails where one is beyond the stated bound.
double largest_error(const Graph& graph, const Result& result, const std::vector<Exact>& truth,
                     double sign = 1) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  double largest = 0;
  for (Vertex s = 0; s < n; ++s) {
    const std::vector<double> row = result.distances_from(s);
    for (std::size_t t = 0; t < n; ++t) {
      if (truth[s * n + t] == kNone) {
        EXPECT_EQ(row[t], sign * kInf);
        continue;
      }
      largest = std::max(largest, distance_between(sign * row[t], truth[s * n + t]));
    }
  }
  EXPECT_LE(largest, result.report().absolute_error);
  return largest;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The bound of all distances over the error of each that has one: in f64 most have none.
void add_ratios(const Graph& graph, const Result& result, const std::vector<Exact>& truth,
                std::vector<double>& ratios) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  for (Vertex s = 0; s < n; ++s) {
    const std::vector<double> row = result.distances_from(s);
    for (std::size_t t = 0; t < n; ++t) {
      if (t == s || truth[s * n + t] == kNone) continue;
      const double error = distance_between(row[t], truth[s * n + t]);
      if (error > 0) ratios.push_back(result.report().absolute_error / error);
    }
  }
}

TEST(SignedWeights, ThousandGraphsOfBarelyPositiveCycles) {
  for (const ValueType type : {ValueType::f32, ValueType::f64}) {
    std::vector<double> planned, stated, each;  // bounds over true errors
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
      const Graph graph = barely_positive_graph(seed);
      const std::vector<Exact> truth = exact_distances(graph);
      const Result result = solve(graph, on_cpu(type));
      const double error = largest_error(graph, result, truth);
      const double bound = result.report().absolute_error;
      const planner::Plan plan = planner::make_plan(graph, on_cpu(type));
      EXPECT_GE(plan.signed_weights->absolute_error(), bound);
      planned.push_back(plan.signed_weights->absolute_error() / error);
      stated.push_back(bound / error);
      add_ratios(graph, result, truth, each);
      if (seed % 20 == 0) {
        EXPECT_TRUE(result.verify().passed) << seed;
      }
      ASSERT_FALSE(testing::Test::HasFailure()) << name(type) << ", seed " << seed;
    }
    std::printf(
        "%s: over the true errors of 1000 graphs, median bounds are\n"
        "  %.1f before and %.1f after the solve over the largest error of a graph,\n"
        "  %.1f over the error of each distance that has one\n",
        std::string(name(type)).c_str(), median(planned), median(stated), median(each));
    EXPECT_LE(median(planned), 1000);
    EXPECT_LE(median(stated), 1000);
    EXPECT_LE(median(each), 1000);
  }
}

/// Rates between 150 currencies: products around cycles fall short of 1 by the spread alone.
Graph exchange_rates(double spread) {
  base::SplitMix64 random(3);
  std::vector<double> value;
  for (int v = 0; v < 150; ++v) value.push_back(std::exp(4 * random.uniform() - 2));
  GraphBuilder builder(150);
  for (Vertex u = 0; u < 150; ++u) {
    for (Vertex v = 0; v < 150; ++v) {
      if (u == v) continue;
      const double rate = value[u] / value[v] * (1 - spread * (1 + random.uniform()));
      const Exact weight = static_cast<Exact>(std::ldexp(-std::log(rate), 60));
      builder.add_edge(u, v, rounded_up(weight << (kUnitBits - 60)));
    }
  }
  return std::move(builder).build();
}

TEST(SignedWeights, ExchangeRatesDoNotRunAway) {
  for (const auto& [type, spread] :
       {std::pair(ValueType::f32, 1e-8), std::pair(ValueType::f64, 3e-16)}) {
    const Graph graph = exchange_rates(spread);
    const Result result = solve(graph, on_cpu(type));
    double largest = 0;
    for (Vertex s = 0; s < 150; ++s) {
      for (const double d : result.distances_from(s)) largest = std::max(largest, std::abs(d));
    }
    EXPECT_LT(largest, 5) << name(type);
    EXPECT_LT(result.report().absolute_error, type == ValueType::f32 ? 1e-3 : 1e-11);
    if (type == ValueType::f32) {
      largest_error(graph, result, exact_distances(graph));
    }
    EXPECT_TRUE(result.verify().passed) << name(type);
  }
}

TEST(SignedWeights, CancellingSumsTakeF64OrAreSaidToBeRough) {
  const Graph graph = graph_of(3, {{0, 1, 1000000.123}, {1, 2, -1000000.120}});
  const Result automatic = solve(graph);
  EXPECT_EQ(automatic.value_type(), ValueType::f64);
  EXPECT_NEAR(automatic.distance(0, 2), 0.003, 1e-9);
  const Result rough = solve(graph, on_cpu(ValueType::f32));
  EXPECT_NEAR(rough.distance(0, 2), 0.003, rough.report().absolute_error);
  EXPECT_GT(rough.report().absolute_error, 0.03);
  EXPECT_NE(rough.report().plan.find("error "), std::string::npos) << rough.report().plan;
  EXPECT_EQ(rough.report().plan.find("/edge"), std::string::npos) << "the bound is absolute";
}

TEST(SignedWeights, ACycleThatIsZeroButForItsDecimalsIsNone) {
  const Graph graph = graph_of(4, {{0, 1, 0.1}, {1, 2, 0.7}, {2, 0, -0.8}, {2, 3, 1.5}});
  for (const ValueType type : {ValueType::f32, ValueType::f64}) {
    const Result result = solve(graph, on_cpu(type));
    for (Vertex v = 0; v < 4; ++v) EXPECT_EQ(result.distance(v, v), 0);
    EXPECT_NEAR(result.distance(0, 3), 0.1 + 0.7 + 1.5, result.report().absolute_error);
    EXPECT_NEAR(result.distance(1, 0), 0.7 - 0.8, result.report().absolute_error);
    EXPECT_LT(result.report().absolute_error, type == ValueType::f32 ? 1e-6 : 1e-14);
    EXPECT_TRUE(result.verify().passed);
  }
}

TEST(SignedWeights, ShortDyadicWeightsStayExact) {
  const Graph graph = graph_of(4, {{0, 1, 1.25}, {1, 2, -0.5}, {2, 3, 0.125}, {0, 3, 2}});
  for (const ValueType type : {ValueType::f32, ValueType::f64}) {
    const Result result = solve(graph, on_cpu(type));
    EXPECT_EQ(result.distance(0, 2), 0.75);
    EXPECT_EQ(result.distance(0, 3), 0.875);
  }
}

TEST(SignedWeights, IntermediateVerticesDescribePathsOfTheStoredLengths) {
  const Graph graph = barely_positive_graph(8);
  SolveOptions options = on_cpu(ValueType::f32);
  options.question.via = options.question.hops = options.question.predecessors = true;
  const Result result = solve(graph, options);
  largest_error(graph, result, exact_distances(graph));
  for (Vertex t = 1; t < graph.vertex_count(); ++t) {
    const std::vector<Vertex> path = result.path(0, t);
    ASSERT_GE(path.size(), 2u);
    double length = 0;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      const auto targets = graph.targets(path[i]);
      const auto at = std::lower_bound(targets.begin(), targets.end(), path[i + 1]);
      length += graph.weights(path[i])[static_cast<std::size_t>(at - targets.begin())];
    }
    EXPECT_NEAR(length, result.distance(0, t), result.report().absolute_error);
  }
}

TEST(SignedWeights, PathsAreFoundWhereRoundingIsLargeBesideTheDistance) {
  // 2 → 1 makes the potential of 1 so low that the reduced length of 0 → 1 is a million.
  const Graph graph = graph_of(4, {{0, 1, 0.5}, {2, 1, -1000000.1}, {1, 3, 0.25}});
  for (const ValueType type : {ValueType::f32, ValueType::f64}) {
    const Result result = solve(graph, on_cpu(type));
    EXPECT_EQ(result.path(0, 3), (std::vector<Vertex>{0, 1, 3})) << name(type);
    EXPECT_TRUE(result.verify().passed);
  }
}

TEST(SignedWeights, LongestPathsToo) {
  base::SplitMix64 random(4);
  GraphBuilder builder(40);
  for (Vertex u = 0; u < 40; ++u) {
    for (Vertex v = u + 1; v < 40; ++v) {
      const double weight = 1000 * (random.uniform() - 0.5);
      if (random.below(3) == 0) builder.add_edge(u, v, std::ldexp(std::round(weight * 4096), -12));
    }
  }
  const Graph graph = std::move(builder).build();
  for (const ValueType type : {ValueType::f32, ValueType::f64}) {
    SolveOptions options = on_cpu(type);
    options.question.semiring = Semiring::max_plus;
    const Result result = solve(graph, options);
    const double error = largest_error(graph, result, exact_distances(graph, -1), -1);
    if (type == ValueType::f64) {
      EXPECT_EQ(error, 0);
    }
    EXPECT_TRUE(result.verify().passed);
  }
}

template <class T>
void expect_exact_in_place(std::uint64_t seed) {
  const Graph graph = barely_positive_graph(seed);
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<T> matrix(n * n, std::numeric_limits<T>::infinity());
  GraphBuilder held(graph.vertex_count());  // the graph of the values that T holds
  for (Vertex u = 0; u < n; ++u) {
    for (std::size_t a = 0; a < graph.targets(u).size(); ++a) {
      // Upwards, so that no cycle turns negative.
      auto value = static_cast<T>(graph.weights(u)[a]);
      while (static_cast<double>(value) < graph.weights(u)[a]) {
        value = std::nextafter(value, std::numeric_limits<T>::infinity());
      }
      matrix[u * n + graph.targets(u)[a]] = value;
      held.add_edge(u, graph.targets(u)[a], static_cast<double>(value));
    }
  }
  const std::vector<Exact> truth = exact_distances(std::move(held).build());
  FloydWarshallOptions options{.threads = 1};
  floyd_warshall<MinPlus>(MatrixView<T>{matrix.data(), graph.vertex_count(), graph.vertex_count()},
                          options);
  const double unit = sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;
  for (std::size_t i = 0; i < n * n; ++i) {
    // Potentials, and so reduced lengths, are at most twice as large as the heights' spread.
    const double bound = unit * (static_cast<double>(n) * 400 + 200);
    ASSERT_LE(distance_between(static_cast<double>(matrix[i]), truth[i]), bound) << seed;
  }
}

TEST(SignedWeights, InPlaceToo) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    expect_exact_in_place<float>(seed);
    expect_exact_in_place<double>(seed);
  }
}

TEST(SignedWeights, ANegativeCycleInPlaceLeavesTheMatrixAlone) {
  std::vector<double> matrix = {0, 0.5, kInf, 0, 0, -0.75, 0.125, kInf, 0};
  const std::vector<double> before = matrix;
  EXPECT_ERROR(negative_cycle, floyd_warshall<MinPlus>(MatrixView<double>{matrix.data(), 3, 3}));
  EXPECT_EQ(matrix, before);
}

}  // namespace
}  // namespace apsp::signed_weights_test
