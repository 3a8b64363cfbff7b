// The overheads of the plain kernel: allocation, copies, and managed memory in their place
// (Schiff, Figure 3 and §VII).
#pragma once

#include <cstdint>
#include <vector>

namespace apsp::baselines {

/// Seconds, by the host's clock; the best of three.
struct Overheads {
  std::int64_t n = 0;
  double allocation = 0, copy_in = 0, kernels = 0, copy_out = 0;  // from and to pageable memory
  double managed = 0;  // all of it in managed memory that the host fills and reads
  bool equal = true;   // both results, entry by entry
};

/// float matrices of n vertices. Throws `Error` (device).
Overheads measure_overheads(std::int64_t n);

}  // namespace apsp::baselines
