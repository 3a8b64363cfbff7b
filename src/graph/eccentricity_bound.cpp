#include "graph/eccentricity_bound.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "graph/centre.hpp"
#include "graph/condensation.hpp"
#include "graph/search.hpp"

namespace apsp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Searches within components of two vertices and more.
class Centres {
 public:
  Centres(const Graph& graph, const graph::Condensation& condensation, double enough)
      : graph_(graph),
        condensation_(condensation),
        enough_(enough),
        away_(graph.vertex_count()),
        home_(graph.symmetric() ? 0 : graph.vertex_count()),
        deepest_(graph.symmetric() ? static_cast<std::size_t>(graph.vertex_count()) : 0),
        start_(condensation.count()) {
    if (!graph.symmetric()) reversed_.emplace(graph);
  }

  /// A bound of all distances within component c, by its vertex of most arcs.
  double by_busiest(std::size_t c) {
    const std::span<const Vertex> vertices = condensation_.vertices(c);
    return through(c, *std::max_element(vertices.begin(), vertices.end(), [&](Vertex u, Vertex v) {
                     return graph_.out_degree(u) < graph_.out_degree(v);
                   }));
  }

  /// Another, by the middle of the longest path from the vertex that was farthest from the first
  /// centre. Requires: by_busiest(c) was called.
  double by_middle(std::size_t c) {
    search(away_, graph_, c, start_[c]);
    Vertex behind = away_.reached().back();
    const double length = away_.distance(behind);
    while (away_.distance(away_.parent(behind)) > length / 2) behind = away_.parent(behind);
    const Vertex before = away_.parent(behind);
    const bool nearer = away_.distance(behind) - length / 2 < length / 2 - away_.distance(before);
    return through(c, nearer ? behind : before);
  }

  /// A distance that was found is more than enough.
  bool in_vain() const { return in_vain_; }

 private:
  template <class Arcs>
  void search(graph::Search& search, const Arcs& arcs, std::size_t c, Vertex source) {
    search.run(arcs, source, [&](Vertex v) { return condensation_.of(v) == c; });
    in_vain_ = in_vain_ || search.distance(search.reached().back()) > enough_;
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
    return graph::longest_way(farthest(away_), farthest(home));
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

  static graph::Farthest farthest(const graph::Search& search) {
    const std::span<const Vertex> reached = search.reached();
    const Vertex last = reached.back();
    return {last, search.distance(last), search.distance(reached[reached.size() - 2])};
  }

  const Graph& graph_;
  const graph::Condensation& condensation_;
  double enough_;
  graph::Search away_, home_;    // from a vertex, and to it where that is not the same
  std::vector<double> deepest_;  // [n] the largest distance below a vertex of a tree; symmetric
  std::optional<graph::ReversedArcs> reversed_;
  std::vector<Vertex> start_;  // [components] the vertex from which the last centre is farthest
  bool in_vain_ = false;
};

}  // namespace

double eccentricity_bound(const Graph& graph, double enough, const Control& control) {
  if (graph.weight_facts().least < 0) return kInfinity;
  const graph::Condensation condensation(graph);
  Centres centres(graph, condensation, enough);
  std::vector<double> inside(condensation.count(), 0);
  const auto for_each_component = [&](auto&& visit) {
    for (std::size_t c = 0; c < inside.size(); ++c) {
      base::check_cancelled(control);
      if (condensation.vertices(c).size() > 1) visit(c);
    }
  };
  for_each_component([&](std::size_t c) { inside[c] = centres.by_busiest(c); });
  double bound = condensation.longest_path(inside);
  if (bound > enough) {
    for_each_component([&](std::size_t c) {
      const bool matters = !graph.symmetric() || inside[c] > enough;
      if (matters && !centres.in_vain()) inside[c] = std::min(inside[c], centres.by_middle(c));
    });
    bound = condensation.longest_path(inside);
  }
  return graph::rounded_up(bound, graph);
}

}  // namespace apsp
