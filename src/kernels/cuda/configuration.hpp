// How a product is shared out on a device, as plain data: what configurations there are stands in
// the source with the rate that each was measured at, and a score picks one for every launch. This
// page knows no CUDA, so the choice is tested anywhere.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kernels/device.hpp"

namespace apsp::kernels::cuda {

/// Words: values, or pairs of 16-bit values in a row.
struct Configuration {
  int rows = 0, cols = 0;                // of the block of C that a block of threads owns, words
  int thread_rows = 0, thread_cols = 0;  // of it that a thread owns
  int stages = 0;                        // of operands in shared memory, 16 pivots each
  int blocks = 0;                        // of threads that a multiprocessor holds at once

  constexpr int threads() const { return rows / thread_rows * (cols / thread_cols); }
  friend bool operator==(const Configuration&, const Configuration&) = default;
};

struct Candidate {
  Configuration configuration;
  double rate = 0;  // T relaxations/s of large products on an H200; to each other they count
};

/// "64 × 128 words a block, 8 × 8 a thread, 128 threads, 4 stages, 4 blocks a multiprocessor".
std::string describe(const Configuration& configuration);

/// Blocks of C in one direction, without those that are kept.
struct Blocks {
  std::int64_t count = 0;
  std::int64_t kept_begin = 0, kept_count = 0;
};
/// Of so many values in blocks of so many.
Blocks blocks_of(std::int64_t values, std::int64_t block, Range kept);

/// Whether what an update leaves out is whole blocks. `lanes`: values in a word.
bool suits(const Configuration& configuration, int lanes, const Update& update);

/// Time of a launch in arbitrary units: as long as the fullest multiprocessor takes, which is the
/// blocks it gets, times the area of one, over the rate and what its threads can keep busy.
double score(const Candidate& candidate, int lanes, int multiprocessors, const Update& update);

/// The place of the best of the candidates that suit. Requires: the last one suits.
std::size_t choose(std::span<const Candidate> candidates, int lanes, int multiprocessors,
                   const Update& update);

}  // namespace apsp::kernels::cuda
