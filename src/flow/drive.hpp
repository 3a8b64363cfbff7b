// A finished matrix given to sinks, or to another store.
#pragma once

#include <apsp/progress.hpp>
#include <span>

#include "flow/row_sink.hpp"
#include "store/store.hpp"

namespace apsp::flow {

/// Gives every row of the distances of `from` to `to` once, as the sink prefers, by up to `threads`
/// threads; does not finish the sink. What does not rest in memory is read a band of tiles at a
/// time. Looks at the caller's cancellation, and at `stop`, between two blocks; raised, `stop` ends
/// it without an error. Throws `Error` (interrupted), what the store and the sink throw.
void feed(const store::Store& from, RowSink& to, int threads, const Control& control,
          const Cancellation* stop = nullptr);

/// The same to all of them, each band read once; for what does not rest in memory.
void feed_all(const store::Store& from, std::span<RowSink* const> to, int threads,
              const Control& control);

/// Writes every tile of `to` from `from`, band after band; threads claim tiles, unless the store
/// takes one write at a time. Throws what the stores throw, and `Error` (interrupted).
void copy_plane(store::Plane plane, store::Store& from, store::Store& to, int threads,
                const Control& control);

}  // namespace apsp::flow
