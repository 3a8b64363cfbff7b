#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/turns.hpp>
#include <cmath>
#include <map>
#include <numbers>
#include <string_view>
#include <utility>

#include "base/control.hpp"
#include "base/refusal.hpp"
#include "base/units.hpp"
#include "graph/arc_walk.hpp"
#include "system/memory_limit.hpp"

namespace apsp {
namespace {

constexpr std::string_view kArrow = "->";
constexpr double kForbidden = std::numeric_limits<double>::infinity();

/// The lightest arcs between vertices, both ways, sorted.
struct LightestArcs {
  explicit LightestArcs(const Graph& graph) : out(rows(graph)), in(out.size()) {
    for (Vertex u = 0; u < out.size(); ++u) {
      for (const Arc& arc : out[u]) in[arc.to].push_back(u);
    }
  }

  static std::vector<std::vector<Arc>> rows(const Graph& graph) {
    std::vector<std::vector<Arc>> rows(static_cast<std::size_t>(graph.vertex_count()));
    graph.visit_all([&](Vertex u, Vertex v, double weight) {
      if (rows[u].empty() || rows[u].back().to != v) rows[u].push_back({v, weight});
    });
    return rows;
  }
  bool has(Vertex u, Vertex v) const {
    const auto at = std::ranges::lower_bound(out[u], v, {}, &Arc::to);
    return at != out[u].end() && at->to == v;
  }

  std::vector<std::vector<Arc>> out;    // by ascending target
  std::vector<std::vector<Vertex>> in;  // ascending
};

void require_cost(double cost) {
  refuse_if(!(cost >= 0), "the cost of a turn must be at least 0, not {}", cost);
}

/// The cost of every turn by table and rules.
class TurnCosts {
 public:
  TurnCosts(const Graph& graph, const LightestArcs& arcs, const TurnRules& rules)
      : arcs_(arcs), rules_(rules), turns_(rules.turns) {
    if (rules.u_turns) require_cost(*rules.u_turns);
    for (const TurnAngle& angle : rules.angles) {
      require_cost(angle.cost);
      refuse_if(!(std::abs(angle.angle) <= 180) || angle.angle == 0,
                "the angle of a turn is from -180 (right) to 180 (left) degrees and not 0, not {}",
                angle.angle);
    }
    refuse_if(!rules.angles.empty() && !rules.positions,
              "angles of turns need the positions of the vertices");
    const auto n = static_cast<std::size_t>(graph.vertex_count());
    refuse_if(rules.positions && rules.positions->x.size() != n,
              "there are {} positions of {} vertices",
              rules.positions ? rules.positions->x.size() : 0, n);
    std::ranges::sort(turns_, {}, ends_of);
    for (std::size_t i = 0; i < turns_.size(); ++i) check(graph, i);
  }

  bool any_at(Vertex via) const {
    if (rules_.u_turns.value_or(0) > 0 || !rules_.angles.empty()) return true;
    const auto first = std::ranges::lower_bound(turns_, via, {}, &Turn::via);
    return first != turns_.end() && first->via == via;
  }

  double operator()(Vertex from, Vertex via, Vertex to) const {
    const auto listed = std::ranges::lower_bound(turns_, std::tuple(via, from, to), {}, ends_of);
    if (listed != turns_.end() && ends_of(*listed) == std::tuple(via, from, to)) {
      return listed->cost;
    }
    if (from == to && from != via && rules_.u_turns) {
      const bool only_way = arcs_.out[via].size() == 1;
      return only_way && *rules_.u_turns == kForbidden ? 0 : *rules_.u_turns;
    }
    return rules_.angles.empty() || from == to ? 0 : by_angle(from, via, to);
  }

 private:
  static std::tuple<Vertex, Vertex, Vertex> ends_of(const Turn& turn) {
    return {turn.via, turn.from, turn.to};
  }

  void check(const Graph& graph, std::size_t i) const {
    const Turn& turn = turns_[i];
    for (const Vertex v : {turn.from, turn.via, turn.to}) {
      refuse_if(v >= graph.vertex_count(), "vertex number {} is outside a graph of {} vertices", v,
                graph.vertex_count());
    }
    require_cost(turn.cost);
    for (const auto& [u, v] : {std::pair(turn.from, turn.via), std::pair(turn.via, turn.to)}) {
      refuse_if(!arcs_.has(u, v), "a turn leads over {} → {}, and the graph has no such arc",
                graph.name(u), graph.name(v));
    }
    refuse_if(i > 0 && ends_of(turns_[i - 1]) == ends_of(turn) && turns_[i - 1].cost != turn.cost,
              "the turn {} → {} → {} has two costs, {} and {}", graph.name(turn.from),
              graph.name(turn.via), graph.name(turn.to), turns_[i - 1].cost, turn.cost);
  }

