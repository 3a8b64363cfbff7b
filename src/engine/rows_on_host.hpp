// Rows of distances that a source computes on the host's threads.
#pragma once

#include "engine/row_producer.hpp"
#include "flow/row_source.hpp"

namespace apsp::engine {

/// Rows of a source on the host's threads. They are computed straight into the memory of a single
/// sink that lends it, where the source can do that, and into a matrix in memory. `count` requires:
/// the source gives columns.
std::unique_ptr<RowProducer> rows_on_host(const flow::RowSource& source, int threads,
                                          const Control& control);

/// Gives the distances up to `limit` from `vertices` vertex by vertex, and possibly some longer
/// ones. Requires: the source has bounded rows. Throws what the sink throws, and `Error`:
/// interrupted.
void give_within(const flow::RowSource& source, std::span<const Vertex> vertices, double limit,
                 flow::ColumnSink& columns, int threads, const Control& control);

}  // namespace apsp::engine
