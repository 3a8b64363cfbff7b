// Blocked Floyd-Warshall on every back end against the textbook: back end × semiring × value type ×
// sizes around the tile × graph kinds.
#include <apsp/graph.hpp>

#include "conformance/back_ends.hpp"
#include "graph/adjacency_matrix.hpp"
#include "semiring/dispatch.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::conformance::solve_conformance_test {
namespace {

struct Case {
  std::size_t back_end;
  Semiring semiring;
  ValueType type;
  GraphKind kind;
  bool directed;
  bool negative;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  for (std::size_t b = 0; b < back_ends().size(); ++b) {
    for (const Semiring semiring : all_semirings()) {
      for (const ValueType type : all_value_types()) {
        if (!back_ends()[b].solves || !has(back_ends()[b], semiring, type)) continue;
        if (semiring == Semiring::max_plus) {
          list.push_back({b, semiring, type, GraphKind::path, true, false});
          continue;
        }
        for (const GraphKind kind : {GraphKind::gnp, GraphKind::dense, GraphKind::grid}) {
          list.push_back({b, semiring, type, kind, kind != GraphKind::grid, false});
        }
        if (semiring == Semiring::min_plus && type != ValueType::u16) {
          list.push_back({b, semiring, type, GraphKind::gnp, true, true});
        }
      }
    }
  }
  return list;
}

Graph make_graph(const Case& c, std::int64_t n) {
  GenerateOptions options{.kind = c.kind, .vertices = n};
  options.probability = 0.15;  // leaves pairs without a path
  options.directed = c.directed;
  options.negative = c.negative;
  options.seed = static_cast<std::uint64_t>(n) + 1;
  return generate(options);
}

/// Distances [n, n] by the textbook, which every back end is asked for again.
const std::vector<double>& textbook(const Graph& graph, Semiring semiring) {
  static std::map<std::pair<std::string, Semiring>, std::vector<double>> known;
  const auto [place, is_new] = known.try_emplace({graph.digest(), semiring});
  if (is_new) place->second = verifier::floyd_warshall(graph, semiring);
  return place->second;
}

class SolveConformance : public testing::TestWithParam<Case> {};

template <class S>
void expect_textbook(const Case& c, const BackEnd& back_end, const Graph& graph, dense::Shape shape,
                     std::int64_t tile, kernels::Cycles cycles = kernels::Cycles::possible) {
  using T = typename S::Value;
  const std::int64_t n = graph.vertex_count();
  const std::int64_t stride = n + 3;
  std::vector<T> matrix(static_cast<std::size_t>(n * stride + 1), T(1));
  const kernels::View whole{matrix.data(), n, n, stride};
  graph::fill_adjacency_matrix(graph, c.semiring, c.type, whole, 1);
  back_end.floyd_warshall(c.semiring, c.type,
                          c.negative ? kernels::Sign::any : kernels::Sign::non_negative, cycles,
                          {whole, sizeof(T), tile}, shape, {});
  const std::vector<double>& expected = textbook(graph, c.semiring);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const double truth = expected[static_cast<std::size_t>(i * n + j)];
      // Infinite: no path, or the empty path of the bottleneck semirings.
      T want = i == j ? S::one() : S::zero();
      if (!std::isinf(truth)) want = static_cast<T>(truth);
      ASSERT_EQ(matrix[static_cast<std::size_t>(i * stride + j)], want)
          << "n " << n << ", row " << i << ", column " << j;
    }
    ASSERT_EQ(matrix[static_cast<std::size_t>(i * stride + n)], T(1)) << "outside the matrix";
  }
}

TEST_P(SolveConformance, AgreesWithTheTextbook) {
  const Case& c = GetParam();
  const BackEnd& back_end = back_ends()[c.back_end];
  back_end.select();
  const std::int64_t tile = back_end.tile;
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, tile - 1, tile,
                               tile + 1, 2 * tile + 3, 4 * tile - 3}) {
    if (c.kind == GraphKind::grid && n == 0) continue;
    const Graph graph = make_graph(c, n);
    semiring::dispatch(c.semiring, c.type, [&]<class S>() {
      expect_textbook<S>(c, back_end, graph, dense::Shape::full, tile);
      if (!graph.directed()) expect_textbook<S>(c, back_end, graph, dense::Shape::symmetric, tile);
    });
  }
}

