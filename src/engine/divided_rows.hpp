// Distances over a factor that is divided among processes (sparse/tree_share.hpp).
//
// The process that has a source sweeps up and down over its share. It sends the distances to the
// vertices of the top to all others, which sweep down from there over theirs. So each process
// receives the distances from all sources to its own vertices, bit for bit as from a whole factor.
// Blocks of sources are exchanged in rounds. A process receives n × (vertices of the top) values.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>

#include "engine/process_group.hpp"
#include "flow/column_sink.hpp"
#include "planner/plan.hpp"

namespace apsp::engine {

/// Eliminates the graph, and pushes the distances to the vertices of this process to `columns`;
/// all processes together push those of all pairs. Collective. Requires: the plan's factor is
/// divided; `require_defined`. Throws `Error`: interrupted, does_not_fit.
void count_divided(const Graph& graph, const planner::Plan& plan, const Control& control,
                   flow::ColumnSink& columns, ProcessGroup& group);

/// Bytes of the blocks of a round, in every process.
std::int64_t round_bytes(const sparse::TreeShare& share, ValueType type, int threads,
                         int processes);

}  // namespace apsp::engine
