// The values of a dense Matrix Market file, as they are read: a matrix of doubles by columns, kept
// as the bytes of a stream are, in memory or in a file without a name.
#pragma once

#include <apsp/graph.hpp>

#include <vector>

#include "io/held_bytes.hpp"

namespace apsp::io {

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
