// How a factor is cut for a device that is too small for all of it (sweep_parts.hpp).
#pragma once

#include <cstdint>

namespace apsp::elimination {

struct SweepCut {
  std::int64_t resident = 0;  // bytes of the first part, at most; it stays on the device
  std::int64_t part = 0;      // bytes of each other part, at most; 0: the whole factor stays
  bool streams() const { return part > 0; }
};

}  // namespace apsp::elimination