  double by_angle(Vertex from, Vertex via, Vertex to) const {
    const double change = std::remainder(direction(via, to) - direction(from, via), 360.0);
    double furthest = 0, cost = 0;
    for (const TurnAngle& angle : rules_.angles) {
      const bool reached = angle.angle > 0 ? change >= angle.angle : change <= angle.angle;
      if (!reached || std::abs(angle.angle) <= furthest) continue;
      furthest = std::abs(angle.angle);
      cost = angle.cost;
    }
    return cost;
  }
  double direction(Vertex from, Vertex to) const {
    const Coordinates& at = *rules_.positions;
    const double east =
        (at.x[to] - at.x[from]) * (at.degrees ? std::cos(at.y[from] * std::numbers::pi / 180) : 1);
    return std::atan2(at.y[to] - at.y[from], east) * 180 / std::numbers::pi;
  }

  const LightestArcs& arcs_;
  const TurnRules& rules_;
  std::vector<Turn> turns_;  // by via, from, to
};

/// A state of a vertex: the arcs that enter it, and the costs of going on.
struct State {
  Vertex first;               // the first vertex that it is entered from
  std::vector<double> costs;  // [arcs that leave]
};

/// The states of all vertices; those of a vertex are consecutive.
class StateGraph {
 public:
  StateGraph(const Graph& graph, const TurnRules& rules)
      : graph_(graph), arcs_(graph), entered_(arcs_.in.size()), first_(arcs_.in.size() + 1) {
    const TurnCosts costs(graph, arcs_, rules);
    for (Vertex v = 0; v < arcs_.in.size(); ++v) {
      base::poll(v);
      first_[v] = states_.size();
      if (costs.any_at(v)) find_states(costs, v);
    }
    first_.back() = states_.size();
  }

  Graph build() const {
    const auto n = static_cast<std::size_t>(graph_.vertex_count());
    std::vector<std::string> labels;
    for (Vertex v = 0; v < n; ++v) labels.push_back(graph_.name(v));
    std::vector<Vertex> ends(n);
    for (Vertex v = 0; v < n; ++v) {
      ends[v] = v;
      if (!has_states(v)) continue;
      ends[v] = static_cast<Vertex>(labels.size());
      labels.push_back(fmt::format("{}{}", kArrow, labels[v]));
    }
    const std::size_t expanded = labels.size() - n;
    first_state_ = static_cast<Vertex>(labels.size());
    for (Vertex v = 0; v < n; ++v) {
      for (std::size_t s = first_[v]; s < first_[v + std::size_t{1}]; ++s) {
        labels.push_back(fmt::format("{}{}{}", labels[states_[s].first], kArrow, labels[v]));
      }
    }
    GraphBuilder builder(std::ssize(labels), true);
    for (Vertex v = 0; v < n; ++v) {
      base::poll(v);
      for (const Arc& arc : arcs_.out[v]) builder.add_edge(v, entry(v, arc.to), arc.weight);
      if (!has_states(v)) continue;
      builder.add_edge(v, ends[v], 0);
      for (std::size_t s = first_[v]; s < first_[v + std::size_t{1}]; ++s) {
        const auto state = static_cast<Vertex>(first_state_ + s);
        builder.add_edge(state, ends[v], 0);
        for (std::size_t i = 0; i < arcs_.out[v].size(); ++i) {
          const Arc& arc = arcs_.out[v][i];
          if (states_[s].costs[i] == kForbidden) continue;
          builder.add_edge(state, entry(v, arc.to), arc.weight + states_[s].costs[i]);
        }
      }
    }
    builder.set_labels(std::move(labels));
    return std::move(builder).build().with_remark(fmt::format(
        "turns: {} of {} vertices have {} of arriving, so the graph that is solved has {}",
        base::format_count(static_cast<std::int64_t>(expanded)),
        base::format_count(static_cast<std::int64_t>(n)),
        base::counted(std::ssize(states_), "state", "states"),
        base::counted(static_cast<std::int64_t>(n + expanded + states_.size()), "vertex",
                      "vertices")));
  }

