#include "paths/path_trees.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/control.hpp"
#include "paths/paths.hpp"

namespace apsp::paths {
namespace {

/// Arcs of a vertex that take longer than its place in a sorted level.
constexpr std::int64_t kSortedDegree = 32;

struct FinitePart {
  std::size_t count = 0;
  double greatest = -std::numeric_limits<double>::infinity();
};

FinitePart finite_part(std::span<const double> distance, double no_path) {
  FinitePart part;
  for (const double d : distance) {
    if (d == no_path) continue;
    ++part.count;
    part.greatest = std::max(part.greatest, d);
  }
  return part;
}

}  // namespace

TightTree::TightTree(const Graph& graph, TreeArcs arcs, Semiring semiring, ValueType type)
    : arcs_(arcs),
      semiring_(semiring),
      round_weights_(type == ValueType::f32),
      sorts_(arcs.are_essential() || arcs.count() >= kSortedDegree * graph.vertex_count()),
      no_path_(no_path(semiring, semiring == Semiring::or_and ? type : ValueType::f64)),
      level_(static_cast<std::size_t>(graph.vertex_count())),
      queue_(static_cast<std::size_t>(graph.vertex_count())) {}

/// Every level in increasing order, so that the first predecessor found is the smallest.
template <class Times>
bool TightTree::search_sorted(Vertex source, std::span<const double> distance,
                              std::span<std::int64_t> predecessor, Times times) {
  const auto [wanted, furthest] = finite_part(distance, no_path_);
  const bool sums = semiring_ == Semiring::min_plus || semiring_ == Semiring::max_plus;
  constexpr double kDone = std::numeric_limits<double>::infinity();
  open_.assign(distance.begin(), distance.end());
  open_[source] = kDone;
  next_.assign((distance.size() + 63) / 64, 0);
  now_.resize(next_.size());
  std::uint64_t *const now = now_.data(), *const next = next_.data();
  std::size_t count = 1, visited = 0, begin = source / 64, end = begin + 1;  // words with bits
  next[begin] = std::uint64_t{1} << source % 64;
  while (begin < end) {
    const std::size_t first = begin, last = end;
    std::copy(next + first, next + last, now + first);
    std::fill(next + first, next + last, 0);
    begin = next_.size(), end = 0;
    for (std::size_t word = first; word < last; ++word) {
      for (; now[word] != 0; now[word] &= now[word] - 1) {
        if (count == wanted) return true;
        const auto u = static_cast<Vertex>(word * 64) + std::countr_zero(now[word]);
        base::poll(++visited);
        arcs_.for_each(u, sums ? furthest - distance[u] : kDone, [&](Vertex v, double exact) {
          const double weight =
              round_weights_ ? static_cast<double>(static_cast<float>(exact)) : exact;
          // No arc into a vertex without a path is tight.
          if (times(distance[u], weight) != open_[v]) return;
          predecessor[v] = u;
          open_[v] = kDone;
          ++count;
          const std::size_t place = v / 64;
          next[place] |= std::uint64_t{1} << v % 64;
          begin = std::min(begin, place);
          end = std::max(end, place + 1);
        });
      }
    }
  }
  return count == wanted;
}

template <class Times>
bool TightTree::search(Vertex source, std::span<const double> distance,
                       std::span<std::int64_t> predecessor, Times times) {
  if (sorts_) return search_sorted(source, distance, predecessor, times);
  level_[source] = 0;
  Vertex* const queue = queue_.data();
  queue[0] = source;
  std::size_t count = 1;
  for (std::size_t next = 0; next < count; ++next) {
    const Vertex u = queue[next];
    base::poll(next);
    arcs_.walk().for_each_arc(u, [&](Vertex v, double exact) {
      const bool first = level_[v] < 0;
      const bool again = level_[v] == level_[u] + 1 && u < predecessor[v];
      if (!first && !again) return;
      const double weight = round_weights_ ? static_cast<double>(static_cast<float>(exact)) : exact;
      if (distance[v] == no_path_ || times(distance[u], weight) != distance[v]) return;
      predecessor[v] = u;
      if (!first) return;
      level_[v] = level_[u] + 1;
      queue[count++] = v;
    });
  }
  return static_cast<std::ptrdiff_t>(count) +
             std::count(distance.begin(), distance.end(), no_path_) ==
         std::ssize(distance);
}

bool TightTree::grow(Vertex source, std::span<const double> distance,
                     std::span<std::int64_t> predecessor) {
  std::fill(level_.begin(), level_.end(), -1);
  std::fill(predecessor.begin(), predecessor.end(), -1);
  switch (semiring_) {
    case Semiring::max_min:
      return search(source, distance, predecessor,
                    [](double d, double w) { return std::min(d, w); });
    case Semiring::min_max:
      return search(source, distance, predecessor,
                    [](double d, double w) { return std::max(d, w); });
    case Semiring::or_and:
      return search(source, distance, predecessor, [](double d, double) { return d; });
    default:
      return search(source, distance, predecessor, [](double d, double w) { return d + w; });
  }
}

namespace {

constexpr double kUnreached = std::numeric_limits<double>::infinity();
/// Relative to Σ|w|: rounding of double precision in step 2.
constexpr double kRounding = 4 * 0x1p-53;

double unit_roundoff(ValueType type) { return type == ValueType::f32 ? 0x1p-24 : 0x1p-53; }

/// Absolute loss below the type's normal values; 0 for weights that f32 cannot represent.
double least_rounding(const Graph& graph, ValueType type) {
  if (type != ValueType::f32) return std::numeric_limits<double>::denorm_min();
  return graph.weight_facts().below_f32 > 0 ? 0 : std::numeric_limits<float>::denorm_min();
}

}  // namespace

SlackTree::SlackTree(const Graph& graph, TreeArcs arcs, Semiring semiring, ValueType type)
    : graph_(graph),
      arcs_(arcs),
      sign_(semiring == Semiring::max_plus ? -1 : 1),
      type_(type),
      unit_roundoff_(unit_roundoff(type)),
      smallest_(least_rounding(graph, type)),
      labels_(static_cast<std::size_t>(graph.vertex_count())),
      distance_(static_cast<std::size_t>(graph.vertex_count())) {}

double SlackTree::most_slack(const Graph& graph, ValueType type, double largest) {
  return 4 * static_cast<double>(graph.vertex_count()) *
         (unit_roundoff(type) * largest + least_rounding(graph, type));
}

bool SlackTree::grow(Vertex source, std::span<const double> distance,
                     std::span<std::int64_t> predecessor) {
  const WeightFacts& facts = graph_.weight_facts();
  furthest_ = finite_part(distance, sign_ * kUnreached).greatest;
  double scale =
      arcs_.are_essential() ? 0 : std::max(std::abs(facts.least), std::abs(facts.greatest));
  for (std::size_t v = 0; v < distance_.size(); ++v) {
    distance_[v] = sign_ * distance[v];
    if (distance_[v] < kUnreached) scale = std::max(scale, std::abs(distance_[v]));
  }
  const double tolerance = most_slack(graph_, type_, scale);
  const bool increasing = sign_ > 0 && facts.least >= 0;
  if (!(increasing && settle_by_distance(source, tolerance)) && !settle_all(source, tolerance) &&
      !settle_all(source, kUnreached)) {
    return false;
  }
  measure();
  shorten();
  for (std::size_t v = 0; v < labels_.size(); ++v) predecessor[v] = labels_[v].parent;
  return agrees() || (facts.least < 0 && facts.greatest > 0 && agrees_when_reduced(source));
}

/// Step 1 without a heap. An arc leads to a greater distance, except by rounding: returns false if
/// such an arc improves an earlier label, or a vertex is not reached in this order.
bool SlackTree::settle_by_distance(Vertex source, double tolerance) {
  std::fill(labels_.begin(), labels_.end(), Label{});
  labels_[source].reached = true;
  sort_by_distance(source);
  bool in_order = true;
  for (const Vertex u : order_) {
    Label& from = labels_[u];
    if (!from.reached) return false;
    from.queued = true;
    relax(u, tolerance, [&](Vertex v) { in_order = in_order && !labels_[v].queued; });
    if (!in_order) return false;
  }
  for (const Vertex v : order_) labels_[v].settled = true;
  return settled_all();
}

/// Fills `order_`: the source, then vertices with a path by distance, equal ones by number. Buckets
/// of equal width hold few vertices each, unless distances are very unequal.
void SlackTree::sort_by_distance(Vertex source) {
  const auto n = static_cast<double>(labels_.size());
  const double scale = std::min((n - 1) / furthest_, std::numeric_limits<double>::max());
  const auto bucket = [&](Vertex v) {
    return static_cast<std::size_t>(std::min(n - 1, std::max(0.0, distance_[v] * scale)));
  };
  ends_.assign(labels_.size() + 1, 0);
  const auto for_each_reachable = [&](auto&& visit) {
    for (Vertex v = 0; v < distance_.size(); ++v) {
      if (v != source && distance_[v] < kUnreached) visit(v);
    }
  };
  for_each_reachable([&](Vertex v) { ++ends_[bucket(v) + 1]; });
  ends_[0] = 1;
  std::inclusive_scan(ends_.begin(), ends_.end(), ends_.begin());
  order_.assign(1, source);
  order_.resize(ends_.back());
  for_each_reachable([&](Vertex v) { order_[ends_[bucket(v)]++] = v; });
  std::size_t begin = 1;
  for (const std::size_t end : ends_) {
    if (end - begin > 1) {
      std::sort(order_.begin() + begin, order_.begin() + end, [&](Vertex a, Vertex b) {
        return distance_[a] != distance_[b] ? distance_[a] < distance_[b] : a < b;
      });
    }
    begin = end;
  }
}

/// Step 1. Returns false if a vertex with a distance is not reached over slacks up to `tolerance`.
bool SlackTree::settle_all(Vertex source, double tolerance) {
  std::fill(labels_.begin(), labels_.end(), Label{});
  order_.clear();
  labels_[source].reached = true;
  heap_.assign(1, {0, 0, source});
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const Vertex u = heap_.back().vertex;
    heap_.pop_back();
    if (!labels_[u].settled) settle(u, tolerance);
  }
  return settled_all();
}

