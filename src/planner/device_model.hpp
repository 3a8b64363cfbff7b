// Seconds of a solve on one GPU: pure functions of the plan and of the device's rates.
//
//   start + arcs / arcs a second + host bytes / touched + setup + run + n² / statistics
//
// `run`, from the first copy in to the last copy out, is a measured curve (rates.hpp), or, if
// the matrix streams, the model of offload_plan at measured rates. Without measurements rates are
// those of an H200, scaled by multiprocessors × clock, and the prediction says "about". Several
// GPUs share relaxations and copies, and take a share of the curve of one; sending a panel counts
// where the step waits for it.
#pragma once

#include <cstdint>
#include <optional>

#include "planner/dense_model.hpp"
#include "planner/plan.hpp"
#include "planner/rates.hpp"
#include "statistics/device_count.hpp"

namespace apsp::planner {

/// Seconds from a result until the process with a driver has ended: 0.11 to 0.15 on five hosts of
/// H200s.
inline constexpr double kDeviceEndSeconds = 0.12;
/// Seconds until a driver is up, as measured or assumed.
double driver_start_seconds(const RateSource& rates);
/// Whether work that takes so many seconds on the CPU is worth the start of a driver. `gpus`: they
/// may have been looked for already.
bool pays_for_driver(double seconds, const RateSource& rates);
bool pays_for_driver(double seconds, const RateSource& rates, const FoundDevices& gpus);
/// Whether work that takes so many seconds on one GPU is worth opening all of them.
bool pays_for_all_gpus(double seconds, const RateSource& rates);
LinkRates link_rates(const RateSource& rates, const DeviceFacts& device);
/// Scales an H200's rates by multiprocessors × clock: the last resort.
DeviceRowRates assumed_device_row_rates(const DeviceFacts& device);
/// Returns the source's rates, measured if a solve of `guess` seconds is worth it (0: cached ones
/// only); nothing if there are none.
std::optional<DeviceRowRates> device_row_rates(const RateSource& rates, const DeviceFacts& device,
                                               double guess);
/// Seconds of loading kernels of rows, and of allocating and releasing memory.
inline constexpr double kRowsSetupSeconds = 25e-3;

/// Returns the device's speed as a share of an H200's, by multiprocessors × clock.
double speed_relative_to_h200(const DeviceFacts& device);

/// Returns the seconds in which the plan's devices count so many distances; 0 if they count none.
/// `type`: of distances on the device.
double counting_seconds(const DevicePlan& plan, double pairs, const statistics::CountMethod& method,
                        ValueType type);

/// Returns rates of Floyd-Warshall on a large matrix and of copies for a device that was not
/// measured, from one H200 (16384² × 2048, in device memory).
dense::OffloadRates assumed_offload_rates(const KernelKind& kind, const DeviceFacts& device);

DeviceRates device_rates(const DevicePlan& plan, int threads, const RateSource& source);

/// Returns the rates of each of several GPUs of one host that copy at the same time.
dense::OffloadRates rates_of_each(const dense::OffloadRates& one, int devices);

/// Returns the seconds from the first copy in to the last copy out of a resident matrix. `at_once`:
/// one tile.
double resident_seconds(const DevicePlan& plan, bool at_once, const DeviceRates& rates);

/// Returns the seconds of closing a matrix of n vertices on one device: at once up to `at_once`
/// vertices, else in tiles.
double closing_seconds(const DevicePlan& plan, std::int64_t n, std::int64_t at_once);

/// A front that one device eliminates completely, from pinned memory and back
/// (sparse/device_front.hpp). `bytes`: of the front with the device's stride; `at_once`: as
/// above.
struct FrontOnDevice {
  std::int64_t width = 0, upper = 0, bytes = 0;
  std::int64_t at_once = 0;
  bool symmetric = false;
};
double front_seconds(const DevicePlan& plan, const FrontOnDevice& front);

/// Seconds of a byte to another process of the machine: out, into shared memory, from there, and
/// in.
double byte_seconds_to_process(const LinkRates& link);

Prediction predict_on_device(const DevicePlan& plan, std::int64_t arcs, bool statistics);

}  // namespace apsp::planner
