// The limit of a device: the relaxations that its instructions allow.
#pragma once

#include <apsp/semiring.hpp>

#include "kernels/contract.hpp"

namespace apsp::kernels::cuda {

/// Relaxations a second that the instructions allow the whole device: the loop of
/// the product on operands that lie in shared memory, the best of several launches; 0 where the
/// product has no such loop (tables of bits). Throws `Error` as `make_device` does.
double peak_relaxations(int ordinal, Semiring semiring, ValueType type, Sign sign);

}  // namespace apsp::kernels::cuda