bool SlackTree::settled_all() const {
  const auto unreached = std::count(distance_.begin(), distance_.end(), kUnreached);
  return std::ssize(order_) + unreached == std::ssize(distance_);
}

void SlackTree::settle(Vertex u, double tolerance) {
  labels_[u].settled = true;
  order_.push_back(u);
  base::poll(order_.size());
  relax(u, tolerance, [&](Vertex v) {
    heap_.push_back({labels_[v].slack, labels_[v].edges, v});
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  });
}

/// Calls improved(v) for every label that the arcs of u improve.
template <class Improved>
void SlackTree::relax(Vertex u, double tolerance, Improved&& improved) {
  const Label& from = labels_[u];
  arcs_.for_each(u, furthest_ - sign_ * distance_[u], [&](Vertex v, double weight) {
    const double w = sign_ * weight, slack = std::max(0.0, w + distance_[u] - distance_[v]);
    if (slack > tolerance || distance_[v] == kUnreached) return;
    Label& to = labels_[v];
    if (to.settled) return;
    const Key key = {from.slack + slack, from.edges + 1, u};
    if (to.reached && key >= Key{to.slack, to.edges, static_cast<Vertex>(to.parent)}) return;
    to.reached = true;
    to.slack = key.slack;
    to.edges = key.edges;
    to.parent = u;
    to.weight = w;
    improved(v);
  });
}

