// How a solve of one device, or of several that agree, ends early. `transport`: null where there is
// one device alone; else all members call the same.
#pragma once

#include <apsp/error.hpp>
#include <cstdint>

#include "base/control.hpp"
#include "places/negative_cycle.hpp"
#include "places/transport.hpp"

namespace apsp::places {

inline std::int64_t least_of_all(Transport* transport, std::int64_t mine) {
  return transport == nullptr ? mine : transport->least(mine);
}

/// Throws `Error` (interrupted) on all members if one of them was asked to end.
inline void throw_if_interrupted(Transport* transport, const Control& control) {
  if (least_of_all(transport, base::cancelled(control) ? 0 : 1) == 0) {
    throw Error(ErrorKind::interrupted, "interrupted");
  }
}

/// Throws `Error` (negative_cycle) on all members if one met a cycle. `pivot`: of the vertex that
/// this member met, −1: none; the one with the least number is named.
inline void throw_agreed_cycle(Transport* transport, std::int64_t pivot) {
  constexpr std::int64_t kNone = INT64_MAX;
  const std::int64_t least = least_of_all(transport, pivot < 0 ? kNone : pivot);
  throw_negative_cycle(least == kNone ? -1 : least);
}

}  // namespace apsp::places
