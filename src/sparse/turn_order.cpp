#include "sparse/turn_order.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "base/control.hpp"
#include "graph/arc_walk.hpp"
#include "sparse/small_subtrees.hpp"
#include "sparse/tree.hpp"

namespace apsp::sparse {
namespace {

constexpr Vertex kSeveral = ~Vertex{0}, kNowhere = kSeveral - 1;

/// The state of an arc between a vertex and one that is eliminated earlier.
struct LowerArc {
  Vertex upper;
  Position lower;
  SupernodeId of;  // of `lower`
  Vertex state;
  bool enters;  // the upper vertex
};

/// Finds with which vertex of the graph without turns each state is eliminated.
class StateOrder {
 public:
  StateOrder(const Graph& graph, const Pattern& pattern, const TurnStates& states,
             const Tree& places)
      : graph_(graph),
        pattern_(pattern),
        states_(states),
        places_(places),
        children_(children_of(places)),
        keys_(static_cast<std::size_t>(graph.vertex_count())),
        entered_from_(keys_.size(), kNowhere),
        waits_(keys_.size()) {
    for (Vertex x = 0; x < keys_.size(); ++x) keys_[x] = position(place(x));
    graph.visit_all([&](Vertex x, Vertex y, double) {
      if (x == y) return;
      Vertex& from = entered_from_[y];
      from = from == kNowhere || from == place(x) ? place(x) : kSeveral;
    });
    place_states();
  }

  /// Vertices and ends go before their first state, unless a separator needs them.
  std::vector<Vertex> run() const {
    std::vector<std::pair<Position, bool>> places(keys_.size());
    for (Vertex x = 0; x < keys_.size(); ++x) {
      places[x] = {keys_[x], true};
      if (!has_no_arc(x) || waits_[x]) continue;
      for (const Vertex y : pattern_.of(x)) {
        if (!has_no_arc(y)) places[x] = std::min(places[x], std::pair(keys_[y], false));
      }
    }
    std::vector<Vertex> order = graph::all_vertices(std::ssize(keys_));
    std::ranges::stable_sort(order, {}, [&](Vertex x) { return places[x]; });
    return order;
  }

 private:
  using Arcs = std::span<const LowerArc>;

  Vertex place(Vertex x) const { return states_.place(x); }
  Position position(Vertex v) const { return places_.order().position_of[v]; }
  /// Whether x is where paths begin or end, and no state of an arc.
  bool has_no_arc(Vertex x) const {
    return entered_from_[x] == kNowhere || entered_from_[x] == place(x);
  }

  void place_states() {
    std::vector<LowerArc> arcs;
    std::vector<bool> shared(static_cast<std::size_t>(places_.vertices()));
    graph_.visit_all([&](Vertex x, Vertex y, double) {
      const Vertex u = place(x), v = place(y);
      if (u == v) return;
      if (entered_from_[y] == kSeveral) {
        shared[u] = shared[v] = true;
      } else if (x < states_.vertices()) {  // each state once
        const bool enters = position(u) < position(v);
        const Position lower = std::min(position(u), position(v));
        arcs.push_back({enters ? v : u, lower, places_.supernode_of(lower), y, enters});
      }
    });
    std::ranges::sort(arcs, {},
                      [](const LowerArc& arc) { return std::pair(arc.upper, arc.lower); });
    for (auto first = arcs.begin(); first != arcs.end();) {
      const Vertex v = first->upper;
      const auto last =
          std::find_if(first, arcs.end(), [&](const LowerArc& a) { return a.upper != v; });
      if (shared[v]) {
        cut_all({first, last}, true, position(v));
      } else {
        place_arcs({first, last});
      }
      first = last;
    }
  }

  /// Places the arcs of one vertex to vertices below it, by ascending position. Where they part,
  /// those that enter it are in the separator, those that leave it, or those of all sides but one.
  void place_arcs(Arcs arcs) {
    while (arcs.front().of != arcs.back().of) {
      const SupernodeId s = common_ancestor(places_, arcs.front().of, arcs.back().of);
      const Position at_separator = places_.first(s + 1) - 1;
      std::int64_t in = 1, out = 1;
      Arcs most;
      for (std::size_t i = 0; i < arcs.size();) {
        const std::size_t begin = i;
        const SupernodeId side = side_of(s, arcs[i]);
        for (; i < arcs.size() && side_of(s, arcs[i]) == side; ++i) {
          in += side == s || arcs[i].enters ? 1 : 0;
          out += side == s || !arcs[i].enters ? 1 : 0;
        }
        if (side != s && i - begin > most.size()) most = arcs.subspan(begin, i - begin);
      }
      if (std::min(in, out) <= std::ssize(arcs) - std::ssize(most)) {
        return cut_all(arcs, in <= out, at_separator);
      }
      for (const LowerArc& arc : arcs) {
        if (side_of(s, arc) != side_of(s, most.front())) keys_[arc.state] = at_separator;
      }
      arcs = most;
    }
    for (const LowerArc& arc : arcs) keys_[arc.state] = arc.lower;
  }

  void cut_all(Arcs arcs, bool entering, Position at_separator) {
    const Vertex v = arcs.front().upper, begin_or_end = entering ? v : states_.end(v);
    waits_[begin_or_end] = true;
    keys_[begin_or_end] = at_separator;
    for (const LowerArc& arc : arcs) {
      keys_[arc.state] = arc.enters == entering ? at_separator : arc.lower;
    }
  }

  /// The child of s that the arc's lower end is below, or s itself.
  SupernodeId side_of(SupernodeId s, const LowerArc& arc) const {
    return arc.of == s ? s : *std::ranges::lower_bound(children_.of(s), arc.of);
  }

  const Graph& graph_;
  const Pattern& pattern_;
  const TurnStates& states_;
  const Tree& places_;
  const Children children_;
  std::vector<Position> keys_;        // [n] of the vertex that it is eliminated with
  std::vector<Vertex> entered_from_;  // [n] the place, `kSeveral` or `kNowhere`
  std::vector<bool> waits_;           // [n] for its position: a separator holds it
};

}  // namespace

Pattern pattern_of_places(const Pattern& pattern, const TurnStates& states) {
  return contracted(pattern, states.vertices(), [&](Vertex x) { return states.place(x); });
}

Order turn_order(const Graph& graph, const Pattern& pattern, const TurnStates& states,
                 const OrderOptions& options) {
  const Pattern places = pattern_of_places(pattern, states);
  const Tree tree(places, nested_dissection(places, options), false);
  Order order = order_of(
      with_small_subtrees_reordered(pattern, graph::all_vertices(graph.vertex_count()), pattern,
                                    StateOrder(graph, pattern, states, tree).run()));
  order.peak_bytes = turn_ordering_bytes(pattern, places, options.workers);
  return order;
}

std::int64_t turn_ordering_bytes(const Pattern& pattern, const Pattern& places, int workers) {
  // Bytes of a state: its order, tree and place while small subtrees are reordered.
  constexpr std::int64_t kState = 64;
  return std::ssize(pattern.offsets) * 8 + std::ssize(pattern.neighbours) * 4 +
         std::max(pattern.vertices() * kState + std::ssize(places.neighbours) * 16,
                  ordering_bytes(order_sizes(places), workers));
}

}  // namespace apsp::sparse
