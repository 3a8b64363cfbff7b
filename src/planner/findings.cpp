#include "planner/findings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph/search.hpp"
#include "planner/elimination_model.hpp"
#include "planner/search_model.hpp"
#include "sparse/minimum_degree.hpp"
#include "sparse/order.hpp"
#include "sparse/small_degrees.hpp"
#include "sparse/turn_order.hpp"
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

double dissecting_seconds(const sparse::Pattern& pattern, int processes) {
  const auto n = static_cast<double>(pattern.vertices());
  Core core = core_of(pattern);
  if ((n - core.vertices) * sparse::kFewestEliminated < n) {
    core = {n, static_cast<double>(pattern.neighbours.size()) / 2};
  }
  return dissecting_seconds(n, core, processes);
}

/// Multiplies the seconds by what larger separators than those of planar graphs take.
OrderingEstimate separated(OrderingEstimate planar, double vertices,
                           const SampledSearches& searches) {
  constexpr double kGrowth = 0.6;
  if (searches.levels > 0) {
    planar.seconds *=
        std::pow(std::max(1.0, searches.vertices / searches.levels / std::sqrt(vertices)), kGrowth);
  }
  return planar;
}

OrderingEstimate planar_ordering(const Graph& graph, int threads) {
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
  return {dissecting_seconds(sparse::pattern_of(graph), processes)};
}

/// The order of the places, and 1 µs for each state.
OrderingEstimate turn_ordering(const Graph& graph, const TurnStates& states, int threads) {
  constexpr double kState = 1e-6;
  const sparse::Pattern places = sparse::pattern_of_places(sparse::pattern_of(graph), states);
  return {kState * static_cast<double>(graph.vertex_count()) +
          dissecting_seconds(places, system::processes_for(threads))};
}

/// Levels of a search of the whole graph, extrapolated from the region's growth.
double levels_promised(const sparse::Region& region, double vertices) {
  const double quarter = region.radius.front(), all = region.radius.back();
  const double growth = std::log(all / quarter) / std::log(4);
  return all * std::pow(vertices / static_cast<double>(region.pattern.vertices()), growth);
}

/// Returns the weighted distance to the last of the nearest quarter, divided by its breadth-first
/// distance.
double length_of_an_edge(const Graph& graph, const sparse::Region& region) {
  std::vector<bool> inside(static_cast<std::size_t>(graph.vertex_count()));
  for (const Vertex v : region.vertices) inside[v] = true;
  graph::Search search(graph.vertex_count());
  search.run(graph, region.vertices.front(), [&](Vertex v) { return bool{inside[v]}; });
  return search.distance(search.reached()[region.vertices.size() / 4]) / region.radius.front();
}

/// A search from the last vertex of another one has nearly the most levels. Edges along long paths
/// are shorter than within a region, up to 1.3 times.
std::optional<LongestDistance> longest_distance(const Graph& graph,
                                                const sparse::TreeSamples& trees, Vertex last) {
  constexpr double kLess = 1.6, kMore = 1.3;
  if (!trees.both_ways() || graph.weight_facts().least < 0) return std::nullopt;
  double length = 0;
  for (const sparse::Region& region : trees.regions()) {
    length = std::max(length, length_of_an_edge(graph, region));
  }
  const double found = sample_search(graph, last).levels * length;
  return LongestDistance{found / kLess, found * kMore};
}

}  // namespace

OrderingEstimate estimate_ordering(const Graph& graph, int threads,
                                   const SampledSearches& searches) {
  const auto states = TurnStates::of(graph);
  return separated(
      states ? turn_ordering(graph, *states, threads) : planar_ordering(graph, threads),
      static_cast<double>(graph.vertex_count()), searches);
}

OrderingEstimate estimate_ordering(const sparse::TreeSamples& samples, int threads,
                                   const SampledSearches& searches) {
  const sparse::OrderSizes& sizes = samples.sizes();
  const auto n = static_cast<double>(sizes.vertices);
  const Core core{static_cast<double>(sizes.core_vertices),
                  static_cast<double>(sizes.core_neighbours) / 2};
  return separated({dissecting_seconds(n, core, system::processes_for(threads))}, n, searches);
}

double least_relaxations(const OrderingEstimate& guess, double sources) {
  constexpr double kCautious = 0.5;
  return kCautious * guess.widest * guess.widest * (sources + guess.widest / 2);
}

