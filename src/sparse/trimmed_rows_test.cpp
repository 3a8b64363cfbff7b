// Trimmed graphs: what is left, and rows of distances against the textbook.
#include "sparse/trimmed_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "semiring/dispatch.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/order.hpp"
#include "support/expected_rows.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"

namespace apsp::sparse {
namespace {

struct How {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::i32;
};

TrimmedRows rows_of(const Graph& graph, const How& how) {
  const Trim cut = trim(graph);
  const Pattern pattern = pattern_of(cut.core_graph);
  auto tree = std::make_shared<const Tree>(pattern, nested_dissection(pattern));
  Factor factor =
      eliminate(cut.core_graph, std::move(tree),
                {how.semiring, how.type, kernels::Sign::any, kernels::Cycles::possible, 1, {}});
  return TrimmedRows(cut, std::move(factor), kernels::Sign::any);
}

std::vector<double> expected_rows(const Graph& graph, const How& how) {
  return apsp::expected_rows(graph, how.semiring, how.type);
}

template <class S>
double as_double(typename S::Value value) {
  const double no_path = S::kKind == Semiring::or_and ? 0 : apsp::no_path(S::kKind, ValueType::f64);
  return value == S::zero() ? no_path : static_cast<double>(value);
}

/// Blocks of sources as `order()` has them, from place `first` on.
template <class F>
void for_each_block(const TrimmedRows& rows, std::int64_t width, F&& visit) {
  for (std::int64_t first = 0; first < rows.vertices(); first += width) {
    visit(rows.order().subspan(static_cast<std::size_t>(first),
                               static_cast<std::size_t>(std::min(width, rows.vertices() - first))));
  }
}

void expect_right(const Graph& graph, const How& how, std::int64_t width) {
  const TrimmedRows rows = rows_of(graph, how);
  const std::int64_t n = rows.vertices(), stride = n + 5;
  std::vector<double> found(static_cast<std::size_t>(n * n), -77);
  semiring::dispatch(how.semiring, how.type, [&]<class S>() {
    using T = typename S::Value;
    std::vector<T> block(static_cast<std::size_t>(width * stride), T{1});
    const auto worker = rows.worker();
    for_each_block(rows, width, [&](std::span<const Vertex> sources) {
      worker->compute(sources, block.data(), stride);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        for (std::int64_t v = 0; v < n; ++v) {
          found[static_cast<std::size_t>(sources[i] * n + v)] = as_double<S>(
              block[i * static_cast<std::size_t>(stride) + static_cast<std::size_t>(v)]);
        }
      }
    });
  });
  EXPECT_EQ(found, expected_rows(graph, how)) << name(how.semiring) << " " << name(how.type);
}

TEST(Trim, LeavesVerticesWithArcsInAndOut) {
  // 0 → 1 → {2 ⇄ 3} → 4 → 5, 0 → 5, 6 alone, 7 with a loop.
  const Graph graph = graph_of(
      8, {{0, 1, 3}, {1, 2, 1}, {2, 3, 1}, {3, 2, 2}, {3, 4, 1}, {4, 5, 1}, {0, 5, 9}, {7, 7, 1}});
  const Trim found = trim(graph);
  EXPECT_EQ(found.starts, (std::vector<Vertex>{0, 1}));
  EXPECT_EQ(found.core, (std::vector<Vertex>{2, 3, 7}));
  EXPECT_EQ(std::set<Vertex>(found.ends.begin(), found.ends.end()), (std::set<Vertex>{4, 5, 6}));
  EXPECT_LT(std::find(found.ends.begin(), found.ends.end(), Vertex{4}),
            std::find(found.ends.begin(), found.ends.end(), Vertex{5}));
  EXPECT_EQ(found.core_graph.arc_count(), 3);
  EXPECT_EQ(found.starts_from_starts.weight, std::vector<double>{3});
  EXPECT_EQ(std::ssize(found.ends_from_starts.from), 1);
}

TEST(Trim, OrdersStartsAndEndsByTheirArcs) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Graph graph = random_graph({.n = 60, .arcs = 80, .seed = seed});
    const Trim found = trim(graph);
    EXPECT_EQ(found.vertices(), 60);
    std::vector<std::int64_t> place(60, -1);
    std::int64_t next = 0;
    for (const auto* list : {&found.starts, &found.core, &found.ends}) {
      for (const Vertex v : *list) place[v] = next++;
    }
    EXPECT_EQ(*std::min_element(place.begin(), place.end()), 0);
    const auto starts = std::ssize(found.starts), ends = starts + std::ssize(found.core);
    graph.visit_all([&](Vertex u, Vertex v, double) {
      const bool within = place[u] >= starts && place[u] < ends;
      if (!within || place[v] < starts || place[v] >= ends) {
        EXPECT_LT(place[u], place[v]);
      }
    });
  }
}

