// Computes rows of a source on the host's threads.
#pragma once

#include "engine/row_producer.hpp"
#include "flow/row_source.hpp"

namespace apsp::engine {

/// A single sink's buffer or matrix is filled directly if possible. `count` requires column output.
std::unique_ptr<RowProducer> rows_on_host(const flow::RowSource& source, int threads,
                                          const Control& control);

/// Pushes the distances up to `limit` from `vertices` by vertex, and possibly longer ones.
/// Requires: the source has bounded rows. Throws what the sink throws, and `Error` (interrupted).
void give_within(const flow::RowSource& source, std::span<const Vertex> vertices, double limit,
                 flow::ColumnSink& columns, int threads, const Control& control);

}  // namespace apsp::engine
