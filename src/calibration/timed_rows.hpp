// What the parts of sparse solves take, seconds by all threads.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <memory>

#include "elimination/tree.hpp"
#include "planner/rates.hpp"
#include "store/row_source.hpp"

namespace apsp::calibration {

struct RowsRun {
  double seconds = 0;
  double rows = 0;
};

/// Computes `count` rows, whole blocks that stand evenly, and drops them; ends early once `most`
/// seconds are over.
RowsRun time_rows(const store::RowSource& source, std::int64_t count, int threads, double most,
                  const Control& control);

/// Pairs a second that statistics take row by row, of one thread: of pairs that have a path, or
/// have none.
double pairs_by_rows(const Graph& graph, const planner::KernelKind& kind, bool has_path = true);

struct EliminationParts {
  std::shared_ptr<const elimination::Tree> tree;
  double ordering = 0;  // METIS
  double eliminating = 0;
  double sweeping = 0;     // all distances, vertex by vertex, dropped
  double counting = 0;     // the same into statistics, besides
  double transposing = 0;  // the same into rows, besides
};

/// The shortest of some repetitions of each part. `graph` is undirected.
EliminationParts time_elimination(const Graph& graph, const planner::KernelKind& kind, int threads,
                                  const Control& control);

}  // namespace apsp::calibration
