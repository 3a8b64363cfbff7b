// The host's threads and memory as a device, for a process of a grid that has no GPU.
//
// Work is queued as on any device and cut into pieces of about a tile. Threads of the device take
// pieces from the queue of the highest priority that has one; so does the thread that gives the
// orders, whenever it waits or is told to `work`: with one thread it does everything, and between
// two pieces it can look after messages. The tile operations are those of the contract; a packed
// panel is its tiles' packed operands one after another.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "kernels/device.hpp"

namespace apsp::kernels::host {

/// `tile`: the granule; matrices are cut into tiles of that side. `threads`: that compute, the one
/// that waits included. Rows that lists name (listed_rows.hpp) are not offered.
std::unique_ptr<ComputeDevice> make_device(const TileOperations& operations,
                                           const std::optional<WitnessOperations>& witness,
                                           std::int64_t tile, int threads);

}  // namespace apsp::kernels::host