/// Step 2a. Requires: parents precede their children in `order_`.
void SlackTree::measure() {
  for (const Vertex v : order_) {
    Label& to = labels_[v];
    if (to.parent < 0) continue;
    const Label& from = labels_[static_cast<std::size_t>(to.parent)];
    to.length = from.length + to.weight;
    to.magnitude = from.magnitude + std::abs(to.weight);
  }
}

/// Calls visit(to, w, v) for every arc that shortens the path to v by more than rounding.
template <class Visit>
void SlackTree::for_each_shortcut(Vertex u, Visit&& visit) {
  const Label& from = labels_[u];
  arcs_.for_each(u, furthest_ - sign_ * distance_[u], [&](Vertex v, double weight) {
    Label& to = labels_[v];
    const double w = sign_ * weight;
    if (!to.settled || from.length + w >= to.length - kRounding * to.magnitude) return;
    visit(to, w, v);
  });
}

/// Step 2b. `order_` is the queue; a vertex enters at most n times, as in Bellman-Ford. Only a
/// cycle that is negative by rounding makes an arc close a cycle.
void SlackTree::shorten() {
  bool any = false;
  for (const Vertex u : order_) {
    for_each_shortcut(u, [&](Label&, double, Vertex) { any = true; });
  }
  if (!any) return;
  std::sort(order_.begin(), order_.end(), [&](Vertex a, Vertex b) {
    return Key{labels_[a].slack, labels_[a].edges, a} < Key{labels_[b].slack, labels_[b].edges, b};
  });
  for (const Vertex v : order_) labels_[v].queued = true;
  const double most = std::pow(static_cast<double>(labels_.size()), 2);
  for (std::size_t next = 0; next < order_.size() && static_cast<double>(next) < most; ++next) {
    const Vertex u = order_[next];
    base::poll(next);
    Label& from = labels_[u];
    from.queued = false;
    for_each_shortcut(u, [&](Label& to, double w, Vertex v) {
      if (is_ancestor(v, u)) return;
      to.parent = u;
      to.weight = w;
      to.length = from.length + w;
      to.magnitude = from.magnitude + std::abs(w);
      if (!to.queued) order_.push_back(v);
      to.queued = true;
    });
  }
}

