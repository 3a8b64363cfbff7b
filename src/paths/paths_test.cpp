

#include "paths/paths.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/vector_store.hpp"

namespace apsp::paths::paths_test {
namespace {

std::vector<std::int64_t> tree(const Graph& graph, const store::VectorStore& matrix,
                               Vertex source) {
  const store::Layout& layout = matrix.layout();
  return predecessors(graph, layout.semiring, layout.type, source, read_row(matrix, source));
}

std::vector<Vertex> path(const Graph& graph, const store::VectorStore& matrix, Vertex s, Vertex t) {
  return walk_back(tree(graph, matrix, s), s, t);
}

/// Levels of breadth-first search over tight arcs, by relaxing all arcs n times.
template <class S>
std::vector<std::int64_t> levels(const Graph& graph, const typename S::Value* row, Vertex source) {
  using T = typename S::Value;
  const std::int64_t n = graph.vertex_count();
  std::vector<std::int64_t> level(static_cast<std::size_t>(n), n);
  level[source] = 0;
  for (std::int64_t round = 0; round < n; ++round) {
    for (Vertex u = 0; u < static_cast<Vertex>(n); ++u) {
      for (std::size_t arc = 0; arc < graph.targets(u).size(); ++arc) {
        const Vertex v = graph.targets(u)[arc];
        const T w = S::kKind == Semiring::or_and ? T(1) : static_cast<T>(graph.weights(u)[arc]);
        const bool tight = row[v] != S::zero() && S::times(row[u], w) == row[v];
        if (tight) level[v] = std::min(level[v], level[u] + 1);
      }
    }
  }
  return level;
}

/// Every path is made of arcs, has the length that the matrix says, as few edges as tight arcs
/// allow, and of these the smallest predecessor.
template <class S>
void expect_best_tree(const Graph& graph, const typename S::Value* row, Vertex source,
                      const std::vector<std::int64_t>& predecessor) {
  using T = typename S::Value;
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  const std::vector<std::int64_t> level = levels<S>(graph, row, source);
  for (Vertex v = 0; v < n; ++v) {
    const std::vector<Vertex> found = walk_back(predecessor, source, v);
    if (v == source) {
      ASSERT_THAT(found, ElementsAre(source));
      continue;
    }
    ASSERT_EQ(found.empty(), row[v] == S::zero());
    if (found.empty()) continue;
    ASSERT_EQ(std::ssize(found) - 1, level[v]);
    T length = S::one();
    for (std::size_t hop = 0; hop + 1 < found.size(); ++hop) {
      T best = S::zero();
      for (std::size_t arc = 0; arc < graph.targets(found[hop]).size(); ++arc) {
        if (graph.targets(found[hop])[arc] != found[hop + 1]) continue;
        best = S::plus(best, S::kKind == Semiring::or_and
                                 ? T(1)
                                 : static_cast<T>(graph.weights(found[hop])[arc]));
      }
      length = S::times(length, best);
    }
    ASSERT_EQ(length, row[v]) << source << " to " << v;
    for (Vertex u = 0; u < static_cast<Vertex>(predecessor[v]); ++u) {
      if (level[u] + 1 != level[v]) continue;
      for (std::size_t arc = 0; arc < graph.targets(u).size(); ++arc) {
        const T w = S::kKind == Semiring::or_and ? T(1) : static_cast<T>(graph.weights(u)[arc]);
        ASSERT_FALSE(graph.targets(u)[arc] == v && S::times(row[u], w) == row[v])
            << u << " before " << predecessor[v];
      }
    }
  }
}

void expect_best_trees(const Graph& graph, Semiring semiring, ValueType type) {
  SCOPED_TRACE(std::string(name(semiring)) + " " + std::string(name(type)));
  store::VectorStore matrix = store::solved(graph, semiring, type);
  semiring::dispatch(semiring, type, [&]<class S>() {
    for (Vertex s = 0; s < static_cast<Vertex>(graph.vertex_count()); ++s) {
      expect_best_tree<S>(graph, matrix.as<typename S::Value>() + s * graph.vertex_count(), s,
                          tree(graph, matrix, s));
    }
  });
}

TEST(Paths, TreesOfEverySemiringAndTypeWithTiesZerosLoopsAndParallelArcs) {
  for (const Semiring semiring : all_semirings()) {
    for (const ValueType type : all_value_types()) {
      if (!supported(semiring, type)) continue;
      for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Graph graph = random_graph(
            5 + static_cast<std::int64_t>(seed) * 2, 12 + static_cast<std::int64_t>(seed) * 6,
            semiring == Semiring::max_min ? 1.0 : 0.0, 3,
            {.directed = seed % 3 != 0, .acyclic = semiring == Semiring::max_plus, .seed = seed});
        if (semiring == Semiring::max_plus && !graph.directed()) continue;
        expect_best_trees(graph, semiring, type);
      }
    }
  }
}

TEST(Paths, NegativeWeights) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Graph shifted =
        random_graph({.n = 17, .arcs = 50, .greatest = 4, .potential = 30, .seed = seed});
    for (const ValueType type : {ValueType::i32, ValueType::f32, ValueType::f64}) {
      expect_best_trees(shifted, Semiring::min_plus, type);
      expect_best_trees(shifted, Semiring::min_max, type);
      expect_best_trees(shifted, Semiring::max_min, type);
    }
    const Graph acyclic =
        random_graph({.n = 17, .arcs = 50, .acyclic = true, .potential = 30, .seed = seed});
    expect_best_trees(acyclic, Semiring::max_plus, ValueType::i32);
  }
}

