// Rows of distances from factors against the textbook.
#include "sparse/factor_rows.hpp"

#include <apsp/graph.hpp>

#include "base/random.hpp"
#include "semiring/dispatch.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/order.hpp"
#include "support/expected_rows.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::sparse::factor_rows_test {
namespace {

using kernels::Cycles;
using kernels::Sign;

struct How {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::i32;
  Sign sign = Sign::any;
  int threads = 1;
  bool relaxed = true;
  std::int64_t parts = 0;  // of the boundary algorithm, or none: nested dissection
};

std::shared_ptr<const Tree> tree_of(const Graph& graph, const How& how = {}) {
  const Pattern pattern = pattern_of(graph);
  if (how.parts == 0) {
    return std::make_shared<const Tree>(pattern, nested_dissection(pattern), how.relaxed);
  }
  BoundaryOrder found = boundary_order(pattern, how.parts);
  return std::make_shared<const Tree>(pattern, std::move(found.order), std::move(found.first));
}

Factor factor_of(const Graph& graph, const How& how) {
  return eliminate(graph, tree_of(graph, how),
                   {how.semiring, how.type, how.sign, Cycles::possible, how.threads, {}});
}

/// [n, columns] doubles; ±infinity is no path.
std::vector<double> all_rows(const FactorRows& source, const How& how) {
  const std::int64_t n = source.vertices(), columns = source.columns(), stride = columns + 3;
  std::vector<double> all(static_cast<std::size_t>(n * columns), -1);
  const auto worker = source.worker();
  semiring::dispatch(how.semiring, how.type, [&]<class S>() {
    using T = typename S::Value;
    std::vector<T> block(static_cast<std::size_t>(source.block_rows() * stride));
    for (std::int64_t first = 0; first < n; first += source.block_rows()) {
      const std::int64_t rows = std::min(source.block_rows(), n - first);
      const auto sources =
          source.order().subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(rows));
      worker->compute(sources, block.data(), stride);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        for (std::int64_t j = 0; j < columns; ++j) {
          const T value = block[i * static_cast<std::size_t>(stride) + static_cast<std::size_t>(j)];
          const double no_path =
              how.semiring == Semiring::or_and ? 0 : apsp::no_path(how.semiring, ValueType::f64);
          all[static_cast<std::size_t>(sources[i] * columns + j)] =
              value == S::zero() ? no_path : static_cast<double>(value);
        }
      }
    }
  });
  return all;
}

std::vector<double> all_rows(Factor factor, const How& how) {
  return all_rows(FactorRows(std::make_shared<Factor>(std::move(factor)), how.sign), how);
}

std::vector<double> expected_rows(const Graph& graph, const How& how) {
  return apsp::expected_rows(graph, how.semiring, how.type);
}

void expect_right(const Graph& graph, const How& how) {
  EXPECT_EQ(all_rows(factor_of(graph, how), how), expected_rows(graph, how))
      << name(how.semiring) << " " << name(how.type) << " n " << graph.vertex_count() << " parts "
      << how.parts;
}

std::vector<How> ways() {
  std::vector<How> all;
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::min_max,
                                  Semiring::max_plus, Semiring::or_and}) {
    for (const ValueType type : types_of(semiring)) {
      all.push_back({.semiring = semiring, .type = type});
      all.push_back({.semiring = semiring, .type = type, .sign = Sign::non_negative});
    }
  }
  return all;
}

TEST(FactorRows, AreThoseOfTheTextbookInEverySemiringAndType) {
  std::uint64_t seed = 0;
  for (const How& how : ways()) {
    for (const bool directed : {false, true}) {
      if (how.semiring == Semiring::max_plus && !directed) continue;  // longest paths need no cycle
      for (const std::int64_t n : {0, 1, 2, 3, 17, 150}) {
        for (const std::int64_t arcs : {n / 2, n * 2, n * 6}) {
          expect_right(random_graph(n, arcs, 1, 30,
                                    {.directed = directed,
                                     .acyclic = how.semiring == Semiring::max_plus,
                                     .seed = ++seed}),
                       how);
        }
      }
    }
  }
}

TEST(FactorRows, TakeNegativeWeights) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const ValueType type : {ValueType::i32, ValueType::f64}) {
      const Graph graph = random_graph({.n = 90, .arcs = 300, .potential = 40, .seed = seed});
      expect_right(graph, {.type = type});
      expect_right(graph, {.type = type, .parts = 4});
    }
  }
}

