// A row of predecessors as a device finds it, beside the host's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "kernels/predecessors.hpp"

namespace apsp {

/// `found`: [wanted.size()] of `kernels::predecessor_size`.
inline bool same_predecessors(std::span<const std::int64_t> wanted, const std::byte* found) {
  const auto size = static_cast<std::size_t>(kernels::predecessor_size(std::ssize(wanted)));
  return std::all_of(wanted.begin(), wanted.end(), [&](std::int64_t before) {
    const auto number = static_cast<std::int32_t>(before);  // lower bytes of −1 are all ones
    const bool same = std::memcmp(&number, found, size) == 0;
    found += size;
    return same;
  });
}

}  // namespace apsp
