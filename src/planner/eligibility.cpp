#include "planner/eligibility.hpp"

#include <fmt/format.h>

#include "graph/whole_weights.hpp"
#include "planner/search_model.hpp"
#include "planner/value_type.hpp"
#include "search/searched_graph.hpp"

namespace apsp::planner {
namespace {

/// Sums of reduced weights stay integers of f64. They may be three times as long as distances.
bool whole_when_reduced(const Graph& graph, Semiring semiring) {
  return graph.weight_facts().integral && 3 * distance_bound(graph, semiring) <= graph::kMostExact;
}

}  // namespace

std::string why_not_anywhere(Algorithm algorithm, const Graph& graph, const SolveOptions& options,
                             const Problem& problem) {
  if (std::string why = why_not_rows(graph, options); !why.empty()) return why;
  const bool reachability = problem.semiring == Semiring::or_and;
  switch (algorithm) {
    case Algorithm::nested_dissection:
    case Algorithm::boundary:
      return {};
    case Algorithm::johnson:
      if (reachability) return "does not search for reachability; bfs does";
      if (problem.signed_weights) return {};
      if (problem.semiring == Semiring::max_plus && !graph.weight_facts().integral) {
        return "looks for longest paths over integer weights only";
      }
      if (needs_potentials(graph, problem.semiring) && !graph.weight_facts().integral) {
        return "takes real weights below 0 only if there are some above it too";
      }
      if (needs_potentials(graph, problem.semiring) &&
          !whole_when_reduced(graph, problem.semiring)) {
        return "reduces weights by potentials, and sums of these integers are too long for that: "
               "short distances would lose digits";
      }
      return {};
    default:
      if (reachability) return {};
      if (problem.semiring != Semiring::min_plus) return "finds shortest paths and reachability";
      if (!graph.weight_facts().unit && graph.arc_count() > 0) {
        return "takes weights of 1 only; johnson takes others";
      }
      return {};
  }
}

std::string why_not_on_gpu(Algorithm algorithm, const Graph& graph, const Problem& problem) {
  switch (algorithm) {
    case Algorithm::nested_dissection:
    case Algorithm::boundary:
      return why_not_swept(problem);
    case Algorithm::johnson:
      if (problem.signed_weights) return kBothSigns;
      return search::why_too_large(graph.vertex_count(), graph.arc_count());
    default:
      if (problem.semiring != Semiring::or_and) return {};
      return "searches for reachability only on the CPU";
  }
}

std::string why_not(Algorithm algorithm, const Graph& graph, const SolveOptions& options,
                    const Problem& problem) {
  std::string why = why_not_anywhere(algorithm, graph, options, problem);
  if (!why.empty() || options.machine.device != Device::cuda) return why;
  return why_not_on_gpu(algorithm, graph, problem);
}

bool finds_rows_on_device(const PlanRequest& asked, const Problem& problem) {
  const SolveOptions& options = asked.options;
  if (options.consumer.on_device_rows) return true;
  if (options.machine.device != Device::cuda) return false;
  if (names_rows(options)) return true;
  return options.method.algorithm == Algorithm::automatic &&
         looks_sparse(problem.n, asked.graph.arc_count()) &&
         why_not_rows(asked.graph, options).empty() && why_not_swept(problem).empty();
}

std::string limits_of_rows_on_device(const PlanRequest& asked, const Problem& problem) {
  const SolveOptions& options = asked.options;
  if (options.machine.device != Device::cuda || options.method.algorithm != Algorithm::automatic ||
      !looks_sparse(problem.n, asked.graph.arc_count())) {
    return {};
  }
  std::string text;
  for (const Algorithm algorithm : {Algorithm::nested_dissection, Algorithm::johnson}) {
    if (!why_not_anywhere(algorithm, asked.graph, options, problem).empty()) continue;
    const std::string why = why_not_on_gpu(algorithm, asked.graph, problem);
    if (!why.empty()) text += fmt::format("{} {}. ", name(algorithm), why);
  }
  return text.empty() ? text : text + "As a matrix ";
}

}  // namespace apsp::planner
