// Matrix Market (Boisvert, Pozo, Remington: "The Matrix Market Exchange Formats", NISTIR 5935,
// 1996): entry (i, j) is the arc i → j, counted from 1.
//
// A symmetric file holds the lower triangle of an undirected graph; a general one is directed. An
// entry of a coordinate file is an edge even if it is zero. An array has edges for all entries off
// the diagonal and for negative entries on it.
#pragma once

#include "io/formats.hpp"

namespace apsp::io {

bool has_matrix_market_banner(std::string_view text);
Coordinates read_coordinate_array(const Source& source);

/// Collects the values of a dense Matrix Market file: doubles, column-major.
class ArrayValues {
 public:
  ArrayValues() { block_.reserve(kBlock); }

  void add(double value) {
    block_.push_back(value);
    if (block_.size() == kBlock) flush();
  }
  /// Requires: n² values were added.
  WeightMatrix general(std::int64_t n);
  /// Requires: the n (n + 1) / 2 values of the lower triangle were added, column by column.
  WeightMatrix symmetric(std::int64_t n);

 private:
  static constexpr std::size_t kBlock = 8192;
  void flush();

  std::vector<double> block_;
  StreamedBytes stream_;
};

}  // namespace apsp::io
