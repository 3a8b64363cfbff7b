#include "planner/memory.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "places/device_closure.hpp"
#include "places/transitive_closure.hpp"
#include "base/machine.hpp"
#include "base/rounded_up.hpp"
#include "base/units.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "places/one_memory.hpp"
#include "planner/layout.hpp"
#include "store/band_writer.hpp"
#include "store/memory_store.hpp"
#include "store/zarr_array.hpp"

namespace apsp::planner {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
/// What a process that has solved three vertices holds, touched pages of program and libraries
/// included; measured: 7.9 MiB.
constexpr std::int64_t kRuntime = 8 * kMiB;
/// What writing a .zarr touches besides: code and tables of compression and JSON; measured: 1.2 on
/// Debian 12, up to 5 on Ubuntu 24.04.
constexpr std::int64_t kZarrRuntime = 4 * kMiB;
/// Stack, packing buffers and allocator's arena of a thread.
constexpr std::int64_t kThread = kMiB / 2;
/// The share of free memory that may be used unasked.
constexpr double kShareOfFree = 0.9;
/// An arc while it is read: up to 16 bytes in its bucket (8 where weights are small integers) and
/// 12 in its row. The promise is 28; the least is what is held afterwards.
constexpr std::int64_t kArcWhileRead = 28;
/// Rows that a verifier holds at a time, and decoded chunks of a .zarr (store/chunk_cache.hpp).
constexpr std::int64_t kCheckedRows = 256 * kMiB;
constexpr std::int64_t kChunkCache = 256 * kMiB;

/// A potential a vertex, and up to 16 rows of doubles that are checked (bellman_check.hpp). Finding
/// them takes no more, and is over before the matrix is claimed.
std::int64_t signed_bytes(const Plan& plan) {
  constexpr std::int64_t kBytesAVertex = 16 + 16 * 8;
  return plan.signed_weights ? plan.n * kBytesAVertex : 0;
}

std::int64_t chunk_bytes(const Plan& plan, int value_size) {
  return std::min(plan.chunk, plan.sources()) * std::min(plan.chunk, plan.targets()) * value_size;
}

/// Pages of a matrix in a file that are held while its arcs are written: they are given back every
/// 2^20 arcs (`Graph::for_each_arc`).
std::int64_t mapped_bytes(const Graph& graph) {
  constexpr std::int64_t kArcsAtOnce = std::int64_t{1} << 20;
  const WeightMatrix* const matrix = graph.matrix();
  if (matrix == nullptr || !matrix->mapped) return 0;
  return std::min(matrix->n * matrix->n, kArcsAtOnce) * size_of(matrix->type);
}

std::int64_t storing_bytes(const Graph& graph, const SolveOptions& options, const Plan& plan) {
  std::int64_t bytes = 0;
  if (store::is_zarr(options.output)) {
    const std::int64_t copies = options.compress ? 2 : 1;
    const std::int64_t arcs = std::min(graph.arc_count(), store::kVectorChunk);
    const std::int64_t of_graph = (copies + 1) * arcs * 8;  // a chunk is gathered, then framed
    const bool factor = plan.stored == Keep::factor;
    const std::int64_t of_planes = plan.with_via ? copies * plan.threads * chunk_bytes(plan, 4) : 0;
    // The allocator keeps the chunks of distances that its threads have given back.
    const std::int64_t kept =
        factor ? 0 : copies * plan.threads * chunk_bytes(plan, size_of(plan.type));
    bytes = std::max(of_planes, of_graph + kept + mapped_bytes(graph));
  }
  if (options.predecessors) {
    // A band of distances and one of predecessors; trees and rows of every thread.
    constexpr std::int64_t kVertexOfTree = 150;
    const std::int64_t band = std::min(plan.chunk, plan.n) * plan.n;
    bytes =
        std::max(bytes, band * (size_of(plan.type) + 4) + plan.threads * plan.n * kVertexOfTree);
  }
  return bytes;
}

/// A band of tiles while it is filled; those of a .zarr are whole ones.
std::int64_t band_bytes(const Plan& plan, const SolveOptions& options) {
  const std::int64_t side = std::max<std::int64_t>(1, std::min(plan.chunk, plan.targets()));
  const std::int64_t columns =
      store::is_zarr(options.output) ? base::rounded_up(plan.targets(), side) : plan.targets();
  return std::min(plan.chunk, plan.sources()) * columns * size_of(plan.type);
}

/// The rows and columns that a result holds in memory.
std::int64_t selection_bytes(const Plan& plan) {
  return store::MemoryStore::bytes_of(
      {.n = plan.n, .type = plan.type, .semiring = plan.semiring, .selection = plan.selection});
}

std::int64_t checking_bytes(const SolveOptions& options, const Plan& plan) {
  constexpr std::int64_t kVertexOfChecker = 24, kVertexOfComponents = 48;
  const std::int64_t row = plan.n * (size_of(plan.type) + (options.predecessors ? 4 : 0));
  std::int64_t bytes = std::min(plan.sources() * row, kCheckedRows) +
                       plan.n * (kVertexOfComponents + plan.threads * kVertexOfChecker);
  if (store::is_zarr(options.output)) {
    bytes += std::min(plan.sources() * row, kChunkCache) + chunk_bytes(plan, 8);
    const std::int64_t pair = size_of(plan.type) + 4 + (options.hops ? 4 : 0);
    if (plan.with_via) bytes += plan.n * plan.n * pair;
  }
  return bytes;
}

}  // namespace

