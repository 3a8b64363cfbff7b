// The host's memory that a solve takes at its peak, byte for byte.
//
// Counted is all that the process holds and cannot give back: the runtime, the graph, the matrix,
// the panels, and what reading, statistics, writing and checking take beside them, each at its own
// time. Pages of files that are only read (a mapped .npy, the program itself) are the system's
// cache: it takes them back where memory is short, and they are not counted.
// tests/python/test_memory.py holds the plan against the peak of whole processes.
#pragma once

#include <apsp/io.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <string>

#include "planner/plan.hpp"
#include "store/store.hpp"

namespace apsp::planner {

/// The planes of a solve as they are stored.
store::Layout layout_of(const Plan& plan, const SolveOptions& options);

/// The planes that are in memory: predecessors for a file are not, they are made a band at a time.
store::Layout layout_in_memory(const Plan& plan, const SolveOptions& options);

struct MemoryPlan {
  std::int64_t runtime = 0;     ///< libraries, threads and their stacks
  std::int64_t graph = 0;       ///< as it is held while solving
  std::int64_t matrix = 0;      ///< all planes that are in memory
  std::int64_t reading = 0;     ///< in addition to the runtime, until the graph is built
  std::int64_t ordering = 0;    ///< of all processes that find an order, before a matrix is there
  std::int64_t solving = 0;     ///< panels, bits
  std::int64_t statistics = 0;  ///< counters; chunks of distances, which are written meanwhile
  std::int64_t storing = 0;     ///< buffers of other chunks, bands of predecessors
  std::int64_t checking = 0;    ///< rows and planes that are read again; the matrix apart
  bool matrix_kept = true;      ///< while checking

  std::int64_t peak() const;
};

/// Whether predecessors are written as rows come, not from the distances that were stored.
bool writes_predecessors_with_rows(const Plan& plan, const SolveOptions& options);

/// Host memory that a solve takes in addition to its matrix: panels, or bits.
std::int64_t solving_bytes(const Plan& plan);

/// Memory and facts of a graph.
struct GraphSize {
  std::int64_t bytes = 0;  ///< as it is held while solving
  std::int64_t arcs = 0;
  std::int64_t mapped = 0;  ///< pages of its file that are held while its arcs are written
  bool matrix = false;
  bool integral = false, negative = false;  ///< of its weights
};
GraphSize size_of(const Graph& graph);

MemoryPlan plan_memory(const GraphSize& graph, const SolveOptions& options, const Plan& plan);
inline MemoryPlan plan_memory(const Graph& graph, const SolveOptions& options, const Plan& plan) {
  return plan_memory(size_of(graph), options, plan);
}

/// Bytes that may be used: `options.memory`, or nine tenths of what is free.
std::int64_t allowed_bytes(const SolveOptions& options);

/// Bytes that the output may take: `options.disk`, or what its disk has free.
std::int64_t allowed_disk(const SolveOptions& options);

/// "this memory is enough for a matrix of about 2,000 vertices; ", where it is for some and fewer
/// than `n`.
std::string room_for(std::int64_t bytes, std::int64_t n, const SolveOptions& options,
                     ValueType type);

/// Throws `Error` (does_not_fit) if a graph of this header surely does not fit, whatever its
/// weights turn out to be. A small one is read where the machine has as much, and its plan says
/// exactly what it needs; of others the message names memory that is enough for any weights.
void require_room(const GraphHeader& header, const SolveOptions& options);

/// Bytes of checks of rows while they are in memory: components of the graph, a checker a thread.
std::int64_t row_checks_bytes(std::int64_t n, int threads);

/// Bytes that `statistics::StatisticsPass` touches at most; a test compares the two. `negative`:
/// there are negative weights, and so perhaps distances.
std::int64_t statistics_bytes(std::int64_t n, ValueType type, bool integral, bool negative,
                              double distance_bound, int threads);

}  // namespace apsp::planner