TEST(FactorRows, AreThoseOfTheTextbookInParts) {
  std::uint64_t seed = 100;
  for (How how : ways()) {
    for (const bool directed : {false, true}) {
      if (how.semiring == Semiring::max_plus && !directed) continue;
      for (const std::int64_t n : {1, 2, 3, 17, 150}) {
        for (const std::int64_t parts : {std::int64_t{1}, std::int64_t{2}, n / 8 + 1, n}) {
          how.parts = parts;
          // With few arcs the graph falls apart, and so do parts.
          expect_right(random_graph(n, n * static_cast<std::int64_t>(++seed % 4) / 2, 1, 30,
                                    {.directed = directed,
                                     .acyclic = how.semiring == Semiring::max_plus,
                                     .seed = seed}),
                       how);
        }
      }
    }
  }
}

TEST(FactorRows, AreTheSameWithWideSupernodesAndWithThreads) {
  // Dense enough that the last supernode is closed by all threads.
  const Graph graph =
      random_graph({.n = 900, .arcs = 9000, .least = 1, .greatest = 90, .directed = false});
  const Graph directed = random_graph({.n = 900, .arcs = 9000, .least = 1, .greatest = 90});
  for (const Graph& of : {graph, directed}) {
    const std::vector<double> expected = expected_rows(of, {.type = ValueType::u16});
    for (const int threads : {1, 2, 5}) {
      for (const bool relaxed : {false, true}) {
        const How how{.type = ValueType::u16,
                      .sign = Sign::non_negative,
                      .threads = threads,
                      .relaxed = relaxed};
        EXPECT_EQ(all_rows(factor_of(of, how), how), expected);
      }
      const How in_parts{.type = ValueType::u16, .threads = threads, .parts = 3};
      EXPECT_EQ(all_rows(factor_of(of, in_parts), in_parts), expected);
    }
  }
}

/// Groups of columns lie anywhere, and so does each row.
TEST(FactorRows, GoWhereTheyAreKept) {
  const Graph graph = random_graph({.n = 190, .arcs = 700, .least = 1, .greatest = 9, .seed = 4});
  for (const ValueType type : {ValueType::u16, ValueType::i32, ValueType::f64}) {
    const How how{.type = type, .sign = Sign::non_negative};
    const FactorRows source(std::make_shared<Factor>(factor_of(graph, how)), how.sign);
    const auto worker = source.worker();
    const std::int64_t size = size_of(type);
    std::vector<Vertex> sources(45);
    std::iota(sources.rbegin(), sources.rend(), Vertex{100});
    std::vector<std::byte> expected(sources.size() * static_cast<std::size_t>(190 * size));
    worker->compute(sources, expected.data(), 190);
    for (const std::int64_t group : {1, 7, 64, 189, 190, 500}) {
      const std::int64_t apart = 46 * group * size;
      std::vector<std::byte> found(static_cast<std::size_t>((190 / group + 1) * apart));
      store::RowView view{.group = group, .apart = apart};
      for (std::int64_t i = 0; i < 45; ++i) {
        view.rows.push_back(found.data() + (44 - i) * group * size);
      }
      worker->compute_into(sources, view, nullptr);
      for (std::int64_t i = 0; i < 45; ++i) {
        for (std::int64_t v = 0; v < 190; ++v) {
          const std::byte* const value =
              view.rows[static_cast<std::size_t>(i)] + v / group * apart + v % group * size;
          EXPECT_EQ(std::memcmp(value, expected.data() + (i * 190 + v) * size,
                                static_cast<std::size_t>(size)),
                    0)
              << name(type) << ", groups of " << group << ": " << i << ", " << v;
        }
      }
    }
  }
}

/// The columns of `targets` of all rows, [n, targets].
std::vector<double> columns_of(const std::vector<double>& all, std::int64_t n,
                               std::span<const Vertex> targets) {
  std::vector<double> some;
  for (std::int64_t s = 0; s < n; ++s) {
    for (const Vertex t : targets) some.push_back(all[static_cast<std::size_t>(s * n + t)]);
  }
  return some;
}

std::vector<Vertex> some_vertices(std::int64_t n, std::int64_t count, std::uint64_t seed) {
  std::vector<Vertex> vertices(static_cast<std::size_t>(n));
  std::iota(vertices.begin(), vertices.end(), Vertex{0});
  base::SplitMix64 random(seed);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    std::swap(vertices[i], vertices[i + random.below(vertices.size() - i)]);
  }
  vertices.resize(static_cast<std::size_t>(count));
  return vertices;
}