TEST(Paths, BottlenecksOfRealWeights) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Graph graph = random_graph({.n = 23, .arcs = 80, .real = true, .seed = seed});
    for (const ValueType type : {ValueType::f32, ValueType::f64}) {
      expect_best_trees(graph, Semiring::max_min, type);
      expect_best_trees(graph, Semiring::min_max, type);
    }
  }
}

TEST(Paths, ZeroWeightCycleDoesNotTrapTheWalk) {
  const Graph graph =
      graph_of(6, {{0, 1, 3}, {1, 2, 0}, {2, 3, 0}, {3, 1, 0}, {3, 4, 0}, {4, 3, 0}, {5, 5, 0}});
  for (const ValueType type : {ValueType::u16, ValueType::i32, ValueType::f32}) {
    const store::VectorStore matrix = store::solved(graph, Semiring::min_plus, type);
    EXPECT_THAT(path(graph, matrix, 0, 4), ElementsAre(0u, 1u, 2u, 3u, 4u));
    EXPECT_THAT(path(graph, matrix, 4, 2), ElementsAre(4u, 3u, 1u, 2u));
    EXPECT_TRUE(path(graph, matrix, 0, 5).empty());
    EXPECT_THAT(path(graph, matrix, 5, 5), ElementsAre(5u));
  }
}

TEST(Paths, FewestEdgesThenSmallestPredecessor) {
  const Graph graph =
      graph_of(6, {{0, 4, 1}, {0, 3, 1}, {0, 2, 1}, {2, 1, 0}, {4, 5, 1}, {3, 5, 1}, {1, 5, 1}});
  const store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::i32);
  EXPECT_THAT(path(graph, matrix, 0, 5), ElementsAre(0u, 3u, 5u));
}

TEST(Paths, IntegersTooLargeForFloatsStillLead) {
  const Graph graph = graph_of(4, {{0, 1, 1 << 24}, {1, 2, 1}, {2, 3, 1}, {0, 3, (1 << 24) + 9}});
  const store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::f32);
  EXPECT_THAT(path(graph, matrix, 0, 3), ElementsAre(0u, 1u, 2u, 3u));
}

TEST(Paths, RowsMayHoldEitherMarkOfNoPath) {
  const Graph graph = graph_of(3, {{0, 1, 7}});
  const double inf = std::numeric_limits<double>::infinity();
  for (const double none : {inf, no_path(Semiring::min_plus, ValueType::u16)}) {
    const std::vector<double> row = {0, 7, none};
    EXPECT_THAT(predecessors(graph, Semiring::min_plus, ValueType::u16, 0, row),
                ElementsAre(-1, 0, -1));
  }
  for (const double none : {-inf, no_path(Semiring::max_min, ValueType::u16)}) {
    const std::vector<double> row = {32767, 7, none};
    EXPECT_THAT(predecessors(graph, Semiring::max_min, ValueType::u16, 0, row),
                ElementsAre(-1, 0, -1));
  }
}

TEST(Paths, RowsReadAsDoublesWithInfinities) {
  const double inf = std::numeric_limits<double>::infinity();
  const Graph graph = graph_of(3, {{0, 1, 7}});
  const auto row = [&](Semiring semiring, ValueType type) {
    return read_row(store::solved(graph, semiring, type), 0);
  };
  EXPECT_THAT(row(Semiring::min_plus, ValueType::u16), ElementsAre(0, 7, inf));
  EXPECT_THAT(row(Semiring::max_plus, ValueType::i32), ElementsAre(0, 7, -inf));
  EXPECT_THAT(row(Semiring::max_min, ValueType::f32), ElementsAre(inf, 7, -inf));
  EXPECT_THAT(row(Semiring::or_and, ValueType::boolean), ElementsAre(1, 1, 0));
}