std::int64_t solving_bytes(const Plan& plan) {
  if (plan.rows) return plan.rows->solving_bytes();
  if (plan.on_disk) return plan.on_disk->bytes;
  if (plan.on_device) return plan.in_bits() ? places::device_closure_host_bytes(plan.n) : 0;
  if (plan.in_bits()) return places::transitive_closure_bytes(plan.n);
  const kernels::View matrix{nullptr, plan.n, plan.n, plan.n};
  return places::OneMemory::panel_bytes(
      {matrix, size_of(plan.type), plan.tile},
      kernels::cpu::operations(plan.kernel_semiring(), plan.type, plan.sign));
}

std::int64_t statistics_bytes(std::int64_t n, ValueType type, bool integral, bool negative,
                              double distance_bound, int threads) {
  constexpr std::int64_t kVertexFound = 9 + 24;  // eccentricity and what came; what is found
  // Of each thread (query/column_sums.hpp): a count, and slices of the sums of distances, one of
  // integers and three of others, and of reciprocals.
  constexpr std::int64_t kCount = 4, kSlice = 8, kReciprocals = 3 * kSlice;
  if (type == ValueType::boolean) return n * (threads * kCount + kVertexFound);
  // query/value_cells.hpp: cells of a relative width, and one for each small integer.
  constexpr std::int64_t kCoarse = 256 << 11;
  constexpr double kLeast = 1 << 15, kMost = 1 << 21;
  const bool integers = integral || type == ValueType::i32 || type == ValueType::u16;
  const auto limit = static_cast<std::int64_t>(
      integers ? std::clamp(1 + std::ceil(distance_bound), kLeast, kMost) : 0);
  // Cells of negative values come first. Where there are none, the system never gives memory to
  // them, but for what shares a large page with the first cell in use.
  constexpr std::int64_t kLargePage = 2 * kMiB;
  const std::int64_t half = 8 * (kCoarse + limit);
  const std::int64_t unused = negative ? 0 : std::max<std::int64_t>(0, half - kLargePage);
  const std::int64_t sums = type == ValueType::i32 || type == ValueType::u16 ? kSlice : 3 * kSlice;
  return threads * (2 * half + 8 - unused + n * (kCount + sums + kReciprocals)) + n * kVertexFound;
}

std::int64_t MemoryPlan::peak() const {
  const std::int64_t beside = std::max({solving, statistics, storing});
  const std::int64_t checked = graph + (matrix_kept ? matrix : 0) + checking;
  return runtime + std::max({reading, graph + matrix + beside, checked});
}

