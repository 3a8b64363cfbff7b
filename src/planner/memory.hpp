// The peak of the host's memory during a solve, in bytes.
//
// Counted is memory that the process cannot give back: the runtime, the graph, the matrix, the
// panels, and what reading, statistics, writing and checking take in addition, each at its own
// time. Pages of files that are only read (a mapped .npy, the program itself) are the system's
// cache. tests/python/test_memory.py compares plans with the peaks of processes.
#pragma once

#include <algorithm>
#include <apsp/io.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <span>
#include <string>

#include "planner/plan.hpp"
#include "store/store.hpp"

namespace apsp::planner {

/// The layout of all values that are stored.
store::Layout layout_of(const Problem& problem, const SolveOptions& options);
/// Bytes of all files of the output: planes, or instead of them the arrays of a factor, and
/// metadata. 0 without an output.
std::int64_t output_bytes(const Problem& problem, const SolveOptions& options,
                          std::span<const store::Array> factor = {});
std::int64_t output_bytes(const Plan& plan, const SolveOptions& options);

/// The planes in memory; predecessors for a file are computed one band at a time.
store::Layout layout_in_memory(const Plan& plan, const SolveOptions& options);

/// Bytes of an arc while it is read: up to 16 in its bucket (8 for small integer weights) and 12 in
/// its row; and afterwards.
inline constexpr std::int64_t kArcWhileRead = 28, kArcHeld = 12;
/// Bytes that reading takes in addition to the graph: the buckets of arcs and, of each thread, its
/// pieces of text and the open pages of its buckets.
inline std::int64_t bytes_beside_reading(std::int64_t arcs, int threads) {
  constexpr std::int64_t kReader = std::int64_t{5} << 20;
  return arcs * (kArcWhileRead - kArcHeld) + std::min(arcs * kArcWhileRead, threads * kReader);
}

struct MemoryPlan {
  std::int64_t runtime = 0;  ///< libraries, threads and their stacks
  std::int64_t graph = 0;
  std::int64_t matrix = 0;
  std::int64_t reading = 0;  ///< in addition to the runtime, until the graph is built
  /// of all processes that find an order, before the matrix is allocated
  std::int64_t ordering = 0;
  std::int64_t solving = 0;
  std::int64_t statistics = 0;  ///< counters; chunks of distances, which are written meanwhile
  std::int64_t storing = 0;     ///< buffers of other chunks, bands of predecessors
  std::int64_t checking = 0;    ///< rows and planes that are read again, without the matrix
  bool matrix_kept = true;      ///< while checking

  std::int64_t peak() const;
};

/// Whether predecessors are written with the rows, not from stored distances.
bool writes_predecessors_with_rows(const Plan& plan, const SolveOptions& options);

/// Host memory of a solve in addition to its matrix: panels, or bits.
std::int64_t solving_bytes(const Plan& plan);

struct GraphSize {
  std::int64_t bytes = 0;
  std::int64_t arcs = 0;
  std::int64_t mapped = 0;  ///< pages of its file while its arcs are written
  bool matrix = false;
  bool integral = false, negative = false;  ///< of its weights
  bool provable = true;                     ///< rows may be proven: all weights may be at least 0
};
GraphSize size_of(const Graph& graph);

MemoryPlan plan_memory(const GraphSize& graph, const SolveOptions& options, const Plan& plan);
inline MemoryPlan plan_memory(const Graph& graph, const SolveOptions& options, const Plan& plan) {
  return plan_memory(size_of(graph), options, plan);
}

/// "this memory is enough for a matrix of about 2,000 vertices; ", if it is enough for some and
/// fewer than `n`.
std::string room_for(std::int64_t bytes, std::int64_t n, const SolveOptions& options,
                     ValueType type);

/// Throws `Error` (does_not_fit) if a graph of this header cannot fit, whatever its weights are. A
/// small one is read if the machine has enough memory, as its plan says exactly what it needs. The
/// message names memory that is enough for any weights.
void require_room(const GraphHeader& header, const SolveOptions& options);

/// Bytes of checks of rows in memory: components of the graph, a checker for each thread.
/// `negative`: there are negative weights.
std::int64_t row_checks_bytes(std::int64_t n, Semiring semiring, bool negative, int threads);

/// Upper bound of the bytes that `statistics::StatisticsPass` touches, checked by a test.
/// `negative`: there are negative weights.
std::int64_t statistics_bytes(std::int64_t n, ValueType type, bool integral, bool negative,
                              double distance_bound, int threads);

}  // namespace apsp::planner
