#include "planner/ordering_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "planner/elimination_model.hpp"
#include "sparse/minimum_degree.hpp"
#include "sparse/order.hpp"
#include "sparse/small_degrees.hpp"
#include "system/child_process.hpp"

namespace apsp::planner {
namespace {

/// Returns out-degrees, plus in-degrees unless the graph is symmetric.
std::vector<std::int64_t> degrees_of(const Graph& graph) {
  std::vector<std::int64_t> degrees(static_cast<std::size_t>(graph.vertex_count()));
  for (std::size_t v = 0; v < degrees.size(); ++v) {
    degrees[v] = graph.out_degree(static_cast<Vertex>(v));
  }
  if (!graph.symmetric()) graph.visit_all([&](Vertex, Vertex v, double) { ++degrees[v]; });
  return degrees;
}

/// The graph after vertices of degree 2 and less are eliminated: vertices, and pairs of neighbours.
struct Core {
  double vertices = 0, pairs = 0;
};

/// Removes vertices of degree 1 repeatedly; each of degree 2 is then one vertex and one edge less.
/// Parallel edges that result, and might uncover more, are ignored.
Core core_of(const sparse::Pattern& pattern) {
  std::vector<std::int64_t> degrees;
  std::vector<Vertex> leaves;
  const auto n = static_cast<Vertex>(pattern.vertices());
  for (Vertex v = 0; v < n; ++v) {
    degrees.push_back(pattern.degree(v));
    if (degrees[v] == 1) leaves.push_back(v);
  }
  while (!leaves.empty()) {
    const Vertex leaf = leaves.back();
    leaves.pop_back();
    if (degrees[leaf] == 0) continue;  // removed together with its only neighbour
    degrees[leaf] = 0;
    for (const Vertex v : pattern.of(leaf)) {
      if (degrees[v] > 0 && --degrees[v] == 1) leaves.push_back(v);
    }
  }
  Core core;
  for (const std::int64_t degree : degrees) {
    if (degree == 2) --core.pairs;
    if (degree > 2) ++core.vertices;
    core.pairs += static_cast<double>(degree) / 2;
  }
  return core;
}

/// METIS orders the core of n vertices, or all if the core is nearly all.
double dissecting_seconds(double n, const Core& core, int processes) {
  constexpr double kVertex = 0.15e-6;  // s: small degrees, and the tree
  return kVertex * n + ordering_seconds(core.vertices, std::max(0.0, core.pairs)) *
                           dissecting_share(core.vertices, processes);
}

double dissecting_seconds(const Graph& graph, int processes) {
  const sparse::Pattern pattern = sparse::pattern_of(graph);
  const auto n = static_cast<double>(pattern.vertices());
  Core core = core_of(pattern);
  if ((n - core.vertices) * sparse::kFewestEliminated < n) {
    core = {n, static_cast<double>(pattern.neighbours.size()) / 2};
  }
  return dissecting_seconds(n, core, processes);
}

}  // namespace

OrderingEstimate estimate_ordering(const Graph& graph, int threads) {
  constexpr double kNeighbour = 0.3e-6;  // s
  // The share that remains of vertices with so many neighbours, and the increase when the degree
  // doubles.
  constexpr double kDegree = 12.8, kLeft = 0.22, kMoreLeft = 0.09, kLeastLeft = 0.125;
  const std::vector<std::int64_t> degrees = degrees_of(graph);
  const auto n = static_cast<double>(degrees.size());
  // An edge of two reverse arcs has four ends in a directed graph.
  const std::int64_t small_degree = graph.symmetric() ? 2 : 4;
  double ends = 0, small = 0;
  for (const std::int64_t degree : degrees) {
    ends += static_cast<double>(degree);
    small += degree <= small_degree ? 1 : 0;
  }
  if (sparse::share_of_hubs(degrees) >= sparse::kShareOfHubs) {
    const double left = kLeft + kMoreLeft * std::log2(std::max(1.0, ends) / n / kDegree);
    return {kNeighbour * ends, n * std::clamp(left, kLeastLeft, 1.0)};
  }
  // METIS orders nearly all if there are few small degrees.
  const int processes = system::processes_for(threads);
  if (small * sparse::kFewestEliminated < n) {
    return {ordering_seconds(n, ends / 2) * dissecting_share(n, processes)};
  }
  return {dissecting_seconds(graph, processes)};
}

OrderingEstimate estimate_ordering(const sparse::TreeSamples& samples, int threads) {
  const sparse::OrderSizes& sizes = samples.sizes();
  const Core core{static_cast<double>(sizes.core_vertices),
                  static_cast<double>(sizes.core_neighbours) / 2};
  return {dissecting_seconds(static_cast<double>(sizes.vertices), core,
                             system::processes_for(threads))};
}

double least_relaxations(const OrderingEstimate& guess, double sources) {
  constexpr double kCautious = 0.5;
  return kCautious * guess.widest * guess.widest * (sources + guess.widest / 2);
}

}  // namespace apsp::planner