/// As the solver runs them, which has looked for negative cycles before.
TEST_P(SolveConformance, AgreesWhereCyclesAreExcluded) {
  const Case& c = GetParam();
  const BackEnd& back_end = back_ends()[c.back_end];
  back_end.select();
  for (const std::int64_t n : {back_end.tile, 2 * back_end.tile + 3}) {
    const Graph graph = make_graph(c, n);
    semiring::dispatch(c.semiring, c.type, [&]<class S>() {
      expect_textbook<S>(c, back_end, graph,
                         graph.directed() ? dense::Shape::full : dense::Shape::symmetric,
                         back_end.tile, kernels::Cycles::excluded);
    });
  }
}

/// Every entry that an intermediate vertex improved is the product of its two parts; the others are
/// what they were.
template <class S>
void expect_via(const Case& c, const BackEnd& back_end, const Graph& graph, dense::Shape shape,
                std::int64_t tile) {
  using T = typename S::Value;
  const std::int64_t n = graph.vertex_count();
  std::vector<T> weights(static_cast<std::size_t>(n * n + 1));
  graph::fill_adjacency_matrix(graph, c.semiring, c.type, {weights.data(), n, n, n}, 1);
  std::vector<T> values = weights;
  std::vector<std::int32_t> via(weights.size(), kernels::kNoVia);
  back_end.floyd_warshall(c.semiring, c.type,
                          c.negative ? kernels::Sign::any : kernels::Sign::non_negative,
                          kernels::Cycles::possible, {{values.data(), n, n, n}, sizeof(T), tile},
                          shape, {{via.data(), n, n, n}, sizeof(std::int32_t), tile});
  const auto at = [&](std::int64_t i, std::int64_t j) {
    return static_cast<std::size_t>(i * n + j);
  };
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const std::int64_t k = via[at(i, j)];
      ASSERT_TRUE(k == kernels::kNoVia || (k >= 0 && k < n)) << k;
      const T parts =
          k == kernels::kNoVia ? weights[at(i, j)] : S::times(values[at(i, k)], values[at(k, j)]);
      ASSERT_EQ(parts, values[at(i, j)]) << "n " << n << ", " << i << " to " << j << " via " << k;
    }
  }
}

class ViaConformance : public SolveConformance {};

TEST_P(ViaConformance, ViaSplitsEveryDistance) {
  const Case& c = GetParam();
  const BackEnd& back_end = back_ends()[c.back_end];
  back_end.select();
  const std::int64_t tile = back_end.tile;
  for (const std::int64_t n : {std::int64_t{1}, tile, 2 * tile + 3, 4 * tile - 3}) {
    const Graph graph = make_graph(c, n);
    semiring::dispatch(c.semiring, c.type, [&]<class S>() {
      expect_via<S>(c, back_end, graph,
                    graph.directed() ? dense::Shape::full : dense::Shape::symmetric, tile);
    });
  }
}

/// Devices solve small matrices as one tile, in a way of their own.
TEST_P(SolveConformance, OneTileOfAnySize) {
  const Case& c = GetParam();
  const BackEnd& back_end = back_ends()[c.back_end];
  back_end.select();
  for (const std::int64_t n : {1, 63, 64, 65, 130, 200, 321}) {
    const std::int64_t tile = (n + back_end.tile - 1) / back_end.tile * back_end.tile;
    const Graph graph = make_graph(c, n);
    const dense::Shape shape = graph.directed() ? dense::Shape::full : dense::Shape::symmetric;
    semiring::dispatch(c.semiring, c.type, [&]<class S>() {
      expect_textbook<S>(c, back_end, graph, shape, tile);
      if (back_end.tracks_via) expect_via<S>(c, back_end, graph, shape, tile);
    });
  }
}

std::vector<Case> cases_with_via() {
  std::vector<Case> list = cases();
  std::erase_if(list, [](const Case& c) { return !back_ends()[c.back_end].tracks_via; });
  return list;
}

std::string word_of(const Case& c) {
  return case_word(back_ends()[c.back_end].name, c.semiring, c.type,
                   "_" + std::string(name(c.kind)) + (c.negative ? "_negative" : ""));
}

std::string case_name(const testing::TestParamInfo<Case>& each) { return word_of(each.param); }

void PrintTo(const Case& c, std::ostream* out) { *out << word_of(c); }

INSTANTIATE_TEST_SUITE_P(Driver, SolveConformance, testing::ValuesIn(cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Driver, ViaConformance, testing::ValuesIn(cases_with_via()), case_name);

}  // namespace
}  // namespace apsp::conformance::solve_conformance_test
