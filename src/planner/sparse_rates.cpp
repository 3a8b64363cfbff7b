#include "planner/sparse_rates.hpp"

namespace apsp::planner {
namespace {

// Fitted to the parts of solves of grids, geometric, random and R-MAT graphs and of a road network,
// one thread of an Intel Xeon with AVX-512 (bench/planner/parts_bench.cpp).

/// Two bytes are the reference.
double width(ValueType type) { return size_of(type) / 2.0; }

double counted_by_rows(ValueType) { return 1.5e8; }

}  // namespace

double pairs_by_rows(double counted, double passed, double share) {
  if (passed <= 0) return counted;
  return 1 / (share / counted + (1 - share) / passed);
}

EliminationRates assumed_elimination_rates(Semiring semiring, ValueType type) {
  const double wide = width(type);
  const bool whole_sums =
      (type == ValueType::u16 || type == ValueType::i32) && semiring == Semiring::min_plus;
  EliminationRates rates;
  rates.ordered = 1e6;
  rates.eliminated = 6e10 / wide;
  rates.assembled = 3e8 / wide;
  rates.front = 1e-6;
  rates.swept_alone = 2.5e10 / wide;
  rates.swept_wide = 4.5e10 / wide;
  rates.supernode = 3e-8;
  rates.vertex = 1.1e-7;
  rates.transposed = 4.5e8;
  rates.counted = counted_by_rows(type);
  rates.counted_swept = whole_sums ? 1.2e9 : 1e8;
  return rates;
}

SearchRates assumed_search_rates(ValueType type) {
  SearchRates rates;
  rates.vertex = 30e-9;
  rates.arc = 4e-9;
  rates.values = 8e8;
  rates.counted = counted_by_rows(type);
  return rates;
}

BreadthFirstRates assumed_breadth_first_rates(ValueType type) {
  BreadthFirstRates rates;
  rates.vertex = 25e-9;
  rates.line = 1e-9;
  rates.values = 8e8;
  rates.counted = counted_by_rows(type);
  return rates;
}

}  // namespace apsp::planner