MemoryPlan plan_memory(const Graph& graph, const SolveOptions& options, const Plan& plan) {
  MemoryPlan memory;
  memory.runtime = kRuntime + plan.threads * kThread;
  memory.graph = graph.memory_bytes();
  memory.reading = memory.graph;
  if (graph.matrix() == nullptr) {
    const std::int64_t held = graph.arc_count() * 12;
    memory.reading += graph.arc_count() * kArcWhileRead - held;
  }
  if (plan.keeps_matrix()) {
    store::Layout whole = layout_in_memory(plan, options);
    whole.selection = {};
    memory.matrix = store::MemoryStore::bytes_of(whole);
  }
  if (plan.keeps_selection()) memory.matrix += selection_bytes(plan);
  memory.solving = solving_bytes(plan) + signed_bytes(plan);
  if (options.statistics) {
    memory.statistics =
        statistics_bytes(plan.n, plan.type, graph.weight_facts().integral,
                         graph.weight_facts().least < 0, plan.distance_bound, plan.threads);
  }
  if (store::is_zarr(options.output)) {  // distances are written meanwhile
    memory.runtime += kZarrRuntime;
    const std::int64_t copies = options.compress ? 2 : 1;
    if (plan.stored == Keep::matrix)
      memory.statistics += copies * plan.threads * chunk_bytes(plan, size_of(plan.type));
  }
  memory.storing = storing_bytes(graph, options, plan);
  const std::int64_t band = band_bytes(plan, options);
  if (plan.on_disk) {
    // Bands are read when the solve is over; picked out of whole rows where some are chosen.
    memory.statistics += band + (plan.selection.all() ? 0 : plan.n * size_of(plan.type));
  } else if (!plan.keeps_matrix()) {
    // Statistics and bands of tiles are filled while rows are computed.
    const bool all = !options.output.empty() && plan.stored == Keep::matrix;
    const std::int64_t bands = all ? store::BandWriter::most_bands(plan.threads) : 0;
    memory.solving += memory.statistics + memory.storing + bands * band;
    memory.statistics = memory.storing = 0;
  } else if (!plan.selection.all()) {
    memory.statistics += 2 * band;  // picked out of the matrix, for the sinks that are served
  }
  if (options.verify) memory.checking = checking_bytes(options, plan);
  memory.matrix_kept = plan.keep == Keep::matrix;
  if (options.verify && plan.leaves_factor()) {
    memory.checking += plan.rows->source_bytes + plan.rows->worker_bytes;
    if (plan.keep == plan.stored) memory.checking += plan.rows->source_bytes;  // read again
  }
  return memory;
}

std::int64_t allowed_bytes(const SolveOptions& options) {
  if (options.memory > 0) return options.memory;
  return static_cast<std::int64_t>(kShareOfFree * static_cast<double>(base::available_memory()));
}

std::int64_t allowed_disk(const SolveOptions& options) {
  if (options.disk > 0) return options.disk;
  const std::filesystem::path folder = std::filesystem::path(options.output).parent_path();
  std::error_code failure;
  const auto space = std::filesystem::space(folder.empty() ? "." : folder, failure);
  constexpr std::uintmax_t kMost = std::numeric_limits<std::int64_t>::max();
  // What cannot be asked is found out by writing.
  return static_cast<std::int64_t>(failure ? kMost : std::min(space.available, kMost));
}

std::string advice(std::int64_t bytes, std::int64_t total) {
  if (bytes <= total) return fmt::format("--memory {} would let this graph in", option_size(bytes));
  return fmt::format(
      "this machine has {} in all: a machine with more, or a smaller graph (its largest component, "
      "or one without its vertices of degree 1) would do",
      base::format_bytes(total));
}

void require_room(const GraphHeader& header, const SolveOptions& options) {
  const std::int64_t n = header.vertices;
  const bool needs_matrix = options.algorithm == Algorithm::floyd_warshall || header.matrix ||
                            options.via || options.hops ||
                            (options.predecessors && options.output.empty());
  if (!needs_matrix && (looks_sparse(n, header.arcs) || !options.sources.empty())) return;
  // Before the weights are known, the narrowest type that they might allow.
  const ValueType least = options.semiring == Semiring::or_and
                              ? ValueType::boolean
                              : options.value_type.value_or(ValueType::u16);
  std::int64_t a_pair = size_of(least);
  if (options.via || options.hops) a_pair += 4;
  if (options.hops) a_pair += 4;
  const double needed =
      static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(a_pair);
  const std::int64_t allowed = allowed_bytes(options);
  if (needed <= static_cast<double>(allowed)) return;
  const bool may_rest_on_disk = !options.output.empty() && !options.via && !options.hops &&
                                options.semiring != Semiring::or_and;
  if (may_rest_on_disk && 2 * needed <= static_cast<double>(allowed_disk(options))) return;
  constexpr double kMost = 0x1p62;
  const auto bytes = static_cast<std::int64_t>(std::min(needed, kMost));
  throw Error(
      ErrorKind::does_not_fit,
      fmt::format("{} vertices need at least {} for their distances and {} may be used "
                  "(nothing was read but the header). This memory is enough for about {} "
                  "vertices; {}.",
                  base::format_count(n), base::format_bytes(bytes), base::format_bytes(allowed),
                  base::format_count(static_cast<std::int64_t>(
                      std::sqrt(static_cast<double>(allowed) / static_cast<double>(a_pair)))),
                  advice(bytes, base::total_memory())));
}

}  // namespace apsp::planner
