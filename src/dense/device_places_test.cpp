// Matrices in the memory of one or several strict devices, or streamed through them. Strict devices
// forgive nothing: they refuse every access to each other's memory, or to the host's, that no event
// orders.
#include "dense/peer_memory.hpp"
#include "support/bit_problem.hpp"
#include "support/recorded_progress.hpp"
#include "support/small_problem.hpp"
#include "support/strict/strict_device.hpp"
#include "support/strict_peers.hpp"
#include "support/test.hpp"

namespace apsp::dense::device_places_test {
namespace {

using kernels::Cycles;

constexpr std::int64_t kMemory = StrictPeers::kMemory;
constexpr std::int64_t kTile = 8;
constexpr std::int64_t kPiece = 300;  // bytes: most panels are passed on in several
/// Copies take about as long as work, so that plans differ from cap to cap.
constexpr OffloadRates kRates{.relaxations = 1e9, .in = 1e9, .out = 1e9, .both = 1.6e9};
constexpr OffloadRates kBitRates{.relaxations = 1e11, .in = 1e8, .out = 1e8, .both = 1.6e8};

/// Devices, row by row of a grid.
struct Way {
  int rows = 1, cols = 1;
  Shape shape = Shape::full;
  bool streams = false;
  int devices() const { return rows * cols; }
  bool symmetric() const { return shape == Shape::symmetric; }
};
std::ostream& operator<<(std::ostream& out, const Way& way) {
  return out << way.rows << " × " << way.cols << ", symmetric " << way.symmetric() << ", streams "
             << way.streams;
}

std::vector<Way> all_ways() {
  std::vector<Way> ways;
  for (const auto& [rows, cols] :
       {std::pair{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 4}, {4, 1}, {2, 3}, {3, 2}, {3, 3}}) {
    ways.push_back({rows, cols});
  }
  for (const int side : {1, 2, 3, 4}) ways.push_back({side, side, Shape::symmetric});
  for (const int devices : {1, 2, 3, 4}) {
    for (const Shape shape : {Shape::full, Shape::symmetric}) {
      ways.push_back({devices, 1, shape, true});
    }
  }
  return ways;
}
/// One of each kind.
std::vector<Way> kinds() {
  return {{1, 1},
          {2, 2},
          {1, 1, Shape::symmetric},
          {2, 2, Shape::symmetric},
          {1, 1, Shape::full, true},
          {2, 1, Shape::full, true},
          {1, 1, Shape::symmetric, true},
          {3, 1, Shape::symmetric, true}};
}

/// A plan that a planner might not choose.
OffloadPlan plan_of(const Way& way, std::int64_t n, std::int64_t width = kTile,
                    std::int64_t strip = 4, std::int64_t buffers = 3) {
  const auto sizes = kernels::strict::sizes(Semiring::min_plus, ValueType::i32);
  OffloadPlan plan{.width = width, .buffers = buffers, .strip_rows = strip};
  plan.buffer_values =
      std::max(strip * sizes->stride(n), width * sizes->stride(4)) + 4 * sizes->stride(width);
  plan.shape = way.shape;
  plan.devices = way.devices();
  return plan;
}

/// Calls use(place) for a matrix of values.
template <class Use>
void with_place(const Way& way, const std::vector<kernels::ComputeDevice*>& devices,
                const OffloadPlan& plan, const TiledMatrix& values, const Control& control,
                const TiledMatrix& via, Use&& use) {
  const auto run = [&](auto&& place) { use(place); };
  kernels::ComputeDevice& first = *devices.front();
  if (way.streams && way.devices() > 1) {
    run(StreamedPeers(devices, plan, values, Cycles::possible, control, via, kPiece));
  } else if (way.streams) {
    run(StreamedMemory(first, plan, values, Cycles::possible, control, via));
  } else if (way.devices() > 1) {
    run(PeerMemory(devices, way.cols, values, Cycles::possible, control, via, kPiece, way.shape));
  } else {
    run(DeviceMemory(first, values, way.shape, Cycles::possible, control, via));
  }
}

void solve(const Way& way, const StrictPeers& peers, SmallProblem& problem, bool tracked,
           const Control& control = {}, const OffloadPlan* plan = nullptr) {
  const std::int64_t n = problem.values().n();
  with_place(way, peers.devices, plan != nullptr ? *plan : plan_of(way, n), problem.values(),
             control, tracked ? problem.via() : TiledMatrix{}, [](auto& place) { place.run(); });
}

void expect_all_given_back(const StrictPeers& peers, std::int64_t memory = kMemory) {
  for (const auto* const device : peers.devices) EXPECT_EQ(device->memory_free(), memory);
}

void expect_solved(const Way& way, std::int64_t n, bool tracked, const OffloadPlan* plan = nullptr,
                   std::int64_t memory = kMemory) {
  SmallProblem problem(n, kTile, way.symmetric());
  const StrictPeers peers(way.devices(), memory);
  solve(way, peers, problem, tracked, {}, plan);
  problem.expect_solved();
  if (tracked) problem.expect_via();
  expect_all_given_back(peers, memory);
}

/// Half of a symmetric matrix on several devices tracks no intermediate vertices.
bool may_track(const Way& way) { return way.streams || !way.symmetric() || way.devices() == 1; }

TEST(DevicePlaces, SolveEverySizeWithAndWithoutVia) {
  for (const Way& way : all_ways()) {
    for (const std::int64_t n : {0, 1, 7, 8, 9, 16, 17, 40, 45, 71}) {
      SCOPED_TRACE(testing::Message() << way << ", n " << n);
      for (const bool tracked : {false, true}) {
        if (!tracked || may_track(way)) expect_solved(way, n, tracked);
      }
      if (HasFailure()) return;
    }
  }
}

TEST(DevicePlaces, ManyTilesPassInStripsOfSeveral) {
  for (const Way& way : {Way{1, 1}, {1, 1, Shape::symmetric}, {2, 1}, {2, 2}, {4, 1}}) {
    SmallProblem problem(4 * 37 + 1, 4, way.symmetric());
    solve(way, StrictPeers(way.devices()), problem, true);
    problem.expect_solved();
    problem.expect_via();
  }
}

TEST(DevicePlaces, SolveAgain) {
  for (const Way& way : kinds()) {
    SmallProblem problem(71, kTile, way.symmetric());
    const StrictPeers peers(way.devices());
    const Control control;
    with_place(way, peers.devices, plan_of(way, 71), problem.values(), control, {},
               [](auto& place) {
                 place.run();
                 place.run();
                 if constexpr (requires { place.upload(); }) {
                   place.upload();
                   place.solve();
                   place.solve();
                   place.download();
                 }
               });
    problem.expect_solved();
  }
}

TEST(DevicePlaces, HalfOfASymmetricMatrixReadsNothingAboveTheDiagonal) {
  for (const Way& way : all_ways()) {
    if (!way.symmetric()) continue;
    SmallProblem problem(139, kTile, true);
    for (std::int64_t i = 0; i < 139; ++i) {
      for (std::int64_t j = (i / kTile + 1) * kTile; j < 139; ++j) problem.value(i, j) = -1000;
    }
    solve(way, StrictPeers(way.devices()), problem, false);
    problem.expect_solved();
  }
}

TEST(DevicePlaces, HalfOfASymmetricMatrixStreams) {
  constexpr std::int64_t kSide = 96;
  for (const int devices : {1, 2}) {
    const auto copied_out = [&](Shape shape) {
      const Way way{devices, 1, shape, true};
      SmallProblem problem(kSide, kTile, true);
      const StrictPeers peers(devices);
      solve(way, peers, problem, false);
      problem.expect_solved();
      double sum = 0;
      for (const auto* const device : peers.devices) {
        const auto bytes = static_cast<double>(kernels::strict::copied_out(*device));
        EXPECT_GT(bytes, sum / 3) << "each has its share";
        sum += bytes;
      }
      return sum;
    };
    // Twelve steps of a half, and once the values above the diagonal.
    EXPECT_NEAR(copied_out(Shape::symmetric) / copied_out(Shape::full), 6.5 / 12, 0.03);
  }
}

TEST(DevicePlaces, IntermediateVerticesAreThoseOfOneDevice) {
  SmallProblem together(61, kTile, false), alone(61, kTile, false);
  solve({2, 3}, StrictPeers(6), together, true);
  solve({1, 1}, StrictPeers(1), alone, true);
  for (const auto plane : {&SmallProblem::values, &SmallProblem::via}) {
    const TiledMatrix here = (together.*plane)(), there = (alone.*plane)();
    const auto* const a = static_cast<const std::int32_t*>(here.matrix.data);
    const auto* const b = static_cast<const std::int32_t*>(there.matrix.data);
    for (std::int64_t i = 0; i < 61 * here.matrix.stride; ++i) ASSERT_EQ(a[i], b[i]) << i;
  }
}

TEST(DevicePlaces, SolveEveryTypeOfValue) {
  const auto check = [](ValueType type, auto zero, Semiring semiring) {
    using Value = decltype(zero);
    constexpr std::int64_t kSide = 53;
    base::SplitMix64 random(7);
    std::vector<Value> values(kSide * kSide);
    for (Value& value : values) value = static_cast<Value>(1 + random.below(1000));
    for (std::int64_t i = 0; i < kSide; ++i) values[static_cast<std::size_t>(i * (kSide + 1))] = 0;
    std::vector<Value> alone = values;
    const auto make = [=] { return kernels::strict::make_device(semiring, type, kMemory); };
    const auto tiled = [](std::vector<Value>& matrix) {
      return TiledMatrix{{matrix.data(), kSide, kSide, kSide}, sizeof(Value), kTile};
    };
    const Control control;
    const StrictPeers peers(6, make), one(1, make);
    PeerMemory(peers.devices, 2, tiled(values), Cycles::excluded, control, {}, kPiece).run();
    DeviceMemory(*one.devices[0], tiled(alone), Shape::full, Cycles::excluded, control).run();
    EXPECT_EQ(values, alone) << name(type) << ", " << name(semiring);
  };
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::min_max}) {
    check(ValueType::f32, float{}, semiring);
    check(ValueType::f64, double{}, semiring);
    check(ValueType::i32, std::int32_t{}, semiring);
    check(ValueType::u16, std::uint16_t{}, semiring);
  }
}

