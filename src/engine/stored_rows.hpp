// Rows that an earlier run left in a store which is gone on with.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "store/row_sink.hpp"
#include "store/store.hpp"

namespace apsp::engine {

/// Gives the rows of every one of these bands that `store` holds to the sinks, which stay open.
/// Each band is read whole, checksums compared, before any row of it is given; one that is damaged
/// is forgotten, and `damaged` says which chunk. Returns the sources of these bands whose rows are
/// missing, in the order of rows. Memory: a band, tile × columns values. Throws what a sink throws;
/// `Error` (input_output, interrupted).
std::vector<Vertex> give_stored_rows(store::Store& store, std::span<const std::int64_t> bands,
                                     std::span<store::RowSink* const> sinks, int threads,
                                     const Control& control,
                                     std::vector<std::string>* damaged = nullptr);
/// Of all bands.
std::vector<Vertex> give_stored_rows(store::Store& store, std::span<store::RowSink* const> sinks,
                                     int threads, const Control& control,
                                     std::vector<std::string>* damaged = nullptr);

}  // namespace apsp::engine
