// Statistics of distances that come vertex by vertex, as a sweep over a sparse factor brings them:
// of each vertex a row of distances from a block of sources, side by side.
//
// The result is the one that `StatisticsPass` has for the same distances, to the last bit, in any
// order, cut into any blocks among any number of threads.
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

class SweptStatistics final : public flow::ColumnSink {
 public:
  /// `greatest_possible`: as for `StatisticsPass`. The distance of a vertex to itself, where it
  /// comes, is left out. `selection`: which sources and which vertices come, if not all. Requires:
  /// all come, with `pairs_once`.
  SweptStatistics(const Graph& graph, Semiring semiring, ValueType type, double greatest_possible,
                  bool pairs_once, const store::Selection& selection = {});
  ~SweptStatistics() override;

  bool pairs_once() const override;
  Writer& part() override;
  std::int64_t count_limit() const override;
  bool takes_placed() const override;
  std::span<const std::uint8_t> component() const override;
  void take_counted(const flow::CountedDistances& counted) override;
  /// What was counted so far, for another process, and what another one counted of other sources.
  /// Require: every block has ended.
  base::ByteVector found() const;
  void add_found(std::span<const std::byte> found);
  /// Requires: every block has ended. Once.
  Statistics statistics();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace apsp::statistics
