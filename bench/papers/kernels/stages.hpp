// Several GPUs, each with some rows of the matrix, and what they copy in each step of the blocked
// algorithm (Lee, "Optimization").
//
//   whole list      every step copies the whole matrix to each GPU, and each GPU's rows back
//   row and column  every step copies the pivot's row and column to each GPU
//   row             every step copies only the pivot's row: each GPU has its part of the column
//
// Copies go through pinned memory of the host. Rows are assigned to GPUs for good. The report's
// first stage assigns them in every step, and its last one has another kernel; all of ours have one
// value a thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace apsp::baselines {

struct Stage {
  std::string name;
  int block = 0;
  std::int64_t n = 0;
  double bytes_a_step = 0;     // copied to GPUs
  double copied = 0;           // bytes both ways, in all
  double seconds_copies = 0;   // of the slowest GPU
  double seconds_kernels = 0;  // of the slowest GPU
  double seconds = 0;          // in all
  bool equal = true;           // to what one GPU leaves
};

/// float matrices of n vertices on these GPUs; one may be named twice. Throws `Error` (device).
std::vector<Stage> measure_stages(const std::vector<int>& gpus, std::int64_t n,
                                  const std::vector<int>& blocks);

}  // namespace apsp::baselines
