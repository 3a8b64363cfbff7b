// Drives the rows of a finished matrix into all sinks, several at the same time.
//
// A sink that keeps less than a core busy (`RowPreference`) has its own thread: writing to
// disk needs one core for a third of the time. All threads serve the other sinks in turn.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "flow/row_sink.hpp"
#include "store/store.hpp"

namespace apsp::engine {

/// Pushes every row of distances to every sink and finishes the sinks. Throws what the first
/// failing sink throws, once no thread is in any sink, and `Error` (interrupted).
void drive_sinks(const store::Store& matrix, std::span<flow::RowSink* const> sinks, int threads,
                 const Control& control);

/// Pushes computed rows to all sinks on all threads.
void push_rows(const RowBlock& rows, std::span<flow::RowSink* const> sinks, int threads);

/// `predecessors`: [sources, n] of `kernels::predecessor_size`, with the rows' stride; null: none.
void push_trees(const RowBlock& rows, const std::byte* predecessors,
                std::span<flow::RowSink* const> sinks, int threads);

/// Pushes the rows of these bands that `store` holds; the sinks stay open. Each band is read and
/// verified before any row is pushed. A damaged one is forgotten, and `damaged` names the chunk.
/// Returns the sources of missing rows, in the order of rows. Memory: a band, tile × columns
/// values. Throws what a sink throws; `Error` (input_output, interrupted).
std::vector<Vertex> push_stored_rows(store::Store& store, std::span<const std::int64_t> bands,
                                     std::span<flow::RowSink* const> sinks, int threads,
                                     const Control& control,
                                     std::vector<std::string>* damaged = nullptr);
/// The same for all bands.
std::vector<Vertex> push_stored_rows(store::Store& store, std::span<flow::RowSink* const> sinks,
                                     int threads, const Control& control,
                                     std::vector<std::string>* damaged = nullptr);

}  // namespace apsp::engine
