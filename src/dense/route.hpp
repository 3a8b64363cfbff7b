// Routes of broadcasts along a line of a process grid.
//
// A ring uses each link once: the root sends once, and pieces of a message flow through all members
// at the same time (Sao 2021, §3.3). A binomial tree takes log₂(size) steps, for messages too short
// to be cut. It sends far first, so that most messages are between neighbours, often on one node.
#pragma once

#include <vector>

namespace apsp::dense {

/// `direct`: between devices, without the hosts.
enum class Broadcast { library, ring, binomial, direct };

/// The contents of a broadcast; each has its pattern.
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

}  // namespace apsp::dense