/// An integer holds the empty path's bottleneck as its largest value: it is infinite, and on the
/// diagonal alone.
TEST(Paths, TheEmptyPathOfABottleneckIsInfinite) {
  const double inf = std::numeric_limits<double>::infinity();
  const double most = empty_path(Semiring::max_min, ValueType::u16);
  store::VectorStore matrix(
      {.n = 3, .type = ValueType::u16, .semiring = Semiring::max_min, .tile = 8});
  std::fill_n(matrix.as<std::uint16_t>(), 9, static_cast<std::uint16_t>(most));
  for (std::int64_t row = 0; row < 3; ++row) {
    const std::vector<double> values = read_row(matrix, row);
    for (std::int64_t col = 0; col < 3; ++col) {
      const double expected = row == col ? inf : most;
      EXPECT_EQ(values[static_cast<std::size_t>(col)], expected) << row << ' ' << col;
      EXPECT_EQ(read_value(matrix, row, col), expected) << row << ' ' << col;
    }
  }
}

TEST(Paths, DistancesOfAnotherGraphAreRefused) {
  const Graph graph = graph_of(3, {{0, 1, 7}, {1, 2, 1}});
  const std::vector<double> row = {0, 7, 9};
  for (const ValueType type : all_value_types()) {
    if (type == ValueType::boolean) continue;
    EXPECT_ERROR(input, predecessors(graph, Semiring::min_plus, type, 0, row));
  }
  for (const double wrong : {std::nan(""), -std::numeric_limits<double>::infinity()}) {
    EXPECT_ERROR(input, predecessors(graph_of(3, {{0, 1, 7.5}, {1, 2, 1}}), Semiring::min_plus,
                                     ValueType::f64, 0, std::vector<double>{0, 7.5, wrong}));
  }
  EXPECT_ERROR(input, predecessors(graph_of(3, {{0, 1, 1}}), Semiring::or_and, ValueType::boolean,
                                   0, std::vector<double>{1, 1, 1}));
}

TEST(Paths, WrongCallsAreRefused) {
  const Graph graph = graph_of(2, {{0, 1, 7}});
  const std::vector<double> row = {0, 7};
  EXPECT_ERROR(usage, predecessors(graph, Semiring::min_plus, ValueType::i32, 2, row));
  EXPECT_ERROR(usage,
               predecessors(graph, Semiring::min_plus, ValueType::i32, 0, std::span(row).first(1)));
  EXPECT_ERROR(usage, read_row(store::solved(graph, Semiring::min_plus, ValueType::i32), 5));
  for (const auto& [row_of, col_of] : {std::pair{2, 0}, {0, 3}, {-1, 0}}) {
    EXPECT_ERROR(usage, read_value(store::solved(graph, Semiring::min_plus, ValueType::i32), row_of,
                                   col_of));
  }
  const std::vector<std::int64_t> tree = {-1, 0};
  EXPECT_ERROR(usage, walk_back(tree, 0, 2));
  EXPECT_ERROR(usage, walk_back(tree, 3, 1));
  for (const std::vector<std::int64_t>& broken :
       {std::vector<std::int64_t>{-1, 2, 1}, {-1, -1, 1}, {-1, 0, 9}, {-1, 0, 3}}) {
    EXPECT_ERROR(input, walk_back(broken, 0, 2));
  }
  // What lies behind the predecessors is none of them.
  const std::vector<std::int64_t> more = {-1, 0, 3, 0};
  EXPECT_ERROR(input, walk_back(std::span(more).first(3), 0, 2));
}

TEST(WritePredecessors, TheSameForEveryThreadCountAndTile) {
  for (const std::int64_t n : {0, 1, 7, 8, 9, 37}) {
    const Graph graph = random_graph({.n = n, .arcs = 4 * n, .greatest = 2, .directed = false});
    for (const ValueType type : {ValueType::u16, ValueType::f32}) {
      for (const std::int64_t tile : {8, 64}) {
        for (const int threads : {1, 2, 3}) {
          store::VectorStore matrix = store::solved(graph, Semiring::min_plus, type, tile);
          write_predecessors(graph, matrix, matrix, threads, {});
          for (Vertex s = 0; s < static_cast<Vertex>(n); ++s) {
            const std::vector<std::int64_t> expected = tree(graph, matrix, s);
            EXPECT_TRUE(
                std::equal(expected.begin(), expected.end(), matrix.predecessor.begin() + s * n));
          }
        }
      }
    }
  }
}

