#include "api/update.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/solve.hpp>
#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "api/json.hpp"
#include "api/metrics.hpp"
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
#include "sparse/factor.hpp"
#include "sparse/stored_factor.hpp"
#include "store/metrics.hpp"
#include "store/tiling.hpp"
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

store::Metadata metadata_of(const SolveReport& report) {
  return {base::json_text(nlohmann::json{{"report", api::to_json(report)}}), {}};
}

void require_cpu(const UpdateOptions& options) {
  refuse_if(options.device == Device::cuda,
            "a factor is updated on the CPU: a GPU is for results that hold a matrix");
}

/// The solved graph: stored in a .zarr, or the caller's for an .npy. Throws `Error` (usage).
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

/// Locks a result that is updated in place, from reading to replacing; waits for other runs.
/// Returns null if the output is elsewhere.
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

/// The type of the new result: `before`, or a wider one if needed. `was`: the graph before. Throws
/// `Error` if no type fits or exact integers would be rounded; usage for real weights of both
/// signs.
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

/// Throws `Error` (does_not_fit) if `needed` and `held`, bytes of graphs and values, exceed what an
/// update may use.
void require_update_room(std::int64_t needed, std::int64_t held, const UpdateOptions& options) {
  const UpdateMemory memory(held, options);
  if (needed + memory.held <= memory.allowed) return;
  throw Error(
      ErrorKind::does_not_fit,
      fmt::format("the update needs {} and {} may be used; give it more memory, or fewer "
                  "threads",
                  base::format_bytes(needed + memory.held), base::format_bytes(memory.allowed)));
}

/// The number of edges. `each_way`: each undirected edge has two arcs.
std::int64_t edges_of(const std::vector<VertexPair>& arcs, bool each_way) {
  return std::count_if(arcs.begin(), arcs.end(),
                       [&](const VertexPair& arc) { return !each_way || arc.from <= arc.to; });
}

// A matrix.

/// Bytes of packed panels, all threads.
constexpr std::int64_t kProducts = std::int64_t{16} << 20;

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

/// `layout`: of the matrix before. Throws as `updated_matrix`, except device and does_not_fit.
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

/// Host or GPU, by `options`. Throws `Error`: does_not_fit (sums on a GPU), usage, device.
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

/// rows [count, n after], from `first` on ← the distances of `stored`; new vertices have no arcs.
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

/// Writes rows [count, n]. Requires: they begin with a band of `target`.
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

// A factor.

struct FactorBefore {
  const Graph& graph;
  std::shared_ptr<const sparse::Tree> tree;
  Semiring semiring;
  ValueType type;
  /// Returns its values, possibly from a file.
  std::function<std::shared_ptr<const sparse::Factor>()> factor;
};

struct UpdatedFactor {
  std::shared_ptr<const sparse::Factor> factor;
  Graph graph;  ///< vertex numbers as in the factor
  UpdateReport report;
};

/// Bytes needed to find a graph's new structure: its pattern, and some numbers a vertex.
std::int64_t structure_bytes(const Graph& graph) {
  return 2 * graph.arc_count() * std::int64_t{sizeof(Vertex)} +
         graph.vertex_count() * std::int64_t{12 * sizeof(std::int64_t)};
}

std::int64_t entries(const sparse::Tree& tree) {
  return tree.upper_entries() + tree.diagonal_entries();
}

/// The factor of `graph`. Throws as `Result::update`.
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

SolveReport report_now(SolveReport report, const UpdatedFactor& updated) {
  const sparse::Factor& factor = *updated.factor;
  return report_now(std::move(report), updated.graph, factor.semiring(), factor.type());
}

}  // namespace

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

UpdateReport UpdateFlow::run(const std::string& path,
                             const std::function<Graph(const Graph&)>& change) {
  output_ = options_.output.empty() ? path : options_.output;
  bool factor = false;
  group_.in_first([&] {
    open(path);
    factor = sparse::holds_factor(*stored_);
    if (factor) update_factor(path, change(before_));
  });
  if (group_.of_first(factor)) return change_.report;
  group_.run_local([&] {
    if (!group_.first()) read(path);
  });
  Graph after;
  group_.in_first([&] { after = change(before_); });
  group_.communicate([&] { after = shared(after); });
  group_.run_local([&] { begin(before_, *stored_, after); });
  if (compute(*stored_)) write();
  return change_.report;
}

