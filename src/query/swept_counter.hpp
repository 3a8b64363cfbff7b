// Counters behind `SweptStatistics`: one for all semirings and types, and a quicker one for short
// distances.
//
// What has been counted of distances that come vertex by vertex: of one thread, or of all.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/byte_stream.hpp"
#include "query/column_sums.hpp"
#include "query/row_sweep.hpp"
#include "query/swept_row.hpp"
#include "query/swept_statistics.hpp"
#include "query/value_cells.hpp"

namespace apsp::query {

/// The greatest distance of a vertex, and the smallest vertex at that distance.
struct Farthest {
  double distance = -std::numeric_limits<double>::infinity();
  Vertex vertex = kNoVertex;  // none: no distance yet

  void raise(double other, Vertex at) {
    if (other < distance || (other == distance && at >= vertex)) return;
    distance = other;
    vertex = at;
  }
};

struct SweptTotals {
  /// For n vertices; `cells`: 0 with or-and.
  SweptTotals(std::int64_t n, std::int64_t cells)
      : counts(cells * std::int64_t{sizeof(std::int64_t)}),
        sum(n, n),
        harmonic(n, n),
        reached(static_cast<std::size_t>(n)),
        farthest(static_cast<std::size_t>(n)) {}

  /// `cells`: of both.
  void add(const SweptTotals& other, const ValueCells& cells);
  /// For another process, and what another one wrote, instead of what was here.
  void write(base::ByteWriter& to, const ValueCells& cells) const;
  void read(base::ByteReader& from, const ValueCells& cells);
  /// The counts of the cells from that of the least distance to that of the greatest one: there may
  /// be a million others. Empty with or-and.
  std::span<std::int64_t> counts_in_range(const ValueCells& cells) {
    return {counts.as<std::int64_t>() + first_in_range(cells), cells_in_range(cells)};
  }

  base::AlignedMemory counts;          // [cells] of int64
  ColumnSums sum;                      // [n] of incoming distances
  ColumnSums harmonic;                 // [n] of their reciprocals
  std::vector<std::uint32_t> reached;  // [n]
  std::vector<Farthest> farthest;      // [n]; min-plus only
  Extremes<double> range = {std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity()};

 private:
  std::int64_t first_in_range(const ValueCells& cells) const {
    return cells_in_range(cells) == 0 ? 0 : cells.of(range.least);
  }
  std::size_t cells_in_range(const ValueCells& cells) const {
    if (range.least > range.greatest || counts.bytes() == 0) return 0;
    return static_cast<std::size_t>(cells.of(range.greatest) - cells.of(range.least) + 1);
  }
};

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
