// Statistics of a distance matrix in one pass over its rows, without keeping the matrix.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <memory>
#include <optional>

#include "store/store.hpp"

namespace apsp::query {

class StatisticsPass {
 public:
  /// `greatest_possible`: no distance's magnitude exceeds it. It only saves counters: a larger
  /// distance is still counted, in a coarser cell (value_cells.hpp).
  StatisticsPass(const Graph& graph, Semiring semiring, ValueType type, double greatest_possible,
                 int threads);
  ~StatisticsPass();

  /// Rows [first_row, first_row + rows) of the matrix, each of n values of `type`, `stride` values
  /// apart. Every row once, in any order; uses `threads` threads inside; one call at a time.
  void add_rows(std::int64_t first_row, std::int64_t rows, const void* values, std::int64_t stride);

  Statistics finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The same over a store, in bands of tiles, which are read where it does not rest in memory.
/// `greatest_possible`: as above; empty: not known. Throws `Error`: input, interrupted, the store's
/// own.
Statistics statistics(const store::Store& store, const Graph& graph, const Control& control,
                      int threads, std::optional<double> greatest_possible = {});

}  // namespace apsp::query
