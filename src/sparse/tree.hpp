// The elimination tree and the supernodes of an order: the factor without its values.
//
// Eliminating a vertex joins its later neighbours with each other. The first of them is its parent;
// all of them are its ancestors (Liu 1990). Positions are renumbered in postorder: each subtree is
// a run of positions that ends with its root. A supernode is a run of positions, each the parent of
// the one before, with the same row structure: the later positions that their elimination joins.
// All counts are exact.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "sparse/order.hpp"

namespace apsp::sparse {

/// Returns [n] the parent of each position, −1 for roots (Liu 1990), in nearly linear time.
std::vector<Position> parents_of(const Pattern& pattern, const Order& order);

/// Returns the order in postorder, and renumbers `parents`. The elimination stays the same.
Order postordered(const Order& order, std::vector<Position>& parents);

/// Returns [n] the number of later positions that eliminating each one joins (Gilbert 1994), in
/// nearly linear time. Requires: a postorder.
std::vector<Position> structure_sizes(const Pattern& pattern, const Order& order,
                                      const std::vector<Position>& parents);

/// The cost of filling, adding and storing an entry of a front, in relaxations.
inline constexpr double kAssembly = 32;

using SupernodeId = std::int32_t;

/// The parts from which a tree can be made (stored_factor.hpp).
struct TreeParts {
  std::vector<Vertex> vertex_at;          // [n] by position
  std::vector<Position> widths;           // [supernodes]
  std::vector<Position> structure_sizes;  // [supernodes]
  std::vector<Position> upper;            // row structures of all supernodes
  std::size_t graph_vertices = 0;         // if the tree is a part of a graph's (tree_share.hpp)
};

class Tree {
 public:
  /// Makes a tree whose supernodes are merged where that adds few entries: fewer and larger
  /// operations outweigh some needless relaxations. If `relaxed` is false, no entries are added
  /// (for tests). `sources`: the sweeps in which added entries cost time; 0: one for every vertex.
  Tree(const Pattern& pattern, const Order& order, bool relaxed = true, std::int64_t sources = 0);
  /// Makes a tree whose supernodes begin at the positions `first`, ascending; vertices of one are
  /// neighbours of each other. The order is kept. Requires: a postorder, as of two levels whose
  /// supernodes without row structure come first.
  Tree(const Pattern& pattern, Order order, std::vector<Position> first);

  /// Makes the tree of these parts. Requires: they are consistent (stored_factor.hpp).
  explicit Tree(TreeParts parts);

  std::int64_t vertices() const { return std::ssize(order_.vertex_at); }
  const Order& order() const { return order_; }

  SupernodeId supernodes() const { return static_cast<SupernodeId>(first_.size()) - 1; }
  /// The positions of supernode s are [first(s), first(s + 1)).
  Position first(SupernodeId s) const { return at(first_, s); }
  Position width(SupernodeId s) const { return first(s + 1) - first(s); }
  /// −1 for a root. A parent has a larger number than its children.
  SupernodeId parent(SupernodeId s) const { return at(parent_, s); }
  SupernodeId supernode_of(Position p) const { return at(of_, p); }
  /// The row structure of s, ascending.
  std::span<const Position> upper(SupernodeId s) const { return row(upper_, s); }
  std::int64_t structure_size(SupernodeId s) const { return std::ssize(upper(s)); }
  /// Entries of the row structures of all supernodes before s.
  std::int64_t upper_begin(SupernodeId s) const { return at(upper_begin_, s); }

  /// The number of the first position of s on the path of positions from its root down to s.
  Position slot(SupernodeId s) const { return at(slot_, s); }
  /// The numbers of `upper(s)` on that path.
  std::span<const Position> upper_slots(SupernodeId s) const { return row(upper_slots_, s); }
  /// Positions of the longest path.
  std::int64_t height() const { return height_; }

  /// Entries of the factor outside of the diagonal blocks, one direction: Σ width × upper.
  std::int64_t upper_entries() const { return upper_entries_; }
  /// Σ width².
  std::int64_t diagonal_entries() const { return diagonal_entries_; }
  /// Relaxations of the elimination, both directions: Σ width × (width + upper)².
  double elimination_relaxations() const { return elimination_relaxations_; }

 private:
  void find_supernodes(const std::vector<Position>& parent, const std::vector<Position>& counts,
                       bool relaxed, std::int64_t sources);
  void set_supernodes(std::vector<Position> first);
  void find_uppers(const Pattern& pattern);
  /// Also counts entries.
  void number_slots();
  std::span<const Position> row(const std::vector<Position>& of, SupernodeId s) const {
    return {of.data() + at(upper_begin_, s),
            of.data() + upper_begin_[static_cast<std::size_t>(s) + 1]};
  }

