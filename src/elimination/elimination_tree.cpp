#include "elimination/elimination_tree.hpp"

#include <numeric>

namespace apsp::elimination {
namespace {

using Positions = std::vector<Position>;

Position& at(Positions& of, Position p) { return of[static_cast<std::size_t>(p)]; }
Position at(const Positions& of, Position p) { return of[static_cast<std::size_t>(p)]; }

/// visit(q) for every neighbour of position p.
template <class F>
void for_each_neighbour(const Pattern& pattern, const Order& order, Position p, F&& visit) {
  for (const Vertex v : pattern.of(order.vertex_at[static_cast<std::size_t>(p)])) {
    visit(order.position_of[v]);
  }
}

/// The root of p among the trees that were joined so far; shortens the way to it.
Position root_of(Positions& ancestors, Position p) {
  Position root = p;
  while (at(ancestors, root) != root) root = at(ancestors, root);
  while (p != root) {
    const Position next = at(ancestors, p);
    at(ancestors, p) = root;
    p = next;
  }
  return root;
}

Positions counting(std::size_t n) {
  Positions positions(n);
  std::iota(positions.begin(), positions.end(), Position{0});
  return positions;
}

/// [n] the smallest position of each subtree.
Positions first_descendants(const Positions& parents) {
  Positions first = counting(parents.size());
  for (Position p = 0; p < std::ssize(parents); ++p) {
    const Position parent = at(parents, p);
    if (parent >= 0) at(first, parent) = std::min(at(first, parent), at(first, p));
  }
  return first;
}

}  // namespace

Positions parents_of(const Pattern& pattern, const Order& order) {
  const auto n = order.vertex_at.size();
  Positions parents(n, -1), ancestors = counting(n);
  for (Position p = 0; p < static_cast<Position>(n); ++p) {
    for_each_neighbour(pattern, order, p, [&](Position q) {
      if (q >= p) return;
      const Position root = root_of(ancestors, q);
      if (root == p) return;
      at(parents, root) = p;
      at(ancestors, root) = p;
    });
  }
  return parents;
}

Order postordered(const Order& order, Positions& parents) {
  const auto n = static_cast<Position>(parents.size());
  // Children in a chain each; a child that comes later stands first, so the stack reverses it.
  Positions child(parents.size(), -1), sibling(parents.size(), -1), stack;
  for (Position p = 0; p < n; ++p) {
    if (at(parents, p) < 0) continue;
    at(sibling, p) = at(child, at(parents, p));
    at(child, at(parents, p)) = p;
  }
  // Vertices are numbered downwards as they are met from the roots: children before their parent.
  Positions renumbered(parents.size());
  Position next = n;
  for (Position root = n - 1; root >= 0; --root) {
    if (at(parents, root) >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const Position p = stack.back();
      stack.pop_back();
      at(renumbered, p) = --next;
      Positions children;
      for (Position c = at(child, p); c >= 0; c = at(sibling, c)) children.push_back(c);
      stack.insert(stack.end(), children.rbegin(), children.rend());
    }
  }
  std::vector<Vertex> vertex_at(parents.size());
  Positions moved(parents.size(), -1);
  for (Position p = 0; p < n; ++p) {
    const auto to = static_cast<std::size_t>(at(renumbered, p));
    vertex_at[to] = order.vertex_at[static_cast<std::size_t>(p)];
    moved[to] = at(parents, p) < 0 ? -1 : at(renumbered, at(parents, p));
  }
  parents = std::move(moved);
  return order_of(std::move(vertex_at));
}

Positions structure_sizes(const Pattern& pattern, const Order& order, const Positions& parents) {
  const auto n = static_cast<Position>(parents.size());
  const Positions first = first_descendants(parents);
  // An entry (q, p), q later, begins a path of the row subtree of q. Counting each leaf of it once,
  // less the vertices where two paths meet, counts the rows of a column.
  Positions counts(parents.size(), 0), ancestors = counting(parents.size());
  Positions last_first(parents.size(), -1), last_leaf(parents.size(), -1);
  for (Position p = 0; p < n; ++p) {
    if (at(first, p) == p) ++at(counts, p);  // a leaf of the tree is one of its own row
    if (at(parents, p) >= 0) --at(counts, at(parents, p));
    for_each_neighbour(pattern, order, p, [&](Position q) {
      if (q <= p || at(first, p) <= at(last_first, q)) return;
      at(last_first, q) = at(first, p);
      ++at(counts, p);
      if (at(last_leaf, q) >= 0) --at(counts, root_of(ancestors, at(last_leaf, q)));
      at(last_leaf, q) = p;
    });
    if (at(parents, p) >= 0) at(ancestors, p) = at(parents, p);
  }
  for (Position p = 0; p < n; ++p) {
    if (at(parents, p) >= 0) at(counts, at(parents, p)) += at(counts, p);
  }
  for (Position& count : counts) --count;  // without the diagonal
  return counts;
}

}  // namespace apsp::elimination