/// Process 0 calls this. A metric is the output.
void UpdateFlow::open(const std::string& path) {
  const bool metric = !options_.metric.empty();
  if (metric) {
    output_ = metric_to_write(path, options_.metric);
    refuse_if(!options_.output.empty(), "a metric is kept inside {}: name a metric or an output",
              path);
  }
  in_place_ = claim_result(path, output_, options_.control);
  read(path);
  const bool factor = sparse::holds_factor(*stored_);
  refuse_if(factor && !store::is_zarr(output_),
            "{}: a factor is kept in a .zarr: use `output=OUT.zarr`", output_);
  refuse_if(!factor && metric,
            "{} holds a matrix, whose metrics share nothing: use `output=OUT` instead of `metric`",
            path);
  if (factor) require_cpu(options_);
  if (in_place_ != nullptr) store::require_no_metrics(store::posix_file_system(), path);
}

void UpdateFlow::read(const std::string& path) {
  stored_ = store::open_store(path, options_.semiring);
  require_all_pairs(*stored_, path);
  before_ = graph_beside(*stored_, path, options_);
}

void UpdateFlow::update_factor(const std::string& path, const Graph& after) {
  const bool metric = !options_.metric.empty();
  if (metric) make_metric_group(path);
  store::Layout layout = stored_->layout();
  const auto tree = sparse::read_tree(*stored_, before_);
  const UpdatedFactor updated =
      updated_factor({before_, tree, layout.semiring, layout.type,
                      [&] { return sparse::read_factor(*stored_, before_, tree); }},
                     after, options_);
  layout.type = updated.report.value_type;
  const auto target = create(layout, metric || in_place_ != nullptr ? path : "");
  sparse::write_factor(*updated.factor, *target);
  target->commit(updated.graph, metadata_of(report_now(report_of(*stored_), updated)));
  change_.report = updated.report;
}

std::unique_ptr<store::Store> UpdateFlow::create(const store::Layout& layout,
                                                 const std::string& shares_with) const {
  return store::create_store(output_, layout,
                             {.compress = options_.compress,
                              .in_place_of = in_place_ != nullptr ? stored_.get() : nullptr,
                              .shares_with = shares_with});
}

UpdatedMatrix UpdateFlow::in_memory(const Graph& before, const store::Store& stored,
                                    const Graph& graph) {
  begin(before, stored, graph);
  compute(stored);
  return {std::move(matrix_), change_.after, change_.report};
}

void UpdateFlow::begin(const Graph& before, const store::Store& stored, const Graph& graph) {
  start_ = std::chrono::steady_clock::now();
  change_ = graph_change(before, stored.layout(), graph, options_);
  graph_bytes_ = before.memory_bytes() + change_.after.memory_bytes();
}

/// Returns whether the new distances are in `rows_`, and not yet in the output.
bool UpdateFlow::compute(const store::Store& stored) {
  bool in_rows = update(stored);
  if (!in_rows) {
    change_.report.rows_solved = change_.layout.n;
    in_rows = solve();
  }
  change_.report.seconds = base::seconds_since(start_);
  return in_rows;
}

bool UpdateFlow::update(const store::Store& stored) {
  if (!reserve() || change_.layout.type != stored.layout().type) return false;
  std::unique_ptr<engine::MatrixOperations> operations;
  engine::MatrixChange wanted;
  group_.run_local([&] {
    operations = update_operations(change_, on_own_device(), find_);
    wanted = matrix_change(change_, options_);
    read_rows_before(stored, change_, shares().first(), rows_, wanted.threads);
    wanted.memory = room();
  });
  engine::MatrixUpdated updated;
  group_.communicate(
      [&] { updated = engine::update_matrix(rows_, wanted, *operations, shares()); });
  change_.report.rows_solved = updated.touched;
  return updated.done;
}

bool UpdateFlow::reserve() {
  // Further bytes depend on the rows that change, which are known once they are read.
  const store::Layout& layout = change_.layout;
  require_update_room(store::bytes_in_memory(layout) + kProducts, graph_bytes_, options_);
  matrix_ = store::make_memory_store(layout);
  rows_ = {matrix_->data(store::Plane::distance), layout.n, layout.n, matrix_->stride()};
  return true;
}

