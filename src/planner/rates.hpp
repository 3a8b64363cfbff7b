// What a machine does in a second, as it was measured there, and where a plan gets that from.
//
// A plan asks for the rates of a kind of work and says how long it guesses the work takes. The
// source (measure/measured_rates.hpp) knows them, measures them where the guess makes that worth
// while, or has none. Models (host_model.hpp, device_plan.hpp) turn figures into seconds and
// measure nothing.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "kernels/contract.hpp"
#include "places/offload_plan.hpp"
#include "places/tiled_matrix.hpp"
#include "planner/devices.hpp"
#include "planner/rate_curve.hpp"
#include "planner/sparse_rates.hpp"

namespace apsp::planner {

/// The semiring, value type and sign that a kernel is made for, and whether it keeps `via`.
struct KernelKind {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  kernels::Sign sign = kernels::Sign::any;
  bool tracks_via = false;

  /// Reachability alone is solved in packed bits.
  bool in_bits() const { return semiring == Semiring::or_and && !tracks_via; }
};

/// "min-plus f32 non-negative full via": the key under which rates are kept.
std::string title(const KernelKind& kind, places::Shape shape);

/// Rates of one kind of value, shape and number of threads.
struct HostRates {
  /// From the matrix's first page to distances: filled, solved, mirrored.
  RateCurve solve;
  double start = 0;        // s: until the first solve of a process begins
  double statistics = 0;   // pairs a second
  double arcs = 0;         // arcs a second, from the graph into the matrix
  bool rough = true;       // not measured for this kind on this machine
  std::string measured{};  // when, UTC
};

/// Rates of one kind of value and shape on one device, and of the host around it.
struct DeviceRates {
  RateCurve run{};     // from the first copy in to the last copy out, resident
  double start = 0;    // s: driver and context, once a process
  double beside = 0;   // s: queues, memory of the device, kernels
  double touched = 0;  // bytes a second: first touch, pinning, unpinning of the host's matrix
  places::OffloadRates copies{};  // `relaxations`: of a large product, without copies
  double statistics = 0;          // as of `HostRates`
  double arcs = 0;
  bool rough = true;
  std::string measured{};
};

/// What a GPU and its host do around any kernel; as here where they were not measured.
struct LinkRates {
  double start = 0.42;           // s: until its driver is up, as it took when these were measured
  double launch = 6e-6;          // s: a kernel that has next to nothing to do, behind another
  double pinned = 2e9;           // bytes of fresh memory of the host that are pinned, a second
  double in = 55e9, out = 55e9;  // bytes a second, of pinned memory
  double copied = 10e9;          // bytes a second, from memory to memory, by one thread
  std::string measured{};        // when, UTC; empty: assumed
};

/// Rates of one file system and format.
struct StoreRates {
  double start = 0;  // s
  double bytes = 0;  // bytes a second, synced to the disk
  bool rough = true;
  std::string measured{};  // when, UTC
};

/// What memory and the disk behind one path move.
struct TransferRates {
  double copy_bytes_per_second =
      0;  // from memory to memory, by all threads; memory moves twice that
  double disk_write_bytes_per_second = 0;  // until it has reached the disk
  double disk_read_bytes_per_second = 0;   // of what no memory holds
  std::string measured{};                  // when, UTC
};

/// Rows to try out.
struct RowSample {
  Algorithm algorithm = Algorithm::johnson;  // or breadth-first
  KernelKind kernel{};
  double distance_bound = 0;
  int threads = 1;
};

/// `guess`: seconds that the whole may take, by cautious figures. Any function may be empty.
struct RateSource {
  std::function<std::optional<HostRates>(const KernelKind&, places::Shape, int threads,
                                         double guess)>
      host;
  std::function<std::optional<DeviceRates>(const KernelKind&, places::Shape, const DeviceFacts&,
                                           int threads, double guess)>
      device;
  /// Of the GPU; and of any that was measured here, without asking for a driver.
  std::function<std::optional<LinkRates>(const DeviceFacts&, double guess)> link;
  std::function<std::optional<LinkRates>()> any_link;
  std::function<std::optional<EliminationRates>(const KernelKind&, int threads, double guess)>
      elimination;
  std::function<std::optional<SearchRates>(const KernelKind&, int threads, double guess)> search;
  std::function<std::optional<BreadthFirstRates>(const KernelKind&, int threads, double guess)>
      breadth_first;
  /// Seconds of a row of this very graph, of one thread while all work, as some rows took.
  std::function<std::optional<double>(const Graph&, const RowSample&, double guess)> sample;
  std::function<std::optional<StoreRates>(const std::string& output, bool compress, int threads,
                                          double guess)>
      store;
  /// Of the file system that holds the path, or will.
  std::function<std::optional<TransferRates>(const std::string& path, int threads, double guess)>
      transfers;
  /// Takes note of the bytes and seconds of an output that was written.
  std::function<void(const std::string& output, bool compress, int threads, double bytes,
                     double seconds)>
      stored;
};

}  // namespace apsp::planner
