// Counters behind `SweptStatistics`: one for all semirings and types, and a quicker one for short
// distances.
#pragma once

#include <cstdint>
#include <memory>

#include "query/swept_statistics.hpp"
#include "query/swept_totals.hpp"
#include "query/value_cells.hpp"

namespace apsp::query {

class SweptCounter : public store::ColumnSink::Writer {
 public:
  /// What was counted. Requires: every block has ended. Once. With `pairs_once` each pair is still
  /// counted once in `counts`, and in all others for both directions.
  virtual SweptTotals& totals() = 0;
};

/// What counters of one kind share. `cells` outlives them.
struct SweptProblem {
  std::int64_t n = 0;
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  bool pairs_once = false;
  const ValueCells& cells;
};

std::unique_ptr<SweptCounter> any_counter(const SweptProblem& problem);
/// For min-plus in u16 and i32 and up to 2^27 vertices, which is not all that `any_counter` takes.
std::unique_ptr<SweptCounter> whole_counter(const SweptProblem& problem);
/// Of what was counted elsewhere, in the problems that `whole_counter` takes. Without `pairs_once`.
std::unique_ptr<SweptCounter> counted_counter(const SweptProblem& problem,
                                              const store::CountedDistances& counted);

}  // namespace apsp::query
