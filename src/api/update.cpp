#include "api/update.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/solve.hpp>
#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "api/json.hpp"
#include "api/near.hpp"
#include "api/result.hpp"
#include "api/solve.hpp"
#include "api/stored_result.hpp"
#include "base/control.hpp"
#include "base/json.hpp"
#include "base/refusal.hpp"
#include "base/seconds_since.hpp"
#include "base/units.hpp"
#include "engine/solve_graph.hpp"
#include "graph/adjacency_matrix.hpp"
#include "graph/derived_graphs.hpp"
#include "graph/whole_weights.hpp"
#include "planner/memory.hpp"
#include "planner/plan.hpp"
#include "planner/signed_weights.hpp"
#include "planner/value_type.hpp"
#include "semiring/dispatch.hpp"
#include "sparse/arc_assembly.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/stored_factor.hpp"
#include "store/metrics.hpp"
#include "store/store.hpp"
#include "store/tiling.hpp"
#include "system/file_lock.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"
#include "system/threads.hpp"

namespace apsp::api {
namespace {

SolveReport report_now(SolveReport report, const Graph& graph, Semiring semiring, ValueType type) {
  report.value_type = type;
  report.semiring = semiring;
  report.unit_roundoff = planner::unit_roundoff(graph, semiring, type);
  return report;
}

SolveReport report_now(SolveReport report, const UpdatedFactor& updated) {
  const sparse::Factor& factor = *updated.factor;
  return report_now(std::move(report), updated.graph, factor.semiring(), factor.type());
}

SolveReport report_now(SolveReport report, const store::Layout& layout, const Graph& graph) {
  report.sources = report.targets = layout.n;
  report.bytes_matrix = store::bytes_in_memory(layout);
  return report_now(std::move(report), graph, layout.semiring, layout.type);
}

SolveReport report_of(const store::Store& stored) {
  const auto attributes = base::parsed_json(stored.metadata().attributes);
  if (!attributes.is_object() || !attributes.contains("report")) return {};
  return report_from_json(attributes["report"]);
}

Result update_matrix(const Result::State& state, const Graph& graph, const UpdateOptions& options,
                     UpdateReport* report) {
  refuse_if(state.store == nullptr,
            "this result keeps only statistics, and an update needs the distances or a factor: "
            "solve with Keep::matrix or Keep::factor");
  UpdatedMatrix updated = updated_matrix(state.graph, *state.store, graph, options);
  auto now = std::make_unique<Result::State>();
  now->report = report_now(state.report, updated.matrix->layout(), updated.graph);
  now->layout = updated.matrix->layout();
  now->store = std::move(updated.matrix);
  now->graph = updated.graph;
  if (report != nullptr) *report = updated.report;
  return Result(std::move(now));
}

void require_cpu(const UpdateOptions& options) {
  refuse_if(options.device == Device::cuda,
            "a factor is updated on the CPU: a GPU is for results that hold a matrix");
}

}  // namespace

Graph graph_beside(const store::Store& stored, const std::string& path,
                   const UpdateOptions& options) {
  if (std::optional<Graph> graph = stored.graph()) {
    refuse_if(options.before && options.before->digest() != graph->digest(),
              "{} was solved for another graph than the one given", path);
    return *graph;
  }
  refuse_if(store::is_zarr(path), "{}: the graph is missing next to the result", path);
  refuse_if(!options.before, "{} holds only the matrix; name the graph that was solved too", path);
  refuse_if(options.before->vertex_count() != stored.layout().n,
            "{} holds distances of {} vertices, but the graph has {}", path, stored.layout().n,
            options.before->vertex_count());
  return *options.before;
}

store::Metadata metadata_after(const store::Store& stored, const store::Layout& layout,
                               const Graph& graph) {
  const nlohmann::json attributes = {
      {"report", api::to_json(report_now(report_of(stored), layout, graph))}};
  return {base::json_text(attributes), {}};
}

std::unique_ptr<system::Lock> claim_result(const std::string& path, const std::string& output,
                                           const Control& control) {
  constexpr std::chrono::milliseconds kPause(10);
  std::error_code failure;
  if (!store::is_zarr(path) || !std::filesystem::equivalent(path, output, failure)) return nullptr;
  store::FileSystem& files = store::posix_file_system();
  const std::string turns = store::join(path, "graph/zarr.json");  // exists in every .zarr
  std::optional<base::ProgressTask> waiting;
  for (;;) {
    if (auto lock = files.try_lock(turns)) return lock;
    if (!waiting) waiting.emplace(control, "waiting for another update", 1, "update");
    base::check_cancelled(control);
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace apsp::api

namespace apsp {

Result Result::update(const Graph& graph, const UpdateOptions& options,
                      UpdateReport* report) const {
  const State& of = whole();
  if (of.factor == nullptr) return api::update_matrix(of, graph, options, report);
  api::require_cpu(options);
  refuse_if(of.signed_weights.has_value(),
            "a factor of real weights of both signs takes no other weights: solve the new graph");
  const sparse::FactorRows& rows = *of.factor;
  api::UpdatedFactor updated =
      api::updated_factor({of.graph, rows.factor().shared_tree(), rows.semiring(), rows.type(),
                           [&rows] { return rows.shared_factor(); }},
                          graph, options);
  auto state = std::make_unique<State>();
  state->report = api::report_now(of.report, updated);
  state->keep(std::make_unique<sparse::FactorRows>(updated.factor, api::sign_of(updated.graph)));
  state->graph = updated.graph;
  if (report != nullptr) *report = updated.report;
  return Result(std::move(state));
}

namespace api {
namespace {

template <class Create>
UpdateReport update_factor(const store::Store& stored, const Graph& before, const Graph& after,
                           const UpdateOptions& options, const Create& create) {
  store::Layout layout = stored.layout();
  const auto tree = sparse::read_tree(stored, before);
  const UpdatedFactor updated =
      updated_factor({before, tree, layout.semiring, layout.type,
                      [&] { return sparse::read_factor(stored, before, tree); }},
                     after, options);
  layout.type = updated.report.value_type;
  const auto target = create(layout);
  sparse::write_factor(*updated.factor, *target);
  const nlohmann::json attributes = {
      {"report", api::to_json(report_now(report_of(stored), updated))}};
  target->commit(updated.graph, {base::json_text(attributes), {}});
  return updated.report;
}

template <class Create>
UpdateReport update_matrix(const store::Store& stored, const Graph& before, const Graph& after,
                           const UpdateOptions& options, const Create& create) {
  const UpdatedMatrix updated = updated_matrix(before, stored, after, options);
  store::Layout layout = stored.layout();
  layout.n = updated.graph.vertex_count();
  layout.type = updated.report.value_type;
  const auto target = create(layout);
  const void* const values = updated.matrix->data(store::Plane::distance);
  write_rows_after({values, layout.n, layout.n, updated.matrix->stride()}, 0, options, *target);
  target->commit(updated.graph, metadata_after(stored, layout, updated.graph));
  return updated.report;
}

}  // namespace
}  // namespace api

UpdateReport update_stored(const std::string& path,
                           const std::function<Graph(const Graph&)>& change,
                           const UpdateOptions& options) {
  const Cancellable listening(options.control.cancellation);
  const std::string metric =
      options.metric.empty() ? "" : api::metric_to_write(path, options.metric);
  refuse_if(!metric.empty() && !options.output.empty(),
            "a metric is kept inside {}: name a metric or an output", path);
  const std::string& output = !metric.empty()          ? metric
                              : options.output.empty() ? path
                                                       : options.output;
  const std::unique_ptr<system::Lock> in_place = api::claim_result(path, output, options.control);
  const std::unique_ptr<store::Store> stored = store::open_store(path, options.semiring);
  api::require_all_pairs(*stored, path);
  const Graph before = api::graph_beside(*stored, path, options);
  const bool factor = sparse::holds_factor(*stored);
  refuse_if(factor && !store::is_zarr(output),
            "{}: a factor is kept in a .zarr: use `output=OUT.zarr`", output);
  refuse_if(!factor && !metric.empty(),
            "{} holds a matrix, whose metrics share nothing: use `output=OUT` instead of `metric`",
            path);
  if (factor) api::require_cpu(options);
  if (in_place != nullptr) store::require_no_metrics(store::posix_file_system(), path);
  const Graph after = change(before);
  if (!metric.empty()) api::make_metric_group(path);
  const bool shares = factor && (in_place != nullptr || !metric.empty());
  const auto create = [&](const store::Layout& layout) {
    return store::create_store(output, layout,
                               {.compress = options.compress,
                                .in_place_of = in_place != nullptr ? stored.get() : nullptr,
                                .shares_with = shares ? path : ""});
  };
  return factor ? api::update_factor(*stored, before, after, options, create)
                : api::update_matrix(*stored, before, after, options, create);
}

}  // namespace apsp

namespace apsp::api {
namespace {

/// Bytes needed to find a graph's new structure: its pattern, and some numbers a vertex.
std::int64_t structure_bytes(const Graph& graph) {
  return 2 * graph.arc_count() * std::int64_t{sizeof(Vertex)} +
         graph.vertex_count() * std::int64_t{12 * sizeof(std::int64_t)};
}

std::int64_t entries(const sparse::Tree& tree) {
  return tree.upper_entries() + tree.diagonal_entries();
}

}  // namespace

ValueType type_after(const Graph& was, const Graph& graph, Semiring semiring, ValueType before,
                     int threads, const Control& control) {
  // If f64 rounded distances before, it was chosen by name.
  if (before == ValueType::f64 && graph::whole_weights(was) &&
      !planner::integers_may_round(was, semiring, threads, control)) {
    planner::require_exact_integers(graph, semiring, threads, control);
  }
  ValueType type = before;
  try {
    planner::choose_value_type(graph, semiring, before, threads, control);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    type = planner::choose_value_type(graph, semiring, {}, threads, control).type;
    if (type == ValueType::f32 &&
        !planner::why_f32_is_too_coarse(graph, semiring, nullptr, SolveOptions().method.tolerance,
                                        control)
             .empty()) {
      type = ValueType::f64;
    }
  }
  refuse_if(planner::sums_may_cancel(graph, semiring, type),
            "an update takes no real weights of both signs: solve the graph with the new weights");
  return type;
}

namespace {

/// Bytes that an update may use in all, and bytes already in use if a limit was set.
struct UpdateMemory {
  UpdateMemory(std::int64_t graphs_and_values, const UpdateOptions& options) {
    SolveOptions memory;
    memory.machine.memory = options.memory;
    allowed = planner::allowed_bytes(memory);
    const bool named = options.memory > 0 || system::memory_limit() > 0;
    if (named) held = std::max(graphs_and_values, system::kept_memory());
  }
  std::int64_t allowed = 0, held = 0;
};

}  // namespace

std::int64_t update_room(std::int64_t held, const UpdateOptions& options) {
  const UpdateMemory memory(held, options);
  return memory.allowed - memory.held;
}

void require_update_room(std::int64_t needed, std::int64_t held, const UpdateOptions& options) {
  const UpdateMemory memory(held, options);
  if (needed + memory.held <= memory.allowed) return;
  throw Error(
      ErrorKind::does_not_fit,
      fmt::format("the update needs {} and {} may be used; give it more memory, or fewer "
                  "threads",
                  base::format_bytes(needed + memory.held), base::format_bytes(memory.allowed)));
}

std::int64_t edges_of(const std::vector<VertexPair>& arcs, bool each_way) {
  return std::count_if(arcs.begin(), arcs.end(),
                       [&](const VertexPair& arc) { return !each_way || arc.from <= arc.to; });
}

UpdatedFactor updated_factor(const FactorBefore& before, const Graph& graph,
                             const UpdateOptions& options) {
  const int threads = system::thread_count(options.threads);
  const Control& control = options.control;
  UpdatedFactor updated{nullptr, graph::numbered_as(graph, before.graph), {}};
  const Graph& after = updated.graph;
  planner::Plan plan;
  plan.semiring = before.semiring;
  plan.threads = threads;
  engine::require_defined(after, plan, control);
  UpdateReport& report = updated.report;
  report.value_type_before = before.type;
  report.value_type =
      type_after(before.graph, after, before.semiring, before.type, threads, control);

  const auto start = std::chrono::steady_clock::now();
  const std::int64_t held = before.graph.memory_bytes() + after.memory_bytes();
  const std::vector<VertexPair> arcs = graph::differing_arcs(before.graph, after);
  const bool each_way = !before.graph.directed() && !after.directed();
  report.changes = edges_of(arcs, each_way);
  std::shared_ptr<const sparse::Tree> tree = before.tree;
  if (!sparse::holds_arcs(*tree, after)) {
    require_update_room(structure_bytes(after), held, options);
    tree = std::make_shared<const sparse::Tree>(sparse::pattern_of(after), before.tree->order());
    report.growth =
        static_cast<double>(entries(*tree)) / static_cast<double>(entries(*before.tree));
  }
  const sparse::EliminationOptions elimination{before.semiring, report.value_type,
                                               sign_of(after),  kernels::Cycles::excluded,
                                               threads,         control};
  // If most supernodes change, their old values are useless.
  const bool whole = tree != before.tree || report.value_type != before.type ||
                     2 * std::ssize(arcs) >= after.arc_count();
  const auto factor_bytes = [&](const Graph& of) {
    return sparse::Factor::bytes(*tree, report.value_type, of.symmetric());
  };
  const std::int64_t needed = factor_bytes(after) + (whole ? 0 : factor_bytes(before.graph)) +
                              sparse::elimination_bytes(after, *tree, report.value_type, threads);
  require_update_room(needed, held, options);
  system::plan_memory(static_cast<double>(needed), "the update",
                      "give it more memory, or fewer threads");
  updated.factor = std::make_shared<const sparse::Factor>(
      whole ? sparse::eliminate(after, tree, elimination)
            : sparse::customize(*before.factor(), after, arcs, elimination));
  report.seconds = base::seconds_since(start);
  return updated;
}

namespace {

/// Bytes of packed panels, all threads.
constexpr std::int64_t kProducts = std::int64_t{16} << 20;

void solve_into(kernels::View matrix, const GraphChange& change, const UpdateOptions& options,
                const planner::FindDevices& find) {
  const Result solved = solve_among(find, change.after, solve_again(change.layout, options));
  const RowBlock found = *solved.matrix();
  const std::int64_t size = size_of(change.layout.type);
  system::parallel_for(matrix.rows, system::thread_count(options.threads), [&](std::int64_t i) {
    store::copy_rows(static_cast<std::byte*>(matrix.data) + i * matrix.stride * size, 0,
                     static_cast<const std::byte*>(found.values) + i * found.stride * size, 0, 1,
                     matrix.cols * size);
  });
}

}  // namespace

UpdatedMatrix updated_matrix(const Graph& before, const store::Store& stored, const Graph& graph,
                             const UpdateOptions& options, const planner::FindDevices& find) {
  const auto start = std::chrono::steady_clock::now();
  GraphChange change = graph_change(before, stored.layout(), graph, options);
  const store::Layout& layout = change.layout;
  // Further bytes depend on the rows that change, which are known once they are read.
  const std::int64_t bytes = store::bytes_in_memory(layout);
  const std::int64_t held = before.memory_bytes() + change.after.memory_bytes();
  require_update_room(bytes + kProducts, held, options);
  UpdatedMatrix updated{store::make_memory_store(layout), {}, {}};
  const kernels::View matrix{updated.matrix->data(store::Plane::distance), layout.n, layout.n,
                             updated.matrix->stride()};
  bool done = false;
  if (layout.type == stored.layout().type) {
    read_rows_before(stored, change, 0, matrix, system::thread_count(options.threads));
    engine::MatrixChange wanted = matrix_change(change, options);
    wanted.memory = std::max<std::int64_t>(1, update_room(held + bytes, options) - kProducts);
    const engine::MatrixUpdated found =
        engine::update_matrix(matrix, wanted, *update_operations(change, options, find));
    change.report.rows_solved = found.touched;
    done = found.done;
  }
  if (!done) {
    change.report.rows_solved = layout.n;
    require_update_room(bytes + kProducts, held + bytes, options);
    solve_into(matrix, change, options, find);
  }
  updated.report = change.report;
  updated.report.seconds = base::seconds_since(start);
  updated.graph = change.after;
  return updated;
}

namespace {

void require_updatable(const store::Layout& layout) {
  refuse_if(!layout.selection.all(),
            "the result holds only some rows or columns, and an update needs all: solve again");
  refuse_if(layout.planes != std::vector{store::Plane::distance},
            "the result holds more than distances (predecessors, intermediate vertices or edge "
            "counts), which an update does not renew: solve again");
}

class WeightsOf {
 public:
  WeightsOf(const Graph& graph, Semiring semiring) : graph_(graph), semiring_(semiring) {}

  /// The best weight, as in `engine::ArcChange`.
  double operator()(const VertexPair& arc) {
    if (arc.from != row_ || values_.empty()) {
      row_ = arc.from;
      values_.resize(static_cast<std::size_t>(graph_.vertex_count()));
      const std::int64_t n = graph_.vertex_count();
      const ValueType type = semiring_ == Semiring::or_and ? ValueType::boolean : ValueType::f64;
      bits_.resize(values_.size());
      void* const data = type == ValueType::f64 ? static_cast<void*>(values_.data()) : bits_.data();
      graph::fill_adjacency_rows(graph_, semiring_, type, row_, {data, 1, n, n}, 1);
      if (type == ValueType::boolean) std::copy(bits_.begin(), bits_.end(), values_.begin());
    }
    return values_[arc.to];
  }

 private:
  const Graph& graph_;
  Semiring semiring_;
  Vertex row_ = 0;
  std::vector<double> values_;
  std::vector<std::uint8_t> bits_;
};

/// Throws `Error` (does_not_fit). GPU kernels distinguish signed int32 sums from "no path" only
/// below 2^28 (kernels/cuda/relaxation.cuh); a product adds two paths with a changed arc each.
void check_updated_sums(const planner::KernelKind& kernel, const Graph& before,
                        const Graph& after) {
  constexpr double kLimit = 1 << 26;
  const bool is_signed = kernel.sign == kernels::Sign::any || kernel.semiring == Semiring::max_plus;
  if (kernel.type != ValueType::i32 || !planner::is_sum(kernel.semiring) || !is_signed) return;
  const double longest = std::max(planner::distance_bound(before, kernel.semiring),
                                  planner::distance_bound(after, kernel.semiring));
  if (longest < kLimit) return;
  throw Error(ErrorKind::does_not_fit,
              fmt::format("distances may reach {:.15g}, and a GPU updates signed int32 only below "
                          "2^26: use `device=cpu`",
                          longest));
}

/// Calls share(first row, rows) for each band, in parallel.
template <class Share>
void share_bands(std::int64_t first, std::int64_t end, std::int64_t band, int threads,
                 const Share& share) {
  system::parallel_for((end - first + band - 1) / band, threads, 1, [&](std::int64_t t) {
    const std::int64_t row = first + t * band;
    share(row, std::min(band, end - row));
  });
}

}  // namespace

GraphChange graph_change(const Graph& before, const store::Layout& layout, const Graph& graph,
                         const UpdateOptions& options) {
  require_updatable(layout);
  const int threads = system::thread_count(options.threads);
  GraphChange change{graph::with_vertices_of(before, graph), {}, {}, layout, {}};
  change.after = graph::numbered_as(graph, change.before);
  planner::Plan plan;
  plan.semiring = layout.semiring;
  plan.threads = threads;
  engine::require_defined(change.after, plan, options.control);
  UpdateReport& report = change.report;
  report.value_type_before = layout.type;
  report.value_type = type_after(change.before, change.after, layout.semiring, layout.type, threads,
                                 options.control);
  change.arcs = graph::differing_arcs(change.before, change.after);
  report.changes = edges_of(change.arcs, !before.directed() && !change.after.directed());
  change.layout.n = change.after.vertex_count();
  change.layout.type = report.value_type;
  return change;
}

engine::MatrixChange matrix_change(const GraphChange& change, const UpdateOptions& options) {
  const Semiring semiring = change.layout.semiring;
  const ValueType type = change.layout.type;
  engine::MatrixChange matrix{
      .semiring = semiring,
      .type = type,
      .roundoff = std::max(planner::unit_roundoff(change.before, semiring, type),
                           planner::unit_roundoff(change.after, semiring, type)),
      .arcs = {},
      .fill_row =
          [&after = change.after, semiring, type](std::int64_t row, void* values) {
            const std::int64_t n = after.vertex_count();
            graph::fill_adjacency_rows(after, semiring, type, row, {values, 1, n, n}, 1);
          },
      .threads = system::thread_count(options.threads),
      .control = options.control};
  WeightsOf was(change.before, semiring), is(change.after, semiring);
  for (const VertexPair& arc : change.arcs) {
    matrix.arcs.push_back({arc.from, arc.to, was(arc), is(arc)});
  }
  return matrix;
}

std::unique_ptr<engine::MatrixOperations> update_operations(const GraphChange& change,
                                                            const UpdateOptions& options,
                                                            const planner::FindDevices& find) {
  const bool negative =
      sign_of(change.before) == kernels::Sign::any || sign_of(change.after) == kernels::Sign::any;
  const planner::KernelKind kernel{change.layout.semiring, change.layout.type,
                                   negative ? kernels::Sign::any : kernels::Sign::non_negative};
  const int threads = system::thread_count(options.threads);
  if (options.device != Device::cuda) {
    return engine::operations_on_host(kernel, threads, options.control);
  }
  check_updated_sums(kernel, change.before, change.after);
  return engine::operations_through_device(kernel,
                                           {.preference = {Device::cuda, options.device_ordinals},
                                            .memory = options.device_memory,
                                            .find = find},
                                           threads, options.control);
}

void read_rows_before(const store::Store& stored, const GraphChange& change, std::int64_t first,
                      kernels::View rows, int threads) {
  const std::int64_t before = stored.layout().n;
  semiring::dispatch(change.layout.semiring, change.layout.type, [&]<class S>() {
    using T = typename S::Value;
    system::parallel_for(rows.rows, threads, [&](std::int64_t i) {
      T* const row = static_cast<T*>(rows.data) + i * rows.stride;
      const bool is_new = first + i >= before;
      std::fill(row + (is_new ? 0 : before), row + rows.cols, S::zero());
      if (is_new) row[first + i] = S::one();
    });
  });
  const std::int64_t end = std::min(first + rows.rows, before);
  share_bands(first, std::max(first, end), stored.layout().tile, threads,
              [&](std::int64_t row, std::int64_t count) {
                stored.read(store::Plane::distance, {row, 0, count, before},
                            static_cast<std::byte*>(rows.data) +
                                (row - first) * rows.stride * size_of(change.layout.type),
                            rows.stride);
              });
}

void write_rows_after(kernels::ConstView rows, std::int64_t first, const UpdateOptions& options,
                      store::Store& target) {
  const store::Layout& layout = target.layout();
  share_bands(first, first + rows.rows, layout.tile, system::thread_count(options.threads),
              [&](std::int64_t row, std::int64_t count) {
                base::check_cancelled(options.control);
                target.write(store::Plane::distance, {row, 0, count, layout.n},
                             static_cast<const std::byte*>(rows.data) +
                                 (row - first) * rows.stride * size_of(layout.type),
                             rows.stride);
              });
}

SolveOptions solve_again(const store::Layout& layout, const UpdateOptions& options) {
  SolveOptions solving;
  solving.question.semiring = layout.semiring;
  solving.method.value_type = layout.type;
  solving.storage.keep = Keep::matrix;
  solving.question.statistics = false;
  solving.machine.threads = system::thread_count(options.threads);
  solving.machine.device = options.device == Device::cuda ? Device::cuda : Device::cpu;
  solving.machine.device_ordinals = options.device_ordinals;
  solving.machine.device_memory = options.device_memory;
  solving.control = options.control;
  return solving;
}

}  // namespace apsp::api

namespace apsp {
namespace {

constexpr std::size_t kLongestName = 64;

void require_name(std::string_view metric) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  refuse_if(metric.empty() || metric.size() > kLongestName || !std::ranges::all_of(metric, allowed),
            "'{}' cannot name a metric: take up to {} letters, digits, _ and -", metric,
            kLongestName);
}

std::string place_of(const std::string& result, std::string_view metric) {
  return store::join(store::metric_folder(result),
                     std::string(metric) + std::string(store::kMetricSuffix));
}

}  // namespace

std::vector<std::string> metrics(const std::string& result) {
  return store::metrics_of(store::posix_file_system(), result);
}

std::string metric_path(const std::string& result, std::string_view metric) {
  require_name(metric);
  const std::vector<std::string> all = metrics(result);
  if (std::ranges::find(all, metric) != all.end()) return place_of(result, metric);
  throw usage_error("{} has no metric '{}'{}; an update with `metric={}` makes one", result, metric,
                    all.empty() ? "" : fmt::format(", but {}", fmt::join(all, ", ")), metric);
}

std::string api::metric_to_write(const std::string& result, const std::string& metric) {
  require_name(metric);
  refuse_if(!store::is_zarr(result), "{}: metrics are kept inside a .zarr", result);
  const std::string folder = store::parent_of(store::without_last_slashes(result));
  refuse_if(store::name_of(folder) == store::kMetricFolder,
            "{} is a metric itself: name the result that holds it, or use `output=OUT.zarr`",
            result);
  return place_of(result, metric);
}

void api::make_metric_group(const std::string& result) {
  store::FileSystem& files = store::posix_file_system();
  const std::string folder = store::metric_folder(result);
  files.make_directories(folder);
  const std::string document = store::join(folder, "zarr.json");
  if (files.kind(document) == store::FileKind::file) return;
  const nlohmann::json group = {
      {"zarr_format", 3}, {"node_type", "group"}, {"attributes", nlohmann::json::object()}};
  const std::string text = base::json_text(group, 2) + "\n";
  files.write_atomically(document, std::as_bytes(std::span(text)));
  files.copy_permissions(result, folder);
}

}  // namespace apsp
