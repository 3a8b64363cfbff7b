// A finished matrix to all who want its rows, at the same time.
//
// Copying a matrix to the system and waiting for the disk takes one core a third of the time and
// none for the rest, so other sinks are served meanwhile. A sink that takes less than a processor
// (an .npy, whose writes wait for each other; a caller's function) is served by a thread of its
// own. All others are served by all threads, one sink after another; whatever the end of one still
// waits for, such as the disk, is waited for beside the next. What does not rest in memory is read
// once, and each piece given to all sinks.
#pragma once

#include <apsp/progress.hpp>
#include <span>

#include "store/row_sink.hpp"
#include "store/store.hpp"

namespace apsp::engine {

/// Gives every row of the distances of `matrix` to every sink and finishes them; those that take
/// long come first. Throws what the first sink that fails throws, once no thread is in any sink,
/// and `Error` (interrupted).
void serve_sinks(const store::Store& matrix, std::span<store::RowSink* const> sinks, int threads,
                 const Control& control);

}  // namespace apsp::engine
