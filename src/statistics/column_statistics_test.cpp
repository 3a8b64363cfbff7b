// Distances that come vertex by vertex have the statistics that a pass over their rows finds, to
// the last bit.
#include "statistics/column_statistics.hpp"

#include <hwy/targets.h>

#include <bit>

#include "base/random.hpp"
#include "semiring/dispatch.hpp"
#include "statistics/statistics_pass.hpp"
#include "support/graph_of.hpp"
#include "support/random_blocks.hpp"
#include "support/random_graph.hpp"
#include "support/same_statistics.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"
#include "support/types_of.hpp"
#include "system/aligned_memory.hpp"
#include "system/threads.hpp"

namespace apsp::statistics::column_statistics_test {
namespace {

/// How distances are drawn.
struct Kind {
  std::int64_t n = 100;
  bool symmetric = false;
  double greatest = 20;       // from zero on
  double without_path = 0.2;  // part of the pairs
  int spread = 0;             // reals: powers of two
  std::uint64_t seed = 1;
  bool strange = false;  // some are negative, −0, subnormal, huge or tiny
};

/// Any values: nothing here asks whether they are distances of a graph.
struct Matrix {
  std::int64_t n = 0;
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  bool symmetric = false;
  std::vector<std::byte> bytes;          // [n, n] of the value type
  std::shared_ptr<const Graph> graph{};  // null: a cycle through all vertices

