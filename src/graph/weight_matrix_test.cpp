// Copies of a file's matrix equal its arcs.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.hpp"
#include "graph/adjacency_matrix.hpp"

namespace apsp::graph {
namespace {

/// Entries from −3 to 96 (from 1 for unsigned types); every eighth is no arc.
template <class T>
WeightMatrix random_matrix(ValueType type, std::int64_t n, bool by_columns) {
  base::SplitMix64 random(static_cast<std::uint64_t>(n) + 1);
  auto values = std::make_shared<std::vector<T>>(static_cast<std::size_t>(n * n));
  for (T& value : *values) {
    const auto whole = static_cast<double>(random.below(100)) - (std::is_signed_v<T> ? 3 : -1);
    value = random.below(8) == 0 ? WeightMatrix::no_arc<T>() : static_cast<T>(whole);
  }
  WeightMatrix matrix;
  matrix.type = type;
  matrix.n = n;
  matrix.by_columns = by_columns;
  matrix.data = values->data();
  matrix.owner = values;
  return matrix;
}

Graph listed(const Graph& graph) {
  GraphBuilder builder(graph.vertex_count());
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    graph.for_each_arc(v, [&](Vertex to, double weight) { builder.add_edge(v, to, weight); });
  }
  return std::move(builder).build();
}

/// Parts of a 2 × 3 grid with tiles of side 5, joined again.
template <class T>
std::vector<T> copied_by_parts(const WeightMatrix& weights, Semiring semiring, ValueType type,
                               std::int64_t stride) {
  std::vector<T> whole(static_cast<std::size_t>(weights.n * stride), T(7));
  const auto distribution = [&](std::int64_t rank, std::int64_t size) {
    std::vector<Stretch> stretches;
    std::int64_t here = 0;
    for (std::int64_t there = 5 * rank; there < weights.n; there += 5 * size) {
      stretches.push_back({here, there, std::min<std::int64_t>(5, weights.n - there)});
      here += stretches.back().count;
    }
    return stretches;
  };
  for (const std::int64_t row : {0, 1}) {
    for (const std::int64_t col : {0, 1, 2}) {
      const std::vector<Stretch> rows = distribution(row, 2), columns = distribution(col, 3);
      std::vector<T> part(whole.size(), T(9));
      copy_weight_part(weights, semiring, type, rows, columns,
                       {part.data(), weights.n, weights.n, stride}, 2, {});
      for (const Stretch& down : rows) {
        for (const Stretch& across : columns) {
          for (std::int64_t i = 0; i < down.count; ++i) {
            std::copy_n(part.begin() + (down.here + i) * stride + across.here, across.count,
                        whole.begin() + (down.there + i) * stride + across.there);
          }
        }
      }
    }
  }
  return whole;
}

template <class T>
void expect_copied(const WeightMatrix& weights, Semiring semiring, ValueType type) {
  GraphBuilder builder(weights.n);
  builder.set_matrix(weights);
  const Graph graph = std::move(builder).build();
  if (!supported(semiring, type)) return;
  ASSERT_EQ(graph.matrix() != nullptr, graph.arc_count() > 0);  // n = 1 may hold no arc
  const std::int64_t stride = weights.n + 5;
  std::vector<T> copied(static_cast<std::size_t>(weights.n * stride), T(7)), filled = copied;
  fill_adjacency_matrix(graph, semiring, type, {copied.data(), weights.n, weights.n, stride}, 2);
  fill_adjacency_matrix(listed(graph), semiring, type,
                        {filled.data(), weights.n, weights.n, stride}, 2);
  EXPECT_EQ(copied, filled) << name(semiring) << " " << name(type) << " of " << name(weights.type)
                            << " n=" << weights.n << (weights.by_columns ? " by columns" : "");
  EXPECT_EQ(copied_by_parts<T>(weights, semiring, type, stride), copied)
      << name(semiring) << " by parts, n=" << weights.n;
  for (const Graph& held : {graph, listed(graph)}) {
    std::vector<T> pieces(copied.size(), T(7));
    constexpr std::int64_t kRows = 13;
    for (std::int64_t first = 0; first < weights.n; first += kRows) {
      fill_adjacency_rows(
          held, semiring, type, first,
          {pieces.data() + first * stride, std::min(kRows, weights.n - first), weights.n, stride},
          2);
    }
    EXPECT_EQ(pieces, copied) << "n=" << weights.n << " row by row";
  }
}

TEST(WeightMatrix, CopiedIsFilledArcByArc) {
  for (const std::int64_t n : {1, 2, 63, 64, 65, 200}) {
    for (const bool by_columns : {false, true}) {
      for (const WeightMatrix& weights :
           {random_matrix<float>(ValueType::f32, n, by_columns),
            random_matrix<double>(ValueType::f64, n, by_columns),
            random_matrix<std::int32_t>(ValueType::i32, n, by_columns),
            random_matrix<std::uint16_t>(ValueType::u16, n, by_columns)}) {
        for (const Semiring semiring : all_semirings()) {
          expect_copied<float>(weights, semiring, ValueType::f32);
          expect_copied<double>(weights, semiring, ValueType::f64);
          expect_copied<std::int32_t>(weights, semiring, ValueType::i32);
          if (weights.type == ValueType::u16) {
            expect_copied<std::uint16_t>(weights, semiring, ValueType::u16);
          }
          expect_copied<std::uint8_t>(weights, semiring, ValueType::boolean);
        }
      }
    }
  }
}

TEST(WeightMatrix, WeightsBeyondTheTypeAreNoArcs) {
  WeightMatrix weights = random_matrix<std::int32_t>(ValueType::i32, 65, false);
  auto values = std::make_shared<std::vector<std::int32_t>>(
      static_cast<const std::int32_t*>(weights.data),
      static_cast<const std::int32_t*>(weights.data) + 65 * 65);
  for (std::int32_t& value : *values) value = std::max(1, value);
  (*values)[1] = 65536 + 7;  // would wrap to 7
  (*values)[2] = 32767;
  (*values)[3] = 32766;
  weights.data = values->data();
  weights.owner = values;
  expect_copied<std::uint16_t>(weights, Semiring::min_plus, ValueType::u16);
  std::vector<std::uint16_t> copied(65 * 65);
  copy_weight_matrix(weights, Semiring::min_plus, ValueType::u16, {copied.data(), 65, 65, 65}, 1,
                     {});
  EXPECT_EQ(copied[1], 32767);
  EXPECT_EQ(copied[2], 32767);
  EXPECT_EQ(copied[3], 32766);
}

}  // namespace
}  // namespace apsp::graph
