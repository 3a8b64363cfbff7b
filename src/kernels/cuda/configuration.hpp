// Configurations of products on a device as plain data with measured rates, and a score that
// selects one for every launch. Free of CUDA, so that the choice can be tested anywhere.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kernels/tile_kernels.hpp"

namespace apsp::kernels::cuda {

/// Sizes in words: values, or pairs of 16-bit values in a row.
struct Configuration {
  int rows = 0, cols = 0;                // the block of C of a block of threads
  int thread_rows = 0, thread_cols = 0;  // the part of it of a thread
  int stages = 0;
  int blocks = 0;

  constexpr int threads() const { return rows / thread_rows * (cols / thread_cols); }
  friend bool operator==(const Configuration&, const Configuration&) = default;
};

struct Candidate {
  Configuration configuration;
  double rate = 0;  // T relaxations/s of large products on an H200; only ratios matter
};

/// "64 × 128 words a block, 8 × 8 a thread, 128 threads, 4 stages, 4 blocks a multiprocessor".
std::string describe(const Configuration& configuration);

struct Blocks {
  std::int64_t count = 0;
  std::int64_t skipped_begin = 0, skipped_count = 0;
};
/// Cuts `values` values into blocks of `block`, without the range `kept`.
Blocks blocks_of(std::int64_t values, std::int64_t block, Range kept);

/// Whether an update leaves out whole blocks only. `lanes`: values in a word.
bool suits(const Configuration& configuration, int lanes, const Update& update);

/// The time of a launch in arbitrary units, that of the fullest multiprocessor: its blocks, times
/// the area of a block, over the rate times the fraction of it that its threads reach.
double score(const Candidate& candidate, int lanes, int multiprocessors, const Update& update);

/// Returns the index of the best candidate that suits. Requires: the last one suits.
std::size_t choose(std::span<const Candidate> candidates, int lanes, int multiprocessors,
                   const Update& update);

}  // namespace apsp::kernels::cuda