  const std::byte* at(std::int64_t from, std::int64_t to) const {
    return bytes.data() + (from * n + to) * size_of(type);
  }
};

template <class S>
typename S::Value drawn(base::SplitMix64& random, const Kind& kind) {
  using T = typename S::Value;
  if (random.uniform() < kind.without_path) return S::zero();
  if constexpr (S::kKind == Semiring::or_and) {
    return T{1};
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(random.below(static_cast<std::uint64_t>(kind.greatest) + 1));
  } else {
    const double value = random.uniform() * kind.greatest;
    if (random.below(50) == 0) return T{0};
    if (kind.strange && random.below(400) == 0) {
      using Limits = std::numeric_limits<float>;
      const T strange[] = {
          T(-value), T(-0.0), T(Limits::denorm_min()), T(Limits::min() / 3), T(Limits::min()),
          T(1e-30),  T(1e30)};
      return strange[random.below(std::size(strange))];
    }
    if (kind.spread == 0) return static_cast<T>(value);
    const auto exponent = static_cast<int>(random.below(static_cast<std::uint64_t>(kind.spread)));
    return static_cast<T>(std::ldexp(value, exponent - kind.spread / 2));
  }
}

Matrix random_matrix(Semiring semiring, ValueType type, const Kind& kind) {
  Matrix matrix{kind.n, semiring, type, kind.symmetric, {}};
  matrix.bytes.resize(static_cast<std::size_t>(kind.n * kind.n * size_of(type)));
  base::SplitMix64 random(kind.seed);
  semiring::dispatch(semiring, type, [&]<class S>() {
    auto* const d = reinterpret_cast<typename S::Value*>(matrix.bytes.data());
    for (std::int64_t i = 0; i < kind.n; ++i) {
      for (std::int64_t j = 0; j < kind.n; ++j) {
        d[i * kind.n + j] = kind.symmetric && j < i ? d[j * kind.n + i] : drawn<S>(random, kind);
      }
    }
  });
  return matrix;
}

bool real(ValueType type) { return type == ValueType::f32 || type == ValueType::f64; }

/// A cycle through all vertices is one strong component, whose figures are those of the graph.
Graph graph_for(const Matrix& matrix) {
  if (matrix.graph) return *matrix.graph;
  std::vector<Edge> edges;
  for (std::int64_t v = 0; v < matrix.n && matrix.n > 1; ++v) {
    edges.push_back({static_cast<Vertex>(v), static_cast<Vertex>((v + 1) % matrix.n),
                     real(matrix.type) ? 0.5 : 1});
  }
  return graph_of(matrix.n, edges);
}

Statistics by_rows(const Matrix& matrix, double greatest_possible) {
  StatisticsPass pass(graph_for(matrix), matrix.semiring, matrix.type, greatest_possible);
  store::give_in_order(pass, {matrix.bytes, matrix.n, matrix.type});
  return pass.statistics();
}

/// One block: what a sweep brings.
struct Block {
  std::vector<Vertex> sources;
  std::vector<Vertex> vertices;
};

void give(flow::ColumnSink::Writer& counter, const Matrix& matrix, const Block& block,
          std::uint64_t seed) {
  base::SplitMix64 random(seed);
  const std::int64_t size = size_of(matrix.type), line = 64 / size;
  const auto gap = static_cast<std::int64_t>(random.below(2)) * line;
  const std::int64_t lanes = (std::ssize(block.sources) + line - 1) / line * line + gap;
  const std::size_t n = block.vertices.size();
  counter.begin(block.sources);
  for (std::size_t first = 0; first < n;) {
    const std::size_t end = std::min(n, first + 1 + static_cast<std::size_t>(random.below(5)));
    system::AlignedMemory rows(static_cast<std::int64_t>(end - first) * lanes * size);
    std::memset(rows.data(), 0x1A, static_cast<std::size_t>(rows.bytes()));
    for (std::size_t j = first; j < end; ++j) {
      for (std::size_t i = 0; i < block.sources.size(); ++i) {
        const auto to = static_cast<std::int64_t>(j - first) * lanes + static_cast<std::int64_t>(i);
        std::memcpy(rows.data() + to * size, matrix.at(block.sources[i], block.vertices[j]),
                    static_cast<std::size_t>(size));
      }
    }
    counter.take({block.vertices.data() + first, end - first}, rows.data(), lanes);
    first = end;
  }
  counter.end();
}

/// All pairs in random blocks of random vertices; where they come once, one of two blocks, at
/// random, has the pairs between them.
std::vector<Block> random_blocks(const Matrix& matrix, std::uint64_t seed, std::size_t most) {
  base::SplitMix64 random(seed);
  std::vector<Vertex> all(static_cast<std::size_t>(matrix.n));
  std::iota(all.begin(), all.end(), Vertex{0});
  const auto shuffle = [&](std::vector<Vertex>& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[random.below(i)]);
  };
  shuffle(all);
  std::vector<Block> blocks;
  for (std::size_t first = 0; first < all.size();) {
    const std::size_t end =
        std::min(all.size(), first + 1 + static_cast<std::size_t>(random.below(most)));
    blocks.push_back({{all.begin() + static_cast<std::ptrdiff_t>(first),
                       all.begin() + static_cast<std::ptrdiff_t>(end)},
                      {}});
    first = end;
  }
  for (std::size_t a = 0; a < blocks.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      const bool both = !matrix.symmetric && a != b;
      const std::size_t one = random.below(2) == 0 ? a : b;
      const auto append = [&](std::size_t to, std::size_t from) {
        blocks[to].vertices.insert(blocks[to].vertices.end(), blocks[from].sources.begin(),
                                   blocks[from].sources.end());
      };
      append(one, one == a ? b : a);
      if (both) append(one == a ? b : a, one);
    }
  }
  for (Block& block : blocks) shuffle(block.vertices);
  return blocks;
}

Statistics swept(const Matrix& matrix, double greatest_possible, std::uint64_t seed, int threads,
                 std::size_t most) {
  ColumnStatistics statistics(graph_for(matrix), matrix.semiring, matrix.type, greatest_possible,
                              matrix.symmetric);
  const std::vector<Block> blocks = random_blocks(matrix, seed, most);
  std::vector<flow::ColumnSink::Writer*> counters;
  for (int i = 0; i < threads; ++i) counters.push_back(&statistics.part());
  system::parallel_for(std::ssize(blocks), threads, [&](std::int64_t i, int member) {
    give(*counters[static_cast<std::size_t>(member)], matrix, blocks[static_cast<std::size_t>(i)],
         seed + static_cast<std::uint64_t>(i));
  });
  return statistics.statistics();
}

void expect_as_by_rows(Semiring semiring, ValueType type, const Kind& kind,
                       double greatest_possible, std::size_t most = 90) {
  SCOPED_TRACE(std::string(name(semiring)) + " " + std::string(name(type)) + " n = " +
               std::to_string(kind.n) + (kind.symmetric ? " pairs once" : " both directions"));
  const Matrix matrix = random_matrix(semiring, type, kind);
  const Statistics expected = by_rows(matrix, greatest_possible);
  for (const int threads : {1, 2, 3}) {
    expect_same(
        swept(matrix, greatest_possible, static_cast<std::uint64_t>(threads), threads, most),
        expected);
  }
}

