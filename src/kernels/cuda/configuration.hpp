// How a product is shared out on a device, as plain data: the source lists the configurations with
// their measured rates, and a score picks one for every launch. This file includes no CUDA, so the
// choice is tested anywhere.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kernels/tile_kernels.hpp"

namespace apsp::kernels::cuda {

/// Words: values, or pairs of 16-bit values in a row.
struct Configuration {
  int rows = 0, cols = 0;                // the block of C that a block of threads owns, words
  int thread_rows = 0, thread_cols = 0;  // the part of it that a thread owns, words
  int stages = 0;                        // operands held in shared memory, 16 pivots a stage
  int blocks = 0;                        // blocks of threads that a multiprocessor holds at once

  constexpr int threads() const { return rows / thread_rows * (cols / thread_cols); }
  friend bool operator==(const Configuration&, const Configuration&) = default;
};

struct Candidate {
  Configuration configuration;
  double rate = 0;  // T relaxations/s of large products on an H200; only ratios matter
};

/// "64 × 128 words a block, 8 × 8 a thread, 128 threads, 4 stages, 4 blocks a multiprocessor".
std::string describe(const Configuration& configuration);

/// Blocks of C in one direction, without those that are kept.
struct Blocks {
  std::int64_t count = 0;
  std::int64_t skipped_begin = 0, skipped_count = 0;
};
/// Cuts `values` values into blocks of `block`; `kept` are the values left out.
Blocks blocks_of(std::int64_t values, std::int64_t block, Range kept);

/// Whether an update leaves out whole blocks only. `lanes`: values in a word.
bool suits(const Configuration& configuration, int lanes, const Update& update);

/// The time of a launch in arbitrary units. The fullest multiprocessor decides: its number of
/// blocks, times the area of a block, over the rate times the share of it that its threads reach.
double score(const Candidate& candidate, int lanes, int multiprocessors, const Update& update);

/// The index of the best of the candidates that suit. Requires: the last one suits.
std::size_t choose(std::span<const Candidate> candidates, int lanes, int multiprocessors,
                   const Update& update);

}  // namespace apsp::kernels::cuda
