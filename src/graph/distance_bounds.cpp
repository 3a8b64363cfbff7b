#include "graph/distance_bounds.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/team.hpp"
#include "graph/arc_walk.hpp"
#include "graph/components.hpp"
#include "graph/search.hpp"
#include "graph/whole_weights.hpp"

namespace apsp {
namespace {

/// The two largest of the distances from a centre, or to it; the first one's vertex.
struct Farthest {
  Vertex vertex = 0;
  double first = 0, second = 0;

  void add(Vertex v, double distance) {
    if (distance > first) {
      second = first;
      first = distance;
      vertex = v;
    } else {
      second = std::max(second, distance);
    }
  }
};

/// The longest way from one vertex to another by the centre.
double longest_way(const Farthest& away, const Farthest& home) {
  if (away.vertex != home.vertex) return away.first + home.first;
  return std::max(away.first + home.second, away.second + home.first);
}

/// A bound that sums of weights along paths gave, as exact arithmetic would not exceed it. Sums of
/// integers below 2^53 are exact, and those of others lose a rounding a term.
double rounded_up(double bound, const Graph& graph) {
  const bool exact = graph.weight_facts().integral && bound <= graph::kMostExact;
  const double rounding = exact ? 0 : 0x1p-50;
  return bound * (1 + rounding * static_cast<double>(graph.vertex_count()));
}

/// Whether vertex 0 reaches all n. Sooner told than what the strong components are.
template <class Arcs>
bool reaches_all(const Arcs& arcs, std::int64_t n) {
  std::vector<bool> seen(static_cast<std::size_t>(n));
  std::vector<Vertex> waiting = {0};
  seen[0] = true;
  std::int64_t reached = 0;
  while (!waiting.empty()) {
    const Vertex u = waiting.back();
    waiting.pop_back();
    base::poll(static_cast<std::size_t>(++reached));
    arcs.for_each_arc(u, [&](Vertex v, double) {
      if (seen[v]) return;
      seen[v] = true;
      waiting.push_back(v);
    });
  }
  return reached == n;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Searches within components of two vertices and more.
class Centres {
 public:
  /// `reversed`: the arcs the other way, where that is not the same.
  Centres(const Graph& graph, const std::optional<graph::ReversedArcs>& reversed,
          const graph::Condensation& condensation, std::span<const double> enough,
          const Control& control)
      : graph_(graph),
        reversed_(reversed),
        condensation_(condensation),
        enough_(enough),
        control_(control),
        away_(graph.vertex_count()),
        home_(graph.symmetric() ? 0 : graph.vertex_count()),
        deepest_(graph.symmetric() ? static_cast<std::size_t>(graph.vertex_count()) : 0),
        start_(condensation.count()) {}

  /// A bound of all distances within component c, by its vertex of most arcs.
  double by_busiest(std::size_t c) {
    const std::span<const Vertex> vertices = condensation_.vertices(c);
    return through(c, *std::max_element(vertices.begin(), vertices.end(), [&](Vertex u, Vertex v) {
                     return graph_.out_degree(u) < graph_.out_degree(v);
                   }));
  }

  /// Another, by the middle of the longest path from the vertex that was farthest from the first
  /// centre. `inside`: the bound so far. Requires: by_busiest(c) was called.
  double by_middle(std::size_t c, double inside) {
    search(away_, graph_, c, start_[c]);
    if (!may_prove(inside)) return kInfinity;
    Vertex behind = away_.reached().back();
    const double length = away_.distance(behind);
    while (away_.distance(away_.parent(behind)) > length / 2) behind = away_.parent(behind);
    const Vertex before = away_.parent(behind);
    const bool nearer = away_.distance(behind) - length / 2 < length / 2 - away_.distance(before);
    return through(c, nearer ? behind : before);
  }

  /// Whether a better bound than this one may prove something: no distance that was found exceeds
  /// what would be enough.
  bool may_prove(double bound) const {
    return std::any_of(enough_.begin(), enough_.end(),
                       [&](double enough) { return longest_ <= enough && enough < bound; });
  }

 private:
  template <class Arcs>
  void search(graph::Search& search, const Arcs& arcs, std::size_t c, Vertex source) {
    // A vertex is entered again where a better path to it is found.
    constexpr std::int64_t kShown = std::int64_t{1} << 20, kPolled = std::int64_t{1} << 17;
    std::int64_t entered = 0;
    const auto all = std::ssize(condensation_.vertices(c));
    std::optional<base::ProgressTask> progress;
    if (all > kShown) {
      progress.emplace(control_, "bounding distances", static_cast<double>(all), "vertex");
    }
    search.run(arcs, source, [&](Vertex v) {
      if (++entered % kPolled == 0) {
        base::check_cancelled(control_);
        if (progress && entered % kShown == 0 && entered <= all)
          progress->advance(static_cast<double>(kShown));
      }
      return condensation_.of(v) == c;
    });
    longest_ = std::max(longest_, search.distance(search.reached().back()));
  }

  double through(std::size_t c, Vertex centre) {
    search(away_, graph_, c, centre);
    if (!graph_.symmetric()) search(home_, *reversed_, c, centre);
    const graph::Search& home = graph_.symmetric() ? away_ : home_;
    start_[c] = home.reached().back();
    const std::size_t all = condensation_.vertices(c).size();
    // A sum that overflows reaches nothing.
    if (away_.reached().size() < all || home.reached().size() < all) return kInfinity;
    if (graph_.symmetric()) return diameter_of_tree();
    return longest_way(farthest(away_), farthest(home));
  }

  /// Of the tree of shortest paths that was found last. Its edges lead both ways.
  double diameter_of_tree() {
    double diameter = 0;
    const std::span<const Vertex> reached = away_.reached();
    for (const Vertex v : reached) deepest_[v] = away_.distance(v);
    for (std::size_t i = reached.size() - 1; i > 0; --i) {
      const Vertex v = reached[i], parent = away_.parent(v);
      const double across = deepest_[parent] + deepest_[v] - 2 * away_.distance(parent);
      diameter = std::max(diameter, across);
      deepest_[parent] = std::max(deepest_[parent], deepest_[v]);
    }
    return diameter;
  }

  static Farthest farthest(const graph::Search& search) {
    const std::span<const Vertex> reached = search.reached();
    const Vertex last = reached.back();
    return {last, search.distance(last), search.distance(reached[reached.size() - 2])};
  }

  const Graph& graph_;
  const std::optional<graph::ReversedArcs>& reversed_;
  const graph::Condensation& condensation_;
  std::span<const double> enough_;
  const Control& control_;
  graph::Search away_, home_;    // from a vertex, and to it where that is not the same
  std::vector<double> deepest_;  // [n] the largest distance below a vertex of a tree; symmetric
  std::vector<Vertex> start_;    // [components] the vertex from which the last centre is farthest
  double longest_ = 0;           // distance that was found
};

class Hops {
 public:
  Hops(const Graph& graph, double enough, int threads)
      : graph_(graph),
        enough_(enough),
        n_(static_cast<std::size_t>(graph.vertex_count())),
        home_(n_, kInfinity) {
    Vertex centre = 0;
    for (Vertex v = 1; v < n_; ++v) {
      if (graph.out_degree(v) > graph.out_degree(centre)) centre = v;
    }
    home_[centre] = 0;
    if (!graph.symmetric()) away_ = home_;
    const auto members = static_cast<std::size_t>(
        std::clamp<std::int64_t>(static_cast<std::int64_t>(n_), 1, std::max(1, threads)));
    for (std::size_t member = 0; member < members; ++member) workers_.emplace_back(graph);
  }

  /// Ways of one arc more. False if there were none better, or where it is in vain.
  bool pass(const Control& control) {
    std::vector<double> next = home_;
    for (Distances& member : workers_) member.away = away_;
    std::atomic<bool> in_vain{false};
    base::share_items(
        static_cast<std::int64_t>(n_), static_cast<int>(workers_.size()),
        [&](std::int64_t i, int member) {
          if (base::cancelled(control)) return;
          const auto u = static_cast<Vertex>(i);
          if (take_arcs(u, workers_[static_cast<std::size_t>(member)], next[u]) > enough_) {
            in_vain = true;
          }
        });
    base::check_cancelled(control);
    bool better = next != home_;
    home_ = std::move(next);
    better = take_ways_from_centre() || better;
    return better && !in_vain;
  }

  double bound() const {
    Farthest home, away;
    for (Vertex v = 0; v < n_; ++v) {
      home.add(v, home_[v]);
      away.add(v, graph_.symmetric() ? home_[v] : away_[v]);
    }
    return longest_way(away, home);
  }

 private:
  struct Distances {
    explicit Distances(const Graph& of) : walk(of, graph::Pages::given_back) {}
    graph::ArcWalk walk;
    std::vector<double> away;  // [n] as far as its vertices tell; symmetric: empty
  };

  /// Betters u's way home by its arcs, and the member's ways from the centre over them. Returns the
  /// least weight of an arc to another vertex, which no distance from u falls below; 0: none.
  double take_arcs(Vertex u, Distances& member, double& home) const {
    double lightest = kInfinity, best = home;
    const bool symmetric = graph_.symmetric();
    const double way = symmetric ? 0 : away_[u];
    member.walk.for_each_arc(u, [&](Vertex v, double weight) {
      if (v == u) return;
      lightest = std::min(lightest, weight);
      best = std::min(best, weight + home_[v]);
      if (!symmetric) member.away[v] = std::min(member.away[v], way + weight);
    });
    home = best;
    return lightest < kInfinity ? lightest : 0;
  }

  bool take_ways_from_centre() {
    bool better = false;
    for (std::size_t v = 0; v < away_.size(); ++v) {
      for (const Distances& member : workers_) {
        better = better || member.away[v] < away_[v];
        away_[v] = std::min(away_[v], member.away[v]);
      }
    }
    return better;
  }

  const Graph& graph_;
  double enough_;
  std::size_t n_;
  std::vector<double> home_,
      away_;                        // [n] ways to the centre and from it; symmetric: only the first
  std::vector<Distances> workers_;  // [threads]
};

}  // namespace

double eccentricity_bound(const Graph& graph, std::span<const double> enough,
                          const Control& control) {
  if (graph.weight_facts().least < 0) return kInfinity;
  std::optional<graph::ReversedArcs> reversed;
  if (!graph.symmetric()) reversed.emplace(graph);
  const bool whole = graph.vertex_count() > 0 && reaches_all(graph, graph.vertex_count()) &&
                     (!reversed || reaches_all(*reversed, graph.vertex_count()));
  const graph::Condensation condensation(graph, whole);
  Centres centres(graph, reversed, condensation, enough, control);
  std::vector<double> inside(condensation.count(), 0);
  const auto for_each_component = [&](auto&& visit) {
    for (std::size_t c = 0; c < inside.size(); ++c) {
      base::check_cancelled(control);
      if (condensation.vertices(c).size() > 1) visit(c);
    }
  };
  for_each_component([&](std::size_t c) { inside[c] = centres.by_busiest(c); });
  double bound = condensation.longest_path(inside);
  if (centres.may_prove(bound)) {
    for_each_component([&](std::size_t c) {
      const bool matters = centres.may_prove(graph.symmetric() ? inside[c] : bound);
      if (matters) inside[c] = std::min(inside[c], centres.by_middle(c, inside[c]));
    });
    bound = condensation.longest_path(inside);
  }
  return rounded_up(bound, graph);
}

double hop_bound(const Graph& graph, double enough, int threads, const Control& control) {
  if (graph.weight_facts().least < 0) return kInfinity;
  if (graph.vertex_count() == 0) return 0;
  if (graph.matrix() != nullptr && graph.matrix()->by_columns) return kInfinity;
  Hops hops(graph, enough, threads);
  double bound = hops.bound();
  bool goes_on = true;
  for (int hop = 0; hop < kMostHops && bound > enough && goes_on; ++hop) {
    goes_on = hops.pass(control);
    bound = hops.bound();
  }
  return rounded_up(bound, graph);
}

}  // namespace apsp
