#include "planner/describe_problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/refusal.hpp"
#include "base/units.hpp"
#include "planner/choose_tile.hpp"
#include "planner/eligibility.hpp"
#include "planner/memory.hpp"
#include "planner/search_model.hpp"
#include "planner/value_type.hpp"
#include "store/disk_use.hpp"
#include "system/machine.hpp"

namespace apsp::planner {

namespace {

std::string why_wrong_selection(const SolveOptions& options, std::int64_t n) {
  const store::Selection selection{options.question.sources, options.question.targets};
  const std::int64_t columns = selection.targets.size(n), stride = options.consumer.into.stride;
  if (options.consumer.into.values != nullptr && stride != 0 && stride < columns) {
    return fmt::format(
        "rows of {} distances overlap with a stride of {}: "
        "the stride must be at least as long as a row, or 0",
        columns, stride);
  }
  if (selection.all()) return {};
  if (options.question.via || options.question.hops) {
    return "`via` and `hops` are for all pairs, so they do not go with `sources` and `targets`: "
           "leave them out; paths between pairs do not need them";
  }
  if (options.question.predecessors && !options.question.targets.empty()) {
    return "`predecessors` lead through all vertices, so they do not go with `targets`: leave one "
           "of them out; paths between pairs do not need them";
  }
  if (options.storage.keep == Keep::factor || options.storage.stored == Keep::factor) {
    return "a factor gives the distances of all pairs when they are asked for: leave `sources` and "
           "`targets` out, or do not keep it";
  }
  return {};
}

std::string why_wrong_factor(const SolveOptions& options) {
  const bool to_file = !options.storage.output.empty(),
             to_zarr = store::is_zarr(options.storage.output);
  const bool stored = stores_factor(options);
  if (options.storage.stored == Keep::statistics) {
    return "an output holds the matrix or the factor, not only statistics";
  }
  if (stored && !to_zarr) {
    return fmt::format("a factor is kept in a .zarr{}; name one, or keep the matrix",
                       to_file ? ": " + options.storage.output + " holds only a matrix" : "");
  }
  if ((options.storage.keep == Keep::factor || stored) && options.question.predecessors) {
    return "a factor is kept without a predecessor matrix, and paths do not need one: leave "
           "`predecessors` out, or keep the matrix";
  }
  return {};
}

std::string why_wrong_device_rows(const SolveOptions& options) {
  if (!options.consumer.on_device_rows) return {};
  if (options.machine.device != Device::cuda) {
    return "rows can stay on a GPU only if it computes them: ask for `device=cuda`";
  }
  if (options.method.algorithm == Algorithm::floyd_warshall || options.question.via ||
      options.question.hops) {
    return "rows of a matrix do not stay on a GPU (floyd-warshall, `via`, `hops`): leave the "
           "algorithm open, or solve a matrix that lies there (floyd_warshall_on_device)";
  }
  if (options.storage.keep == Keep::matrix ||
      (options.question.predecessors && options.storage.output.empty())) {
    return "rows that stay on a GPU leave no matrix in memory: leave `keep=matrix` and "
           "`predecessors` out";
  }
  if (options.storage.resume) {
    return "rows of an earlier run are not on a GPU: leave `resume` out, or take the rows on the "
           "CPU";
  }
  return {};
}

class Description {
 public:
  explicit Description(const PlanRequest& asked) : asked_(asked) {}

  Problem described() && {
    problem_.n = graph_.vertex_count();
    problem_.selection = {options_.question.sources, options_.question.targets};
    problem_.semiring = options_.question.semiring;
    problem_.threads = system::thread_count(options_.machine.threads);
    problem_.shape = graph_.symmetric() ? dense::Shape::symmetric : dense::Shape::full;
    problem_.chunk = options_.method.tile > 0 ? options_.method.tile : kStoreChunk;
    problem_.with_via = options_.question.via || options_.question.hops;
    problem_.pairs = wants_pairs_alone(options_) ? options_.question.pairs : 0;
    problem_.bytes_allowed = allowed_bytes(options_);
    set_values();
    set_keep();
    set_disk();
    return std::move(problem_);
  }

 private:
  Findings::TypeQuestion question() const {
    return {graph_, problem_.semiring, problem_.threads, options_.control};
  }

  void set_values() {
    problem_.estimates = estimates();
    const ValueChoice values = asked_.findings->values(
        question(), options_.method.value_type,
        problem_.estimates ? problem_.estimates->longest : std::optional<LongestDistance>());
    problem_.type = values.type;
    problem_.estimated_type = values.estimated;
    problem_.distance_bound = values.distance_bound;
    if (options_.machine.device != Device::cpu) problem_.least_distance = least_distance(graph_);
    problem_.whole = facts_.integral;
    problem_.symmetric = graph_.symmetric();
    problem_.sign = facts_.least < 0 ? kernels::Sign::any : kernels::Sign::non_negative;
    set_precision();
    std::string& why = problem_.why.type;
    if (why.empty())
      why = why_value_type(facts_, options_.method.value_type.has_value(), problem_.type);
    if (values.searched) {
      why += fmt::format("; no distance exceeds {}{}", values.estimated ? "about " : "",
                         base::format_count(static_cast<std::int64_t>(problem_.distance_bound)));
    }
    problem_.unit_roundoff =
        unit_roundoff(graph_, problem_.semiring, problem_.type, problem_.distance_bound);
  }

