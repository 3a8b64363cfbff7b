// The random graphs that benchmarks solve, and the check of the results. No matrix is stored: an
// arc depends only on the seed, its tail and its head, so threads and processes fill their parts.
//
// Shortest paths: an arc for seven of eight ordered pairs, or for all; weights are whole numbers up
// to 2^22 (2^13 for u16), which every value type adds exactly. Shortest paths then have some ln n
// arcs, so every step of Floyd-Warshall counts. `check` compares
//   - rows of eight sources s with Bellman's equations: d(v) = min over u of d(u) + w(u, v), d(s) =
//     0. Weights are positive, so the equations have one solution, the distances. O(n²) for all
//     rows, and no code is shared with an engine;
//   - a million random triples: d(i, j) ≤ d(i, k) + d(k, j), d(i, j) ≤ w(i, j), d(i, i) = 0;
//   - with intermediate vertices, a million random pairs: via splits the distance exactly, or the
//     arc is as short.
//
// Reachability (or-and): two random arcs from each vertex; rows of 64 sources are compared with
// breadth-first searches.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/contract.hpp"
#include "program/random_words.hpp"
#include "semiring/semirings.hpp"

namespace apsp::bench {

/// Whether a result is right, and how much of it was compared.
struct Verdict {
  bool correct = true;
  std::int64_t entries = 0;
  std::string error{};  ///< why there is no result; empty: there is one

  void add(const Verdict& other) {
    correct = correct && other.correct;
    entries += other.entries;
  }
};

/// Calls f.template operator()<S>() with S = MinPlus<float>, …: all sums that are measured.
template <class F>
void with_sums(ValueType type, F&& f) {
  switch (type) {
    case ValueType::f64:
      return f.template operator()<semiring::MinPlus<double>>();
    case ValueType::i32:
      return f.template operator()<semiring::MinPlus<std::int32_t>>();
    case ValueType::u16:
      return f.template operator()<semiring::MinPlus<std::uint16_t>>();
    default:
      return f.template operator()<semiring::MinPlus<float>>();
  }
}

struct RandomGraphOptions {
  Semiring semiring = Semiring::min_plus;  ///< or or_and
  ValueType type = ValueType::f32;
  std::int64_t n = 0;
  std::uint64_t seed = 1;
  bool symmetric = false;
  bool complete = false;  ///< an arc for every pair
  bool bits = false;      ///< or-and: matrices of words of 32 columns instead of bytes
};

class RandomGraph {
 public:
  explicit RandomGraph(const RandomGraphOptions& options);

  std::int64_t n() const { return options_.n; }
  /// The sum of two weights of this size is a value of the type.
  static std::int64_t greatest(ValueType type) {
    return std::int64_t{1} << (type == ValueType::u16 ? 13 : 22);
  }
  /// The weight of the arc (u, v), u ≠ v; a value above `greatest` if there is none.
  std::int32_t weight(std::int64_t u, std::int64_t v) const;

  /// values ← entries [col, col + count) of a row of the weights. T: the value type. Min-plus only.
  template <class T>
  void fill_row(std::int64_t row, std::int64_t col, std::int64_t count, T* values) const {
    for (std::int64_t j = 0; j < count; ++j) {
      const std::int32_t w = row == col + j ? 0 : weight(row, col + j);
      values[j] = w > greatest(options_.type) ? semiring::MinPlus<T>::zero() : static_cast<T>(w);
    }
  }
  /// matrix ← the input of Floyd-Warshall.
  void fill(kernels::View matrix, int threads) const;
  /// `via`: not tracked if it has no data.
  Verdict check(kernels::ConstView solved, kernels::ConstView via, int threads) const;
  /// The sources whose rows `check` compares.
  std::vector<std::int64_t> sources() const;
  /// `rows`: [sources().size(), n] of a solved matrix, in the value type. Min-plus only.
  Verdict check_rows(kernels::ConstView rows, int threads) const;

 private:
  template <class T>
  Verdict check_triples(kernels::ConstView solved, kernels::ConstView via, int threads) const;
  Verdict check_reach(kernels::ConstView solved, int threads) const;
  std::int32_t weight_of(std::uint32_t word) const;

  RandomGraphOptions options_;
  RandomWords random_;
  std::vector<std::int64_t> heads_;  // [n, 2], or-and
};

}  // namespace apsp::bench
