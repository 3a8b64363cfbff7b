// The division of a factor among processes by subtrees of the elimination tree (George 1989; for
// shortest paths: Zhu 2021).
//
// Each process has whole subtrees, and all have the supernodes above them, the top. A subtree has
// entries only to its own vertices and to the top, so a share is an elimination tree of its own.
// The subtrees of other processes are in it as supernodes without vertices. Their row structures
// say where the updates of these subtrees go when the top is eliminated.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sparse/tree.hpp"

namespace apsp::sparse {

struct TreeShare {
  std::shared_ptr<const Tree> tree;  // of the vertices of the share
  std::vector<Position> top_row;  // [supernodes] number of its first vertex in the top; −1: below
  std::int64_t top_vertices = 0;
  /// A subtree below the top that has a row structure.
  struct Root {
    int owner;       // the process that has the subtree
    SupernodeId id;  // in `tree`
  };
  std::vector<Root> roots;  // the same subtrees in the same order in all processes

  bool is_top(SupernodeId s) const { return at(top_row, s) >= 0; }
};

/// Returns the share of a process. The top and the largest process take the fewest bytes that
/// dividing the largest subtrees, one after another, leads to. `entry_bytes`: of an entry outside
/// of the diagonal blocks, both directions. Requires: `tree` is of a whole graph, in postorder.
TreeShare share_of(const Tree& tree, int processes, int process, int entry_bytes);

}  // namespace apsp::sparse