TEST(WritePredecessors, ErrorsNameTheFirstRowThatFails) {
  const Graph graph = random_graph({.n = 30, .arcs = 200, .least = 1});
  store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::i32, 8);
  matrix.as<std::int32_t>()[13 * 30 + 4] = 1000;
  for (const int threads : {1, 3}) {
    EXPECT_ERROR(input, write_predecessors(graph, matrix, matrix, threads, {}));
  }
  EXPECT_ERROR(input, write_predecessors(graph_of(29, {}), matrix, matrix, 1, {}));
}

TEST(WritePredecessors, ReportsRowsAndStopsWhenAsked) {
  struct Rows : Progress {
    void begin(std::string_view task_, double, std::string_view) override { task = task_; }
    void update(double done_) override {
      done = done_;
      if (stop_at > 0 && done >= stop_at) cancellation.request();
    }
    void end() override {}
    std::string task;
    double done = 0;
    double stop_at = 0;
    Cancellation cancellation;
  };
  const Graph graph = random_graph({.n = 30});
  store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::i32, 8);
  Rows all;
  write_predecessors(graph, matrix, matrix, 2, {.progress = &all});
  EXPECT_EQ(all.task, "predecessors");
  EXPECT_EQ(all.done, 30);
  Rows some;
  some.stop_at = 3;
  EXPECT_ERROR(interrupted,
               write_predecessors(graph, matrix, matrix, 2,
                                  {.progress = &some, .cancellation = &some.cancellation}));
  EXPECT_LT(some.done, 8);
}

std::vector<double> so_far(Semiring semiring, const std::vector<Vertex>& path) {
  const Graph graph = graph_of(3, {{0, 1, 4}, {0, 1, 6}, {1, 2, 5}});
  std::vector<double> values;
  for (const Hop& hop : hops(graph, semiring, ValueType::f64, path)) values.push_back(hop.so_far);
  return values;
}

TEST(Hops, TakeTheBestOfParallelEdgesInEverySemiring) {
  EXPECT_EQ(so_far(Semiring::min_plus, {0, 1, 2}), (std::vector<double>{4, 9}));
  EXPECT_EQ(so_far(Semiring::max_plus, {0, 1, 2}), (std::vector<double>{6, 11}));
  EXPECT_EQ(so_far(Semiring::max_min, {0, 1, 2}), (std::vector<double>{6, 5}));
  EXPECT_EQ(so_far(Semiring::min_max, {0, 1, 2}), (std::vector<double>{4, 5}));
}

TEST(Hops, AreNoneOfAPathOfOneVertexAndOfNoPath) {
  EXPECT_TRUE(so_far(Semiring::min_plus, {1}).empty());
  EXPECT_TRUE(so_far(Semiring::min_plus, {}).empty());
}

TEST(Hops, NeedTheEdgesOfTheGraph) { EXPECT_ERROR(input, so_far(Semiring::min_plus, {2, 1})); }

// Paths over rounded distances: they must be real, simple, and as short as double precision can
// tell, whatever the rounding of the matrix.

constexpr long double kInfinity = std::numeric_limits<long double>::infinity();

/// Bellman-Ford in extended precision, on sign · weight.
std::vector<long double> true_lengths(const Graph& graph, Vertex source, double sign) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<long double> length(n, kInfinity);
  length[source] = 0;
  for (std::size_t round = 0; round < n; ++round) {
    for (Vertex u = 0; u < n; ++u) {
      for (std::size_t arc = 0; arc < graph.targets(u).size(); ++arc) {
        const Vertex v = graph.targets(u)[arc];
        length[v] = std::min(length[v], length[u] + sign * graph.weights(u)[arc]);
      }
    }
  }
  return length;
}

long double best_arc(const Graph& graph, Vertex u, Vertex v, double sign) {
  long double best = kInfinity;
  for (std::size_t arc = 0; arc < graph.targets(u).size(); ++arc) {
    if (graph.targets(u)[arc] != v) continue;
    best = std::min(best, static_cast<long double>(sign * graph.weights(u)[arc]));
  }
  return best;
}

