// Statistics of distances that come by target vertex. The result is that of `StatisticsPass` to the
// last bit, for any blocks, order and threads.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <apsp/statistics.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/byte_stream.hpp"
#include "flow/column_sink.hpp"
#include "store/selection.hpp"

namespace apsp::statistics {

class ColumnStatistics final : public flow::ColumnSink {
 public:
  /// `greatest_possible`: see `StatisticsPass`. Requires: no selection with `pairs_once`.
  ColumnStatistics(const Graph& graph, Semiring semiring, ValueType type, double greatest_possible,
                   bool pairs_once, const store::Selection& selection = {});
  ~ColumnStatistics() override;

  bool pairs_once() const override;
  Writer& part() override;
  std::int64_t count_limit() const override;
  bool takes_binned() const override;
  std::span<const std::uint8_t> component() const override;
  void take_counted(const flow::CountedDistances& counted) override;
  /// Exchange counts with a process that has other sources. Require: no block is open.
  base::ByteVector found() const;
  void add_found(std::span<const std::byte> found);
  /// Called once, after all blocks.
  Statistics statistics();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace apsp::statistics
