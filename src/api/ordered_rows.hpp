// Rows of distances in the order of a list of sources: from a result, or as a plan computes them.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <memory>
#include <span>

#include "api/result.hpp"
#include "elimination/factor_rows.hpp"
#include "engine/row_sources.hpp"
#include "flow/row_sink.hpp"
#include "planner/plan.hpp"
#include "store/selection.hpp"

namespace apsp::api {

class OrderedRows {
 public:
  virtual ~OrderedRows() = default;
  virtual Semiring semiring() const = 0;
  virtual ValueType type() const = 0;
  /// How many sources cost least at once.
  virtual std::int64_t block() const = 0;
  /// Gives the rows of these distinct sources to the sink, and finishes it. Throws what the sink
  /// throws, and `Error` (interrupted).
  virtual void give(std::span<const Vertex> sources, flow::RowSink& sink) = 0;
};

/// Of a result, which outlives this. `targets`: the columns of every row. Throws `Error` (usage)
/// for a column that it does not hold.
std::unique_ptr<OrderedRows> rows_of(const Result::State& state, const store::VertexList& targets,
                                     int threads, const Control& control);

/// By a plan of rows. `graph` and `plan` outlive this. Throws as `engine::planned_rows`.
std::unique_ptr<OrderedRows> rows_of(const Graph& graph, const planner::Plan& plan,
                                     const Control& control);

}  // namespace apsp::api