/// A sum of doubles as an integer of units 2^-1074, in digits of 32 bits.
class ExactSum {
 public:
  void add(double x) {
    int exponent = 0;
    auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
    int at = exponent - 53 + 1074 + 64;
    for (; mantissa != 0; mantissa /= std::int64_t{1} << 16, at += 16) {
      digits_[static_cast<std::size_t>(at / 32)] +=
          mantissa % (1 << 16) * (std::int64_t{1} << at % 32);
    }
  }
  /// Whether it is above, at or below `middle` of two neighbours `from` and `from` + `gap`.
  int compared(double from, double half_gap) const {
    ExactSum rest = *this;
    rest.add(-from);
    rest.add(-half_gap);
    for (std::size_t i = 0; i + 1 < rest.digits_.size(); ++i) {
      const std::int64_t carry = rest.digits_[i] >> 32;
      rest.digits_[i] -= carry * (std::int64_t{1} << 32);
      rest.digits_[i + 1] += carry;
    }
    if (rest.digits_.back() < 0) return -1;
    const auto nonzero = [](std::int64_t digit) { return digit != 0; };
    return std::any_of(rest.digits_.begin(), rest.digits_.end(), nonzero) ? 1 : 0;
  }
  /// Whether `x` is a nearest double, and the even one of two.
  bool rounds_to(double x) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const bool even = std::bit_cast<std::uint64_t>(x) % 2 == 0;
    const int above = compared(x, (std::nextafter(x, kInfinity) - x) / 2);
    const int below = compared(x, (std::nextafter(x, -kInfinity) - x) / 2);
    return (above < 0 || (above == 0 && even)) && (below > 0 || (below == 0 && even));
  }

 private:
  std::array<std::int64_t, 72> digits_{};
};

/// The sums of columns, rounded once, and counts between the ends of bars.
void expect_textbook(const Matrix& matrix, const Statistics& found) {
  semiring::dispatch(matrix.semiring, matrix.type, [&]<class S>() {
    const auto* const d = reinterpret_cast<const typename S::Value*>(matrix.bytes.data());
    std::vector<HistogramBin> bars = found.histogram;
    for (HistogramBin& bar : bars) bar.pairs = 0;
    for (std::int64_t to = 0; to < matrix.n; ++to) {
      ExactSum sum, harmonic;
      double reached = 0;
      for (std::int64_t from = 0; from < matrix.n; ++from) {
        const auto value = static_cast<double>(d[from * matrix.n + to]);
        if (from == to || d[from * matrix.n + to] == S::zero()) continue;
        ++reached;
        sum.add(value);
        if (value > 0) harmonic.add(1 / value);
        auto bar = bars.begin();
        while (bar + 1 != bars.end() && value >= bar->high) ++bar;
        ++bar->pairs;
      }
      if (found.harmonic.empty() || reached == 0) continue;
      const auto v = static_cast<std::size_t>(to);
      EXPECT_TRUE(harmonic.rounds_to(found.harmonic[v])) << to << " " << found.harmonic[v];
      // The sum is one of few doubles near that of which the closeness was made.
      const double others = static_cast<double>(matrix.n - 1);
      const double about = reached * (reached / others) / found.closeness[v];
      double candidate = about * (1 - 0x1p-51);
      const auto fits = [&](double x) {
        return sum.rounds_to(x) && reached / x * (reached / others) == found.closeness[v];
      };
      for (int i = 0; i < 20 && !fits(candidate); ++i) {
        candidate = std::nextafter(candidate, std::numeric_limits<double>::infinity());
      }
      EXPECT_TRUE(fits(candidate) || found.closeness[v] == 0) << to << " " << found.closeness[v];
    }
    for (std::size_t i = 0; i < bars.size(); ++i)
      EXPECT_EQ(bars[i].pairs, found.histogram[i].pairs);
  });
}

