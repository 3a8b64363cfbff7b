// Facts of a graph that planning computes at most once: searches, orders, proofs. Plans for advice
// share them.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "planner/estimates.hpp"
#include "planner/ordering_estimate.hpp"
#include "planner/search_model.hpp"
#include "planner/signed_weights.hpp"
#include "planner/value_type.hpp"
#include "sparse/tree.hpp"
#include "sparse/trim.hpp"

namespace apsp::planner {

/// The findings of one graph over one semiring, which all calls must agree on.
class Findings {
 public:
  using Tree = std::shared_ptr<const sparse::Tree>;
  struct Dissection {
    Tree tree;
    std::int64_t bytes = 0;
  };
  struct Core {
    std::shared_ptr<const sparse::Trim> trim;
    std::unique_ptr<Findings> findings;
  };
  struct TypeQuestion {
    const Graph& graph;
    Semiring semiring = Semiring::min_plus;
    int threads = 1;
    const Control& control;
  };

  // Each fact is computed at its first call. Throws `Error`: does_not_fit, interrupted.

  const SampledSearches& searches(const Graph& graph);
  /// Null if samples are not representative.
  std::shared_ptr<const Estimates> estimates(const Graph& graph, std::int64_t least);
  /// The tree of nested dissection, which does not depend on the number of processes.
  Dissection dissection(const Graph& graph, int processes, const Control& control);
  OrderingEstimate ordering(const Graph& graph, int threads);
  const Core& core(const Graph& graph);
  Tree promised(const sparse::TreeSamples& samples);
  /// The tree of the boundary algorithm once it was chosen; null before.
  Tree& boundary() { return boundary_; }

  /// `requested`: the value type; none: the narrowest is chosen.
  ValueChoice values(const TypeQuestion& asked, std::optional<ValueType> requested,
                     const std::optional<LongestDistance>& samples);
  /// Weights of both signs, without a bound of errors.
  const SignedWeights& reduced_weights(const TypeQuestion& asked);
  /// The result of `why_f32_is_too_coarse`.
  const std::string& why_not_f32(const TypeQuestion& asked, const SignedWeights* weights,
                                 double tolerance);

 private:
  std::optional<SampledSearches> searches_{};
  std::optional<std::shared_ptr<const Estimates>> estimates_{};
  std::map<int, Dissection> dissections_{};
  std::map<int, OrderingEstimate> orderings_{};
  std::optional<Core> core_{};
  Tree promised_{};
  Tree boundary_{};
  std::map<std::optional<ValueType>, ValueChoice> values_{};
  std::shared_ptr<const SignedWeights> reduced_{};
  std::optional<std::string> why_not_f32_{};
};

}  // namespace apsp::planner
