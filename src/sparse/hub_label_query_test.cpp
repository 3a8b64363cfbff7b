// Distances of pairs from labels, against the textbook and against queries of one pair.
#include "sparse/hub_label_query.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <mutex>
#include <string>

#include "base/random.hpp"
#include "semiring/dispatch.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/factor_query.hpp"
#include "support/error_of.hpp"
#include "support/random_graph.hpp"
#include "support/textbook.hpp"
#include "support/types_of.hpp"

namespace apsp::sparse {
namespace {

Factor labelled_factor(const Graph& graph, Semiring semiring, ValueType type) {
  const Pattern pattern = pattern_of(graph);
  return eliminate(graph, std::make_shared<const Tree>(pattern, nested_dissection(pattern)),
                   {semiring, type, kernels::Sign::any, kernels::Cycles::possible, 1, {}});
}

std::vector<VertexPair> all_pairs(std::int64_t n) {
  std::vector<VertexPair> pairs;
  for (Vertex s = 0; s < n; ++s) {
    for (Vertex t = 0; t < n; ++t) pairs.push_back({s, t});
  }
  return pairs;
}

struct Memory {
  std::int64_t bytes = std::numeric_limits<std::int64_t>::max();
  int threads = 1;
};

/// [pairs]; each must come once.
template <class S>
std::vector<typename S::Value> asked(const Factor& factor, std::span<const VertexPair> pairs,
                                     Memory memory, std::size_t* runs = nullptr) {
  using T = typename S::Value;
  const LabelPlan plan(factor.tree(), factor.type(), factor.symmetric(), pairs);
  const std::vector<SupernodeRun> cut = plan.runs(memory.bytes);
  if (runs != nullptr) *runs = cut.size();
  std::vector<T> found(pairs.size());
  std::vector<int> times(pairs.size());
  std::mutex mutex;
  distances_by_labels(
      factor, kernels::Sign::any, pairs, plan, cut, memory.threads, {},
      [&](std::size_t first, std::span<const std::uint32_t> numbers, const void* values) {
        const std::lock_guard lock(mutex);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          found[first + numbers[i]] = static_cast<const T*>(values)[i];
          ++times[first + numbers[i]];
        }
      });
  EXPECT_EQ(times, std::vector<int>(pairs.size(), 1));
  return found;
}

void expect_textbook(const Graph& graph, Semiring semiring, ValueType type) {
  const Factor factor = labelled_factor(graph, semiring, type);
  const std::vector<double> expected = verifier::floyd_warshall(graph, semiring);
  const double none = semiring == Semiring::or_and ? 0 : no_path(semiring, ValueType::f64);
  const std::vector<VertexPair> pairs = all_pairs(graph.vertex_count());
  semiring::dispatch(semiring, type, [&]<class S>() {
    const auto found = asked<S>(factor, pairs, {});
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (pairs[i].from == pairs[i].to) {
        ASSERT_EQ(found[i], S::one());
        continue;
      }
      ASSERT_EQ(found[i] == S::zero() ? none : static_cast<double>(found[i]), expected[i])
          << name(semiring) << " " << name(type) << " " << pairs[i].from << " to " << pairs[i].to;
    }
  });
}

TEST(LabelledPairs, HaveTheDistancesOfTheTextbookInEverySemiringAndType) {
  std::uint64_t seed = 0;
  for (const Semiring semiring : all_semirings()) {
    for (const ValueType type : types_of(semiring)) {
      for (const bool directed : {false, true}) {
        if (semiring == Semiring::max_plus && !directed) continue;  // longest paths need no cycle
        for (const std::int64_t n : {1, 2, 17, 90}) {
          for (const std::int64_t arcs : {n / 2, n * 2, n * 6}) {
            expect_textbook(random_graph({.n = n,
                                          .arcs = arcs,
                                          .least = 1,
                                          .greatest = 30,
                                          .directed = directed,
                                          .acyclic = semiring == Semiring::max_plus,
                                          .seed = ++seed}),
                            semiring, type);
          }
        }
      }
    }
  }
}

TEST(LabelledPairs, TakeNegativeWeights) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    for (const ValueType type : {ValueType::i32, ValueType::f64}) {
      expect_textbook(random_graph({.n = 90, .arcs = 300, .potential = 40, .seed = seed}),
                      Semiring::min_plus, type);
    }
  }
}

