// Kinds of kernels, curves of seconds over sizes, and rates of a machine.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <apsp/solve.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "dense/offload_plan.hpp"
#include "dense/tiled_matrix.hpp"
#include "kernels/contract.hpp"
#include "planner/devices.hpp"

namespace apsp::search {
struct SearchBatches;
}

namespace apsp::planner {

struct KernelKind {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  kernels::Sign sign = kernels::Sign::any;
  bool tracks_via = false;

  /// Reachability without `via` is solved in packed bits.
  bool in_bits() const { return semiring == Semiring::or_and && !tracks_via; }
  int value_bytes() const { return size_of(type); }
  std::string_view values() const { return in_bits() ? "bits" : name(type); }
};

/// "min-plus f32 non-negative full via": the key under which rates are kept.
std::string title(const KernelKind& kind, dense::Shape shape);

// Seconds of work of order n³, interpolated from a few measured sizes.
//
// Seconds over n³, the cost of a relaxation, are linear in 1/n if the time is a·n³ + b·n²: a
// full-speed product, and panels, copies and pages around it. So the cost is interpolated in 1/n.
// Beyond the last size it follows half of the last slope: a larger matrix exceeds caches and takes
// larger tiles, and about half of the gain that small sizes promise has come true (tests/machines).
// Below the first size, time falls with n². Interference only raises a measured cost, and
// relaxations of a larger matrix never cost more, so of two costs the lower one counts.
//
// Each machine, kind of value, shape and number of threads has a curve
// (rates/measure_rates.hpp).

struct CurvePoint {
  double n = 0;
  double seconds = 0;
};

class RateCurve {
 public:
  RateCurve() = default;
  /// Takes points in any order. Non-positive ones are dropped; of equal sizes the shortest time
  /// counts. A cost above the previous point's is lowered to it.
  explicit RateCurve(std::vector<CurvePoint> points);

  bool empty() const { return points_.empty(); }
  /// Ascending in n.
  const std::vector<CurvePoint>& points() const { return points_; }
  /// Seconds of size n; 0 for an empty curve, and for n ≤ 0.
  double seconds(double n) const;
  /// The limit of n³ / seconds for large n; 0 for an empty curve.
  double limit() const;

 private:
  double cost(double inverse) const;  // seconds / n³ at n = 1 / inverse, beyond the first point

  std::vector<CurvePoint> points_;
};

// Rates of a machine, and the source of a plan's rates.
//
// Each kind of work has a struct of figures, named in its table `kFields`. The cache, JSON and the
// slowest of several processes follow from the tables (rates/rate_figures.hpp). How a kind is
// measured is in rates/measure_rates.hpp. A figure is initialized with its assumed value; 0:
// a model assumes it (dense_model.hpp), or it is not known.
//
// A plan asks a `RateSource` with a guess of the work's seconds. The source
// (rates/measured_rates.hpp) knows the rates, measures them if the guess makes that worth
// while, or has none.

template <class Rates>
struct RateField {
  std::string_view name;
  std::string_view unit;  // "s": a time; all others are rates
  double& (*of)(Rates&);
  bool needed = true;  // false: it may be 0, and is then left out

  constexpr bool is_time() const { return unit == "s"; }
};
template <class Rates>
struct CurveField {
  std::string_view name;
  RateCurve Rates::*of;
};
template <auto... members>
double& at(auto& rates) {
  return (rates.*....*members);
}
inline constexpr bool kMayLack = false;

/// A matrix in the host's memory, of one kind of value, shape and number of threads.
struct HostRates {
  RateCurve solve;  // from the matrix's first page to distances: filled, solved, mirrored
  double start = 0;
  double statistics = 0;
  double arcs = 0;
  bool uncalibrated = true;  // not measured for this kind on this machine
  std::string measured{};    // when, UTC; empty: assumed

  using R = HostRates;
  static constexpr CurveField<R> kCurve{"solve", &R::solve};
  static constexpr RateField<R> kFields[] = {
      {"start", "s", at<&R::start>, kMayLack},  // until the first solve of a process begins
      {"statistics", "pairs/s", at<&R::statistics>, kMayLack},
      {"arcs", "arcs/s", at<&R::arcs>, kMayLack},  // from the graph into the matrix
  };
};

/// A matrix on one device, and the work of its host.
struct DeviceRates {
  RateCurve run{};  // from the first copy in to the last copy out, resident
  double start = 0;
  double setup = 0;
  double touched = 0;
  dense::OffloadRates copies{};
  double statistics = 0;
  double arcs = 0;
  bool uncalibrated = true;
  std::string measured{};

