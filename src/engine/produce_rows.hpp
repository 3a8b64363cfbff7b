// Rows from a source that computes them block by block (store/row_source.hpp) to sinks, without a
// matrix in between.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>
#include <span>

#include "kernels/contract.hpp"
#include "store/row_sink.hpp"
#include "store/row_source.hpp"

namespace apsp::engine {

/// As `produce_rows`, but finishes no sink.
void give_rows(const store::RowSource& source, std::span<const Vertex> vertices,
               std::span<store::RowSink* const> sinks, std::int64_t band, int threads,
               const Control& control, store::ColumnSink* columns = nullptr);
/// Gives the row of each of `vertices`, which are distinct, to every sink and finishes them.
/// `band` > 0: rows come in bands of so many that stand together in `vertices`, so that a sink of
/// tiles holds few at a time; 0: in the order that costs the source least. `columns`: takes the
/// same distances vertex by vertex, where the source gives them so. Throws what a source or sink
/// throws, and `Error` (interrupted).
void produce_rows(const store::RowSource& source, std::span<const Vertex> vertices,
                  std::span<store::RowSink* const> sinks, std::int64_t band, int threads,
                  const Control& control, store::ColumnSink* columns = nullptr);
/// The same for all vertices, from the first to the last.
void produce_rows(const store::RowSource& source, std::span<store::RowSink* const> sinks,
                  std::int64_t band, int threads, const Control& control,
                  store::ColumnSink* columns = nullptr);
/// Gives the distances from `vertices` vertex by vertex. `rows`: of a block; 0: as many as are
/// best. Requires: the source gives columns. Throws as above.
void produce_columns(const store::RowSource& source, std::span<const Vertex> vertices,
                     store::ColumnSink& sink, int threads, const Control& control,
                     std::int64_t rows = 0);
/// The same for all vertices, in the order that costs the source least.
void produce_columns(const store::RowSource& source, store::ColumnSink& sink, int threads,
                     const Control& control);
/// How many of `count` sources a call computes best at once where `threads` share them.
std::int64_t block_rows(const store::RowSource& source, std::int64_t count, int threads);
/// Fills a matrix in memory, [n, n] values of the source's type.
void fill_rows(const store::RowSource& source, kernels::View matrix, int threads,
               const Control& control);

}  // namespace apsp::engine