std::optional<Estimates> estimates_of(const Graph& graph, std::int64_t least) {
  constexpr double kNearlyAll = 0.9, kSooner = 0.5;
  const std::int64_t n = graph.vertex_count();
  if (n < least || !looks_sparse(n, graph.arc_count())) return std::nullopt;
  auto trees = sparse::TreeSamples::of(graph);
  if (!trees) return std::nullopt;
  const sparse::Region& region = trees->regions().front();
  const SampledSearches found = sample_search(graph, region.vertices.front());
  const auto vertices = static_cast<double>(n);
  if (found.vertices < kNearlyAll * vertices ||
      found.levels < kSooner * levels_promised(region, vertices)) {
    return std::nullopt;
  }
  const auto longest = longest_distance(graph, *trees, found.last);
  return Estimates{std::move(*trees), found, longest};
}

const SampledSearches& Findings::searches(const Graph& graph) {
  if (!searches_) searches_ = sample_searches(graph);
  return *searches_;
}

std::shared_ptr<const Estimates> Findings::estimates(const Graph& graph, std::int64_t least) {
  if (!estimates_) {
    auto found = estimates_of(graph, least);
    estimates_ = found ? std::make_shared<const Estimates>(std::move(*found)) : nullptr;
  }
  return *estimates_;
}

Findings::Dissection Findings::dissection(const Graph& graph, int processes,
                                          const Control& control) {
  if (const auto known = dissections_.find(processes); known != dissections_.end()) {
    return known->second;
  }
  const sparse::Pattern pattern = sparse::pattern_of(graph);
  const auto states = TurnStates::of(graph);
  Dissection found;
  if (dissections_.empty()) {
    const sparse::OrderOptions options{processes, control};
    const sparse::Order order = states ? sparse::turn_order(graph, pattern, *states, options)
                                       : sparse::nested_dissection(pattern, options);
    found = {std::make_shared<const sparse::Tree>(pattern, order), order.peak_bytes};
  } else {
    found = dissections_.begin()->second;
    // Minimum degree, for graphs of hubs, uses one process.
    const bool hubs = sparse::share_of_hubs(pattern) >= sparse::kShareOfHubs;
    if (states) {
      found.bytes = sparse::turn_ordering_bytes(
          pattern, sparse::pattern_of_places(pattern, *states), processes);
    } else if (!hubs) {
      found.bytes = sparse::ordering_bytes(sparse::order_sizes(pattern), processes);
    }
  }
  return dissections_[processes] = std::move(found);
}

OrderingEstimate Findings::ordering(const Graph& graph, int threads,
                                    const SampledSearches& searches) {
  auto known = orderings_.find(threads);
  if (known == orderings_.end()) {
    known = orderings_.emplace(threads, estimate_ordering(graph, threads)).first;
  }
  return separated(known->second, static_cast<double>(graph.vertex_count()), searches);
}

const Findings::Peeled& Findings::peeled(const Graph& graph) {
  if (!peeled_) {
    peeled_ = Peeled{std::make_shared<const sparse::Trim>(sparse::trim(graph)),
                     std::make_unique<Findings>()};
  }
  return *peeled_;
}

Findings::Tree Findings::promised(const sparse::TreeSamples& samples) {
  if (!promised_) promised_ = std::make_shared<const sparse::Tree>(samples.tree());
  return promised_;
}

ValueChoice Findings::values(const TypeQuestion& asked, std::optional<ValueType> requested,
                             const std::optional<LongestDistance>& samples) {
  const auto known = values_.find(requested);
  if (known != values_.end()) return known->second;
  return values_[requested] = choose_value_type(asked.graph, asked.semiring, requested,
                                                asked.threads, asked.control, samples);
}

const SignedWeights& Findings::reduced_weights(const TypeQuestion& asked) {
  if (!reduced_) {
    reduced_ = reduce_weights(asked.graph, asked.semiring, asked.threads, asked.control);
  }
  return *reduced_;
}

const std::string& Findings::why_not_f32(const TypeQuestion& asked, const SignedWeights* weights,
                                         double tolerance) {
  if (!why_not_f32_) {
    why_not_f32_ =
        why_f32_is_too_coarse(asked.graph, asked.semiring, weights, tolerance, asked.control);
  }
  return *why_not_f32_;
}

}  // namespace apsp::planner