  using R = DeviceRates;
  using C = dense::OffloadRates;
  static constexpr CurveField<R> kCurve{"run", &R::run};
  static constexpr RateField<R> kFields[] = {
      {"start", "s", at<&R::start>, kMayLack},            // driver and context, once a process
      {"beside", "s", at<&R::setup>, kMayLack},           // queues, device memory, kernels
      {"touched", "bytes/s", at<&R::touched>, kMayLack},  // first touch, pinning, unpinning
      // A large product, without copies.
      {"relaxations", "relaxations/s", at<&R::copies, &C::relaxations>, kMayLack},
      {"in", "bytes/s", at<&R::copies, &C::in>, kMayLack},
      {"out", "bytes/s", at<&R::copies, &C::out>, kMayLack},
      {"both", "bytes/s", at<&R::copies, &C::both>, kMayLack},
      {"statistics", "pairs/s", at<&R::statistics>, kMayLack},
      {"arcs", "arcs/s", at<&R::arcs>, kMayLack},
  };
};

/// A GPU and its host, independent of kernels.
struct LinkRates {
  double start = 0.42;
  double launch = 6e-6;
  double pinned = 2e9;
  double in = 55e9, out = 55e9;
  double copied = 10e9;
  std::string measured{};

  using R = LinkRates;
  static constexpr RateField<R> kFields[] = {
      {"start", "s", at<&R::start>},          // until the driver is up
      {"launch", "s", at<&R::launch>},        // of an almost empty kernel after another
      {"pinned", "bytes/s", at<&R::pinned>},  // new memory of the host
      {"in", "bytes/s", at<&R::in>},          // from pinned memory
      {"out", "bytes/s", at<&R::out>},        // to pinned memory
      {"copied", "bytes/s", at<&R::copied>},
  };
};

/// Rows of sparse graphs on a GPU: the main figure of each engine. An engine's other figures are
/// those of an H200, scaled by the main one; the values here are an H200's.
struct DeviceRowRates {
  double swept = 2.4e12;
  double searched = 1.33e11;
  double hopped = 1e11;
  std::string measured{};

  using R = DeviceRowRates;
  static constexpr RateField<R> kFields[] = {
      {"swept", "bytes/s", at<&R::swept>},       // of distances, by sweeps of a factor
      {"searched", "arcs/s", at<&R::searched>},  // by near-far searches
      {"hopped", "arcs/s", at<&R::hopped>},      // by breadth-first searches, in sets of sources
  };
  /// The speed of an engine as a multiple of an H200's.
  double speed(double DeviceRowRates::*figure) const {
    return this->*figure / DeviceRowRates().*figure;
  }
};

// Rates of sparse solves are of one thread while all threads of the plan work, in one kind of
// value. The assumed ones were fitted to solves of grids, geometric, random and R-MAT graphs and of
// a road network, on an Intel Xeon with AVX-512 (bench/planner/parts_bench.cpp).

/// Nested dissection. Assumed for values of two bytes (see `assumed_elimination_rates`).
struct EliminationRates {
  double eliminated = 6e10;
  double assembled = 3e8;
  double front = 1e-6;
  double swept_alone = 2.5e10;
  double swept_wide = 4.5e10;
  double supernode = 3e-8;
  double vertex = 1.1e-7;
  double transposed = 4.5e8;
  double counted = 1.5e8;
  double counted_swept = 1e8;
  std::string measured{};

  using R = EliminationRates;
  static constexpr RateField<R> kFields[] = {
      {"eliminated", "relaxations/s", at<&R::eliminated>},    // of fronts
      {"assembled", "entries/s", at<&R::assembled>},          // of fronts
      {"front", "s", at<&R::front>},                          // of a front, without its entries
      {"swept_alone", "relaxations/s", at<&R::swept_alone>},  // into one row at a time
      // into several rows, of wide supernodes
      {"swept_wide", "relaxations/s", at<&R::swept_wide>},
      {"supernode", "s", at<&R::supernode>},  // of a sweep of a block
      // of a sweep of a block, without its relaxations
      {"vertex", "s", at<&R::vertex>},
      {"transposed", "values/s", at<&R::transposed>},           // into rows
      {"counted", "pairs/s", at<&R::counted>},                  // statistics by row
      {"counted_swept", "distances/s", at<&R::counted_swept>},  // statistics by column
  };
};

struct SearchRates {
  double vertex = 30e-9;
  double arc = 4e-9;
  double values = 8e8;
  double counted = 1.5e8;
  double unreached = 0;
  std::string measured{};

