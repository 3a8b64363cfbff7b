// The random graphs that `apsp bench` solves, and the answer that it holds the result against.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/contract.hpp"
#include "program/benchmark.hpp"

namespace apsp::bench {

/// An undirected random graph: every pair joined with a weight from 1 to 100, exact in every value
/// type; for or-and, some three edges a vertex. No matrix: any weight is computed when asked for.
class BenchmarkGraph {
 public:
  BenchmarkGraph(Semiring semiring, std::int64_t n, std::uint64_t seed)
      : semiring_(semiring), n_(n), seed_(seed) {}

  std::int64_t n() const { return n_; }
  /// The weight of the edge {u, v}, u ≠ v; infinity if there is none.
  double weight(std::int64_t u, std::int64_t v) const;

  /// matrix [n, n] ← what Floyd-Warshall starts from. Rows in parallel.
  void fill(kernels::View matrix, ValueType type, int threads) const;
  /// Whether row `source` of a solved matrix is right in every value. O(n²), by Dijkstra's
  /// algorithm, nothing shared with the engine.
  bool is_solution(kernels::ConstView matrix, ValueType type, std::int64_t source) const;

 private:
  std::vector<double> distances_from(std::int64_t source) const;

  Semiring semiring_;
  std::int64_t n_;
  std::uint64_t seed_;
};

}  // namespace apsp::bench
