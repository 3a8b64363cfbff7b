#include "dense/transitive_closure.hpp"

#include <apsp/graph.hpp>

#include "dense/host_memory.hpp"
#include "graph/adjacency_matrix.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "support/recorded_progress.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::dense::transitive_closure_test {
namespace {

constexpr std::uint8_t kMargin = 77;

Graph random_graph(std::int64_t n, double probability, bool directed) {
  return generate({.kind = GraphKind::gnp,
                   .vertices = n,
                   .probability = probability,
                   .directed = directed,
                   .seed = static_cast<std::uint64_t>(n) + 3});
}

/// A matrix of bytes with a margin of 5 columns.
struct Reach {
  explicit Reach(std::int64_t n_)
      : n(n_), values(static_cast<std::size_t>(n * (n + 5) + 1), kMargin) {}
  kernels::View tile() { return {values.data(), n, n, n + 5}; }
  std::uint8_t at(std::int64_t i, std::int64_t j) const {
    return values[static_cast<std::size_t>(i * (n + 5) + j)];
  }
  std::int64_t n;
  std::vector<std::uint8_t> values;
};

/// reach ← the closure of a graph, or of a matrix of bytes.
template <class Arcs>
void transitive_closure(const Arcs& arcs, kernels::View reach, int threads,
                        const Control& control = {}) {
  unpack(*reachable_bits(arcs, threads, control), reach, threads, control);
}

void expect_truth(const Graph& graph, const Reach& reach) {
  const std::vector<double> expected = verifier::floyd_warshall(graph, Semiring::or_and);
  for (std::int64_t i = 0; i < reach.n; ++i) {
    for (std::int64_t j = 0; j < reach.n + 5; ++j) {
      const double truth = j < reach.n ? expected[static_cast<std::size_t>(i * reach.n + j)] : 77;
      ASSERT_EQ(reach.at(i, j), truth) << "n " << reach.n << ", row " << i << ", column " << j;
    }
  }
}

TEST(TransitiveClosure, AgreesWithTheTextbook) {
  for (const std::string& set : kernels::cpu::instruction_sets()) {
    kernels::cpu::force_instruction_set(set);
    for (const std::int64_t n : {0, 1, 63, 64, 65, 127, 128, 129, 191, 200, 257}) {
      for (const double probability : {0.001, 0.01, 0.05, 0.5, 1.0}) {
        for (const bool directed : {false, true}) {
          const Graph graph = random_graph(n, probability, directed);
          Reach reach(n);
          transitive_closure(graph, reach.tile(), 1 + static_cast<int>(n % 3));
          expect_truth(graph, reach);
        }
      }
    }
  }
  kernels::cpu::force_instruction_set(std::nullopt);
}

/// Several strips, ragged: too many for the textbook, so against the byte kernels.
TEST(TransitiveClosure, ManyStripsAgreeWithTheByteKernels) {
  const auto bytes =
      kernels::cpu::operations(Semiring::or_and, ValueType::boolean, kernels::Sign::non_negative);
  for (const std::int64_t n : {511, 512, 513, 1024, 1100, 2049, 2700}) {
    for (const double arcs_a_vertex : {0.9, 1.3, 3.0}) {
      const Graph graph = random_graph(n, arcs_a_vertex / static_cast<double>(n), true);
      Reach expected(n);
      graph::fill_adjacency_matrix(graph, Semiring::or_and, ValueType::boolean, expected.tile(), 2);
      Reach in_place = expected;
      HostMemory({expected.tile(), 1, 192}, Shape::full, bytes, kernels::Cycles::excluded, 2, {})
          .run();
      for (const int threads : {1, 2, 3}) {
        Reach reach(n);
        transitive_closure(graph, reach.tile(), threads);
        ASSERT_EQ(reach.values, expected.values) << n << " " << threads;
      }
      transitive_closure(in_place.tile(), in_place.tile(), 2);
      ASSERT_EQ(in_place.values, expected.values) << n;
    }
  }
}

TEST(TransitiveClosure, ALongPathAndARingAreWalkedToTheEnd) {
  constexpr std::int64_t kN = 1500;
  for (const bool ring : {false, true}) {
    GraphBuilder builder(kN);
    for (Vertex v = 1; v < kN; ++v) builder.add_edge(v, v - 1);
    if (ring) builder.add_edge(0, kN - 1);
    const Graph graph = std::move(builder).build();
    Reach reach(kN);
    transitive_closure(graph, reach.tile(), 2);
    for (std::int64_t i = 0; i < kN; ++i) {
      for (std::int64_t j = 0; j < kN; ++j) ASSERT_EQ(reach.at(i, j), ring || j <= i);
    }
  }
}

TEST(TransitiveClosure, EveryByteThatIsNotZeroIsAnArc) {
  std::vector<std::uint8_t> values = {0, 2, 0,  //
                                      0, 0, 255, 0, 0, 0};
  const kernels::View matrix{values.data(), 3, 3, 3};
  transitive_closure(matrix, matrix, 2);
  EXPECT_EQ(values, (std::vector<std::uint8_t>{1, 1, 1, 0, 1, 1, 0, 0, 1}));
}

TEST(TransitiveClosure, ReportsProgressToTheEndAndStopsOnTheWay) {
  const Graph graph = random_graph(1700, 0.001, true);
  Reach reach(1700);
  RecordedProgress to_the_end;
  transitive_closure(graph, reach.tile(), 2, {&to_the_end, nullptr});
  EXPECT_DOUBLE_EQ(to_the_end.done, to_the_end.total);

  RecordedProgress stopping;
  stopping.cancel_when = [&] { return stopping.done > 0.33 * stopping.total; };
  EXPECT_THROW(transitive_closure(graph, reach.tile(), 2, {&stopping, &stopping.cancellation}),
               Error);
  EXPECT_LT(stopping.done, 0.9 * stopping.total);
}

TEST(TransitiveClosure, EndsWithWhatTheProgressThrowsOnEveryThreadCount) {
  const Graph graph = random_graph(1700, 0.001, true);
  Reach reach(1700);
  for (const int threads : {1, 2, 3, 8}) {
    RecordedProgress thrower;
    thrower.cancel_when = []() -> bool { throw std::runtime_error("progress"); };
    EXPECT_THROW(transitive_closure(graph, reach.tile(), threads, {&thrower, nullptr}),
                 std::runtime_error);
  }
}

}  // namespace
}  // namespace apsp::dense::transitive_closure_test
