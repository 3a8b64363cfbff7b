// A device for tests: it runs on the host, slowly, and turns every misuse of a device into an
// `Error` (device) that says what was done. Code that drives a GPU is thus tested on machines that
// have none.
//
// Its memory is its own, and poisoned until it is written. Its queues run nothing until a thread
// waits for them, and then no more than that wait needs. These are misuse:
//   a host pointer in an operation, or a device pointer in the wrong place of a copy
//   a tile outside every allocation, or in one that was released
//   a read of a value that was never written
//   a packed operand in the place of another one (side, depth, number of lines)
//   two accesses to the same values, of the device or of the host, by queues that no event orders
//
// Source: the memcheck back end of libCEED.
#pragma once

#include <memory>

#include "kernels/device.hpp"

namespace apsp::kernels::strict {

/// `memory`: bytes that may be allocated at once.
std::unique_ptr<ComputeDevice> make_device(Semiring semiring, ValueType type, std::int64_t memory);
/// Reachability on matrices of bits: values are words of 32 columns.
std::unique_ptr<ComputeDevice> make_bit_device(std::int64_t memory);

/// The operation after so many others, of all such devices of this process together, ends with an
/// `Error` (device), and so does all that its device is given later. Negative: none does.
void fail_after(std::int64_t operations);
/// Whether it has come to that, or nothing was to fail.
bool has_failed();

/// Bytes that such a device has copied out so far. Requires: nothing is queued.
std::int64_t copied_out(const ComputeDevice& device);

/// The sizes of such devices.
std::unique_ptr<DeviceSizes> sizes(Semiring semiring, ValueType type);
std::unique_ptr<DeviceSizes> bit_sizes();

}  // namespace apsp::kernels::strict
