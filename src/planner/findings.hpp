// Facts of a graph that planning computes at most once: searches, orders, samples, proofs. Plans
// for advice share them.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "planner/search_model.hpp"
#include "planner/signed_weights.hpp"
#include "planner/value_type.hpp"
#include "sparse/tree.hpp"
#include "sparse/tree_samples.hpp"
#include "sparse/trim.hpp"

namespace apsp::planner {

struct OrderingEstimate {
  double seconds = 0;  ///< of the order and its elimination tree
  /// Vertices of the final dense supernode of a graph with hubs; else 0.
  double widest = 0;
};

/// Returns the seconds of an order by METIS and of its tree, for the core without vertices of
/// degree 2 or less, or by minimum degree for graphs with hubs. `threads`: processes that dissect,
/// if available. `searches`: of the graph, if there were any: their levels show separators larger
/// than √n vertices, for which METIS takes longer. The estimate is within 2 times for roads and
/// power grids, 1.15 times for R-MATs; meshes in space take up to 2 times as long. O(n + m).
OrderingEstimate estimate_ordering(const Graph& graph, int threads = 1,
                                   const SampledSearches& searches = {});
OrderingEstimate estimate_ordering(const sparse::TreeSamples& samples, int threads,
                                   const SampledSearches& searches = {});

/// Returns a lower bound of the relaxations that close the last supernode and sweep over it from so
/// many sources, halved for safety.
double least_relaxations(const OrderingEstimate& guess, double sources);

// Facts that a plan estimates from samples of a large graph.

/// Graphs of so many vertices take longer to order than to read.
inline constexpr std::int64_t kLeastEstimated = 131072;
inline constexpr std::int64_t kNeverEstimated = std::numeric_limits<std::int64_t>::max();

struct Estimates {
  sparse::TreeSamples trees;
  SampledSearches found;
  /// Known for sums of non-negative weights if all arcs have reverse arcs.
  std::optional<LongestDistance> longest{};
};

/// Returns nothing if samples are not representative: as `TreeSamples::of`, if a search does not
/// reach all vertices, or ends much sooner than the regions suggest because of long arcs. `least`:
/// vertices of the smallest graph that is sampled. Throws `Error` as an order.
std::optional<Estimates> estimates_of(const Graph& graph, std::int64_t least);

/// The findings of one graph over one semiring, which all calls must agree on.
class Findings {
 public:
  using Tree = std::shared_ptr<const sparse::Tree>;
  struct Dissection {
    Tree tree;
    std::int64_t bytes = 0;
  };
  /// A directed graph without its acyclic fringe, and the findings of what is left.
  struct Peeled {
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
  bool dissected() const { return !dissections_.empty(); }
  /// `searches`: of the graph, if there were any.
  OrderingEstimate ordering(const Graph& graph, int threads, const SampledSearches& searches);
  const Peeled& peeled(const Graph& graph);
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
  std::optional<Peeled> peeled_{};
  Tree promised_{};
  Tree boundary_{};
  std::map<std::optional<ValueType>, ValueChoice> values_{};
  std::shared_ptr<const SignedWeights> reduced_{};
  std::optional<std::string> why_not_f32_{};
};

}  // namespace apsp::planner
