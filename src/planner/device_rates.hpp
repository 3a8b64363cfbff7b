// How fast machines relax, to predict how long a solve takes and where it is worth doing.
//
// GPUs: what the product reaches on one H200, 16384² × 2048 and values in device memory, scaled by
// multiprocessors × clock for others. Floyd-Warshall as a whole has less: its panels and diagonal
// tiles are small. Good to some 20 % on Hopper, a guess elsewhere.
#pragma once

#include <apsp/semiring.hpp>

#include "algorithms/offload_plan.hpp"
#include "kernels/contract.hpp"
#include "kernels/cuda/cuda_device.hpp"

namespace apsp::planner {

/// The semiring, value type and sign that a kernel is made for, and whether it keeps `via`.
struct KernelKind {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  kernels::Sign sign = kernels::Sign::any;
  bool tracks_via = false;
};

/// Of Floyd-Warshall on a large matrix, and of copies between host and device.
OffloadRates device_rates(const KernelKind& kind, const kernels::cuda::DeviceFacts& device);

/// Relaxations a second of one CPU thread: rough, for it decides only what `--device auto` takes.
double thread_rate(const KernelKind& kind);

}  // namespace apsp::planner