  /// Returns samples of the graph if an order and a bound of distances may be estimated.
  std::shared_ptr<const Estimates> estimates() const {
    if (asked_.estimated_from == kNeverEstimated || !may_dissect(options_)) return nullptr;
    return asked_.findings->estimates(graph_, asked_.estimated_from);
  }

  /// Sets potentials of real weights of both signs, and chooses f32 or f64 if that is open.
  void set_precision() {
    const bool cancel = sums_may_cancel(graph_, problem_.semiring, problem_.type);
    const SignedWeights* const reduced =
        cancel ? &asked_.findings->reduced_weights(question()) : nullptr;
    choose_precision(reduced);
    if (!cancel) return;
    auto weights = std::make_shared<SignedWeights>(*reduced);
    if (!weights->potentials.cycle) set_bound(graph_, problem_.type, *weights);
    problem_.signed_weights = std::move(weights);
    problem_.sign = kernels::Sign::non_negative;
  }
  /// Chooses f64 if potentials, or the number of roundings of a path, make f32 too coarse.
  void choose_precision(const SignedWeights* weights) {
    const bool cyclic = weights != nullptr && weights->potentials.cycle;
    if (options_.method.value_type || problem_.type != ValueType::f32 || cyclic) return;
    std::string why =
        weights != nullptr && too_coarse_in_f32(graph_, *weights)
            ? "sums of both signs cancel, and f32 would be too coarse for what is left"
            : asked_.findings->why_not_f32(question(), weights, options_.method.tolerance);
    if (why.empty()) return;
    problem_.type = ValueType::f64;
    problem_.why.type = std::move(why);
  }

  void set_keep() {
    const bool passed_by = wants_pairs_alone(options_) || options_.consumer.on_device_rows;
    problem_.keep = options_.storage.keep != Keep::automatic ? options_.storage.keep
                    : passed_by                              ? Keep::statistics
                                                             : Keep::matrix;
  }

  /// The output holds all distances, unless the factor is asked for, or a sparse graph needs more
  /// disk space than there is.
  void set_disk() {
    if (options_.storage.output.empty()) return;
    problem_.disk.graph = store::graph_bytes_on_disk(graph_);
    problem_.disk.allowed = allowed_disk(options_);
    if (stores_factor(options_)) {
      problem_.stored = Keep::factor;
      return;
    }
    if (!may_store_factor(options_, problem_)) return;
    if (!looks_sparse(problem_.n, graph_.arc_count())) return;
    const std::int64_t bytes = output_bytes(problem_, options_);
    if (bytes <= problem_.disk.allowed) return;
    if (!why_not_rows(graph_, options_).empty()) return;
    if (options_.machine.device == Device::cuda && !why_not_swept(problem_).empty()) return;
    problem_.stored = Keep::factor;
    problem_.why.stored =
        fmt::format("all distances take {}, and there is room for {}", base::format_bytes(bytes),
                    base::format_bytes(problem_.disk.allowed));
  }

  const PlanRequest& asked_;
  const Graph& graph_ = asked_.graph;
  const SolveOptions& options_ = asked_.options;
  const WeightFacts& facts_ = graph_.weight_facts();
  Problem problem_{};
};

}  // namespace

std::string why_wrong(const SolveOptions& options, std::int64_t vertices) {
  if (options.machine.threads < 0 || options.machine.memory < 0 ||
      options.machine.device_memory < 0 || options.storage.disk < 0) {
    return "threads, memory and disk must not be negative";
  }
  if (!(options.method.tolerance >= 0 && std::isfinite(options.method.tolerance))) {
    return fmt::format("the tolerance must be at least 0, not {}", options.method.tolerance);
  }
  for (std::string why : {why_wrong_factor(options), why_wrong_device_rows(options),
                          why_wrong_selection(options, vertices)}) {
    if (!why.empty()) return why;
  }
  return {};
}

Problem describe_problem(const PlanRequest& asked) {
  const SolveOptions& options = asked.options;
  const std::int64_t n = asked.graph.vertex_count();
  require_tile(options.method.tile);
  const std::string why = why_wrong(options, n);
  refuse_if(!why.empty(), "{}", why);
  check(preferred_by(options));
  store::require_distinct(options.question.sources, n, "sources");
  store::require_distinct(options.question.targets, n, "targets");
  return Description(asked).described();
}

}  // namespace apsp::planner