// Memory.

OffloadProblem problem_of(const Way& way, std::int64_t n, bool tracked, std::int64_t memory) {
  return {.n = n,
          .value_size = 4,
          .tracks_via = tracked,
          .tile = kTile,
          .device_memory = memory,
          .shape = way.shape,
          .devices = way.devices()};
}

/// Expects that a place takes all of `bytes` on its first device, and is refused with one less.
void expect_bytes(const Way& way, SmallProblem& problem, bool tracked, std::int64_t bytes,
                  const OffloadPlan& plan = {}) {
  const TiledMatrix via = tracked ? problem.via() : TiledMatrix{};
  const Control control;
  const auto claim = [&](const StrictPeers& peers, std::int64_t left) {
    with_place(way, peers.devices, plan, problem.values(), control, via,
               [&](auto&) { EXPECT_EQ(peers.devices[0]->memory_free(), left); });
  };
  claim(StrictPeers(way.devices(), bytes), 0);
  if (bytes == 0) return;
  const StrictPeers less(way.devices(), bytes - 1);
  EXPECT_EQ(error_of([&] { claim(less, 0); }).kind(), ErrorKind::does_not_fit);
  expect_all_given_back(less, bytes - 1);
}

TEST(DevicePlaces, TakeTheBytesThatTheySay) {
  for (const Way& way : {Way{1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 3}, {3, 3, Shape::symmetric}}) {
    for (const bool tracked : {false, true}) {
      for (const std::int64_t n : {0, 5, 8, 30, 71}) {
        if (tracked && !may_track(way)) continue;
        SCOPED_TRACE(testing::Message() << way << ", n " << n);
        SmallProblem problem(n, kTile, way.symmetric());
        expect_bytes(way, problem, tracked,
                     DeviceMemory::device_bytes(
                         *kernels::strict::sizes(Semiring::min_plus, ValueType::i32),
                         problem.values(), tracked, way.rows, way.cols, way.symmetric()));
      }
    }
  }
}

