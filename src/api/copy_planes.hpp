// A plane from one store to another, tile by tile.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>
#include <functional>

#include "store/store.hpp"

namespace apsp::api {

/// Writes every tile of `to` from `from`, band after band; threads claim tiles, unless the store
/// takes one write at a time. Throws what the stores throw, and `Error` (interrupted).
void copy_plane(store::Plane plane, store::Store& from, store::Store& to, int threads,
                const Control& control);

/// Calls `work(t)` for every tile in parallel; the first exception is thrown again.
void for_each_tile(std::int64_t tiles, int threads, const std::function<void(std::int64_t)>& work);

}  // namespace apsp::api