TEST(FactorRows, ToSomeVerticesAreColumnsOfAllInEverySemiringAndType) {
  std::uint64_t seed = 400;
  for (const How& how : ways()) {
    for (const bool directed : {false, true}) {
      if (how.semiring == Semiring::max_plus && !directed) continue;
      for (const std::int64_t n : {1, 3, 150}) {
        const Graph graph = random_graph(
            n, n * 2, 1, 30,
            {.directed = directed, .acyclic = how.semiring == Semiring::max_plus, .seed = ++seed});
        const auto factor = std::make_shared<Factor>(factor_of(graph, how));
        for (const std::int64_t count : {std::int64_t{1}, std::min<std::int64_t>(n, 7), n}) {
          const std::vector<Vertex> targets = some_vertices(n, count, seed);
          EXPECT_EQ(all_rows(FactorRows(factor, how.sign, targets), how),
                    columns_of(expected_rows(graph, how), n, targets))
              << name(how.semiring) << " " << name(how.type) << ", " << count << " of " << n;
        }
      }
    }
  }
}

/// What came, by vertex.
struct CameTo final : flow::ColumnSink::Writer {
  void begin(std::span<const Vertex> of) override { sources = std::ssize(of); }
  void take(std::span<const Vertex> vertices, const void* values, std::int64_t lanes) override {
    for (std::size_t j = 0; j < vertices.size(); ++j) {
      const auto* const row =
          static_cast<const std::int32_t*>(values) + static_cast<std::int64_t>(j) * lanes;
      EXPECT_TRUE(came.try_emplace(vertices[j], row, row + sources).second);
    }
  }
  void end() override {}

  std::int64_t sources = 0;
  std::map<Vertex, std::vector<std::int32_t>> came;
};

TEST(FactorRows, ToSomeVerticesComeVertexByVertexToo) {
  const How how{.type = ValueType::i32, .sign = Sign::non_negative};
  const Graph graph = random_graph({.n = 150, .arcs = 400, .least = 1, .greatest = 9, .seed = 8});
  const std::vector<Vertex> targets = some_vertices(150, 40, 2), sources = {7, 99, 3, 0, 120};
  const auto factor = std::make_shared<Factor>(factor_of(graph, how));
  const FactorRows rows(factor, how.sign, targets);
  const auto worker = rows.worker();
  CameTo alone, beside;
  std::vector<std::int32_t> found(5 * 40);
  worker->compute_columns(sources, alone, false);
  worker->compute_both(sources, found.data(), 40, beside);
  EXPECT_EQ(alone.came, beside.came);
  ASSERT_EQ(alone.came.size(), 40);
  for (std::size_t j = 0; j < 40; ++j) {
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(alone.came.at(targets[j])[i], found[i * 40 + j]);
    }
  }
}

TEST(FactorRows, ComeVertexByVertexFromMoreSourcesThanRowsDo) {
  const How how{.type = ValueType::i32, .sign = Sign::non_negative};
  constexpr std::int64_t kN = 5000;
  const Graph graph =
      random_graph({.n = kN, .arcs = 5200, .least = 0, .greatest = 1 << 20, .seed = 11});
  const FactorRows rows(std::make_shared<Factor>(factor_of(graph, how)), how.sign);
  const std::int64_t many = rows.column_sources(kN, 2), few = rows.block_rows();
  EXPECT_EQ(many, 2 * few);
  EXPECT_EQ(rows.column_sources(kN, 3), few) << "each thread would have less than eight blocks";
  const std::span<const Vertex> sources =
      rows.order().subspan(kN / 2, static_cast<std::size_t>(many));
  CameTo together;
  const auto worker = rows.worker();
  worker->compute_columns(sources, together, false);
  ASSERT_EQ(together.came.size(), static_cast<std::size_t>(kN));
  std::vector<std::int32_t> block(static_cast<std::size_t>(few * kN));
  for (std::int64_t first = 0; first < many; first += few) {
    worker->compute(sources.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(few)),
                    block.data(), kN);
    for (Vertex v = 0; v < kN; ++v) {
      for (std::int64_t i = 0; i < few; ++i) {
        ASSERT_EQ(together.came.at(v)[static_cast<std::size_t>(first + i)],
                  block[static_cast<std::size_t>(i * kN + v)]);
      }
    }
  }
}

TEST(TargetSelection, LeadToTargetsAlone) {
  const Graph graph = generate({.kind = GraphKind::grid, .vertices = 40 * 40});
  const auto tree = tree_of(graph);
  const std::vector<Vertex> targets = some_vertices(1600, 5, 3);
  const std::vector<SupernodeId> ways = ways_to(*tree, targets);
  EXPECT_TRUE(std::is_sorted(ways.rbegin(), ways.rend()));
  EXPECT_LT(std::ssize(ways), tree->supernodes() / 4);
  for (const Vertex target : targets) {
    SupernodeId s = tree->supernode_of(tree->order().position_of[target]);
    for (; s >= 0; s = tree->parent(s)) {
      EXPECT_EQ(std::count(ways.begin(), ways.end(), s), 1);
    }
  }
  EXPECT_TRUE(ways_to(*tree, {}).empty());
}

