// How a solve of one device, or of several that agree, ends early.
#pragma once

#include <cstdint>

#include "base/control.hpp"
#include "places/negative_cycle.hpp"
#include "places/transport.hpp"

namespace apsp::places {

/// Throws `Error` on all members alike: interrupted if one of them was asked to end, negative_cycle
/// if one met the vertex `pivot` (−1: none). `transport`: null where there is one device.
inline void throw_agreed_end(Transport* transport, const Control& control, std::int64_t pivot) {
  constexpr std::int64_t kNone = INT64_MAX;
  const auto least = [&](std::int64_t mine) {
    return transport == nullptr ? mine : transport->least(mine);
  };
  const bool ended = least(base::cancelled(control) ? 0 : 1) == 0;
  const std::int64_t first = least(pivot < 0 ? kNone : pivot);
  if (ended) throw Error(ErrorKind::interrupted, "interrupted");
  throw_negative_cycle(first == kNone ? -1 : first);
}

}  // namespace apsp::places
