// Runs the sweeps or searches of a plan on its devices, and passes on what they find: counts to
// statistics, rows to the sinks.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <span>

#include "elimination/factor.hpp"
#include "kernels/contract.hpp"
#include "planner/plan.hpp"
#include "store/column_sink.hpp"
#include "store/row_sink.hpp"

namespace apsp::engine {

/// Counts all distances. Throws `Error`: does_not_fit, interrupted, device, defect.
DeviceReport count_on_device(const elimination::Factor& factor, const planner::Plan& plan,
                             store::ColumnSink& columns, const Control& control);
/// Gives the row of each of `vertices` to every sink and finishes them; bands as in
/// produce_rows.hpp. `columns`: null, or takes counts of the same distances. Throws as above, and
/// what a sink throws.
DeviceReport produce_on_device(const elimination::Factor& factor, const planner::Plan& plan,
                               std::span<const Vertex> vertices,
                               std::span<store::RowSink* const> sinks, std::int64_t band,
                               store::ColumnSink* columns, const Control& control);
/// The same for all vertices.
DeviceReport produce_on_device(const elimination::Factor& factor, const planner::Plan& plan,
                               std::span<store::RowSink* const> sinks, std::int64_t band,
                               store::ColumnSink* columns, const Control& control);
/// The same for some sources: counts, and rows to sinks, of which it finishes none.
DeviceReport count_on_device(const elimination::Factor& factor, const planner::Plan& plan,
                             std::span<const Vertex> sources, store::ColumnSink& columns,
                             const Control& control);
DeviceReport give_on_device(const elimination::Factor& factor, const planner::Plan& plan,
                            std::span<const Vertex> vertices,
                            std::span<store::RowSink* const> sinks, std::int64_t band,
                            store::ColumnSink* columns, const Control& control);
/// Fills a matrix in memory, [n, n] values of the plan's type.
DeviceReport fill_on_device(const elimination::Factor& factor, const planner::Plan& plan,
                            kernels::View matrix, const Control& control);

/// The same by searches in the graph.
DeviceReport count_on_device(const Graph& graph, const planner::Plan& plan,
                             store::ColumnSink& columns, const Control& control);
/// A share of all distances, that of `vertices`: what processes count of all of them adds up.
DeviceReport count_on_device(const Graph& graph, const planner::Plan& plan,
                             std::span<const Vertex> vertices, store::ColumnSink& columns,
                             const Control& control);
DeviceReport give_on_device(const Graph& graph, const planner::Plan& plan,
                            std::span<const Vertex> vertices,
                            std::span<store::RowSink* const> sinks, std::int64_t band,
                            const Control& control);
DeviceReport produce_on_device(const Graph& graph, const planner::Plan& plan,
                               std::span<const Vertex> vertices,
                               std::span<store::RowSink* const> sinks, std::int64_t band,
                               const Control& control);
DeviceReport produce_on_device(const Graph& graph, const planner::Plan& plan,
                               std::span<store::RowSink* const> sinks, std::int64_t band,
                               const Control& control);
DeviceReport fill_on_device(const Graph& graph, const planner::Plan& plan, kernels::View matrix,
                            const Control& control);

}  // namespace apsp::engine
