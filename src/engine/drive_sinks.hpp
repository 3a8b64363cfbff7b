// Gives the rows of a finished matrix to all sinks, several of them at the same time.
//
// A sink that keeps less than a processor busy (`RowPreference::beside`: an .npy, whose writes wait
// for each other; a caller's function) is served by a thread of its own: writing a matrix to disk
// takes one core a third of the time, and no core for the rest. All other sinks are served by all
// threads, one sink after another; a thread of its own finishes each of them (it may wait for the
// disk) while the next one is served. A matrix that does not rest in memory is read once, and each
// piece is given to all sinks.
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

/// Gives every row of the distances of `matrix` to every sink and finishes them; those that take
/// long come first. Throws what the first sink that fails throws, once no thread is in any sink,
/// and `Error` (interrupted).
void feed_sinks(const store::Store& matrix, std::span<flow::RowSink* const> sinks, int threads,
                const Control& control);

/// Gives these rows, which have been computed, to all sinks, on all threads.
void give_rows(const RowBlock& rows, std::span<flow::RowSink* const> sinks, int threads);

/// The same with predecessors of `kernels::predecessor_size`, as a device finds them: [sources, n]
/// with the stride of the rows, n columns; null: there are none. Threads widen those of 16 bits.
void give_trees(const RowBlock& rows, const std::byte* predecessors,
                std::span<flow::RowSink* const> sinks, int threads);

/// Gives the rows of every one of these bands that `store` holds to the sinks, which stay open.
/// Each band is read whole, checksums compared, before any row of it is given; one that is damaged
/// is forgotten, and `damaged` says which chunk. Returns the sources of these bands whose rows are
/// missing, in the order of rows. Memory: a band, tile × columns values. Throws what a sink throws;
/// `Error` (input_output, interrupted).
std::vector<Vertex> give_stored_rows(store::Store& store, std::span<const std::int64_t> bands,
                                     std::span<flow::RowSink* const> sinks, int threads,
                                     const Control& control,
                                     std::vector<std::string>* damaged = nullptr);
/// Of all bands.
std::vector<Vertex> give_stored_rows(store::Store& store, std::span<flow::RowSink* const> sinks,
                                     int threads, const Control& control,
                                     std::vector<std::string>* damaged = nullptr);

}  // namespace apsp::engine