bool SlackTree::is_ancestor(Vertex ancestor, Vertex v) const {
  std::int64_t at = v;
  while (at >= 0 && at != ancestor) at = labels_[static_cast<std::size_t>(at)].parent;
  return at >= 0;
}

/// Step 3: at most n roundings of a partial sum. Signed weights: the solver's partial sums are
/// assumed not to exceed the largest of this tree.
bool SlackTree::agrees() const {
  double largest = 0;
  for (const Label& label : labels_) largest = std::max(largest, label.magnitude);
  const bool one_sign = sign_ > 0 && graph_.weight_facts().least >= 0;
  const double n = static_cast<double>(labels_.size());
  for (std::size_t v = 0; v < labels_.size(); ++v) {
    if (!labels_[v].settled) continue;
    const double magnitude = one_sign ? labels_[v].magnitude : largest;
    const double tolerance = 4 * n * (unit_roundoff_ * magnitude + smallest_);
    if (!(std::abs(labels_[v].length - distance_[v]) <= tolerance)) return false;  // or NaN
  }
  return true;
}

/// Step 3 for both signs: at most n roundings of the reduced length and one of the distance.
bool SlackTree::agrees_when_reduced(Vertex source) {
  if (!potentials_) potentials_ = potentials(graph_, sign_);
  if (potentials_->cycle) return false;
  const std::vector<base::DoubleDouble>& h = potentials_->h;
  const double forgiven = lacking_an_edge(graph_, *potentials_);
  const double n = static_cast<double>(labels_.size());
  for (std::size_t v = 0; v < labels_.size(); ++v) {
    const Label& label = labels_[v];
    if (!label.settled) continue;
    const double reduced = std::max(0.0, label.length + h[source].high - h[v].high);
    const double rounded = unit_roundoff_ * (reduced + std::abs(distance_[v])) +
                           0x1p-53 * label.magnitude + forgiven + smallest_;
    if (!(std::abs(label.length - distance_[v]) <= 4 * n * rounded)) return false;
  }
  return true;
}

PredecessorTree::PredecessorTree(const Graph& graph, Semiring semiring, ValueType type,
                                 graph::Pages pages, const EssentialArcs* essential)
    : graph_(graph),
      semiring_(semiring),
      type_(type),
      tight_(graph, {graph, pages, essential}, semiring, type) {
  const bool sums = semiring == Semiring::min_plus || semiring == Semiring::max_plus;
  const bool floats = type == ValueType::f32 || type == ValueType::f64;
  if (sums && floats) {
    slack_.emplace(graph, TreeArcs(graph, pages, essential), semiring, type);
  }
}

void PredecessorTree::grow(Vertex source, std::span<double> row,
                           std::span<std::int64_t> predecessor) {
  row[source] = empty_path(semiring_, semiring_ == Semiring::or_and ? type_ : ValueType::f64);
  // Integers in floats are exact up to 2^24 or 2^53; tight arcs may not suffice above.
  const bool exact = !slack_ || graph_.weight_facts().integral;
  if (exact && tight_.grow(source, row, predecessor)) return;
  if (slack_ && slack_->grow(source, row, predecessor)) return;
  throw Error(ErrorKind::input,
              fmt::format("the distances from vertex {} do not belong to this graph: no paths of "
                          "these lengths lead to all vertices; run `apsp verify`",
                          graph_.name(source)));
}

std::span<const std::int64_t> PredecessorTree::of(Vertex source, const void* distances) {
  row_.resize(static_cast<std::size_t>(graph_.vertex_count()));
  predecessor_.resize(row_.size());
  convert_row(semiring_, type_, distances, row_);
  grow(source, row_, predecessor_);
  return predecessor_;
}

}  // namespace apsp::paths
