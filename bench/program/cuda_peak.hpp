// Limits of a device, whatever a program does: what its instructions and its memory allow.
#pragma once

#include <apsp/semiring.hpp>

#include "kernels/contract.hpp"

namespace apsp::kernels::cuda {

/// Relaxations a second that the instructions allow the whole device: the loop of
/// the product on operands that lie in shared memory, the best of several launches; 0 where the
/// product has no such loop (tables of bits). Throws `Error` as `make_device` does.
double peak_relaxations(int ordinal, Semiring semiring, ValueType type, Sign sign);
/// Bytes a second that the device's memory moves, read and written together.
double memory_rate(int ordinal);

}  // namespace apsp::kernels::cuda