TEST(ColumnStatistics, OfRealsAreExactSumsForAllSizesAndStrangeValues) {
  for (std::uint64_t seed = 1; seed <= 9; ++seed) {
    for (const ValueType type : {ValueType::f32, ValueType::f64}) {
      base::SplitMix64 random(seed);
      const int spreads[] = {0, 6, 30, 45, 110, 300};
      Kind kind{.n = 1 + static_cast<std::int64_t>(random.below(200)),
                .symmetric = random.below(2) == 0,
                .greatest = std::ldexp(1.0, static_cast<int>(random.below(30)) - 15),
                .without_path = random.below(3) == 0 ? 0.3 : 0.0,
                .spread = spreads[random.below(type == ValueType::f32 ? 5 : 6)],
                .seed = seed,
                .strange = seed % 3 == 0};
      SCOPED_TRACE(seed);
      expect_as_by_rows(Semiring::min_plus, type, kind, 20, 1 + random.below(300));
      expect_textbook(random_matrix(Semiring::min_plus, type, kind),
                      by_rows(random_matrix(Semiring::min_plus, type, kind), 20));
    }
  }
}

TEST(ColumnStatistics, OfRealsThatAreIntegersHaveTheBinsOfIntegers) {
  for (const double greatest : {100.0, 40'000.0, 5e6, 1e9}) {
    for (const ValueType type : {ValueType::f32, ValueType::f64}) {
      Matrix matrix = random_matrix(Semiring::min_plus, type, {.n = 300, .greatest = greatest});
      semiring::dispatch(Semiring::min_plus, type, [&]<class S>() {
        auto* const d = reinterpret_cast<typename S::Value*>(matrix.bytes.data());
        std::transform(d, d + 300 * 300, d, [](auto x) { return std::floor(x); });
      });
      std::vector<Edge> edges;
      for (Vertex v = 0; v < 300; ++v) edges.push_back({v, (v + 1) % 300, 1});
      matrix.graph = std::make_shared<const Graph>(graph_of(300, edges));
      const Statistics expected = by_rows(matrix, greatest);
      expect_textbook(matrix, expected);
      expect_same(swept(matrix, greatest, 3, 2, 130), expected);
      EXPECT_EQ(expected.median_error == 0, greatest < 3e6);
    }
  }
}

/// What a device counts of the matrix.
flow::CountedDistances counted(const Matrix& matrix, std::int64_t limit) {
  flow::CountedDistances found;
  found.to.resize(static_cast<std::size_t>(matrix.n));
  found.from.resize(found.to.size());
  found.counts.resize(static_cast<std::size_t>(limit));
  for (std::int64_t i = 0; i < matrix.n; ++i) {
    for (std::int64_t j = 0; j < matrix.n; ++j) {
      std::uint16_t distance = 0;
      std::memcpy(&distance, matrix.at(i, j), sizeof(distance));
      if (i == j || distance == semiring::MinPlus<std::uint16_t>::zero()) continue;
      kernels::RowTotals& to = found.to[static_cast<std::size_t>(j)];
      ++found.counts[distance];
      ++to.reached;
      to.sum += distance;
      found.from[static_cast<std::size_t>(i)].add(distance, static_cast<Vertex>(j));
      if (distance == 0) continue;
      const double reciprocal = 1.0 / distance, high = std::nearbyint(reciprocal * 0x1p32);
      to.reciprocals.high += static_cast<std::int64_t>(high);
      to.reciprocals.low += static_cast<std::int64_t>((reciprocal - high * 0x1p-32) * 0x1p73);
    }
  }
  return found;
}

TEST(ColumnStatistics, AreThoseOfRowsWhereADeviceHasCounted) {
  for (const std::int64_t n : {1, 2, 50, 133}) {
    for (const double without_path : {0.0, 0.3, 1.0}) {
      const Matrix matrix = random_matrix(Semiring::min_plus, ValueType::u16,
                                          {.n = n, .greatest = 300, .without_path = without_path});
      ColumnStatistics statistics(graph_for(matrix), Semiring::min_plus, ValueType::u16, 300,
                                  false);
      EXPECT_GE(statistics.count_limit(), 301);
      statistics.take_counted(counted(matrix, 301));
      expect_same(statistics.statistics(), by_rows(matrix, 300));
    }
  }
}

/// The distances of a graph.
Matrix matrix_of(const Graph& graph, ValueType type) {
  Matrix matrix{graph.vertex_count(),
                Semiring::min_plus,
                type,
                false,
                {},
                std::make_shared<const Graph>(graph)};
  matrix.bytes.resize(static_cast<std::size_t>(matrix.n * matrix.n * size_of(type)));
  const std::vector<double> distances = verifier::floyd_warshall(graph, Semiring::min_plus);
  semiring::dispatch(Semiring::min_plus, type, [&]<class S>() {
    using T = typename S::Value;
    std::transform(distances.begin(), distances.end(), reinterpret_cast<T*>(matrix.bytes.data()),
                   [](double d) { return std::isinf(d) ? S::zero() : static_cast<T>(d); });
  });
  return matrix;
}

TEST(ColumnStatistics, OfTheLargestComponentAreThoseOfRowsWherePathsEnterAndLeaveIt) {
  for (const ValueType type : all_value_types()) {
    if (!supported(Semiring::min_plus, type)) continue;
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
      // Of 300 vertices with 1.5 arcs each, some 100 form the largest strong component.
      const Graph graph = random_graph(300, 450, 1, type == ValueType::i32 ? 1e5 : 60,
                                       {.real = real(type), .seed = seed});
      const Matrix matrix = matrix_of(graph, type);
      const double possible = seed == 1 ? 100 : 300 * 1e5;
      const Statistics expected = by_rows(matrix, possible);
      ASSERT_GT(expected.component.value().vertices, 20);
      ASSERT_TRUE(expected.radius.has_value());
      for (const int threads : {1, 3}) {
        expect_same(swept(matrix, possible, seed, threads, 90), expected);
      }
    }
  }
}

