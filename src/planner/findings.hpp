// Facts that planning finds out about a graph, each of them once: searches, orders, proofs. A
// refusal asks for plans with other options, and none of these searches or orders the graph again.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "elimination/tree.hpp"
#include "elimination/trim.hpp"
#include "planner/estimates.hpp"
#include "planner/ordering_estimate.hpp"
#include "planner/search_model.hpp"
#include "planner/signed_weights.hpp"
#include "planner/value_type.hpp"

namespace apsp::planner {

/// The findings of one graph over one semiring. All calls must be with these.
class Findings {
 public:
  using Tree = std::shared_ptr<const elimination::Tree>;
  struct Dissection {
    Tree tree;
    std::int64_t bytes = 0;  ///< of all processes while they find the order
  };
  /// The graph without the vertices that are on no path between cycles.
  struct Core {
    std::shared_ptr<const elimination::Trim> trim;
    std::unique_ptr<Findings> findings;  ///< of the core's graph
  };
  struct TypeQuestion {
    const Graph& graph;
    Semiring semiring = Semiring::min_plus;
    int threads = 1;
    const Control& control;
  };

  // Each finds out at its first call. Throws `Error` as what finds out: does_not_fit, interrupted.

  const SampledSearches& searches(const Graph& graph);
  /// Null where samples tell too little.
  std::shared_ptr<const Estimates> estimates(const Graph& graph, std::int64_t least);
  /// The tree of nested dissection. Its order does not depend on the number of processes.
  Dissection dissection(const Graph& graph, int processes, const Control& control);
  /// The cost of an order, estimated from degrees.
  OrderingEstimate ordering(const Graph& graph, int threads);
  const Core& core(const Graph& graph);
  /// The tree that samples promise.
  Tree promised(const elimination::TreeSamples& samples);
  /// The tree of the boundary algorithm, once one was chosen; null before.
  Tree& boundary() { return boundary_; }

  /// `requested`: the value type; none: the narrowest is chosen.
  ValueChoice values(const TypeQuestion& asked, std::optional<ValueType> requested,
                     const std::optional<LongestDistance>& samples);
  /// Weights of both signs, without a bound of errors.
  const SignedWeights& reduced_weights(const TypeQuestion& asked);
  /// Why f32 is too coarse for such a graph, as `why_f32_is_too_coarse`.
  const std::string& why_not_f32(const TypeQuestion& asked, const SignedWeights* weights,
                                 double tolerance);

 private:
  std::optional<SampledSearches> searches_{};
  std::optional<std::shared_ptr<const Estimates>> estimates_{};
  std::map<int, Dissection> dissections_{};      // by processes
  std::map<int, OrderingEstimate> orderings_{};  // by threads
  std::optional<Core> core_{};
  Tree promised_{};
  Tree boundary_{};
  std::map<std::optional<ValueType>, ValueChoice> values_{};
  std::shared_ptr<const SignedWeights> reduced_{};
  std::optional<std::string> why_not_f32_{};
};

}  // namespace apsp::planner
