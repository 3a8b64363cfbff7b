#include "planner/problem.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/refusal.hpp"
#include "base/units.hpp"
#include "graph/whole_weights.hpp"
#include "io/held_bytes.hpp"
#include "planner/choose_tile.hpp"
#include "planner/search_model.hpp"
#include "planner/value_type.hpp"
#include "store/disk_use.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"

namespace apsp {
namespace {

template <class Value>
struct Named {
  Value value;
  std::string_view name;
};
constexpr Named<Device> kDevices[] = {
    {Device::automatic, "auto"}, {Device::cpu, "cpu"}, {Device::cuda, "cuda"}};
constexpr Named<Keep> kKeeps[] = {{Keep::automatic, "auto"},
                                  {Keep::matrix, "matrix"},
                                  {Keep::factor, "factor"},
                                  {Keep::statistics, "statistics"}};

template <class Value>
std::string_view name_in(const auto& table, Value wanted) {
  for (const auto& [value, name] : table) {
    if (value == wanted) return name;
  }
  return {};
}

template <class Value>
std::optional<Value> named_in(const auto& table, std::string_view wanted) {
  for (const auto& [value, name] : table) {
    if (name == wanted) return value;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(Algorithm algorithm) { return name_in(kAlgorithms, algorithm); }
std::string_view name(Device device) { return name_in(kDevices, device); }
std::string_view name(Keep keep) { return name_in(kKeeps, keep); }

std::optional<Algorithm> parse_algorithm(std::string_view text) {
  return named_in<Algorithm>(kAlgorithms, text);
}
std::optional<Device> parse_device(std::string_view text) {
  return named_in<Device>(kDevices, text);
}
std::optional<Keep> parse_keep(std::string_view text) { return named_in<Keep>(kKeeps, text); }

namespace planner {

bool wants_pairs_alone(const SolveOptions& options) {
  return options.question.pairs > 0 && options.storage.keep == Keep::automatic &&
         !options.question.statistics && options.storage.output.empty() &&
         options.consumer.into.values == nullptr && !options.consumer.on_device_rows;
}

bool may_store_factor(const SolveOptions& options, const Problem& problem) {
  const bool dissects = options.method.algorithm == Algorithm::automatic ||
                        options.method.algorithm == Algorithm::nested_dissection;
  return options.storage.stored == Keep::automatic && store::is_zarr(options.storage.output) &&
         !options.question.predecessors && problem.selection.all() && dissects &&
         !problem.signed_weights;
}

bool names_rows(const SolveOptions& options) {
  return options.method.algorithm != Algorithm::automatic &&
         options.method.algorithm != Algorithm::floyd_warshall;
}

std::int64_t allowed_bytes(const SolveOptions& options) {
  constexpr double kShareOfFree = 0.9;
  if (options.machine.memory > 0) return options.machine.memory;
  if (system::memory_limit() > 0) return system::memory_limit();
  return static_cast<std::int64_t>(kShareOfFree * static_cast<double>(system::available_memory()));
}

std::int64_t allowed_disk(const SolveOptions& options) {
  const std::int64_t temporary = io::temporary_bytes().now;
  if (options.storage.disk > 0) return std::max<std::int64_t>(0, options.storage.disk - temporary);
  const std::filesystem::path folder = std::filesystem::path(options.storage.output).parent_path();
  std::error_code failure;
  const auto space = std::filesystem::space(folder.empty() ? "." : folder, failure);
  constexpr std::uintmax_t kMost = std::numeric_limits<std::int64_t>::max();
  // A disk that cannot be asked shows its limit when it is written to.
  return static_cast<std::int64_t>(failure ? kMost : std::min(space.available, kMost));
}

store::Layout layout_of(const Problem& problem, const SolveOptions& options) {
  store::Layout layout;
  layout.n = problem.n;
  layout.type = problem.type;
  layout.semiring = problem.semiring;
  layout.tile = problem.chunk;
  layout.selection = problem.selection;
  if (options.question.predecessors) layout.planes.push_back(store::Plane::predecessor);
  if (problem.with_via) layout.planes.push_back(store::Plane::via);
  if (options.question.hops) layout.planes.push_back(store::Plane::hops);
  return layout;
}

std::int64_t bytes_on_disk(const Problem& problem, const SolveOptions& options,
                           std::span<const store::Array> factor) {
  if (options.storage.output.empty()) return 0;
  constexpr std::int64_t kValuesOfStatistics = 3;  // eccentricity, closeness, harmonic centrality
  store::Layout layout = layout_of(problem, options);
  if (!factor.empty()) layout.planes.clear();
  return store::result_bytes_on_disk(
      options.storage.output, layout,
      {.graph = problem.disk.graph,
       .arrays = factor,
       .vertex_values = options.question.statistics ? kValuesOfStatistics : 0});
}

std::string why_not_swept(const Problem& problem) {
  if (problem.semiring == Semiring::or_and) return "looks for reachability only on the CPU";
  constexpr double kSignedLimit = 1 << 28;  // kernels/cuda/relaxation.cuh
  const bool longest = problem.semiring == Semiring::max_plus;
  const bool any_sign = longest || problem.sign == kernels::Sign::any;
  const bool integers = is_integer(problem.type) && is_sum(problem.semiring);
  if (problem.signed_weights) return kBothSigns;
  if (integers && any_sign && problem.distance_bound >= kSignedLimit) {
    return fmt::format(
        "runs on a GPU in i32 over {} only if distances are below {:.15g}, and these may reach "
        "{:.15g}",
        longest ? "longest paths" : "negative weights", kSignedLimit, problem.distance_bound);
  }
  return {};
}

std::string why_not_rows(const Graph& graph, const SolveOptions& options) {
  if (options.question.via || options.question.hops)
    return "keeps no intermediate vertices (`via`, `hops`)";
  return graph.matrix() != nullptr ? "does not take matrices" : "";
}

bool needs_potentials(const Graph& graph, Semiring semiring) {
  const WeightFacts& facts = graph.weight_facts();
  if (semiring == Semiring::max_plus) return facts.greatest > 0;
  return semiring == Semiring::min_plus && facts.least < 0;
}

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
  const bool stores_factor =
      options.storage.stored == Keep::factor || (options.storage.stored == Keep::automatic &&
                                                 options.storage.keep == Keep::factor && to_file);
  if (options.storage.stored == Keep::statistics) {
    return "an output holds the matrix or the factor, not only statistics";
  }
  if (stores_factor && !to_zarr) {
    return fmt::format("a factor is kept in a .zarr{}; name one, or keep the matrix",
                       to_file ? ": " + options.storage.output + " holds only a matrix" : "");
  }
  if ((options.storage.keep == Keep::factor || stores_factor) && options.question.predecessors) {
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
    const Algorithm wanted = options_.method.algorithm;
    const bool dissects = wanted == Algorithm::automatic || wanted == Algorithm::nested_dissection;
    if (asked_.estimated_from == kNeverEstimated || !dissects) return nullptr;
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
    if (options_.storage.stored == Keep::factor ||
        (options_.storage.stored == Keep::automatic && options_.storage.keep == Keep::factor)) {
      problem_.stored = Keep::factor;
      return;
    }
    if (!may_store_factor(options_, problem_)) return;
    if (!looks_sparse(problem_.n, graph_.arc_count())) return;
    const std::int64_t bytes = bytes_on_disk(problem_, options_);
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
  store::require_distinct(options.question.sources, n, "sources");
  store::require_distinct(options.question.targets, n, "targets");
  return Description(asked).described();
}

}  // namespace planner
}  // namespace apsp