TEST(ColumnStatistics, TakeNoCountsOfPairsThatComeOnceNorOfOtherNumbers) {
  const Matrix matrix = random_matrix(Semiring::min_plus, ValueType::u16, {.n = 9});
  const Graph graph = graph_for(matrix);
  const auto limit = [&](Semiring semiring, ValueType type, bool once) {
    return ColumnStatistics(graph, semiring, type, 300, once).count_limit();
  };
  EXPECT_GT(limit(Semiring::min_plus, ValueType::i32, false), 300);
  EXPECT_EQ(limit(Semiring::min_plus, ValueType::i32, true), 0);
  EXPECT_EQ(limit(Semiring::min_plus, ValueType::f32, false), 0);
  EXPECT_EQ(limit(Semiring::max_min, ValueType::u16, false), 0);
}

TEST(ColumnStatistics, AreThoseOfRowsForEverySemiringAndType) {
  for (const auto& [semiring, type] : all_kinds()) {
    for (const bool symmetric : {false, true}) {
      for (const std::int64_t n : {0, 1, 2, 3, 31, 64, 65, 300}) {
        const Kind kind{.n = n, .symmetric = symmetric, .seed = static_cast<std::uint64_t>(n)};
        expect_as_by_rows(semiring, type, kind, 20);
      }
      for (const double without_path : {0.0, 0.99, 1.0}) {
        expect_as_by_rows(semiring, type,
                          {.n = 70, .symmetric = symmetric, .without_path = without_path}, 20);
      }
    }
  }
}

TEST(ColumnStatistics, AreThoseOfRowsForDistancesOfAllSizes) {
  struct Sizes {
    ValueType type;
    Kind kind;
    double possible;  // distances beyond it have coarser bins
    std::size_t most = 90;
  };
  std::vector<Sizes> all = {
      {ValueType::u16, {.n = 200, .greatest = 30000}, 30000},
      {ValueType::u16, {.n = 200, .greatest = 32766}, 32766},
      // More rows and lanes than are added up together.
      {ValueType::u16, {.n = 1300, .greatest = 1}, 1, 1200},
      {ValueType::u16, {.n = 1300, .greatest = 30}, 30, 1200},
  };
  for (const double greatest : {1e5, 5e6, 1e9}) {
    all.push_back({ValueType::i32, {.n = 200, .greatest = greatest}, greatest});
    all.push_back({ValueType::i32, {.n = 200, .greatest = greatest}, 10});
  }
  for (const int spread : {4, 40, 200, 1500}) {
    all.push_back({ValueType::f64, {.n = 120, .spread = spread}, 20});
    if (spread <= 200) all.push_back({ValueType::f32, {.n = 120, .spread = spread}, 20});
  }
  for (const ValueType type : all_value_types()) {  // many equal ones: the first pairs are named
    if (!supported(Semiring::min_plus, type)) continue;
    for (const double few : {0.0, 1.0, 2.0})
      all.push_back({type, {.n = 257, .greatest = few}, few});
  }
  for (Sizes sizes : all) {
    for (const bool symmetric : {false, true}) {
      sizes.kind.symmetric = symmetric;
      expect_as_by_rows(Semiring::min_plus, sizes.type, sizes.kind, sizes.possible, sizes.most);
    }
  }
}

