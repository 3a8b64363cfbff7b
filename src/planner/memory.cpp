#include "planner/memory.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "base/rounded_up.hpp"
#include "base/units.hpp"
#include "dense/host_memory.hpp"
#include "dense/reachable_bits.hpp"
#include "dense/transitive_closure.hpp"
#include "flow/store_rows.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "paths/essential_arcs.hpp"
#include "planner/eligibility.hpp"
#include "planner/value_type.hpp"
#include "sparse/stored_factor.hpp"
#include "store/disk_use.hpp"
#include "store/store.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"
#include "verifier/row_proofs.hpp"

namespace apsp::planner {

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

std::int64_t output_bytes(const Problem& problem, const SolveOptions& options,
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

std::int64_t output_bytes(const Plan& plan, const SolveOptions& options) {
  const RowsByFactor* const by = plan.rows() != nullptr ? plan.rows()->factor() : nullptr;
  std::vector<store::Array> arrays;
  if (plan.stored == Keep::factor && by != nullptr && by->tree != nullptr) {
    arrays = sparse::stored_arrays(*by->tree, plan.type, by->symmetric);
  }
  return output_bytes(plan, options, arrays);
}

store::Layout layout_in_memory(const Plan& plan, const SolveOptions& options) {
  store::Layout layout = layout_of(plan, options);
  if (!options.storage.output.empty()) std::erase(layout.planes, store::Plane::predecessor);
  return layout;
}

namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
/// Memory of a process that has solved three vertices, touched pages of program and libraries
/// included; measured: 7.9 MiB.
constexpr std::int64_t kRuntime = 8 * kMiB;
/// Memory that writing a .zarr touches in addition: code and tables of compression and JSON;
/// measured: 1.2 on Debian 12, up to 5 on Ubuntu 24.04.
constexpr std::int64_t kZarrRuntime = 4 * kMiB;
/// Stack, packing buffers and allocator's arena of a thread.
constexpr std::int64_t kThread = kMiB / 2;
/// Rows that a verifier holds at a time, and decoded chunks of a .zarr (store/zarr_chunk.hpp).
constexpr std::int64_t kCheckedRows = 256 * kMiB;
constexpr std::int64_t kChunkCache = 256 * kMiB;

/// A potential for each vertex, up to 16 rows of doubles that are checked (bellman_check.hpp), and
/// the reduced graph. Computing potentials takes no more, and ends before the matrix is allocated.
std::int64_t signed_bytes(const GraphSize& graph, std::int64_t n) {
  constexpr std::int64_t kBytesAVertex = 16 + 16 * 8 + 8;
  return n * kBytesAVertex + (graph.matrix ? 0 : graph.arcs * kArcHeld);
}

std::int64_t chunk_bytes(const Plan& plan, int value_size) {
  return std::min(plan.chunk, plan.sources()) * std::min(plan.chunk, plan.targets()) * value_size;
}

/// Pages of a matrix in a file while its arcs are written, which are released every 2^20 arcs
/// (`Graph::for_each_arc`).
std::int64_t mapped_bytes(const Graph& graph) {
  constexpr std::int64_t kArcsAtOnce = std::int64_t{1} << 20;
  const WeightMatrix* const matrix = graph.matrix();
  if (matrix == nullptr || !matrix->mapped) return 0;
  return std::min(matrix->n * matrix->n, kArcsAtOnce) * size_of(matrix->type);
}

std::int64_t tree_bytes(const Plan& plan) {
  constexpr std::int64_t kVertexOfTree = 150;
  return plan.threads * plan.n * kVertexOfTree;
}

std::int64_t stored_predecessors_bytes(const Plan& plan, std::int64_t arcs) {
  return std::min(plan.chunk, plan.sources()) * plan.n * (plan.value_bytes() + 4) +
         tree_bytes(plan) + paths::EssentialArcs::bytes(plan.n, arcs);
}

/// Bytes of `paths::PredecessorRows`; rows of an earlier run have no predecessors yet.
std::int64_t predecessor_rows_bytes(const Plan& plan, const SolveOptions& options) {
  constexpr std::int64_t kWidenedRows = 16;  // of a thread (engine/drive_sinks)
  const bool trees = options.storage.resume || !plan.rows()->uses.finds_predecessors;
  const std::int64_t side = std::min(plan.chunk, plan.n);
  return flow::BandWriter::most_bands(plan.threads) * side *
             base::rounded_up(plan.n, std::max<std::int64_t>(side, 1)) * 4 +
         (trees ? tree_bytes(plan) : plan.threads * kWidenedRows * plan.n * 4);
}

std::int64_t storing_bytes(const GraphSize& graph, const SolveOptions& options, const Plan& plan) {
  std::int64_t bytes = 0, of_planes = 0;
  if (store::is_zarr(options.storage.output)) {
    const std::int64_t copies = options.storage.compress ? 2 : 1;
    if (plan.with_via) of_planes = copies * plan.threads * chunk_bytes(plan, 4);
    const std::int64_t arcs = std::min(graph.arcs, store::kArrayChunk);
    // Arcs are gathered in a chunk and then framed; a matrix is framed in place.
    const std::int64_t of_graph = (graph.matrix ? copies : copies + 1) * arcs * 8;
    const bool factor = plan.stored == Keep::factor;
    // The allocator keeps the chunks that its threads have freed.
    const std::int64_t kept =
        factor ? 0 : copies * plan.threads * chunk_bytes(plan, plan.value_bytes());
    bytes = std::max(of_planes, of_graph + kept + graph.mapped);
  }
  if (options.question.predecessors) {
    bytes = writes_predecessors_with_rows(plan, options)
                ? bytes + predecessor_rows_bytes(plan, options)
                : std::max(bytes, of_planes + stored_predecessors_bytes(plan, graph.arcs));
  }
  return bytes;
}

std::int64_t band_bytes(const Plan& plan, const SolveOptions& options) {
  const std::int64_t side = std::max<std::int64_t>(1, std::min(plan.chunk, plan.targets()));
  const std::int64_t columns = store::is_zarr(options.storage.output)
                                   ? base::rounded_up(plan.targets(), side)
                                   : plan.targets();
  return std::min(plan.chunk, plan.sources()) * columns * plan.value_bytes();
}

std::int64_t pair_bytes(const SolveOptions& options, ValueType type) {
  return size_of(type) + (options.question.via || options.question.hops ? 4 : 0) +
         (options.question.hops ? 4 : 0);
}

std::int64_t checking_bytes(const SolveOptions& options, const Plan& plan, bool negative) {
  const std::int64_t row = plan.n * (plan.value_bytes() + (options.question.predecessors ? 4 : 0));
  std::int64_t bytes = std::min(plan.sources() * row, kCheckedRows) +
                       row_checks_bytes(plan.n, plan.semiring, negative, plan.threads);
  if (store::is_zarr(options.storage.output)) {
    bytes += std::min(plan.sources() * row, kChunkCache) + chunk_bytes(plan, 8);
    const std::int64_t pair = plan.value_bytes() + 4 + (options.question.hops ? 4 : 0);
    if (plan.with_via) bytes += plan.n * plan.n * pair;
  }
  return bytes;
}

std::int64_t bytes_of_bits(const Plan& plan) {
  return plan.on_device ? dense::DeviceBits::bytes_for(plan.n)
                        : dense::transitive_closure_bytes(plan.n);
}

/// Whether reachability is solved without a byte for each pair (`Plan::stays_in_bits`).
bool will_stay_in_bits(const SolveOptions& options) {
  const bool kept = options.storage.keep != Keep::statistics && !wants_pairs_alone(options) &&
                    store::Selection{options.question.sources, options.question.targets}.all();
  return options.question.semiring == Semiring::or_and && !options.question.via &&
         !options.question.hops && !kept;
}

/// Upper bound for a solve of such a graph with its matrix in memory, whatever the weights are.
std::int64_t most_bytes(const GraphHeader& header, const SolveOptions& options) {
  constexpr std::int64_t kLabel = 256;  // bytes of a vertex's name
  constexpr std::int64_t kMostArcs = std::int64_t{1} << 52;
  const std::int64_t n = header.vertices;
  const std::int64_t arcs = header.matrix ? n * n : 2 * std::min(header.arcs, kMostArcs);
  GraphSize graph{.arcs = arcs, .matrix = header.matrix, .integral = true, .negative = true};
  graph.bytes = n * kLabel + arcs * (header.matrix ? size_of(ValueType::f64) : kArcHeld);
  if (header.matrix) graph.mapped = graph.bytes;
  std::vector<ValueType> types = {ValueType::u16, ValueType::i32, ValueType::f32, ValueType::f64};
  if (options.question.semiring == Semiring::or_and) types = {ValueType::boolean};
  if (options.method.value_type) types = {*options.method.value_type};
  std::int64_t most = 0;
  for (const ValueType type : types) {
    Plan plan;
    plan.n = n;
    plan.semiring = options.question.semiring;
    plan.type = type;
    plan.threads = system::thread_count(options.machine.threads);
    plan.distance_bound = std::numeric_limits<double>::infinity();
    plan.with_via = options.question.via || options.question.hops;
    if (will_stay_in_bits(options)) plan.keep = Keep::statistics;
    plan.chunk = options.method.tile > 0 ? options.method.tile : kStoreChunk;
    plan.method =
        DensePlan{options.method.tile > 0
                      ? options.method.tile
                      : choose_tile(n, plan.threads,
                                    kernels::cpu::operations(plan.semiring, type, plan.sign))};
    most = std::max(most, plan_memory(graph, options, plan).peak());
  }
  return most + signed_bytes(graph, n);
}

bool is_read_soon(const GraphHeader& header) {
  constexpr std::int64_t kSoon = 64 * kMiB;
  const std::int64_t n = header.vertices;
  return header.matrix ? n < kMiB && n * n * size_of(ValueType::f64) <= kSoon
                       : header.arcs <= kSoon / kArcWhileRead / 2;
}

std::string way_out(const GraphHeader& header, const SolveOptions& options, double needed) {
  const std::int64_t total = system::total_memory();
  if (needed > static_cast<double>(total)) {
    return fmt::format("this machine has {} in all", base::format_bytes(total));
  }
  const bool some = !store::Selection{options.question.sources, options.question.targets}.all();
  const std::int64_t most = some ? total + 1 : most_bytes(header, options);
  if (most > total) {
    return fmt::format("whether the {} of this machine are enough depends on the weights",
                       base::format_bytes(total));
  }
  return fmt::format("`memory={}` is enough, whatever the weights are", option_size(most));
}

/// Bytes of a thread for tables that count distances (statistics/row_counter.hpp,
/// statistics/lane_memory.hpp): several tables for integers in a small range.
std::int64_t count_tables_bytes(const Plan& plan, bool integral) {
  constexpr double kNarrow = 1 << 17, kMost = 1 << 21;
  if (plan.type == ValueType::boolean || !(integral || is_integer(plan.type))) return 0;
  const double limit = std::min(plan.distance_bound + 1, kMost);
  const bool is_whole = plan.semiring == Semiring::min_plus;
  const double of_each = limit > kNarrow ? 4 : is_whole ? 16 : 32;
  return static_cast<std::int64_t>(of_each * limit);
}

}  // namespace

bool writes_predecessors_with_rows(const Plan& plan, const SolveOptions& options) {
  return options.question.predecessors && !options.storage.output.empty() &&
         plan.rows() != nullptr && plan.on_device.has_value() && !plan.keeps_matrix();
}

std::int64_t solving_bytes(const Plan& plan) {
  if (plan.rows()) return plan.rows()->solving_bytes();
  if (plan.on_disk()) return plan.on_disk()->bytes;
  if (plan.in_bits()) {
    const std::int64_t panels = plan.on_device ? 0 : dense::transitive_closure_panel_bytes(plan.n);
    return panels + (plan.stays_in_bits() ? 0 : bytes_of_bits(plan));
  }
  if (plan.on_device) return 0;
  const kernels::View matrix{nullptr, plan.n, plan.n, plan.n};
  return dense::HostMemory::panel_bytes({matrix, plan.value_bytes(), plan.tile()},
                                        operations_of(plan));
}

std::int64_t row_checks_bytes(std::int64_t n, Semiring semiring, bool negative, int threads) {
  constexpr std::int64_t kVertexOfChecker = 24, kVertexOfComponents = 48, kVertexOfStatistics = 40;
  const bool proven = verifier::provable(semiring == Semiring::min_plus, negative, n);
  const std::int64_t proofs = proven ? verifier::kProofBytesAVertex : 0;
  return n * (kVertexOfComponents + kVertexOfStatistics + threads * (kVertexOfChecker + proofs));
}

std::int64_t statistics_bytes(std::int64_t n, ValueType type, bool integral, bool negative,
                              double distance_bound, int threads) {
  // Eccentricity and count; results; component, and results within it.
  constexpr std::int64_t kVertexFound = 9 + 24 + (4 + 2) + (24 + 32);
  // Each thread has a count, the farthest vertex and totals (statistics/column_statistics.cpp).
  // Later two have slices of sums (statistics/column_sums.hpp): of distances, one of integers and
  // three of others, and of reciprocals.
  constexpr std::int64_t kCount = 4, kTotals = 16 + 64, kSlice = 8, kReciprocals = 3 * kSlice;
  if (type == ValueType::boolean) return n * (threads * kCount + kVertexFound);
  // statistics/histogram_bins.hpp: bins of relative width, and one for each small integer.
  constexpr std::int64_t kCoarse = 256 << 11;
  constexpr double kLeast = 1 << 15, kMost = 1 << 21;
  const bool integers = integral || is_integer(type);
  const auto limit = static_cast<std::int64_t>(
      integers ? std::clamp(1 + std::ceil(distance_bound), kLeast, kMost) : 0);
  // Bins of negative values come first. If unused, they are never backed by memory, except in the
  // large page of the first used bin.
  constexpr std::int64_t kLargePage = 2 * kMiB;
  const std::int64_t half = 8 * (kCoarse + limit);
  const std::int64_t unused = negative ? 0 : std::max<std::int64_t>(0, half - kLargePage);
  const std::int64_t sums = is_integer(type) ? kSlice : 3 * kSlice;
  return threads * (2 * half + 8 - unused + n * (kCount + kTotals)) +
         n * (2 * (sums + kReciprocals) + kVertexFound);
}

std::int64_t MemoryPlan::peak() const {
  const std::int64_t additional = std::max({ordering - matrix, solving, statistics, storing});
  const std::int64_t checked = graph + (matrix_kept ? matrix : 0) + checking;
  return runtime + std::max({reading, graph + matrix + additional, checked});
}

GraphSize size_of(const Graph& graph) {
  return {.bytes = graph.memory_bytes(),
          .arcs = graph.arc_count(),
          .mapped = mapped_bytes(graph),
          .matrix = graph.matrix() != nullptr,
          .integral = graph.weight_facts().integral,
          .negative = graph.weight_facts().least < 0,
          .provable = graph.weight_facts().least >= 0};
}

MemoryPlan plan_memory(const GraphSize& graph, const SolveOptions& options, const Plan& plan) {
  MemoryPlan memory;
  memory.runtime = kRuntime + plan.threads * kThread;
  memory.graph = graph.bytes;
  memory.reading = memory.graph;
  if (!graph.matrix) memory.reading += bytes_beside_reading(graph.arcs, plan.threads);
  if (plan.keeps_matrix()) {
    store::Layout whole = layout_in_memory(plan, options);
    whole.selection = {};
    memory.matrix = store::bytes_in_memory(whole);
  }
  if (plan.stays_in_bits()) memory.matrix = bytes_of_bits(plan);
  if (plan.keeps_selection()) {
    memory.matrix += store::bytes_in_memory(layout_in_memory(plan, options));
  }
  if (plan.rows()) memory.ordering = plan.rows()->costs.ordering_bytes;
  memory.solving = solving_bytes(plan) + (plan.signed_weights ? signed_bytes(graph, plan.n) : 0);
  if (options.question.statistics) {
    memory.statistics = statistics_bytes(plan.n, plan.type, graph.integral, graph.negative,
                                         plan.distance_bound, plan.threads);
    if (plan.rows() || plan.semiring == Semiring::min_plus) {
      memory.statistics += plan.threads * count_tables_bytes(plan, graph.integral);
    }
  }
  if (store::is_zarr(options.storage.output)) {
    memory.runtime += kZarrRuntime;
    const std::int64_t copies = options.storage.compress ? 2 : 1;
    if (plan.stored == Keep::matrix)
      memory.statistics += copies * plan.threads * chunk_bytes(plan, plan.value_bytes());
  }
  memory.storing = storing_bytes(graph, options, plan);
  const std::int64_t band = band_bytes(plan, options);
  if (plan.on_disk() || plan.stays_in_bits()) {
    // Bands are read after the solve; selected columns are copied from whole rows.
    memory.statistics += band + (plan.selection.all() ? 0 : plan.n * plan.value_bytes());
  } else if (!plan.keeps_matrix()) {
    // Statistics and bands of tiles are filled while rows are computed.
    const bool all = !options.storage.output.empty() && plan.stored == Keep::matrix;
    const std::int64_t bands = all ? flow::BandWriter::most_bands(plan.threads) : 0;
    memory.solving += memory.statistics + memory.storing + bands * band;
    memory.statistics = memory.storing = 0;
  } else if (!plan.selection.all()) {
    memory.statistics += 2 * band;  // copied from the matrix for the sinks
  }
  if (options.question.verify) memory.checking = checking_bytes(options, plan, !graph.provable);
  memory.matrix_kept = plan.keep == Keep::matrix;
  if (const RowsPlan* const rows = plan.rows();
      rows && options.question.verify && plan.leaves_factor()) {
    memory.checking += rows->costs.source_bytes + rows->costs.worker_bytes;
    if (plan.keep == plan.stored) memory.checking += rows->costs.source_bytes;
  }
  return memory;
}

std::string room_for(std::int64_t bytes, std::int64_t n, const SolveOptions& options,
                     ValueType type) {
  const std::int64_t runtime = kRuntime + system::thread_count(options.machine.threads) * kThread;
  const std::int64_t left = std::max<std::int64_t>(0, bytes - runtime);
  const auto some = static_cast<std::int64_t>(
      std::sqrt(static_cast<double>(left) / static_cast<double>(pair_bytes(options, type))));
  if (some < 2 || some >= n) return {};
  return fmt::format("this memory is enough for a matrix of about {} vertices; ",
                     base::format_count(some));
}

void require_room(const GraphHeader& header, const SolveOptions& options) {
  const std::int64_t n = header.vertices;
  const bool needs_matrix = options.method.algorithm == Algorithm::floyd_warshall ||
                            header.matrix || options.question.via || options.question.hops ||
                            (options.question.predecessors && options.storage.output.empty());
  if (!needs_matrix && (looks_sparse(n, header.arcs) || !options.question.sources.empty())) return;
  // Before the weights are known, the narrowest possible type.
  const ValueType least = options.question.semiring == Semiring::or_and
                              ? ValueType::boolean
                              : options.method.value_type.value_or(ValueType::u16);
  const double pair =
      will_stay_in_bits(options) ? 1.0 / 8 : static_cast<double>(pair_bytes(options, least));
  const double needed = static_cast<double>(n) * static_cast<double>(n) * pair;
  const std::int64_t allowed = allowed_bytes(options);
  if (needed <= static_cast<double>(allowed)) return;
  if (why_not_on_disk(options).empty() &&
      2 * needed <= static_cast<double>(allowed_disk(options))) {
    return;
  }
  if (needed <= static_cast<double>(system::total_memory()) && is_read_soon(header)) return;
  constexpr double kMost = 0x1p62;
  const auto bytes = static_cast<std::int64_t>(std::min(needed, kMost));
  throw Error(
      ErrorKind::does_not_fit,
      fmt::format("{} vertices need at least {} for their distances and {} may be used (only the "
                  "header was read); {}{}",
                  base::format_count(n), base::format_bytes(bytes), base::format_bytes(allowed),
                  room_for(allowed, n, options, least), way_out(header, options, needed)));
}

}  // namespace apsp::planner
