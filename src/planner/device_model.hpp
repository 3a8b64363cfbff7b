// How long a solve takes on one GPU: pure functions of the plan and of the device's figures.
//
//   start + arcs / arcs a second + host bytes / touched + beside + run + n² / statistics
//
// `run`, from the first copy in to the last copy out, is a curve that was measured there
// (rate_curve.hpp), or, of a matrix that streams, offload_plan's model at rates that were. Without
// measurements it is that of an H200 by multiprocessors × clock, and the prediction says "about".
// Several GPUs share relaxations and copies; a panel's way to the others is counted where the step
// waits for it. Where one was measured, they take the share of that curve that this says.
#pragma once

#include <cstdint>

#include "planner/device_plan.hpp"
#include "planner/host_model.hpp"
#include "statistics/device_count.hpp"

namespace apsp::planner {

/// Seconds from a result until the process that holds a driver has ended: 0.11 to 0.15 on five
/// hosts of H200s.
inline constexpr double kDeviceEndSeconds = 0.12;
/// Until a driver is up: as it took when the machine was measured, else cautious.
double driver_start_seconds(const RateSource& rates);
/// As measured, else as assumed.
LinkRates link_rates(const RateSource& rates, const DeviceFacts& device);
/// Kernels of rows are loaded, and memory is taken and released.
inline constexpr double kBesideRowsSeconds = 25e-3;

/// How much of an H200 the device is, by multiprocessors × clock.
double beside_h200(const DeviceFacts& device);

/// Seconds in which the plan's devices count so many distances; 0 where they count none. `type`: as
/// distances lie there.
double counting_seconds(const DevicePlan& plan, double pairs, const statistics::CountMethod& way,
                        ValueType type);

/// Rates of Floyd-Warshall on a large matrix and of copies, as assumed of a device that was not
/// measured: those of one H200 (16384² × 2048, in device memory), by multiprocessors × clock.
places::OffloadRates assumed_offload_rates(const KernelKind& kind, const DeviceFacts& device);

/// Cautious figures for the device and its host; `run` is left empty.
DeviceRates assumed_device_rates(const KernelKind& kind, const DeviceFacts& device, int threads);

/// The rates measured on the plan's device, or those assumed of one like it.
DeviceRates device_rates(const DevicePlan& plan, int threads, const RateSource& source);

/// The rates of each of several GPUs of one host that copy at the same time.
places::OffloadRates rates_of_each(const places::OffloadRates& one, int devices);

/// Seconds from the first copy in to the last copy out of a resident matrix. `at_once`: one tile.
double resident_seconds(const DevicePlan& plan, bool at_once, const DeviceRates& rates);

/// Seconds in which one device closes a matrix of n vertices that lies there: at once up to
/// `at_once` vertices, else in tiles.
double closing_seconds(const DevicePlan& plan, std::int64_t n, std::int64_t at_once);

/// Seconds of a front that goes to one device whole, from pinned memory and back
/// (elimination/device_front.hpp). `bytes`: of the front, rows as far apart as there; `at_once`: as
/// above.
struct FrontOnDevice {
  std::int64_t width = 0, upper = 0, bytes = 0;
  std::int64_t at_once = 0;
  bool symmetric = false;
};
double front_seconds(const DevicePlan& plan, const FrontOnDevice& front);

/// Seconds of a byte that goes to another process of the machine: out, into memory that both see,
/// from there, and in.
double way_to_process(const LinkRates& link);

/// Seconds of the whole solve, from `plan.seconds` and `plan.rates`.
Prediction predict_on_device(const DevicePlan& plan, std::int64_t arcs, bool statistics);

}  // namespace apsp::planner