  using R = SearchRates;
  static constexpr RateField<R> kFields[] = {
      {"vertex", "s", at<&R::vertex>},          // of a reached vertex
      {"arc", "s", at<&R::arc>},                // of a scanned arc
      {"values", "values/s", at<&R::values>},   // written into a row
      {"counted", "pairs/s", at<&R::counted>},  // statistics by row
      // Statistics of pairs without a path; 0: as counted.
      {"passed", "pairs/s", at<&R::unreached>, kMayLack},
  };
};

/// Breadth-first searches from 512 sources at once.
struct BreadthFirstRates : SearchRates {
  BreadthFirstRates() {
    vertex = 25e-9;
    arc = 1e-9;
  }

  using R = BreadthFirstRates;
  static constexpr RateField<R> kFields[] = {
      {"vertex", "s", at<&R::vertex>},  // of a vertex on a level
      {"line", "s", at<&R::arc>},       // of an arc on a level
      {"values", "values/s", at<&R::values>},
      {"counted", "pairs/s", at<&R::counted>},
      {"passed", "pairs/s", at<&R::unreached>, kMayLack},
  };
};

/// An output on one file system, in one format.
struct StoreRates {
  double start = 0.02;
  double bytes = 3e8;
  bool uncalibrated = true;
  std::string measured{};

  using R = StoreRates;
  static constexpr RateField<R> kFields[] = {
      {"start", "s", at<&R::start>, kMayLack},
      {"bytes", "bytes/s", at<&R::bytes>},
  };
};

/// Memory, and the disk of one path. Assumed for disks other than rotating ones.
struct TransferRates {
  double copy_bytes_per_second = 4e9;
  double disk_write_bytes_per_second = 2e8;
  double disk_read_bytes_per_second = 4e8;
  std::string measured{};

  using R = TransferRates;
  static constexpr RateField<R> kFields[] = {
      // From memory to memory, by all threads; memory moves twice that.
      {"copy_bytes_per_second", "bytes/s", at<&R::copy_bytes_per_second>},
      {"disk_write_bytes_per_second", "bytes/s", at<&R::disk_write_bytes_per_second>},
      {"disk_read_bytes_per_second", "bytes/s", at<&R::disk_read_bytes_per_second>},  // not cached
  };
};

/// All that rates may depend on; each kind of work reads its part.
struct RateQuery {
  KernelKind kernel{};
  dense::Shape shape = dense::Shape::full;
  int threads = 1;
  DeviceFacts device{};
  std::string path{};     // of an output, which may not exist yet
  bool compress = false;  // of the output
  double guess = 0;       // s of the whole work, at cautious rates
};

struct RowSample {
  Algorithm algorithm = Algorithm::johnson;  // or breadth-first
  KernelKind kernel{};
  double distance_bound = 0;
  int threads = 1;
};

/// Near-far searches on one device, as a plan has them.
struct DeviceSearchSample {
  const Devices::Open& open;
  int ordinal = 0;
  std::int64_t memory = 0;  // bytes
  KernelKind kernel{};
  const search::SearchBatches& batches;
};

template <class Rates>
using AskRates = std::function<std::optional<Rates>(const RateQuery&)>;

/// Any function may be empty.
struct RateSource {
  AskRates<HostRates> host;
  AskRates<DeviceRates> device;
  AskRates<LinkRates> link;
  AskRates<DeviceRowRates> device_rows;
  AskRates<EliminationRates> elimination;
  AskRates<SearchRates> search;
  AskRates<BreadthFirstRates> breadth_first;
  AskRates<StoreRates> store;
  AskRates<TransferRates> transfers;

  std::function<std::optional<LinkRates>()> any_link;
  /// Measured seconds of a row of this graph, of one thread while all work.
  std::function<std::optional<double>(const Graph&, const RowSample&, double guess)> sample;
  /// The same of near-far searches on a device, divided by their sources. `guess`: s of all
  /// sources.
  std::function<std::optional<double>(const Graph&, const DeviceSearchSample&, double guess)>
      sample_on_device;
  /// Records the bytes and seconds of an output.
  std::function<void(const RateQuery& output, double bytes, double seconds)> stored;
};

inline constexpr std::tuple kWorks{
    &RateSource::host,          &RateSource::device,      &RateSource::link,
    &RateSource::device_rows,   &RateSource::elimination, &RateSource::search,
    &RateSource::breadth_first, &RateSource::store,       &RateSource::transfers};

/// Calls each(member of RateSource) of every kind of work, in that order.
template <class F>
void for_each_work(F&& each) {
  std::apply([&](auto... works) { (each(works), ...); }, kWorks);
}

}  // namespace apsp::planner
