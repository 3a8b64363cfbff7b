// CPU or GPU, and the plan of Floyd-Warshall on GPUs: tile, resident or streamed matrix, memory and
// time.
#pragma once

#include <apsp/solve.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/plan.hpp"

namespace apsp::planner {

struct DeviceProblem {
  std::int64_t n = 0;
  KernelKind kernel{};
  dense::Shape shape = dense::Shape::full;
  double distance_bound = 0;  // no distance has a larger magnitude
  std::int64_t tile = 0;      // 0: chosen; others are rounded up to the device's granule
  std::int64_t memory = 0;    // bytes of each device that may be used; 0: what is free
  int threads = 1;
  bool lies_on_device = false;  // the matrix is a caller's, on the device, and stays there
  bool stays_in_bits = false;   // reachability: bits are not converted to bytes
};

DeviceProblem device_problem(const Problem& problem, const SolveOptions& options);

/// Returns the tiling of a matrix on a device, without values.
dense::TiledMatrix device_matrix(const KernelKind& kernel, std::int64_t n, std::int64_t tile);

DevicePlan require_fitting(DevicePlan plan);

/// Returns why the CUDA engine cannot solve the problem, and what could; empty: it can.
std::string why_not_on_cuda(const DeviceProblem& problem);

/// Returns the side of a tile for n vertices in a device's memory. Without via, matrices up to the
/// side `whole` are one tile (`Device::whole_side`).
std::int64_t choose_device_tile(std::int64_t n, std::int64_t granule, std::int64_t whole,
                                bool tracks_via = false);

/// Returns the side of the problem's tiles on a device: as asked for, in whole granules, or chosen.
/// `at_once`: a small matrix may be one tile.
std::int64_t device_tile(const DeviceProblem& problem, const kernels::DeviceSizes& sizes,
                         bool at_once);

/// Plans a matrix that several devices hold together, or that streams through all, unless via is
/// tracked. `devices` contains `taken`; none is opened. The plan of a matrix that does not fit says
/// so. Throws `Error`: device (the engine cannot solve the problem).
DevicePlan plan_on_devices(const DeviceProblem& problem, const std::vector<DeviceFacts>& taken,
                           const Devices& devices, const RateSource& rates = {});

struct DeviceChoice {
  std::optional<DevicePlan> cuda;  // empty: the CPU; a named one may not fit
  std::string why;                 // the reason of an automatic choice; else empty
  bool refused = false;            // the named device cannot be used, for this reason
  double cpu_seconds = 0;          // of the CPU, which is slower than the chosen GPU; else 0
};

/// Puts the matrix of a plan where it was chosen to be.
void put_matrix(DeviceChoice choice, Plan& plan);

double cpu_seconds(const DeviceProblem& problem, const RateSource& rates);
/// Plans the named devices. A named device that cannot solve this is refused in the answer. Throws
/// `Error` (usage) for ordinals that make no sense.
DeviceChoice try_device(const DeviceProblem& problem, const DevicePreference& preference,
                        const FoundDevices& gpus, const RateSource& rates = {});

}  // namespace apsp::planner
