// Who hands a broadcast on to whom along a line of a process grid.
//
// A ring passes everything once over each link: the root sends once, whatever the number of
// size, and a message in pieces flows through all of them at a time (Sao 2021, §3.3). A binomial
// tree takes log₂ of the size' number in steps, for messages too short to be cut; it sends far
// first, so that neighbours, who are often on one node, hand most of it to each other.
#pragma once

#include <vector>

namespace apsp::places {

/// `direct`: from device to device, without the hosts.
enum class Broadcast { library, ring, binomial, direct };

/// What a broadcast carries; each has its pattern.
enum class Payload { diagonal, panel };

struct Broadcasts {
  Broadcast diagonal = Broadcast::ring, panels = Broadcast::ring;

  Broadcast of(Payload payload) const { return payload == Payload::panel ? panels : diagonal; }
};

struct Route {
  int parent = -1;  // −1: the root
  std::vector<int> children{};
};

/// Requires: a ring or a binomial tree.
inline Route route(Broadcast broadcast, int size, int root, int rank) {
  const int mine = (rank + size - root) % size;  // counted from the root
  const auto member = [&](int counted) { return (counted + root) % size; };
  Route found;
  if (broadcast == Broadcast::ring) {
    if (mine > 0) found.parent = member(mine - 1);
    if (mine + 1 < size) found.children.push_back(member(mine + 1));
    return found;
  }
  int step = 1;  // the lowest power of two in `mine`; of the root the first that reaches nobody
  while (mine > 0 ? (mine & step) == 0 : step < size) step *= 2;
  if (mine > 0) found.parent = member(mine - step);
  for (step /= 2; step > 0; step /= 2) {
    if (mine + step < size) found.children.push_back(member(mine + step));
  }
  return found;
}

}  // namespace apsp::places
