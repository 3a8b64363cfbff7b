#include "elimination/tree.hpp"

#include <algorithm>
#include <utility>

#include "elimination/elimination_tree.hpp"

namespace apsp::elimination {
namespace {

/// What a supernode costs each source beside its relaxations, as so many of them.
constexpr double kOverhead = 8;

/// A supernode in the making.
struct Run {
  Position first, last;
  double upper;
  double subtree;  // positions of its subtree

  double width() const { return last - first + 1; }
  /// Relaxations of one elimination, of a sweep down from each of n sources and of a sweep up from
  /// each source of the subtree.
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
    if (parents[i] >= 0) subtree[static_cast<std::size_t>(parents[i])] += subtree[i];
    const bool continued = !runs.empty() && parents[i - 1] == p && counts[i - 1] == counts[i] + 1;
    if (!continued) runs.push_back({p, p, 0, 0});
    runs.back().last = p;
    runs.back().upper = counts[i];
    runs.back().subtree = subtree[i];
  }
  return runs;
}

/// Joins a run with the child that ends right before it, where that pays; children come first.
std::vector<Run> relaxed_runs(const std::vector<Run>& runs, const std::vector<Position>& parents) {
  const auto n = static_cast<double>(parents.size());
  std::vector<Run> joined;
  for (Run run : runs) {
    while (!joined.empty()) {
      const Run& child = joined.back();
      const Position parent = parents[static_cast<std::size_t>(child.last)];
      if (parent < run.first || parent > run.last || !pays(child, run, n)) break;
      run = child.joined(run);
      joined.pop_back();
    }
    joined.push_back(run);
  }
  return joined;
}

}  // namespace

Tree::Tree(const Pattern& pattern, const Order& order, bool relaxed) {
  std::vector<Position> parents = parents_of(pattern, order);
  order_ = postordered(order, parents);
  find_supernodes(parents, structure_sizes(pattern, order_, parents), relaxed);
  find_uppers(pattern);
  number_slots();
  count_entries();
}

Tree::Tree(const Pattern& pattern, Order order, std::vector<Position> first)
    : order_(std::move(order)) {
  set_supernodes(std::move(first));
  find_uppers(pattern);
  number_slots();
  count_entries();
}

Tree::Tree(TreeParts parts) : order_(order_of(std::move(parts.vertex_at))) {
  of_.reserve(order_.vertex_at.size());
  first_.push_back(0);
  upper_begin_.push_back(0);
  for (std::size_t s = 0; s < parts.widths.size(); ++s) {
    of_.insert(of_.end(), static_cast<std::size_t>(parts.widths[s]), static_cast<SupernodeId>(s));
    first_.push_back(first_.back() + parts.widths[s]);
    upper_begin_.push_back(upper_begin_.back() + parts.structure_sizes[s]);
  }
  upper_ = std::move(parts.upper);
  for (SupernodeId s = 0; s < supernodes(); ++s) {
    parent_.push_back(upper(s).empty() ? -1 : supernode_of(upper(s).front()));
  }
  number_slots();
  count_entries();
}

void Tree::count_entries() {
  for (SupernodeId s = 0; s < supernodes(); ++s) {
    const std::int64_t w = width(s), r = structure_size(s);
    upper_entries_ += w * r;
    diagonal_entries_ += w * w;
    elimination_relaxations_ += static_cast<double>(w) * static_cast<double>((w + r) * (w + r));
  }
}

void Tree::find_supernodes(const std::vector<Position>& parents,
                           const std::vector<Position>& counts, bool relaxed) {
  std::vector<Run> runs = fundamental_runs(parents, counts);
  if (relaxed) runs = relaxed_runs(runs, parents);
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
  std::vector<std::vector<SupernodeId>> children(parent_.size());
  std::vector<SupernodeId> seen(of_.size(), -1);
  upper_begin_.push_back(0);
  for (SupernodeId s = 0; s < supernodes(); ++s) {
    const auto begin = std::ssize(upper_);
    const auto add = [&](Position p) {
      if (p < first(s + 1) || seen[static_cast<std::size_t>(p)] == s) return;
      seen[static_cast<std::size_t>(p)] = s;
      upper_.push_back(p);
    };
    for (Position p = first(s); p < first(s + 1); ++p) {
      for (const Vertex v : pattern.of(order_.vertex_at[static_cast<std::size_t>(p)])) {
        add(order_.position_of[v]);
      }
    }
    for (const SupernodeId child : children[static_cast<std::size_t>(s)]) {
      const auto [from, to] = std::pair(upper_begin_[static_cast<std::size_t>(child)],
                                        upper_begin_[static_cast<std::size_t>(child) + 1]);
      for (std::int64_t i = from; i < to; ++i) add(upper_[static_cast<std::size_t>(i)]);
    }
    std::sort(upper_.begin() + begin, upper_.end());
    upper_begin_.push_back(std::ssize(upper_));
    if (std::ssize(upper_) == begin) continue;
    const SupernodeId above = supernode_of(upper_[static_cast<std::size_t>(begin)]);
    parent_[static_cast<std::size_t>(s)] = above;
    children[static_cast<std::size_t>(above)].push_back(s);
  }
}

void Tree::number_slots() {
  slot_.resize(parent_.size());
  for (SupernodeId s = supernodes() - 1; s >= 0; --s) {
    const SupernodeId above = parent(s);
    slot_[static_cast<std::size_t>(s)] = above < 0 ? 0 : slot(above) + width(above);
    height_ = std::max(height_, slot(s) + width(s));
  }
  upper_slots_.reserve(upper_.size());
  for (const Position p : upper_) {
    const SupernodeId holder = supernode_of(p);
    upper_slots_.push_back(slot(holder) + p - first(holder));
  }
}

}  // namespace apsp::elimination
