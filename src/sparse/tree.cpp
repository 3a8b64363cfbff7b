#include "sparse/tree.hpp"

#include <algorithm>
#include <utility>

#include "base/control.hpp"

namespace apsp::sparse {
namespace {

using Positions = std::vector<Position>;

/// Callers go through ascending positions, whose vertices lie anywhere: what a later position needs
/// is fetched in three steps.
template <class F>
void for_each_neighbour(const Pattern& pattern, const Order& order, Position p, F&& visit) {
  constexpr Position kOffset = 24, kRow = 12, kPositions = 6;  // ahead
  const auto last = static_cast<Position>(order.vertex_at.size()) - 1;
  const auto ahead = [&](Position by) { return at(order.vertex_at, std::min(p + by, last)); };
  __builtin_prefetch(pattern.offsets.data() + ahead(kOffset));
  __builtin_prefetch(pattern.neighbours.data() + pattern.offsets[ahead(kRow)]);
  for (const Vertex v : pattern.of(ahead(kPositions))) __builtin_prefetch(&order.position_of[v]);
  for (const Vertex v : pattern.of(at(order.vertex_at, p))) visit(order.position_of[v]);
}

/// Returns the root of p in the union-find forest, with path compression.
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

Positions first_descendants(const Positions& parents) {
  Positions first = counting(parents.size());
  for (Position p = 0; p < std::ssize(parents); ++p) {
    const Position parent = at(parents, p);
    if (parent >= 0) at(first, parent) = std::min(at(first, parent), at(first, p));
  }
  return first;
}

/// The overhead of a supernode for each source, in relaxations.
constexpr double kOverhead = 8;

struct Run {
  Position first, last;
  double upper;
  double subtree;

