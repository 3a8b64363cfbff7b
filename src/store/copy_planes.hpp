// A plane from one store to another, tile by tile.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>

#include "store/store.hpp"

namespace apsp::store {

/// Writes every tile of `to` from `from`, band after band; threads claim tiles, unless the store
/// takes one write at a time. Throws what the stores throw, and `Error` (interrupted).
void copy_plane(Plane plane, Store& from, Store& to, int threads, const Control& control);

}  // namespace apsp::store