constexpr Vertex kBranching = 450;

/// A tree: paths to the root of its elimination are short, so that labels of many runs fit a small
/// memory.
Graph branching(bool directed) {
  base::SplitMix64 random(3);
  GraphBuilder builder(kBranching, directed);
  for (Vertex v = 1; v < kBranching; ++v) {
    builder.add_edge(v, (v - 1) / 3, 0.1 + random.uniform());
    if (directed) builder.add_edge((v - 1) / 3, v, 0.1 + random.uniform());
  }
  return std::move(builder).build();
}

std::int64_t bytes_of(double bytes) { return static_cast<std::int64_t>(bytes); }

TEST(LabelledPairs, AreTheSameBitsInAnyMemoryAndWithThreads) {
  for (const bool directed : {false, true}) {
    const Graph graph = branching(directed);
    const Factor factor = labelled_factor(graph, Semiring::min_plus, ValueType::f32);
    const std::vector<VertexPair> pairs = all_pairs(kBranching);
    using S = semiring::MinPlus<float>;
    const std::vector<float> whole = asked<S>(factor, pairs, {});
    FactorQuery query(factor);
    for (std::size_t i = 0; i < pairs.size(); i += 97) {
      float value = 0;
      query.distance(pairs[i].from, pairs[i].to, &value);
      if (value < std::numeric_limits<float>::infinity()) {
        ASSERT_NEAR(whole[i], value, 1e-4);
      } else {
        ASSERT_EQ(whole[i], value);
      }
    }
    const LabelPlan plan(factor.tree(), factor.type(), factor.symmetric(), pairs);
    std::size_t most = 0;
    for (double bytes = 1.1 * plan.bytes(); most < 8 && !plan.runs(bytes_of(bytes)).empty();
         bytes *= 0.7) {
      std::size_t runs = 0;
      ASSERT_EQ(asked<S>(factor, pairs, {bytes_of(bytes), 2}, &runs), whole) << bytes;
      most = std::max(most, runs);
    }
    EXPECT_GT(most, 2U);
  }
}

TEST(LabelledPairs, NeedLabelsOnlyOfTheirEndsAndAbove) {
  const Graph graph = random_graph({.n = 300, .arcs = 450, .directed = false});
  const Factor factor = labelled_factor(graph, Semiring::min_plus, ValueType::i32);
  const std::vector<VertexPair> few = {{3, 9}, {3, 200}, {17, 17}}, none;
  const auto plan = [&](std::span<const VertexPair> pairs) {
    return LabelPlan(factor.tree(), ValueType::i32, true, pairs);
  };
  EXPECT_LT(plan(few).bytes(), plan(all_pairs(300)).bytes() / 2);
  EXPECT_EQ(plan(none).bytes(), 0);
  EXPECT_TRUE(plan(few).runs(1000).empty());
  using S = semiring::MinPlus<std::int32_t>;
  const std::vector<std::int32_t> found = asked<S>(factor, few, {});
  FactorQuery query(factor);
  for (std::size_t i = 0; i < few.size(); ++i) {
    std::int32_t value = 0;
    query.distance(few[i].from, few[i].to, &value);
    EXPECT_EQ(found[i], value);
  }
  EXPECT_TRUE(asked<S>(factor, none, {}).empty());
}

TEST(LabelledPairs, EndWhenTheCallerAsks) {
  const Graph graph = random_graph({.n = 300, .arcs = 450});
  const Factor factor = labelled_factor(graph, Semiring::min_plus, ValueType::i32);
  const std::vector<VertexPair> pairs = all_pairs(300);
  const LabelPlan plan(factor.tree(), factor.type(), factor.symmetric(), pairs);
  Cancellation cancellation;
  cancellation.request();
  EXPECT_ERROR(interrupted, distances_by_labels(
                                factor, kernels::Sign::any, pairs, plan,
                                plan.runs(std::int64_t{1} << 40), 2, {nullptr, &cancellation},
                                [](std::size_t, std::span<const std::uint32_t>, const void*) {}));
  const std::vector<VertexPair> few = {{3, 9}, {3, 200}};  // more need no look at each
  EXPECT_ERROR(interrupted, LabelPlan(factor.tree(), factor.type(), factor.symmetric(), few,
                                      {nullptr, &cancellation}));
}

}  // namespace
}  // namespace apsp::sparse
