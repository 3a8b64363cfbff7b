#include "planner/dissection.hpp"

#include <algorithm>

#include "elimination/eliminate.hpp"
#include "elimination/factor_rows.hpp"
#include "planner/signed_weights.hpp"
#include "planner/value_type.hpp"

namespace apsp::planner {
namespace {

/// Of one thread with values of two bytes, measured (docs/performance.md, sparse graphs) and
/// rounded down; wider values take that much longer.
constexpr double kRelaxations = 4e9;  // a second
constexpr double kEliminated = 5e9;   // relaxations a second
constexpr double kSupernodes = 2e7;   // a second, for a block of sources
constexpr double kPairs = 5e8;        // turned into rows, a second
constexpr double kReferenceBytes = 2;

/// Relaxations of a sweep down from every source and of a sweep up from each to its root.
double sweep_relaxations(const elimination::Tree& tree) {
  std::vector<double> subtree(static_cast<std::size_t>(tree.supernodes()));
  double up = 0;
  for (elimination::SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const auto i = static_cast<std::size_t>(s);
    const double width = tree.width(s);
    subtree[i] += width;
    up += subtree[i] * width * (width + static_cast<double>(tree.upper_count(s)));
    if (tree.parent(s) >= 0) subtree[static_cast<std::size_t>(tree.parent(s))] += subtree[i];
  }
  return up + static_cast<double>(tree.vertices()) * static_cast<double>(tree.upper_entries());
}

}  // namespace

std::string why_not_dissected(const Graph& graph, const SolveOptions& options,
                              bool on_reduced_weights) {
  if (options.via || options.hops) return "keeps no intermediate vertices (--via, --hops)";
  if (options.device == Device::cuda) return "does not run on a GPU";
  if (on_reduced_weights) return "does not take real weights of both signs";
  if (graph.matrix() != nullptr) return "does not take matrices";
  return {};
}

bool takes_factor(const Graph& graph, const SolveOptions& options) {
  const ValueType type = choose_value_type(graph, options.semiring, options.value_type);
  return why_not_dissected(graph, options, sums_may_cancel(graph, options.semiring, type)).empty();
}

bool looks_sparse(std::int64_t vertices, std::int64_t arcs) {
  constexpr double kLeastVertices = 1000, kLeastTimes = 32;
  const auto n = static_cast<double>(vertices);
  return n >= kLeastVertices && static_cast<double>(arcs) * kLeastTimes <= n * n;
}

DissectionPlan plan_dissection(const Graph& graph, const DissectionProblem& problem) {
  const elimination::Pattern pattern = elimination::pattern_of(graph);
  DissectionPlan plan;
  plan.tree =
      std::make_shared<const elimination::Tree>(pattern, elimination::nested_dissection(pattern));
  const elimination::Tree& tree = *plan.tree;
  plan.all_sweeps = sweep_relaxations(tree);
  plan.factor_bytes = elimination::Factor::bytes(tree, problem.type, graph.symmetric());
  plan.elimination_bytes =
      elimination::elimination_bytes(graph, tree, problem.type, problem.threads);
  const std::int64_t n = graph.vertex_count();
  const std::int64_t block = std::min(n, elimination::FactorRows::block_rows(problem.type));
  plan.worker_bytes = problem.threads * elimination::FactorRows::worker_bytes(tree, problem.type);
  plan.block_bytes = problem.threads * block * n * size_of(problem.type);
  return plan;
}

double dissection_seconds(const DissectionPlan& plan, ValueType type, int threads) {
  const elimination::Tree& tree = *plan.tree;
  const double wider = size_of(type) / kReferenceBytes;
  const auto n = static_cast<double>(tree.vertices());
  const auto blocks = n / static_cast<double>(elimination::FactorRows::block_rows(type));
  const double eliminated = tree.elimination_relaxations() / kEliminated * wider;
  if (!plan.sweeps) return eliminated / std::max(1, threads);
  const double swept = plan.all_sweeps / kRelaxations * wider;
  const double calls = (blocks + 1) * tree.supernodes() / kSupernodes;
  return (swept + eliminated + calls + n * n / kPairs) / std::max(1, threads);
}

}  // namespace apsp::planner
