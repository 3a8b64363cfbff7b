// Rows of distances that a source computes on the host's threads.
#pragma once

#include "engine/row_producer.hpp"
#include "flow/row_source.hpp"

namespace apsp::engine {

/// A single sink's buffer, or a matrix in memory, receives rows directly if the source can write
/// there. `count` requires: the source gives columns.
std::unique_ptr<RowProducer> rows_on_host(const flow::RowSource& source, int threads,
                                          const Control& control);

/// Pushes the distances up to `limit` from `vertices` by vertex, and possibly longer ones.
/// Requires: the source has bounded rows. Throws what the sink throws, and `Error` (interrupted).
void give_within(const flow::RowSource& source, std::span<const Vertex> vertices, double limit,
                 flow::ColumnSink& columns, int threads, const Control& control);

}  // namespace apsp::engine