TEST(TrimmedRows, AreThoseOfTheTextbookInEverySemiringAndType) {
  std::uint64_t seed = 0;
  for (const Semiring semiring : all_semirings()) {
    for (const ValueType type : all_value_types()) {
      if (!supported(semiring, type)) continue;
      for (const std::int64_t n : {0, 1, 2, 30, 150}) {
        for (const std::int64_t arcs : {n / 2, n * 3 / 2, n * 4}) {
          const bool acyclic = semiring == Semiring::max_plus || seed % 3 == 0;
          expect_right(random_graph({.n = n,
                                     .arcs = arcs,
                                     .least = 1,
                                     .greatest = 30,
                                     .acyclic = acyclic,
                                     .seed = ++seed}),
                       {semiring, type}, 32);
        }
      }
    }
  }
}

TEST(TrimmedRows, OfBlocksOfAnyVertices) {
  for (const std::int64_t width : {1, 3, 17, 64, 128}) {
    expect_right(random_graph({.n = 400, .arcs = 600, .least = 1, .greatest = 30, .seed = 3}), {},
                 width);
  }
}

TEST(TrimmedRows, TakeNegativeWeights) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    expect_right(random_graph({.n = 90, .arcs = 150, .potential = 40, .seed = seed}), {}, 50);
  }
}

/// What is passed on, by vertex; what is not stays "no path".
class Collector final : public flow::ColumnSink::Writer {
 public:
  explicit Collector(std::int64_t n)
      : n_(n),
        found_(static_cast<std::size_t>(n * n), apsp::no_path(Semiring::min_plus, ValueType::f64)) {
  }
  void begin(std::span<const Vertex> sources) override { sources_ = sources; }
  void take(std::span<const Vertex> vertices, const void* values, std::int64_t lanes) override {
    using S = semiring::MinPlus<std::int32_t>;
    const auto* row = static_cast<const std::int32_t*>(values);
    for (const Vertex v : vertices) {
      for (std::size_t i = 0; i < sources_.size(); ++i) {
        found_[static_cast<std::size_t>(sources_[i] * n_ + v)] = as_double<S>(row[i]);
      }
      row += lanes;
    }
  }
  void end() override {}
  const std::vector<double>& found() const { return found_; }

 private:
  std::int64_t n_;
  std::vector<double> found_;
  std::span<const Vertex> sources_;
};

TEST(TrimmedRows, GiveColumnsOfWhatIsReachedAloneOrBesideRows) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Graph graph =
        random_graph({.n = 300, .arcs = 500, .least = 1, .greatest = 30, .seed = seed});
    const TrimmedRows rows = rows_of(graph, {});
    Collector collector(rows.vertices());
    const auto worker = rows.worker();
    for_each_block(rows, 100, [&](std::span<const Vertex> sources) {
      worker->compute_columns(sources, collector, false);
    });
    const std::vector<double> expected = expected_rows(graph, {});
    EXPECT_EQ(collector.found(), expected);

    Collector beside(rows.vertices());
    std::vector<std::int32_t> block(100 * 300);
    for_each_block(rows, 100, [&](std::span<const Vertex> sources) {
      worker->compute_both(sources, block.data(), 300, beside);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        for (std::size_t v = 0; v < 300; ++v) {
          const double value = as_double<semiring::MinPlus<std::int32_t>>(block[i * 300 + v]);
          ASSERT_EQ(value, expected[sources[i] * 300 + v]);
        }
      }
    });
    EXPECT_EQ(beside.found(), expected);
  }
}

}  // namespace
}  // namespace apsp::sparse