/// `scale`: what a length's rounding is measured by; 0: the length itself.
void expect_shortest_paths(const Graph& graph, Semiring semiring, ValueType type,
                           double scale = 0) {
  const double sign = semiring == Semiring::max_plus ? -1 : 1;
  const store::VectorStore matrix = store::solved(graph, semiring, type);
  const auto n = static_cast<Vertex>(graph.vertex_count());
  for (Vertex s = 0; s < n; ++s) {
    const std::vector<double> row = read_row(matrix, s);
    const auto predecessor = predecessors(graph, semiring, type, s, row);
    const std::vector<long double> truth = true_lengths(graph, s, sign);
    for (Vertex t = 0; t < n; ++t) {
      const std::vector<Vertex> path = walk_back(predecessor, s, t);
      ASSERT_EQ(path.empty(), std::isinf(row[t]));
      if (path.empty()) continue;
      ASSERT_EQ(path.front(), s);
      ASSERT_EQ(path.back(), t);
      ASSERT_EQ(std::set<Vertex>(path.begin(), path.end()).size(), path.size()) << "not simple";
      long double length = 0;
      for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) {
        length += best_arc(graph, path[hop], path[hop + 1], sign);
      }
      ASSERT_LT(length, kInfinity) << "no such arc";
      const long double magnitude = std::max<long double>(scale, std::abs(truth[t]));
      ASSERT_LE(length - truth[t], 8 * n * 0x1p-53L * magnitude)
          << s << " to " << t << " by " << path.size() - 1 << " edges";
    }
  }
}

TEST(RealPaths, OfRandomWeights) {
  struct Drawn {
    RandomGraph graph;
    Semiring semiring = Semiring::min_plus;
    double scale = 0;
  };
  const Drawn all[] = {
      {{.n = 40, .arcs = 130, .real = true}},
      {{.n = 40, .arcs = 130, .real = true, .directed = false}},
      {{.n = 90, .arcs = 150, .least = 0.9, .greatest = 1.1, .real = true, .directed = false}},
      {{.n = 30, .arcs = 90, .least = 0.1, .real = true, .potential = 20}, Semiring::min_plus, 100},
      {{.n = 30, .arcs = 90, .least = -2, .greatest = 5, .real = true, .acyclic = true},
       Semiring::max_plus,
       100}};
  for (Drawn drawn : all) {
    for (drawn.graph.seed = 0; drawn.graph.seed < 10; ++drawn.graph.seed) {
      const Graph graph = random_graph(drawn.graph);
      expect_shortest_paths(graph, drawn.semiring, ValueType::f32, drawn.scale);
      expect_shortest_paths(graph, drawn.semiring, ValueType::f64, drawn.scale);
    }
  }
}

/// Weights that vanish beside the distances: in f32 1e6 + 1e-3 = 1e6, so half of the graph lies at
/// one rounded distance and arcs back and forth look equally tight.
TEST(RealPaths, MixedMagnitudes) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Graph near =
        random_graph(20, 60, 0.5, 1.5, {.real = true, .directed = false, .seed = seed});
    GraphBuilder builder(41, false);
    for (Vertex u = 0; u < 20; ++u) {
      for (std::size_t arc = 0; arc < near.targets(u).size(); ++arc) {
        const Vertex v = near.targets(u)[arc];
        builder.add_edge(u, v, near.weights(u)[arc] * 1e-3);
        builder.add_edge(u + 20, v + 20, near.weights(u)[arc] * 1e-3);
      }
    }
    builder.add_edge(3, 25, 1e6);
    builder.add_edge(7, 29, 1e6 + 0.1);
    builder.add_edge(0, 40, 0.1);
    const Graph graph = std::move(builder).build();
    expect_shortest_paths(graph, Semiring::min_plus, ValueType::f32);
    expect_shortest_paths(graph, Semiring::min_plus, ValueType::f64);
  }
}

TEST(RealPaths, ZeroWeightCyclesAmongRealWeights) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    base::SplitMix64 random(seed);
    GraphBuilder builder(30);
    for (int arc = 0; arc < 120; ++arc) {
      const auto u = static_cast<Vertex>(random.below(30));
      const auto v = static_cast<Vertex>(random.below(30));
      builder.add_edge(u, v, arc % 2 == 0 ? 0 : random.uniform());
    }
    const Graph graph = std::move(builder).build();
    expect_shortest_paths(graph, Semiring::min_plus, ValueType::f32);
    expect_shortest_paths(graph, Semiring::min_plus, ValueType::f64);
  }
}