std::int64_t UpdateFlow::room() const {
  const UpdateMemory memory(graph_bytes_ + store::bytes_in_memory(change_.layout), options_);
  return std::max<std::int64_t>(1, memory.allowed - memory.held - kProducts);
}

bool UpdateFlow::solve() {
  const std::int64_t bytes = store::bytes_in_memory(change_.layout);
  require_update_room(bytes + kProducts, graph_bytes_ + bytes, options_);
  const Result solved = solve_among(find_, change_.after, solve_again(change_.layout, options_));
  const RowBlock found = *solved.matrix();
  const std::int64_t size = size_of(change_.layout.type);
  system::parallel_for(rows_.rows, system::thread_count(options_.threads), [&](std::int64_t i) {
    store::copy_rows(static_cast<std::byte*>(rows_.data) + i * rows_.stride * size, 0,
                     static_cast<const std::byte*>(found.values) + i * found.stride * size, 0, 1,
                     rows_.cols * size);
  });
  return true;
}

/// Process 0 makes the output, and completes it when all have written their rows.
void UpdateFlow::write() {
  const store::Layout& layout = change_.layout;
  std::unique_ptr<store::Store> target;
  group_.in_first([&] { target = create(layout); });
  const std::string place =
      group_.share_text(target != nullptr ? target->shared_place() : std::string());
  group_.run_local([&] {
    if (!group_.first()) {
      target = store::join_store(place, layout, {.compress = options_.compress});
    }
    write_rows_after(rows_, shares().first(), options_, *target);
    if (!group_.first()) target->flush();
  });
  if (!group_.first()) target.reset();
  group_.in_first([&] {
    for (std::int64_t row = rows_.rows; row < layout.n; row += layout.tile) {
      target->note_band(row / layout.tile);
    }
    target->commit(change_.after,
                   metadata_of(report_now(report_of(*stored_), layout, change_.after)));
  });
}

UpdatedMatrix updated_matrix(const Graph& before, const store::Store& stored, const Graph& graph,
                             const UpdateOptions& options, const planner::FindDevices& find) {
  engine::ProcessGroup alone;
  return UpdateFlow(alone, options, find).in_memory(before, stored, graph);
}

}  // namespace apsp::api

namespace apsp {

Result Result::update(const Graph& graph, const UpdateOptions& options,
                      UpdateReport* report) const {
  const State& of = whole();
  auto state = std::make_unique<State>();
  UpdateReport told;
  if (of.factor == nullptr) {
    refuse_if(of.store == nullptr,
              "this result keeps only statistics, and an update needs the distances or a factor: "
              "solve with Keep::matrix or Keep::factor");
    api::UpdatedMatrix updated = api::updated_matrix(of.graph, *of.store, graph, options);
    state->layout = updated.matrix->layout();
    state->report = api::report_now(of.report, state->layout, updated.graph);
    state->store = std::move(updated.matrix);
    state->graph = updated.graph;
    told = updated.report;
  } else {
    api::require_cpu(options);
    refuse_if(of.signed_weights.has_value(),
              "a factor of real weights of both signs takes no other weights: solve the new graph");
    const sparse::FactorRows& rows = *of.factor;
    api::UpdatedFactor updated =
        api::updated_factor({of.graph, rows.factor().shared_tree(), rows.semiring(), rows.type(),
                             [&rows] { return rows.shared_factor(); }},
                            graph, options);
    state->report = api::report_now(of.report, updated);
    state->keep(std::make_unique<sparse::FactorRows>(updated.factor, api::sign_of(updated.graph)));
    state->graph = updated.graph;
    told = updated.report;
  }
  if (report != nullptr) *report = told;
  return Result(std::move(state));
}

UpdateReport update_stored(const std::string& path,
                           const std::function<Graph(const Graph&)>& change,
                           const UpdateOptions& options) {
  const Cancellable listening(options.control.cancellation);
  engine::ProcessGroup alone;
  return api::UpdateFlow(alone, options, planner::cuda_devices).run(path, change);
}

}  // namespace apsp
