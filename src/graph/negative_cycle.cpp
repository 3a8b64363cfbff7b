// The potentials of a graph. What is done, and why it is exact, stands in bellman_ford.hpp.
#include "graph/negative_cycle.hpp"

#include <algorithm>
#include <cmath>

#include "graph/bellman_ford.hpp"

namespace apsp {
namespace {

class GraphArcs {
 public:
  using Level = double;

  GraphArcs(const Graph& graph, double sign) : graph_(graph), sign_(sign) {}

  std::int64_t vertex_count() const { return graph_.vertex_count(); }
  std::int64_t out_degree(Vertex u) const { return std::ssize(graph_.targets(u)); }
  bool integral() const { return graph_.weight_facts().integral; }
  double largest() const {
    return std::max(std::abs(graph_.weight_facts().least),
                    std::abs(graph_.weight_facts().greatest));
  }

  template <class F>
  void sift(Vertex u, double lower, const std::vector<double>& upper, F&& f) const {
    const std::span<const Vertex> targets = graph_.targets(u);
    const std::span<const double> weights = graph_.weights(u);
    for (std::size_t a = 0; a < targets.size(); ++a) {
      const double w = sign_ * weights[a];
      if (lower + w < upper[targets[a]]) f(targets[a], w);
    }
  }

 private:
  const Graph& graph_;
  double sign_;
};

}  // namespace

Potentials potentials(const Graph& graph, double sign, const Control& control, int threads) {
  const WeightFacts& facts = graph.weight_facts();
  if ((sign > 0 ? facts.least : -facts.greatest) >= 0) {
    return {std::vector<base::DoubleDouble>(static_cast<std::size_t>(graph.vertex_count())), 0, {}};
  }
  return graph::exact_potentials(GraphArcs(graph, sign), threads, control);
}

}  // namespace apsp