/// Weights h(u) − h(v): every cycle is zero, or a little below or above by rounding alone, and
/// every path from s to t is equally long. Rows are the rounded true distances.
TEST(RealPaths, CyclesThatAreZeroButForRounding) {
  constexpr Vertex kN = 24;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    base::SplitMix64 random(seed);
    std::vector<double> h;
    for (Vertex v = 0; v < kN; ++v) h.push_back(random.uniform());
    GraphBuilder builder(kN);
    for (Vertex v = 0; v < kN; ++v) {
      for (const Vertex next : {(v + 1) % kN, static_cast<Vertex>(random.below(kN))}) {
        if (v != next) builder.add_edge(v, next, h[v] - h[next]);
      }
    }
    const Graph graph = std::move(builder).build();
    for (const ValueType type : {ValueType::f32, ValueType::f64}) {
      for (Vertex s = 0; s < kN; ++s) {
        std::vector<double> row;
        for (Vertex t = 0; t < kN; ++t) {
          const double d = h[s] - h[t];
          row.push_back(type == ValueType::f32 ? static_cast<float>(d) : d);
        }
        const auto tree = predecessors(graph, Semiring::min_plus, type, s, row);
        for (Vertex t = 0; t < kN; ++t) {
          const std::vector<Vertex> path = walk_back(tree, s, t);
          ASSERT_FALSE(path.empty());
          long double length = 0;
          for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) {
            length += best_arc(graph, path[hop], path[hop + 1], 1);
          }
          ASSERT_NEAR(static_cast<double>(length), h[s] - h[t], 1e-14);
        }
      }
    }
  }
}

/// Layers whose arcs differ by less than f32 can hold: every path looks equally long in the matrix,
/// and the slacks of many arcs are negative.
TEST(RealPaths, DifferencesBelowTheRoundingOfTheMatrixStillDecide) {
  constexpr Vertex kLayers = 9;
  constexpr Vertex kWidth = 4;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    base::SplitMix64 random(seed);
    GraphBuilder builder(kLayers * kWidth, seed % 2 == 0);
    for (Vertex layer = 0; layer + 1 < kLayers; ++layer) {
      for (Vertex i = 0; i < kWidth * kWidth; ++i) {
        builder.add_edge(layer * kWidth + i / kWidth, (layer + 1) * kWidth + i % kWidth,
                         0.5 + (random.uniform() - 0.5) * 1e-8);
      }
    }
    const Graph graph = std::move(builder).build();
    expect_shortest_paths(graph, Semiring::min_plus, ValueType::f32);
    if (graph.directed()) expect_shortest_paths(graph, Semiring::max_plus, ValueType::f32);
  }
}

/// The same distances, moved by a unit in the last place here and there: paths do not change.
TEST(RealPaths, RoundingOfTheMatrixLeavesNoTrace) {
  const Graph graph = random_graph({.n = 40, .arcs = 200, .least = 0.1, .real = true});
  const store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::f32);
  base::SplitMix64 random(5);
  for (Vertex s = 0; s < 40; ++s) {
    std::vector<double> row = read_row(matrix, s);
    const auto expected = predecessors(graph, Semiring::min_plus, ValueType::f32, s, row);
    for (double& d : row) d *= 1 + (static_cast<double>(random.below(5)) - 2) * 0x1p-24;
    EXPECT_EQ(predecessors(graph, Semiring::min_plus, ValueType::f32, s, row), expected);
  }
}

TEST(RealPaths, DistancesOfAnotherGraphAreRefused) {
  const Graph graph = random_graph({.n = 40, .arcs = 200, .least = 0.1, .real = true});
  const store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::f32);
  for (const double factor : {0.9, 1.1, std::numeric_limits<double>::infinity()}) {
    std::vector<double> row = read_row(matrix, 3);
    const auto farthest = std::max_element(row.begin(), row.end());
    ASSERT_LT(*farthest, std::numeric_limits<double>::infinity());
    *farthest *= factor;
    const bool lost = std::isinf(*farthest);
    if (lost) *farthest = 0.01;
    EXPECT_ERROR(input, predecessors(graph, Semiring::min_plus, ValueType::f32, 3, row)) << factor;
  }
  const std::vector<double> row = {0, 0.5, 1.5};
  EXPECT_THROW(predecessors(graph_of(3, {{0, 1, 0.5}}), Semiring::min_plus, ValueType::f64, 0, row),
               Error);
}

}  // namespace
}  // namespace apsp::paths::paths_test
