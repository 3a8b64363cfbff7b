// Statistics of a distance matrix in one pass over its rows, without keeping the matrix.
//
// A sink of rows (flow/row_sink.hpp): each thread that brings rows counts by itself, and what they
// counted is added up at the end. Counts, minima and maxima are exact in any order, sums hold every
// digit (column_sums.hpp), and of equal candidates for diameter and radius the first row wins: the
// result depends neither on the order of rows nor on the number of threads.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <apsp/statistics.hpp>
#include <memory>
#include <optional>
#include <span>

#include "base/byte_stream.hpp"
#include "flow/row_sink.hpp"
#include "store/store.hpp"

namespace apsp::statistics {

class StatisticsPass final : public flow::RowSink {
 public:
  /// `greatest_possible`: no distance's magnitude exceeds it. It only saves counters: a larger
  /// distance is still counted, in a coarser cell (histogram_bins.hpp). `selection`: whose rows
  /// come, and whose columns they have.
  StatisticsPass(const Graph& graph, Semiring semiring, ValueType type, double greatest_possible,
                 const store::Selection& selection = {});
  ~StatisticsPass() override;

  flow::RowPreference preference() const override;
  flow::RowTask task() const override { return {"statistics"}; }
  /// What was counted so far, for another process, and what another one counted of other rows.
  /// Require: no row is coming; `finish` has not been called.
  base::ByteVector found() const;
  void add_found(std::span<const std::byte> found);
  /// Requires: `finish` has ended. Once.
  Statistics statistics() { return std::move(found_); }

 private:
  struct State;

  void accept(const RowBlock& block) override;
  void complete() override;

  std::unique_ptr<State> state_;
  Statistics found_;
};

/// The same over a store, in bands of tiles, which are read where it is not in memory.
/// `greatest_possible`: as above; empty: not known. Throws `Error`: input, interrupted, the store's
/// own.
Statistics statistics(const store::Store& store, const Graph& graph, const Control& control,
                      int threads, std::optional<double> greatest_possible = {});

}  // namespace apsp::statistics