  double width() const { return last - first + 1; }
  /// Relaxations of an elimination, n downward sweeps, and an upward sweep from each source of the
  /// subtree.
  double relaxations(double n) const {
    const double front = width() + upper;
    return width() * (front * front + n * upper + subtree * front);
  }
  double cost(double n) const {
    const double front = width() + upper;
    return relaxations(n) + kOverhead * n + kAssembly * front * front;
  }
  Run joined(const Run& parent) const { return {first, parent.last, parent.upper, parent.subtree}; }
};

bool pays(const Run& child, const Run& parent, double n) {
  return child.joined(parent).cost(n) <= child.cost(n) + parent.cost(n);
}

std::vector<Run> fundamental_runs(const std::vector<Position>& parents,
                                  const std::vector<Position>& counts) {
  const auto n = static_cast<Position>(parents.size());
  std::vector<double> subtree(parents.size(), 1);
  std::vector<Run> runs;
  for (Position p = 0; p < n; ++p) {
    const auto i = static_cast<std::size_t>(p);
    if (parents[i] >= 0) at(subtree, parents[i]) += subtree[i];
    const bool continued = !runs.empty() && parents[i - 1] == p && counts[i - 1] == counts[i] + 1;
    if (!continued) runs.push_back({p, p, 0, 0});
    runs.back().last = p;
    runs.back().upper = counts[i];
    runs.back().subtree = subtree[i];
  }
  return runs;
}

/// Merges a run with the child that ends right before it, where that pays. Children come first.
std::vector<Run> relaxed_runs(const std::vector<Run>& runs, const std::vector<Position>& parents,
                              double n) {
  std::vector<Run> joined;
  for (Run run : runs) {
    while (!joined.empty()) {
      const Run& child = joined.back();
      const Position parent = at(parents, child.last);
      if (parent < run.first || parent > run.last || !pays(child, run, n)) break;
      run = child.joined(run);
      joined.pop_back();
    }
    joined.push_back(run);
  }
  return joined;
}

}  // namespace

Positions parents_of(const Pattern& pattern, const Order& order) {
  const auto n = order.vertex_at.size();
  Positions parents(n, -1), ancestors = counting(n);
  for (Position p = 0; p < static_cast<Position>(n); ++p) {
    base::poll(static_cast<std::size_t>(p));
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
  // Linked lists of children, the latest first; the stack reverses them.
  Positions child(parents.size(), -1), sibling(parents.size(), -1), stack;
  for (Position p = 0; p < n; ++p) {
    if (at(parents, p) < 0) continue;
    at(sibling, p) = at(child, at(parents, p));
    at(child, at(parents, p)) = p;
  }
  // Vertices are numbered downward from the roots, so that children come before their parent.
  Positions renumbered(parents.size());
  Position next = n;
  for (Position root = n - 1; root >= 0; --root) {
    if (at(parents, root) >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const Position p = stack.back();
      stack.pop_back();
      at(renumbered, p) = --next;
      const auto first = std::ssize(stack);
      for (Position c = at(child, p); c >= 0; c = at(sibling, c)) stack.push_back(c);
      std::reverse(stack.begin() + first, stack.end());
    }
  }
  std::vector<Vertex> vertex_at(parents.size());
  Positions moved(parents.size(), -1);
  for (Position p = 0; p < n; ++p) {
    const auto to = static_cast<std::size_t>(at(renumbered, p));
    vertex_at[to] = at(order.vertex_at, p);
    moved[to] = at(parents, p) < 0 ? -1 : at(renumbered, at(parents, p));
  }
  parents = std::move(moved);
  return order_of(std::move(vertex_at));
}

Positions structure_sizes(const Pattern& pattern, const Order& order, const Positions& parents) {
  const auto n = static_cast<Position>(parents.size());
  const Positions first = first_descendants(parents);
  // An entry (q, p), q later, begins a path of the row subtree of q. Counting its leaves once, less
  // the vertices where two paths meet, counts the rows of a column.
  Positions counts(parents.size(), 0), ancestors = counting(parents.size());
  Positions last_first(parents.size(), -1), last_leaf(parents.size(), -1);
  for (Position p = 0; p < n; ++p) {
    base::poll(static_cast<std::size_t>(p));
    if (at(first, p) == p) ++at(counts, p);  // a leaf of the tree is a leaf of its own row subtree
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
  for (Position& count : counts) --count;
  return counts;
}

Tree::Tree(const Pattern& pattern, const Order& order, bool relaxed, std::int64_t sources) {
  std::vector<Position> parents = parents_of(pattern, order);
  order_ = postordered(order, parents);
  find_supernodes(parents, structure_sizes(pattern, order_, parents), relaxed,
                  sources > 0 ? sources : pattern.vertices());
  find_uppers(pattern);
  number_slots();
}

Tree::Tree(const Pattern& pattern, Order order, std::vector<Position> first)
    : order_(std::move(order)) {
  set_supernodes(std::move(first));
  find_uppers(pattern);
  number_slots();
}

Tree::Tree(TreeParts parts) : order_(order_of(std::move(parts.vertex_at), parts.graph_vertices)) {
  std::vector<Position> first;
  upper_begin_.push_back(0);
  for (std::size_t s = 0; s < parts.widths.size(); ++s) {
    first.push_back(s == 0 ? 0 : first.back() + parts.widths[s - 1]);
    upper_begin_.push_back(upper_begin_.back() + parts.structure_sizes[s]);
  }
  set_supernodes(std::move(first));
  upper_ = std::move(parts.upper);
  for (SupernodeId s = 0; s < supernodes(); ++s) {
    if (!upper(s).empty()) at(parent_, s) = supernode_of(upper(s).front());
  }
  number_slots();
}

void Tree::find_supernodes(const std::vector<Position>& parents,
                           const std::vector<Position>& counts, bool relaxed,
                           std::int64_t sources) {
  std::vector<Run> runs = fundamental_runs(parents, counts);
  if (relaxed) runs = relaxed_runs(runs, parents, static_cast<double>(sources));
  std::vector<Position> first(runs.size());
  std::transform(runs.begin(), runs.end(), first.begin(), [](const Run& run) { return run.first; });
  set_supernodes(std::move(first));
}

void Tree::set_supernodes(std::vector<Position> first) {
  first_ = std::move(first);
  first_.push_back(static_cast<Position>(vertices()));
  of_.resize(order_.vertex_at.size());
  parent_.assign(first_.size() - 1, -1);
  for (SupernodeId s = 0; s < supernodes(); ++s) {
    std::fill_n(of_.begin() + this->first(s), width(s), s);
  }
}

void Tree::find_uppers(const Pattern& pattern) {
  std::vector<SupernodeId> child(parent_.size(), -1), sibling(parent_.size(), -1);
  std::vector<SupernodeId> seen(of_.size(), -1);
  upper_begin_.push_back(0);
  for (SupernodeId s = 0; s < supernodes(); ++s) {
    base::poll(static_cast<std::size_t>(s), 64);
    const auto begin = std::ssize(upper_);
    const auto add = [&](Position p) {
      if (p < first(s + 1) || at(seen, p) == s) return;
      at(seen, p) = s;
      upper_.push_back(p);
    };
    for (Position p = first(s); p < first(s + 1); ++p) for_each_neighbour(pattern, order_, p, add);
    for (SupernodeId c = at(child, s); c >= 0; c = at(sibling, c)) {
      const auto [from, to] =
          std::pair(at(upper_begin_, c), upper_begin_[static_cast<std::size_t>(c) + 1]);
      for (std::int64_t i = from; i < to; ++i) add(at(upper_, i));
    }
    std::sort(upper_.begin() + begin, upper_.end());
    upper_begin_.push_back(std::ssize(upper_));
    if (std::ssize(upper_) == begin) continue;
    const SupernodeId above = supernode_of(at(upper_, begin));
    at(parent_, s) = above;
    at(sibling, s) = at(child, above);
    at(child, above) = s;
  }
}

void Tree::number_slots() {
  slot_.resize(parent_.size());
  for (SupernodeId s = supernodes() - 1; s >= 0; --s) {
    const SupernodeId above = parent(s);
    at(slot_, s) = above < 0 ? 0 : slot(above) + width(above);
    height_ = std::max(height_, slot(s) + width(s));
    const std::int64_t w = width(s), r = structure_size(s);
    upper_entries_ += w * r;
    diagonal_entries_ += w * w;
    elimination_relaxations_ += static_cast<double>(w) * static_cast<double>((w + r) * (w + r));
  }
  upper_slots_.reserve(upper_.size());
  for (const Position p : upper_) {
    const SupernodeId holder = supernode_of(p);
    upper_slots_.push_back(slot(holder) + p - first(holder));
  }
}

std::vector<SupernodeId> subtree_begins(const Tree& tree) {
  std::vector<SupernodeId> begins(static_cast<std::size_t>(tree.supernodes()));
  std::iota(begins.begin(), begins.end(), 0);
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const SupernodeId parent = tree.parent(s);
    if (parent >= 0) at(begins, parent) = std::min(at(begins, parent), at(begins, s));
  }
  return begins;
}

std::vector<Siblings> runs_of_siblings(const Tree& tree, std::int64_t positions) {
  const std::vector<SupernodeId> begins = subtree_begins(tree);
  const auto size = [&](SupernodeId first, SupernodeId last) {
    return std::int64_t{tree.first(last + 1)} - tree.first(first);
  };
  std::vector<Siblings> runs;
  for (SupernodeId s = tree.supernodes() - 1; s >= 0; --s) {
    const SupernodeId begin = at(begins, s);
    if (size(begin, s) > positions) continue;
    const bool joins = !runs.empty() && runs.back().first == s + 1 &&
                       tree.parent(runs.back().last) == tree.parent(s) &&
                       size(begin, runs.back().last) <= positions;
    if (joins) {
      runs.back().first = begin;
    } else {
      runs.push_back({begin, s});
    }
    s = begin;
  }
  return runs;
}

}  // namespace apsp::sparse