  Order order_;
  std::vector<Position> first_;            // [supernodes + 1]
  std::vector<SupernodeId> parent_;        // [supernodes]
  std::vector<SupernodeId> of_;            // [n]
  std::vector<std::int64_t> upper_begin_;  // [supernodes + 1]
  std::vector<Position> upper_;            // row structures of all supernodes
  std::vector<Position> upper_slots_;      // the same as slots
  std::vector<Position> slot_;             // [supernodes]
  Position height_ = 0;
  std::int64_t upper_entries_ = 0, diagonal_entries_ = 0;
  double elimination_relaxations_ = 0;
};

/// Sets seen[s] = mark for the supernode of p and its ancestors, up to the first that has it
/// already, and calls f(s) for each.
template <class Seen, class Mark, class F>
void mark_above(const Tree& tree, Position p, Seen& seen, Mark mark, F&& f) {
  for (SupernodeId s = tree.supernode_of(p); s >= 0 && at(seen, s) != mark; s = tree.parent(s)) {
    at(seen, s) = mark;
    f(s);
  }
}

/// Returns [supernodes] the first supernode of each subtree, which is a run that ends with its
/// root.
std::vector<SupernodeId> subtree_begins(const Tree& tree);

/// Supernodes [first, last]: whole subtrees whose roots have the same parent.
struct Siblings {
  SupernodeId first, last;
};
/// Returns as few disjoint runs of at most so many positions as there are, descending. Supernodes
/// outside of all runs are above them.
std::vector<Siblings> runs_of_siblings(const Tree& tree, std::int64_t positions);

/// Returns the lowest common ancestor-or-self; −1: none.
inline SupernodeId common_ancestor(const Tree& tree, SupernodeId a, SupernodeId b) {
  // A parent has a larger number than its children, so only the smaller of two is a descendant.
  while (a != b && a >= 0 && b >= 0) {
    SupernodeId& earlier = a < b ? a : b;
    earlier = tree.parent(earlier);
  }
  return a == b ? a : -1;
}

/// The path from a root down to the supernode that a walk over the tree is at.
class PathWalk {
 public:
  explicit PathWalk(const Tree& tree) : tree_(tree) {}

  void clear() { path_.clear(); }

  /// Moves to s, and calls enter(u) for s and its ancestors, from the root down, unless they are
  /// on the path already. Ascending or descending supernodes have most of their paths in common.
  template <class F>
  void to(SupernodeId s, F&& enter) {
    entered_.clear();
    while (s >= 0 && (path_.empty() || path_.back() != s)) {
      // A parent has a larger number than its children.
      if (!path_.empty() && path_.back() < s) {
        path_.pop_back();
        continue;
      }
      entered_.push_back(s);
      s = tree_.parent(s);
    }
    if (s < 0) path_.clear();
    for (; !entered_.empty(); entered_.pop_back()) {
      path_.push_back(entered_.back());
      enter(entered_.back());
    }
  }

 private:
  const Tree& tree_;
  std::vector<SupernodeId> path_, entered_;
};

/// Lists of items, one for each supernode, in one array.
template <class T>
class BySupernode {
 public:
  /// `for_each(visit)` calls visit(supernode, item) for all items, twice in the same order.
  template <class ForEach>
  BySupernode(SupernodeId supernodes, ForEach&& for_each)
      : begin_(static_cast<std::size_t>(supernodes) + 1) {
    for_each([&](SupernodeId s, const T&) { ++begin_[static_cast<std::size_t>(s) + 1]; });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    items_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for_each([&](SupernodeId s, const T& item) { items_[at(next, s)++] = item; });
  }

  std::span<const T> of(SupernodeId s) const {
    return {items_.data() + at(begin_, s), items_.data() + begin_[static_cast<std::size_t>(s) + 1]};
  }

 private:
  std::vector<std::size_t> begin_;  // [supernodes + 1]
  std::vector<T> items_;
};

/// The children of each supernode, ascending.
using Children = BySupernode<SupernodeId>;
inline Children children_of(const Tree& tree) {
  return {tree.supernodes(), [&](auto&& visit) {
            for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
              if (tree.parent(s) >= 0) visit(tree.parent(s), s);
            }
          }};
}

}  // namespace apsp::sparse
