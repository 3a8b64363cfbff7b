// Rows of distances for tables: of a stored matrix, of a factor, or of a plan.
#pragma once

#include <apsp/progress.hpp>
#include <memory>
#include <span>

#include "api/result.hpp"
#include "flow/row_sink.hpp"
#include "planner/plan.hpp"
#include "store/selection.hpp"

namespace apsp::api {

/// Rows of distances in the order of a list of sources, from a result or a plan.
class OrderedRows {
 public:
  virtual ~OrderedRows() = default;
  virtual Semiring semiring() const = 0;
  virtual ValueType type() const = 0;
  virtual std::int64_t block() const = 0;
  /// Pushes the rows of distinct sources and finishes the sink. Throws its errors, and interrupted.
  virtual void give(std::span<const Vertex> sources, flow::RowSink& sink) = 0;
};

/// `state` must outlive the result. `targets`: the columns. Throws `Error` (usage) for a missing
/// column.
std::unique_ptr<OrderedRows> rows_of(const Result::State& state, const store::VertexList& targets,
                                     int threads, const Control& control);

/// `graph` and `plan` (by rows) must outlive the result. Throws as `engine::planned_rows`.
std::unique_ptr<OrderedRows> rows_of(const Graph& graph, const planner::Plan& plan,
                                     const Control& control);

/// The options of a solve whose rows are the answer: without output, statistics, checks, other
/// matrices and consumers.
SolveOptions for_answers(SolveOptions solving, Keep keep);

}  // namespace apsp::api
