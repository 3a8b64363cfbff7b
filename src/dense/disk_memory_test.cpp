// A matrix on a disk in memory, solved by the host's threads and through strict devices: tiny
// tiles, any plan, ends at any moment. Strict devices refuse every access to each other's memory
// that no event orders.
#include "dense/disk_memory.hpp"

#include "kernels/cpu/cpu_kernels.hpp"
#include "store/leftovers.hpp"
#include "support/disk_problem.hpp"
#include "support/faulty_file_system.hpp"
#include "support/memory_file_system.hpp"
#include "support/recorded_progress.hpp"
#include "support/strict_peers.hpp"
#include "support/test.hpp"

namespace apsp::dense::disk_memory_test {
namespace {

using store::DiskMatrix;
using store::expect_solved;
using store::fill;
using store::head_of;
using store::MemoryFileSystem;

constexpr const char* kOutput = "a.zarr";
constexpr std::int64_t kHostTile = 4, kDeviceTile = 8;
constexpr std::int64_t kPiece = 300;  // bytes: most squares are passed on in several

/// Who computes: the host's threads, or so many devices.
struct Where {
  int devices = 0;
  bool stays = false;
  std::int64_t tile() const { return devices == 0 ? kHostTile : kDeviceTile; }
};
constexpr Where kHost{}, kDevice{1};
constexpr Where kEverywhere[] = {kHost, {0, true}, kDevice, {1, true}, {2, true}, {3, true}};

std::ostream& operator<<(std::ostream& out, const Where& where) {
  return out << where.devices << " devices, stays " << where.stays;
}

/// A plan that a planner would not choose.
DiskPlan any_plan(const Where& where, std::int64_t band, std::int64_t bands_a_panel,
                  std::int64_t strip_rows, std::int64_t buffers) {
  DiskPlan plan{where.tile(), band, bands_a_panel * band, strip_rows, 0, buffers};
  plan.stays = where.stays;
  plan.devices = std::max(1, where.devices);
  return plan;
}

/// The devices of a place, each with so much memory.
class Machine {
 public:
  explicit Machine(const Where& where, std::int64_t memory = StrictPeers::kMemory)
      : memory_(memory), strict_(where.devices, memory), devices(strict_.devices) {
    if (where.devices > 0) return;
    const auto operations =
        kernels::cpu::operations(Semiring::min_plus, ValueType::i32, kernels::Sign::non_negative);
    host_ = kernels::host::make_device(operations, std::nullopt, kHostTile, 2);
    devices.push_back(host_.get());
  }
  void solve(DiskMatrix& matrix, const DiskPlan& plan, const Control& control = {}) {
    DiskMemory(matrix, plan, devices, 3, control, kPiece).run();
  }
  void expect_all_given_back() const {
    for (const auto* device : strict_.devices) EXPECT_EQ(device->memory_free(), memory_);
  }
  std::int64_t copied_out() const {
    return std::accumulate(strict_.devices.begin(), strict_.devices.end(), std::int64_t{0},
                           [](std::int64_t sum, const auto* device) {
                             return sum + kernels::strict::copied_out(*device);
                           });
  }

 private:
  std::int64_t memory_;
  StrictPeers strict_;
  std::unique_ptr<kernels::ComputeDevice> host_;

