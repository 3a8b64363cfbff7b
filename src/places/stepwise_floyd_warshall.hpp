// The schedules that the driver's page (blocked_floyd_warshall.hpp) is compared with, in its words.
//
// `baseline` is one operation after another (Sao 2021, Algorithm 3). `pipelined` makes the next
// panels under the rest of a step, and ends every step together with its rest (Algorithm 4). The
// page itself, `overlapped`, lets a step run into the next ones as far as its operands allow.
#pragma once

#include "places/blocked_floyd_warshall.hpp"

namespace apsp::places {

enum class Schedule { overlapped, pipelined, baseline };

template <class P>
concept SteppedPlace = Place<P> && requires(P& place) {
  place.finish_step();  // returns when all that was ordered is done
};

template <SteppedPlace P>
void baseline_floyd_warshall(P& place, Tile first) {
  const Tile end(place.tiles());
  for (Tile k = first; k < end && !place.stopped(); ++k) {
    place.close(k);
    place.update_panels(k);
    place.finish_step();
    if (k + 1 < end) place.update_cross(k);
    place.update_rest(k);
    place.finish_step();
  }
}

template <SteppedPlace P>
void pipelined_floyd_warshall(P& place, Tile first) {
  const Tile end(place.tiles());
  if (first == end) return;
  place.close(first);
  place.update_panels(first);
  for (Tile k = first; k < end && !place.stopped(); ++k) {
    const bool last = k + 1 == end;
    if (!last) {
      place.update_cross(k);
      place.close(k + 1);
    }
    place.update_rest(k);
    if (!last) place.update_panels(k + 1);
    place.finish_step();
  }
}

/// `first`: the steps before have been done.
template <SteppedPlace P>
void floyd_warshall(P& place, Schedule schedule, Tile first) {
  if (schedule == Schedule::baseline) return baseline_floyd_warshall(place, first);
  if (schedule == Schedule::pipelined) return pipelined_floyd_warshall(place, first);
  blocked_floyd_warshall(place, first);
}

}  // namespace apsp::places
