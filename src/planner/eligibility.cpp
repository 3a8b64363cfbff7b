#include "planner/eligibility.hpp"

#include <fmt/format.h>

#include "graph/whole_weights.hpp"
#include "planner/search_model.hpp"
#include "planner/value_type.hpp"
#include "search/searched_graph.hpp"

namespace apsp::planner {

constexpr const char* kBothSigns = "takes real weights of both signs only on the CPU";

bool eliminates(Algorithm algorithm) {
  return algorithm == Algorithm::nested_dissection || algorithm == Algorithm::boundary;
}

std::string why_not_swept(const Problem& problem) {
  if (problem.semiring == Semiring::or_and) return "looks for reachability only on the CPU";
  if (problem.signed_weights) return kBothSigns;
  const double limit = device_sum_limit(problem.semiring, problem.type, problem.sign);
  if (problem.distance_bound < limit) return {};
  return fmt::format(
      "runs on a GPU in i32 over {} only if distances are below {:.15g}, and these may reach "
      "{:.15g}",
      problem.semiring == Semiring::max_plus ? "longest paths" : "negative weights", limit,
      problem.distance_bound);
}

std::string why_not_rows(const Graph& graph, const SolveOptions& options) {
  if (options.question.via || options.question.hops)
    return "keeps no intermediate vertices (`via`, `hops`)";
  return graph.matrix() != nullptr ? "does not take matrices" : "";
}

std::string why_not_on_disk(const SolveOptions& options) {
  const QuestionOptions& question = options.question;
  if (options.storage.output.empty()) return "only next to an output (`output=OUT.zarr`)";
  if (question.via || question.hops) return "intermediate vertices are found only in memory";
  if (question.semiring == Semiring::or_and) {
    return "reachability is found in packed bits, in memory";
  }
  const bool kept = options.storage.keep == Keep::matrix || options.storage.keep == Keep::factor;
  const bool all = question.sources.empty() && question.targets.empty();
  return kept && all ? "a matrix in memory was asked for" : "";
}

bool needs_potentials(const Graph& graph, Semiring semiring) {
  const WeightFacts& facts = graph.weight_facts();
  if (semiring == Semiring::max_plus) return facts.greatest > 0;
  return semiring == Semiring::min_plus && facts.least < 0;
}

std::string why_not_anywhere(Algorithm algorithm, const Graph& graph, const SolveOptions& options,
                             const Problem& problem) {
  if (std::string why = why_not_rows(graph, options); !why.empty()) return why;
  if (eliminates(algorithm)) return {};
  const bool reachability = problem.semiring == Semiring::or_and;
  if (algorithm == Algorithm::breadth_first) {
    if (reachability) return {};
    if (problem.semiring != Semiring::min_plus) return "finds shortest paths and reachability";
    if (graph.weight_facts().unit || graph.arc_count() == 0) return {};
    return "takes weights of 1 only; johnson takes others";
  }
  if (reachability) return "does not search for reachability; bfs does";
  if (problem.signed_weights) return {};
  const bool integral = graph.weight_facts().integral;
  if (problem.semiring == Semiring::max_plus && !integral) {
    return "looks for longest paths over integer weights only";
  }
  if (!needs_potentials(graph, problem.semiring)) return {};
  if (!integral) return "takes real weights below 0 only if there are some above it too";
  // Sums of reduced integers may be three times as long as distances.
  if (3 * distance_bound(graph, problem.semiring) <= graph::kMostExact) return {};
  return "reduces weights by potentials, and sums of these integers are too long for that: short "
         "distances would lose digits";
}

std::string why_not_on_gpu(Algorithm algorithm, const Graph& graph, const Problem& problem) {
  if (eliminates(algorithm)) return why_not_swept(problem);
  if (algorithm == Algorithm::breadth_first) {
    return problem.semiring == Semiring::or_and ? "searches for reachability only on the CPU" : "";
  }
  if (problem.signed_weights) return kBothSigns;
  return search::why_too_large(graph.vertex_count(), graph.arc_count());
}

std::string why_not(Algorithm algorithm, const Graph& graph, const SolveOptions& options,
                    const Problem& problem) {
  std::string why = why_not_anywhere(algorithm, graph, options, problem);
  if (!why.empty() || options.machine.device != Device::cuda) return why;
  return why_not_on_gpu(algorithm, graph, problem);
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