/// With more and more memory, up to `most`; the numbers of rows that reside.
std::set<std::int64_t> expect_streamed(const Way& way, std::int64_t n, bool tracked,
                                       std::int64_t most) {
  const auto sizes = kernels::strict::sizes(Semiring::min_plus, ValueType::i32);
  std::set<std::int64_t> residents;
  std::int64_t memory = least_offload_bytes(problem_of(way, n, tracked, 0), *sizes);
  if (way.devices() > 1 && n > way.devices() * kTile) {
    const auto with_less = [&] {
      plan_offload(problem_of(way, n, tracked, memory - 1), kRates, *sizes);
    };
    EXPECT_EQ(error_of(with_less).kind(), ErrorKind::does_not_fit);
  }
  for (; !residents.contains(n) && memory < most; memory += memory / 9) {
    const OffloadPlan plan = plan_offload(problem_of(way, n, tracked, memory), kRates, *sizes);
    SCOPED_TRACE(testing::Message() << way << ", n " << n << ", memory " << memory << ", width "
                                    << plan.width << ", resident " << plan.resident_rows
                                    << ", buffers " << plan.buffers << " of " << plan.strip_rows);
    EXPECT_LE(plan.device_bytes, memory);
    expect_solved(way, n, tracked, &plan, plan.device_bytes);
    residents.insert(plan.resident_rows);
    if (way.devices() == 1) continue;
    SmallProblem problem(n, kTile, way.symmetric());
    expect_bytes(way, problem, tracked, plan.device_bytes, plan);
  }
  return residents;
}