/// How many sources a call has depends on threads and on what an earlier run has left.
TEST(FactorRows, AreRoundedAlikeHoweverManySourcesThereAre) {
  for (const ValueType type : {ValueType::f32, ValueType::f64}) {
    for (const bool directed : {false, true}) {
      const Graph graph =
          random_graph(300, 900, 1, 9, {.real = true, .directed = directed, .seed = 3});
      const How how{.type = type, .sign = Sign::non_negative};
      const FactorRows source(std::make_shared<Factor>(factor_of(graph, how)), how.sign);
      const auto worker = source.worker();
      const std::int64_t bytes = 300 * size_of(type);
      std::vector<Vertex> sources(40);
      std::iota(sources.begin(), sources.end(), Vertex{100});
      std::vector<std::byte> together(40 * static_cast<std::size_t>(bytes));
      worker->compute(sources, together.data(), 300);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        std::vector<std::byte> alone(static_cast<std::size_t>(bytes));
        worker->compute({&sources[i], 1}, alone.data(), 300);
        EXPECT_EQ(std::memcmp(alone.data(), together.data() + i * alone.size(), alone.size()), 0)
            << name(type) << " " << sources[i];
      }
    }
  }
}

TEST(FactorRows, OfAnySourcesInAnyOrder) {
  const Graph graph = random_graph({.n = 300, .arcs = 700});
  const How how{};
  const std::vector<double> expected = expected_rows(graph, how);
  const FactorRows source(std::make_shared<Factor>(factor_of(graph, how)), how.sign);
  const auto worker = source.worker();
  for (const std::vector<Vertex>& sources :
       {std::vector<Vertex>{7},
        {299, 0, 150},
        {5, 4, 3, 2, 1, 0, 298, 17, 33, 70, 71, 200, 250, 99, 98, 97, 96, 95}}) {
    std::vector<std::int32_t> rows(sources.size() * 300);
    worker->compute(sources, rows.data(), 300);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      for (std::size_t j = 0; j < 300; ++j) {
        const double value = expected[sources[i] * 300 + j];
        EXPECT_EQ(rows[i * 300 + j], value > 1e9 ? (1 << 30) - 1 : value);
      }
    }
  }
}

TEST(FactorRows, ComeFromManyThreadsAtOnce) {
  const Graph graph = random_graph({.n = 700, .arcs = 1500, .directed = false});
  const How how{};
  const std::vector<double> expected = expected_rows(graph, how);
  const FactorRows source(std::make_shared<Factor>(factor_of(graph, how)), how.sign);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      const auto worker = source.worker();
      std::vector<std::int32_t> row(700);
      for (Vertex v = static_cast<Vertex>(t); v < 700; v += 4) {
        worker->compute({&v, 1}, row.data(), 700);
        for (std::size_t j = 0; j < 700; ++j) {
          const double value = expected[v * 700 + j];
          wrong[t] += row[j] != (value > 1e9 ? (1 << 30) - 1 : value);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::vector<int>{0, 0, 0, 0}));
}

TEST(Eliminate, NamesAVertexOnANegativeCycle) {
  std::vector<Edge> edges;
  for (Vertex v = 0; v < 40; ++v) edges.push_back({v, (v + 1) % 41, 2});
  edges.push_back({20, 30, -100});
  edges.push_back({30, 20, 99});
  const Error error = error_of([&] { factor_of(graph_of(41, edges), {}); });
  ASSERT_EQ(error.kind(), ErrorKind::negative_cycle);
  const Vertex on = error.cycle().vertices.front();
  EXPECT_TRUE(on >= 20 && on <= 30) << on;
  const Error loop = error_of([&] { factor_of(graph_of(3, {{1, 1, -1}, {0, 1, 1}}), {}); });
  EXPECT_EQ(loop.cycle().vertices.front(), 1u);
}

TEST(Eliminate, EndsWhereTheCallerAsksForIt) {
  Cancellation cancellation;
  cancellation.request();
  const Graph graph = random_graph({.n = 50, .arcs = 100});
  EXPECT_ERROR(interrupted, eliminate(graph, tree_of(graph),
                                      {Semiring::min_plus,
                                       ValueType::i32,
                                       Sign::any,
                                       Cycles::possible,
                                       2,
                                       {nullptr, &cancellation}}));
}

}  // namespace
}  // namespace apsp::sparse::factor_rows_test