  /// Bytes of the graph that `build` makes, at most, and of what is here.
  double bytes() const {
    constexpr double kVertex = 96, kArc = 80;  // labels and rows; edges, and arcs sorted
    double vertices = static_cast<double>(graph_.vertex_count()) * 2, arcs = vertices;
    for (Vertex v = 0; v < arcs_.out.size(); ++v) {
      const auto states = static_cast<double>(first_[v + std::size_t{1}] - first_[v]);
      vertices += states;
      arcs += (1 + states) * static_cast<double>(1 + arcs_.out[v].size());
    }
    return vertices * kVertex + arcs * kArc;
  }

 private:
  static constexpr std::uint32_t kNone = 0;  // in `entered_`: the vertex itself

  bool has_states(Vertex v) const { return first_[v] < first_[v + std::size_t{1}]; }

  void find_states(const TurnCosts& costs, Vertex v) {
    std::map<std::vector<double>, std::uint32_t> known;
    entered_[v].assign(arcs_.in[v].size(), kNone);
    bool any = false;
    for (std::size_t i = 0; i < arcs_.in[v].size(); ++i) {
      std::vector<double> row;
      for (const Arc& arc : arcs_.out[v]) row.push_back(costs(arcs_.in[v][i], v, arc.to));
      if (std::ranges::none_of(row, [](double cost) { return cost > 0; })) continue;
      const auto next = static_cast<std::uint32_t>(known.size() + 1);
      const auto [at, is_new] = known.emplace(row, next);
      entered_[v][i] = at->second;
      any = true;
      if (is_new) states_.push_back({arcs_.in[v][i], std::move(row)});
    }
    if (!any) entered_[v].clear();
  }

  /// The vertex or state at which the arc u → v arrives.
  Vertex entry(Vertex u, Vertex v) const {
    if (entered_[v].empty()) return v;
    const auto at = std::ranges::lower_bound(arcs_.in[v], u) - arcs_.in[v].begin();
    const std::uint32_t state = entered_[v][static_cast<std::size_t>(at)];
    return state == kNone ? v : static_cast<Vertex>(first_state_ + first_[v] + state - 1);
  }

  const Graph& graph_;
  LightestArcs arcs_;
  std::vector<std::vector<std::uint32_t>> entered_;  // [n] the state of each arc, from 1; or empty
  std::vector<std::size_t> first_;                   // [n + 1] of the states
  std::vector<State> states_;
  mutable Vertex first_state_ = 0;
};

}  // namespace

Graph with_turns(const Graph& graph, const TurnRules& rules) {
  refuse_if(TurnStates::of(graph).has_value(), "the graph has turns already");
  constexpr double kArc = 24, kVertex = 96;
  system::require_memory(kArc * static_cast<double>(graph.arc_count()) +
                             kVertex * static_cast<double>(graph.vertex_count()),
                         "the turns of the graph", "take a smaller graph");
  const StateGraph states(graph, rules);
  system::require_memory(states.bytes(), "the graph with the states of its turns",
                         "list only turns that cost something, or take a smaller graph");
  return states.build();
}

std::optional<TurnStates> TurnStates::of(const Graph& graph) {
  const std::span<const std::string> labels = graph.labels();
  if (labels.empty() || labels.back().find(kArrow) == std::string::npos) return std::nullopt;
  const auto is_end = [](const std::string& label) { return label.starts_with(kArrow); };
  const auto first_end = std::ranges::find_if(labels, is_end);
  const auto first_state = std::find_if_not(first_end, labels.end(), is_end);
  const auto n = static_cast<Vertex>(first_end - labels.begin());
  const auto ended = static_cast<Vertex>(first_state - labels.begin());
  TurnStates states;
  states.ends_.resize(n);
  states.places_.assign(labels.size() - n, n);
  Vertex next = n;
  for (Vertex v = 0; v < n; ++v) {
    const bool has_end = next < ended && std::string_view(labels[next]).substr(2) == labels[v];
    states.ends_[v] = has_end ? next : v;
    if (has_end) states.places_[next++ - n] = v;
  }
  if (next != ended || n == 0 || ended == n) return std::nullopt;
  for (Vertex v = ended; v < labels.size(); ++v) {
    graph.for_each_arc(v, [&](Vertex to, double weight) {
      if (to >= n && to < ended && weight == 0) states.places_[v - n] = states.places_[to - n];
    });
    if (states.places_[v - n] == n) return std::nullopt;
  }
  return states;
}

std::vector<Vertex> TurnStates::places(std::span<const Vertex> path) const {
  std::vector<Vertex> places;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool is_end = i > 0 && path[i] >= vertices() && ends_[place(path[i])] == path[i];
    if (!is_end) places.push_back(place(path[i]));
  }
  return places;
}

}  // namespace apsp