TEST(DevicePlaces, StreamFromTheLeastMemoryToAllOfIt) {
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    for (const bool tracked : {false, true}) {
      for (const std::int64_t n : {1, 3, 4, 5, 8, 16, 17, 33, 61}) {
        const auto residents = expect_streamed({1, 1, shape, true}, n, tracked, 16 << 20);
        EXPECT_TRUE(residents.contains(n)) << "n " << n;
        EXPECT_TRUE(n < 61 || residents.size() >= 4) << "none, some, all";
      }
    }
    for (const int devices : {2, 3}) {
      expect_streamed({devices, 1, shape, true}, 3, false, 4 << 10);  // one tile
      EXPECT_EQ(expect_streamed({devices, 1, shape, true}, 150, false, 1 << 17),
                std::set<std::int64_t>{0});
    }
  }
  const OffloadPlan nothing =
      plan_offload(problem_of({}, 0, false, 0), kRates,
                   *kernels::strict::sizes(Semiring::min_plus, ValueType::i32));
  expect_solved({1, 1, Shape::full, true}, 0, false, &nothing);
}

TEST(DevicePlaces, APlanThatDoesNotFitIsRefused) {
  const Way way{1, 1, Shape::full, true};
  const auto sizes = kernels::strict::sizes(Semiring::min_plus, ValueType::i32);
  const OffloadPlan plan = plan_offload(problem_of(way, 61, false, 20000), kRates, *sizes);
  SmallProblem problem(61, kTile, false);
  const StrictPeers less(1, plan.device_bytes - 1);
  EXPECT_EQ(error_of([&] { solve(way, less, problem, false, {}, &plan); }).kind(),
            ErrorKind::does_not_fit);
  expect_all_given_back(less, plan.device_bytes - 1);
}

TEST(DevicePlaces, StreamByAnyPlan) {
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    for (const int devices : {1, 3}) {
      for (const std::int64_t n : {29, 48, 93}) {
        if ((n == 93) == (devices == 1)) continue;
        for (const std::int64_t width : {4, 12, 20, 48}) {
          for (const std::int64_t strip : {4, 12}) {
            for (const std::int64_t buffers : {1, 2, 5, 60}) {  // 60: all of a step
              if (buffers == 1 && (shape == Shape::symmetric || devices > 1)) continue;
              for (const std::int64_t tiles_there : {0, 1, 2}) {
                const Way way{devices, 1, shape, true};
                OffloadPlan plan = plan_of(way, n, width, strip, buffers);
                plan.resident_rows = tiles_there * width;
                if (plan.resident_rows >= n || (devices > 1 && tiles_there > 0)) continue;
                SCOPED_TRACE(testing::Message()
                             << way << ", n " << n << ", width " << width << ", " << buffers
                             << " of " << strip << ", resident " << plan.resident_rows);
                expect_solved(way, n, tiles_there == 1, &plan);
              }
            }
          }
        }
      }
    }
  }
}

