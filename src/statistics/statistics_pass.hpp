// Statistics of a distance matrix in one pass over its rows, without storing it. Each thread counts
// by itself. Exact sums (column_sums.hpp), and ties that go to the first row, make the result
// independent of the order of rows and of the threads.
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
  /// `greatest_possible`: a bound of magnitudes. It only saves counters: larger distances are
  /// counted in coarser bins (histogram_bins.hpp).
  StatisticsPass(const Graph& graph, Semiring semiring, ValueType type, double greatest_possible,
                 const store::Selection& selection = {});
  ~StatisticsPass() override;

  flow::RowPreference preference() const override;
  flow::RowTask task() const override { return {"statistics"}; }
  /// Exchange counts with a process that has other rows. Require: no `take` runs, no `finish` yet.
  base::ByteVector found() const;
  void add_found(std::span<const std::byte> found);
  /// Called once, after `finish`.
  Statistics statistics() { return std::move(found_); }

 private:
  struct State;

  void accept(const RowBlock& block) override;
  void complete() override;

  std::unique_ptr<State> state_;
  Statistics found_;
};

/// Reads a store that is not in memory band by band. `greatest_possible`: as above, if known.
/// Throws `Error`: input, interrupted, and the store's.
Statistics statistics(const store::Store& store, const Graph& graph, const Control& control,
                      int threads, std::optional<double> greatest_possible = {});

}  // namespace apsp::statistics
