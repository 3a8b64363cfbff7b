// How much of a factor a device holds that is too small for all of it (sweep_parts.hpp).
#pragma once

#include <cstdint>

namespace apsp::elimination {

/// Bytes.
struct SweepCut {
  std::int64_t resident = 0;  // of the first part, at most, which stays
  std::int64_t part = 0;      // of each of the others, at most; 0: the whole factor stays
  bool streams() const { return part > 0; }
};

}  // namespace apsp::elimination