// Bits.

constexpr std::int64_t kMargin = 3;  // words behind each row of the host's

OffloadProblem bit_problem(std::int64_t n, std::int64_t memory, int devices = 1) {
  return {.n = n,
          .value_size = 4,
          .tile = 128,
          .device_memory = memory,
          .devices = devices,
          .columns_per_value = 32};
}

void expect_closed(const Way& way, std::int64_t n, const OffloadPlan& plan = {},
                   std::int64_t memory = kMemory) {
  SCOPED_TRACE(testing::Message() << way << ", n " << n << ", width " << plan.width << ", resident "
                                  << plan.resident_rows << ", buffers " << plan.buffers << " of "
                                  << plan.strip_rows);
  BitProblem problem(n, kMargin);
  const StrictPeers peers(way.devices(), [&] { return kernels::strict::make_bit_device(memory); });
  const Control control;
  with_place(way, peers.devices, plan, problem.values(), control, {},
             [](auto& place) { place.run(); });
  ASSERT_TRUE(problem.solved());
  expect_all_given_back(peers, memory);
}

TEST(DevicePlaces, CloseMatricesOfBits) {
  for (const Way& way : {Way{1, 1}, {1, 2}, {2, 1}, {2, 2}, {2, 3}, {4, 1}}) {
    for (const std::int64_t n : {1, 31, 32, 33, 127, 128, 129, 300, 417}) expect_closed(way, n);
  }
}

TEST(DevicePlaces, StreamBitsFromTheLeastMemoryToAllOfIt) {
  const auto sizes = kernels::strict::bit_sizes();
  for (const int devices : {1, 2, 3}) {
    for (const std::int64_t n : {1, 31, 33, 127, 128, 129, 160, 255, 257, 513}) {
      if (devices > 1 && n != 129 && n != 257 && n != 513) continue;
      std::set<std::int64_t> residents;
      std::int64_t memory = least_offload_bytes(bit_problem(n, 0, devices), *sizes);
      const std::int64_t most = devices == 1 ? 16 << 20 : 2 * memory;
      for (; !residents.contains(n) && memory < most; memory += memory / 5) {
        const OffloadPlan plan = plan_offload(bit_problem(n, memory, devices), kBitRates, *sizes);
        EXPECT_LE(plan.device_bytes, memory);
        expect_closed({devices, 1, Shape::full, true}, n, plan, plan.device_bytes);
        residents.insert(plan.resident_rows);
      }
      EXPECT_EQ(residents.contains(n), devices == 1) << "n " << n;
      // Packed by these devices a bit takes a word, so that panels take all that bits leave.
      EXPECT_TRUE(n < 513 || residents.contains(0)) << "none stay where memory is short";
    }
  }
}

TEST(DevicePlaces, StreamBitsByAnyPlan) {
  const auto sizes = kernels::strict::bit_sizes();
  for (const std::int64_t n : {300, 416}) {
    for (const std::int64_t width : {128, 256, 384}) {
      for (const std::int64_t strip : {128, 256}) {
        for (const std::int64_t buffers : {1, 2, 3, 20}) {
          for (const std::int64_t tiles_there : {0, 1, 2}) {
            OffloadPlan plan{width, std::min(tiles_there * width, n), buffers, strip};
            if (plan.resident_rows >= n) continue;
            const auto stride = [&](std::int64_t columns) { return sizes->stride(columns / 32); };
            plan.buffer_values =
                std::max(strip * stride(n + 31), width * stride(128)) + 128 * stride(width);
            expect_closed({1, 1, Shape::full, true}, n, plan);
          }
        }
      }
    }
  }
}

// Early ends.