 public:
  std::vector<kernels::ComputeDevice*> devices;
};

/// A matrix on a disk in memory before its first step.
struct Begun {
  Begun(std::int64_t n, std::int64_t band)
      : problem(n, kDeviceTile, false), matrix(disk, kOutput, head_of(n, band), Graph()) {
    fill(problem, matrix);
  }
  SmallProblem problem;
  MemoryFileSystem disk;
  DiskMatrix matrix;
};

void expect_solved_by(std::int64_t n, const Where& where, const DiskPlan& plan,
                      std::int64_t memory = StrictPeers::kMemory) {
  SCOPED_TRACE(testing::Message() << where << ", n " << n << ", bands of " << plan.band
                                  << ", panels of " << plan.width << ", strips of "
                                  << plan.strip_rows << ", " << plan.buffers << " buffers");
  Begun begun(n, plan.band);
  Machine machine(where, memory);
  machine.solve(begun.matrix, plan);
  expect_solved(begun.problem, begun.matrix);
  machine.expect_all_given_back();
  EXPECT_EQ(machine.copied_out(), where.devices > 0 ? plan.passes(n) * n * n * 4 : 0);
}

TEST(DiskMemory, SolvesByAnyPlanAndMovesTheMatrixOnceInEveryPass) {
  for (const Where& where : kEverywhere) {
    for (const std::int64_t n : {1, 3, 4, 8, 9, 17, 31, 48, 61}) {
      for (const std::int64_t band : {4, 8, 12}) {
        for (const std::int64_t bands : {1, 2, 5}) {
          expect_solved_by(n, where,
                           any_plan(where, band, bands, n % 2 == 0 ? 4 : 12, 1 + (n + bands) % 6));
        }
      }
    }
  }
}

DiskPlan planned(const Where& where, std::int64_t n, std::int64_t memory,
                 std::int64_t device_memory, std::int64_t first_pivot = 0, std::int64_t band = 0) {
  const Machine host(kHost);
  const auto strict = kernels::strict::sizes(Semiring::min_plus, ValueType::i32);
  return plan_disk({.n = n,
                    .value_size = 4,
                    .tile = where.tile(),
                    .memory = memory,
                    .device_memory = device_memory,
                    .devices = where.devices,
                    .threads = 2,
                    .first_pivot = first_pivot,
                    .band = band},
                   where.devices == 0 ? host.devices[0]->tiles() : *strict);
}

TEST(DiskMemory, SolvesWithAnyMemoryOfTheHostAndTheDevicesThatWasPlanned) {
  constexpr std::int64_t kN = 61, kPlenty = 1 << 16;
  for (const int devices : {0, 1, 2, 3, 4}) {
    std::int64_t plans[] = {0, 0};  // where rows pass, and stay
    std::int64_t least = INT64_MAX;
    const auto solve = [&](std::int64_t memory, std::int64_t there) {
      const DiskPlan plan = planned({devices}, kN, memory, there);
      if (plan.bytes > memory || plan.device_bytes > there) return;
      ++plans[plan.stays ? 1 : 0];
      if (plan.stays) least = std::min(least, plan.device_bytes);
      expect_solved_by(kN, {devices, plan.stays}, plan, plan.device_bytes);
    };
    for (std::int64_t memory = 1 << 13; memory < 1 << 18; memory += memory / 2) {
      solve(memory, kPlenty);
    }
    for (std::int64_t there = 1 << 11; devices > 0 && there < kPlenty; there += there / 7) {
      solve(kPlenty, there);
    }
    EXPECT_EQ(plans[0] > 0, devices < 2);
    EXPECT_EQ(plans[1] > 0, devices > 0);
    if (devices == 0) continue;
    EXPECT_LE(least * devices, 2 * kN * kN * 4) << "each holds a share";
  }
}

TEST(DiskMemory, ADeviceWithTooLittleMemoryIsRefused) {
  constexpr std::int64_t kN = 61;
  for (const auto& [where, there] :
       {std::pair{kDevice, 1 << 14}, {Where{1, true}, 1 << 15}, {Where{2, true}, 1 << 15}}) {
    const DiskPlan plan = planned(where, kN, 1 << 16, there);
    ASSERT_EQ(plan.stays, where.stays);
    Begun begun(kN, plan.band);
    Machine machine(where, plan.device_bytes - 1);
    EXPECT_EQ(error_of([&] { machine.solve(begun.matrix, plan); }).kind(), ErrorKind::does_not_fit);
    machine.expect_all_given_back();
  }
}

/// Rounded sums depend on the blocks, and not on who has them.
TEST(DiskMemory, RoundedSumsOfSeveralDevicesAreThoseOfOne) {
  constexpr std::int64_t kN = 61;
  const auto solved = [](Semiring semiring, ValueType type, auto value, int devices) {
    using Value = decltype(value);
    base::SplitMix64 random(5);
    std::vector<Value> values(kN * kN);
    for (Value& v : values) v = static_cast<Value>(random.below(100'000)) / Value{977};
    for (std::int64_t i = 0; i < kN; ++i) {
      values[static_cast<std::size_t>(i * (kN + 1))] =
          semiring == Semiring::max_min ? std::numeric_limits<Value>::infinity() : Value{0};
    }
    MemoryFileSystem disk;
    store::JournalHead head = head_of(kN, 4);
    head.layout.type = type;
    head.layout.semiring = semiring;
    DiskMatrix matrix(disk, kOutput, head, Graph());
    matrix.write_block({0, 0, kN, kN}, values.data(), kN);
    matrix.commit_step(0);
    const StrictPeers peers(devices, [=] {
      return kernels::strict::make_device(semiring, type, StrictPeers::kMemory);
    });
    const Control control;
    DiskMemory(matrix, any_plan({devices, true}, 4, 2, 8, 3), peers.devices, 3, control, kPiece)
        .run();
    matrix.read(store::Plane::distance, {0, 0, kN, kN}, values.data(), kN);
    return values;
  };
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::min_max}) {
    for (const int devices : {2, 3}) {
      EXPECT_EQ(solved(semiring, ValueType::f32, float{}, devices),
                solved(semiring, ValueType::f32, float{}, 1));
      EXPECT_EQ(solved(semiring, ValueType::f64, double{}, devices),
                solved(semiring, ValueType::f64, double{}, 1));
    }
  }
}

TEST(DiskMemory, EveryPlaceContinuesWhatAnotherBeganWithAnotherWidth) {
  constexpr std::int64_t kN = 53, kBand = 8;
  for (const Where& begins : {kHost, kDevice}) {
    for (const Where& continues : kEverywhere) {
      for (const std::int64_t bands : {1, 3, 7, 0}) {  // 0: as planned
        SCOPED_TRACE(testing::Message() << begins << "; " << continues << ", bands " << bands);
        SmallProblem problem(kN, kDeviceTile, false);
        MemoryFileSystem disk;
        {
          DiskMatrix matrix(disk, kOutput, head_of(kN, kBand), Graph());
          fill(problem, matrix);
          // Two steps of two bands are done when progress ends it.
          RecordedProgress progress;
          progress.cancel_when = [&] { return progress.done > 2.0 * 16 * kN * kN + kN; };
          EXPECT_ERROR(interrupted, Machine(begins).solve(matrix, any_plan(begins, kBand, 2, 8, 3),
                                                          {&progress, &progress.cancellation}));
        }
        const auto earlier = store::find_resumable(disk, kOutput);
        ASSERT_TRUE(earlier);
        EXPECT_EQ(earlier->contents.checkpoint->pivots, 32);
        DiskMatrix matrix(disk, *earlier, head_of(kN, kBand));
        // Blocks of earlier pivots count for the memory too.
        const DiskPlan plan = bands > 0 ? any_plan(continues, kBand, bands, 4, 4)
                                        : planned(continues, kN, 1 << 16, 1 << 16, 32, kBand);
        EXPECT_EQ(plan.band, kBand);
        Machine(continues, bands > 0 ? StrictPeers::kMemory : plan.device_bytes)
            .solve(matrix, plan);
        expect_solved(problem, matrix);
      }
    }
  }
}

/// Runs with the `every`-th operation of the disk of each run failing, until a run needs fewer.
template <class After>
void with_faults(const Where& where, std::int64_t every, bool crash, const After& after) {
  constexpr std::int64_t kN = 19;
  const DiskPlan plan = any_plan(where, 4, where.stays ? 1 : 2, 4, 3);
  for (std::int64_t k = 0;; k += every) {
    SmallProblem problem(kN, kDeviceTile, false);
    MemoryFileSystem disk;
    store::Faults faults;
    (crash ? faults.crash_operation : faults.failing_operation) = k;
    store::FaultyFileSystem files(disk, faults);
    std::optional<ErrorKind> failed;
    try {
      DiskMatrix matrix(files, kOutput, head_of(kN, plan.band), Graph());
      fill(problem, matrix);
      Machine(where).solve(matrix, plan);
      if (!crash) expect_solved(problem, matrix);
    } catch (const Error& error) {
      failed = error.kind();
    }
    after(problem, disk, plan, failed);
    if (files.operations() <= k) break;
  }
}

TEST(DiskMemory, KilledAtAnyOperationItIsContinuedOrBeginsAgain) {
  for (const Where& where : kEverywhere) {
    std::int64_t resumed = 0, whole = 0;
    with_faults(where, 7, true,
                [&](SmallProblem& problem, MemoryFileSystem& disk, const DiskPlan& plan, auto) {
                  store::clean_leftovers(disk, kOutput, store::Resumables::spared);
                  const auto earlier = store::find_resumable(disk, kOutput);
                  if (!earlier) return;
                  const std::int64_t n = problem.values().n();
                  ++(earlier->contents.done() < n ? resumed : whole);
                  DiskMatrix matrix(disk, *earlier, head_of(n, plan.band));
                  Machine(where).solve(matrix, plan);
                  expect_solved(problem, matrix);
                });
    // The only checkpoint of a matrix that stays is its end.
    EXPECT_GT(whole, 0) << where;
    EXPECT_EQ(resumed > 10, !where.stays) << where << ", " << resumed;
  }
}

TEST(DiskMemory, ADiskThatFailsEndsItEverywhere) {
  for (const Where& where : kEverywhere) {
    int failures = 0;
    with_faults(where, 5, false, [&](auto&, auto&, auto&, std::optional<ErrorKind> failed) {
      failures += failed ? 1 : 0;
      EXPECT_EQ(failed.value_or(ErrorKind::input_output), ErrorKind::input_output) << where;
    });
    EXPECT_GT(failures, 0);
  }
}

TEST(DiskMemory, ADeviceThatFailsEndsAllOfThem) {
  constexpr std::int64_t kN = 19;
  for (const Where& where : {Where{1, true}, Where{2, true}}) {
    const DiskPlan plan = any_plan(where, 4, 1, 4, 3);
    for (std::int64_t k = 0;; k += 13) {
      Begun begun(kN, plan.band);
      Machine machine(where);
      kernels::strict::fail_after(k);
      try {
        machine.solve(begun.matrix, plan);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::device) << k << ": " << error.what();
      }
      const bool failed = kernels::strict::has_failed();
      kernels::strict::fail_after(-1);
      // The only checkpoint is the end: a device that fails after it leaves a whole matrix.
      const std::int64_t pivots = begun.matrix.checkpoint()->pivots;
      EXPECT_TRUE(pivots == kN || (failed && pivots == 0)) << k << ": " << pivots;
      if (pivots == kN) expect_solved(begun.problem, begun.matrix);
      if (!failed) break;  // the solve has given fewer operations
    }
  }
}

TEST(DiskMemory, ReportsProgressOnceAndToTheEnd) {
  constexpr std::int64_t kN = 37;
  for (const Where& where : kEverywhere) {
    Begun begun(kN, 4);
    RecordedProgress progress;
    Machine(where).solve(begun.matrix, any_plan(where, 4, 2, 8, 3), {&progress, nullptr});
    EXPECT_EQ(progress.total, static_cast<double>(kN * kN * kN));
    EXPECT_EQ(progress.done, progress.total);
    EXPECT_EQ(progress.ended, 1);
  }
}

TEST(DiskMemory, EndsAtAnyMomentWhereItIsAsked) {
  constexpr std::int64_t kN = 37;
  for (const Where& where : kEverywhere) {
    for (double share = 0; share < 1; share += 0.1) {
      Begun begun(kN, 4);
      RecordedProgress progress;
      progress.cancel_when = [&] { return progress.done > share * progress.total; };
      Machine machine(where);
      EXPECT_EQ(error_of([&] {
                  machine.solve(begun.matrix, any_plan(where, 4, 1, 4, 3),
                                {&progress, &progress.cancellation});
                }).kind(),
                ErrorKind::interrupted)
          << where << ", " << share;
      machine.expect_all_given_back();
    }
  }
}

TEST(DiskMemory, EndsWithWhatTheProgressThrows) {
  constexpr std::int64_t kN = 37;
  for (const Where& where : kEverywhere) {
    Begun begun(kN, 4);
    RecordedProgress progress;
    progress.cancel_when = [&]() -> bool {
      if (progress.done > 0.5 * progress.total) throw std::runtime_error("progress");
      return false;
    };
    Machine machine(where);
    EXPECT_THROW(machine.solve(begun.matrix, any_plan(where, 4, 3, 8, 3), {&progress, nullptr}),
                 std::runtime_error);
    machine.expect_all_given_back();
  }
}

}  // namespace
}  // namespace apsp::dense::disk_memory_test
