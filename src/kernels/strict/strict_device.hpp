// A device made of mistrust: it runs on the host, slowly, and turns every misuse into an error.
//
// Its memory is its own and poisoned until written; its queues run nothing until someone waits for
// them, and then in an order that the caller could not have meant; host pointers in an operation,
// device pointers in the wrong place of a copy, tiles outside an allocation or in a released one,
// reads of values never written, packed operands used as what they are not, and two accesses of
// different queues that no event orders (to host memory too) are each an `Error` (device) that says
// what was done. A machine without a GPU thus tests whatever drives one. (libCEED's memcheck back
// end is the idea's parent.)
#pragma once

#include <memory>

#include "kernels/device.hpp"

namespace apsp::kernels::strict {

/// `memory`: bytes that may be allocated at once.
std::unique_ptr<ComputeDevice> make_device(Semiring semiring, ValueType type, std::int64_t memory);
/// Reachability on matrices of bits: values are words of 32 columns.
std::unique_ptr<ComputeDevice> make_bit_device(std::int64_t memory);

/// Bytes that such a device has copied out so far. Requires: nothing is queued.
std::int64_t copied_out(const ComputeDevice& device);

/// The sizes of such devices.
std::unique_ptr<DeviceSizes> sizes(Semiring semiring, ValueType type);
std::unique_ptr<DeviceSizes> bit_sizes();

}  // namespace apsp::kernels::strict