TEST(DevicePlaces, ANegativeCycleThatOneMeetsEndsAll) {
  for (const Way& way : kinds()) {
    for (const std::int64_t last : {3, 12, 33, 120}) {
      SmallProblem problem(130, kTile, way.symmetric());
      problem.value(2, last) = way.symmetric() ? -2 : 1;
      problem.value(last, 2) = -2;
      const Error error = error_of([&] { solve(way, StrictPeers(way.devices()), problem, false); });
      EXPECT_EQ(error.kind(), ErrorKind::negative_cycle) << way;
      ASSERT_EQ(error.cycle().vertices.size(), 1U);
      EXPECT_LE(error.cycle().vertices[0], static_cast<std::uint32_t>(last));
    }
  }
}

TEST(DevicePlaces, ReportProgressOnceAndToTheEnd) {
  for (const Way& way : kinds()) {
    for (const std::int64_t n : {5, 16, 60}) {
      RecordedProgress recorder;
      SmallProblem problem(n, kTile, way.symmetric());
      solve(way, StrictPeers(way.devices()), problem, false, {&recorder, nullptr});
      EXPECT_TRUE(recorder.complete()) << way << ", n " << n;
      EXPECT_EQ(recorder.ended, 1);
    }
  }
}

TEST(DevicePlaces, AllEndWhereTheCallerAsks) {
  for (const Way& way : kinds()) {
    RecordedProgress recorder;
    recorder.cancel_when = [&] { return recorder.done >= 200 * 200 * kTile * 2; };
    SmallProblem problem(200, kTile, way.symmetric());
    const StrictPeers peers(way.devices());
    EXPECT_ERROR(interrupted,
                 solve(way, peers, problem, false, {&recorder, &recorder.cancellation}))
        << way;
    EXPECT_LT(recorder.done, 200 * 200 * kTile * 12) << way;  // of 25 steps
    expect_all_given_back(peers);
  }
}

TEST(DevicePlaces, AMemberThatFailsHoldsNobodyUp) {
  for (const Way& way : kinds()) {
    RecordedProgress recorder;
    recorder.cancel_when = [&]() -> bool {
      if (recorder.done > 200 * 200 * kTile * 3) throw std::runtime_error("progress");
      return false;
    };
    SmallProblem problem(200, kTile, way.symmetric());
    const StrictPeers peers(way.devices());
    EXPECT_THROW(solve(way, peers, problem, false, {&recorder, nullptr}), std::runtime_error)
        << way;
    if (way.devices() == 1) expect_all_given_back(peers);
  }
}

// Parts.

TEST(PeerMemory, SquaresAreOfAsManyPlacesForEach) {
  const int sides[] = {1, 2, 3, 2, 0, 0, 0, 4, 3};
  for (int devices = 1; devices <= 9; ++devices) {
    EXPECT_EQ(PeerMemory::square(devices), sides[devices - 1]) << devices;
  }
}

TEST(ResidentMatrix, SolvesInARowShareThePanels) {
  const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, kMemory);
  const kernels::QueueId queue = device->make_queue();
  SmallProblem first(45, kTile, false), second(37, kTile, false);
  {
    std::vector<DeviceBuffer> memory;
    std::vector<TiledMatrix> there;
    for (SmallProblem* problem : {&first, &second}) {
      const TiledMatrix host = problem->values();
      const std::int64_t stride = device->tiles().stride(host.n());
      memory.emplace_back(*device, host.n() * stride * 4);
      there.push_back({{memory.back().data(), host.n(), host.n(), stride}, 4, kTile});
      device->copy_in(queue, there.back().matrix, host.matrix, 4);
    }
    device->synchronize(queue);
    ResidentMatrix matrix(*device, there[0], Shape::full, Cycles::possible, nullptr);
    matrix.solve({there[0]});
    device->wait(queue, matrix.solve({there[1]}));
    device->copy_out(queue, first.values().matrix, there[0].matrix, 4);
    device->copy_out(queue, second.values().matrix, there[1].matrix, 4);
    device->synchronize(queue);
  }
  first.expect_solved();
  second.expect_solved();
}

}  // namespace
}  // namespace apsp::dense::device_places_test
