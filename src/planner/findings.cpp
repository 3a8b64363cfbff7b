#include "planner/findings.hpp"

#include <utility>

#include "sparse/minimum_degree.hpp"
#include "sparse/order.hpp"

namespace apsp::planner {

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
  Dissection found;
  if (dissections_.empty()) {
    const sparse::Order order = sparse::nested_dissection(pattern, {processes, control});
    found = {std::make_shared<const sparse::Tree>(pattern, order), order.bytes_found};
  } else {
    found = dissections_.begin()->second;
    // Minimum degree, for graphs of hubs, uses one process.
    const bool hubs = sparse::share_of_hubs(pattern) >= sparse::kShareOfHubs;
    if (!hubs) {
      found.bytes = sparse::ordering_bytes(sparse::order_sizes(pattern), processes);
    }
  }
  return dissections_[processes] = std::move(found);
}

OrderingEstimate Findings::ordering(const Graph& graph, int threads) {
  const auto known = orderings_.find(threads);
  if (known != orderings_.end()) return known->second;
  return orderings_[threads] = estimate_ordering(graph, threads);
}

const Findings::Core& Findings::core(const Graph& graph) {
  if (!core_) {
    core_ = Core{std::make_shared<const sparse::Trim>(sparse::trim(graph)),
                 std::make_unique<Findings>()};
  }
  return *core_;
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
