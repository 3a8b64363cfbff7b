#pragma once

#include <cstdint>

namespace apsp::base {

/// Returns the least multiple of `step` that is at least `value`. Requires: value ≥ 0, step > 0.
constexpr std::int64_t rounded_up(std::int64_t value, std::int64_t step) {
  return (value + step - 1) / step * step;
}

}  // namespace apsp::base