TEST(ColumnStatistics, AreTheSameWithEveryInstructionSet) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    for (const ValueType type : all_value_types()) {
      if (!supported(Semiring::min_plus, type)) continue;
      for (const bool symmetric : {false, true}) {
        expect_as_by_rows(Semiring::min_plus, type, {.n = 150, .symmetric = symmetric}, 20);
      }
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

/// A matrix of equal distances `a`, but for one pair: both directions of it hold `b`.
Matrix equal_distances(std::int64_t n, std::uint16_t a, std::int64_t from, std::int64_t to,
                       std::uint16_t b) {
  Matrix matrix = random_matrix(Semiring::min_plus, ValueType::u16, {.n = n, .symmetric = true});
  auto* const d = reinterpret_cast<std::uint16_t*>(matrix.bytes.data());
  std::fill_n(d, n * n, a);
  d[from * n + to] = d[to * n + from] = b;
  return matrix;
}

TEST(ColumnStatistics, OfAPairWithinABlockCountItOnce) {
  const Matrix matrix = equal_distances(3, 2, 0, 2, 7);
  ColumnStatistics statistics(graph_for(matrix), Semiring::min_plus, ValueType::u16, 7, true);
  give(statistics.part(), matrix, {{2, 0, 1}, {0, 1, 2}}, 1);
  const Statistics found = statistics.statistics();
  EXPECT_EQ(found.pairs, 6);
  EXPECT_EQ(found.reachable_pairs, 6);
  EXPECT_TRUE(found.connected);
  EXPECT_EQ(found.mean, (2 * 7 + 4 * 2) / 6.0);
  EXPECT_EQ(found.diameter_pair->from, 0u);
  EXPECT_EQ(found.diameter_pair->to, 2u);
  EXPECT_EQ(found.radius_pair->from, 1u);
  EXPECT_EQ(found.radius_pair->to, 0u);
}

TEST(ColumnStatistics, OfASourcesOwnRowCountOnlyColumnsBeforeIt) {
  const Matrix matrix = equal_distances(3, 2, 0, 2, 7);
  Matrix changed = matrix;  // what would count twice, and vertices to themselves
  auto* const d = reinterpret_cast<std::uint16_t*>(changed.bytes.data());
  // Columns of the sources 2, 0, 1: of row 0 only source 2 counts, of row 1 both others.
  d[0 * 3 + 0] = d[1 * 3 + 0] = d[1 * 3 + 1] = 30000;
  d[0 * 3 + 2] = d[1 * 3 + 2] = d[2 * 3 + 2] = 30000;
  ColumnStatistics statistics(graph_for(matrix), Semiring::min_plus, ValueType::u16, 7, true);
  give(statistics.part(), changed, {{2, 0, 1}, {1, 2, 0}}, 1);
  expect_same(statistics.statistics(), by_rows(matrix, 7));
}

TEST(ColumnStatistics, OfNegativeDistancesHaveNoCloseness) {
  for (const ValueType type : {ValueType::i32, ValueType::f32, ValueType::f64}) {
    Matrix matrix = random_matrix(Semiring::min_plus, type, {.n = 80, .greatest = 50});
    semiring::dispatch(Semiring::min_plus, type, [&]<class S>() {
      auto* const d = reinterpret_cast<typename S::Value*>(matrix.bytes.data());
      for (std::int64_t i = 0; i < 80 * 80; ++i) {
        if (d[i] != S::zero()) d[i] -= 25;
      }
    });
    const Statistics expected = by_rows(matrix, 50);
    EXPECT_LT(*expected.least, 0);
    for (const std::uint64_t seed : {1, 2}) expect_same(swept(matrix, 50, seed, 2, 33), expected);
  }
}

}  // namespace
}  // namespace apsp::statistics::column_statistics_test
