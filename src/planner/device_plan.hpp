// CPU or GPU, and how Floyd-Warshall runs on GPUs: the tile, whether the matrix resides there or
// streams through, what that takes and how long it will take.
#pragma once

#include <apsp/solve.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "places/offload_plan.hpp"
#include "places/tiled_matrix.hpp"
#include "planner/devices.hpp"
#include "planner/rates.hpp"

namespace apsp::planner {

struct DeviceProblem {
  std::int64_t n = 0;
  KernelKind kernel{};
  places::Shape shape = places::Shape::full;
  double distance_bound = 0;    // no distance has a larger magnitude
  std::int64_t tile = 0;        // 0: chosen; others are rounded up to the device's granule
  std::int64_t memory = 0;      // bytes of the device's that may be used; 0: what is free
  int threads = 1;              // of the host
  bool lies_on_device = false;  // the matrix is a caller's, on the device: it resides as it is
  bool stays_in_bits = false;   // reachability: no matrix of bytes is made of its bits
};

struct DevicePlan {
  DeviceFacts device;
  /// GPUs that share the work; bytes are of each, at most. A matrix is distributed over all of them
  /// (places/peer_memory.hpp).
  std::vector<int> peers{};
  int places = 1;  // of each GPU on their grid: so many devices are opened there
  KernelKind kernel{};
  std::int64_t n = 0;
  places::Shape shape = places::Shape::full;
  std::int64_t tile = 0;
  bool streamed = false;          // or resident
  places::OffloadPlan offload{};  // where it is streamed
  int processes = 1;              // that share the matrix, each with a GPU
  std::int64_t bytes = 0;         // of the device's memory
  std::int64_t bytes_allowed = 0;
  bool stays_in_bits = false;  // as of the problem
  double seconds = 0;          // predicted, from the first copy in to the last copy out
  DeviceRates rates{};         // by which
  LinkRates link{};
  Devices::Open open;
  /// Why the devices have too little memory for it: then `bytes` is the least that would do, and
  /// no time is known. Empty: it fits.
  std::string too_small{};

  bool fits() const { return too_small.empty(); }
  /// Reachability: one bit a pair (places/device_bits.hpp).
  bool in_bits() const { return kernel.in_bits(); }
  int devices() const { return 1 + static_cast<int>(peers.size()); }
  /// The side of their square grid, as of `places::PeerMemory`; 0: there is none.
  int square() const;
  /// The ordinal of one of them, counted from 0.
  int ordinal(int number) const {
    return number == 0 ? device.ordinal : peers[static_cast<std::size_t>(number) - 1];
  }
  std::string title() const { return planner::title(device, peers); }
};

/// n³, or half of it; what a solve does whatever it meets.
double relaxations(std::int64_t n, places::Shape shape);

/// Bytes of a device that a solve may take: what is asked for, at most most of what is free.
/// `memory`: as asked for; 0: no limit.
std::int64_t allowed_device_bytes(std::int64_t memory, const DeviceFacts& device);
/// The same of each of several, at least one.
std::int64_t allowed_device_bytes(std::int64_t memory, std::span<const DeviceFacts> devices);

/// A plan on all of `taken`, at least one, that may take so much of each, without times yet.
DevicePlan begun_plan(const KernelKind& kernel, std::int64_t n, std::int64_t memory,
                      const Devices& devices, std::span<const DeviceFacts> taken);

/// Notes that `needing` ("3 vertices need") takes at least so many bytes `of` devices, which is
/// more than the plan may take. `memory`: as above.
void refuse_memory(const std::string& needing, std::int64_t least, const std::string& of,
                   std::int64_t memory, DevicePlan& plan);

/// The plan. Throws `Error` (does_not_fit) where it does not fit.
DevicePlan require_fitting(DevicePlan plan);

/// Why the CUDA engine does not take the problem, and what would; empty if it does.
std::string why_not_on_cuda(const DeviceProblem& problem);

/// The side of a tile for n vertices in a device's memory; `whole`: matrices up to this side are
/// one tile (`Device::whole_side`), unless via is tracked.
std::int64_t choose_device_tile(std::int64_t n, std::int64_t granule, std::int64_t whole,
                                bool tracks_via = false);

/// The side of this problem's tiles on a device: as asked for, in whole granules, or as chosen.
/// `at_once`: a small matrix may be one tile.
std::int64_t device_tile(const DeviceProblem& problem, const kernels::DeviceSizes& sizes,
                         bool at_once);

/// `devices` has all that are taken; none is opened. Several devices hold the matrix together, or
/// it streams through all, unless via is tracked. A matrix that does not fit is a plan that says
/// so. Throws `Error`: device (the engine does not take the problem).
DevicePlan plan_on_devices(const DeviceProblem& problem, const std::vector<DeviceFacts>& taken,
                           const Devices& devices, const RateSource& rates = {});

/// A device that was asked for by name is taken, or the solve ends with what would work; only
/// `Device::automatic` may turn to another, and then says why.
struct DevicePreference {
  Device device = Device::automatic;
  std::vector<int> ordinals{};  // of GPUs; empty: the first; `kAllGpus`: every one
};

struct DeviceChoice {
  std::optional<DevicePlan> cuda;  // empty: the CPU; by name, it may be one that does not fit
  std::string why;                 // the reason of an automatic choice; else empty
  bool refused = false;            // the device that was named does not do, for this reason
  double cpu_seconds = 0;          // of the CPU, which is slower than the chosen GPU; else 0
};

/// GPUs that were asked for by name, and all that there are.
struct NamedDevice {
  Devices devices;
  std::vector<DeviceFacts> taken;  // with their free memory; empty: there are none
  LinkRates link{};                // of the first
  std::string why_none{};          // where none is taken
};
/// Requires: a GPU is wished for. Throws `Error` (usage).
NamedDevice find_named_device(const DevicePreference& preference, const FindDevices& find,
                              const RateSource& rates = {});
/// The same, at least one. Throws `Error`: usage, device (none there).
NamedDevice named_device(const DevicePreference& preference, const FindDevices& find,
                         const RateSource& rates = {});

/// Seconds of the solve by the host's threads in memory.
double cpu_seconds(const DeviceProblem& problem, const RateSource& rates);
/// The devices of a preference for GPUs, in its order; their free memory is not asked for.
/// `unnamed`: how many where the preference names none. Throws `Error`: usage, device (none there).
std::vector<DeviceFacts> preferred_devices(const Devices& devices,
                                           const DevicePreference& preference,
                                           std::size_t unnamed = 1);

/// The device of a matrix. A device that was named and does not do is refused in the answer. Throws
/// `Error` (usage): ordinals that make no sense.
DeviceChoice try_device(const DeviceProblem& problem, const DevicePreference& preference,
                        const FindDevices& find, const RateSource& rates = {});

}  // namespace apsp::planner
