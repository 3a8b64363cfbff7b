#include "rates/measure_rates.hpp"

#include <sched.h>

#include <atomic>
#include <thread>

#include "planner/device_model.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "rates/measured_rates.hpp"
#include "rates/timed_solves.hpp"
#include "support/invented_devices.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::rates::measure_rates_test {
namespace {

using planner::KernelKind;
namespace fs = std::filesystem;

constexpr KernelKind kPlain = {Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative};
constexpr double kShort = 0.03;  // s

class MeasuredRatesTest : public testing::Test {
 protected:
  RatePolicy policy(Measuring measuring) const {
    return {.folder = folder_,
            .measuring = measuring,
            .most_on_host = kShort,
            .most_on_device = kShort,
            .most_waiting = std::numeric_limits<double>::infinity(),
            .sizes = {16, 32}};
  }
  std::string file() const { return folder_ + "/rates.json"; }

  TemporaryFolder temporary_;
  std::string folder_ = temporary_ / "rates";  // exists once something is kept
};

TEST(MeasuringGraph, IsSolvedByTheKindOfKernelItStandsFor) {
  for (const Semiring semiring : all_semirings()) {
    for (const kernels::Sign sign : {kernels::Sign::non_negative, kernels::Sign::any}) {
      for (const dense::Shape shape : {dense::Shape::full, dense::Shape::symmetric}) {
        const auto graph = measuring_graph({semiring, ValueType::f32, sign}, shape, 50);
        const bool cyclic = semiring == Semiring::max_plus ||
                            (semiring == Semiring::min_plus && sign == kernels::Sign::any);
        ASSERT_EQ(graph.has_value(), shape == dense::Shape::full || !cyclic);
        if (!graph) continue;
        EXPECT_EQ(graph->vertex_count(), 50);
        EXPECT_EQ(graph->directed(), shape == dense::Shape::full);
        EXPECT_NO_THROW(timed_solve(
            {}, *graph, {.question = {.semiring = semiring}, .machine = {.device = Device::cpu}}));
      }
    }
  }
  EXPECT_LE(measuring_graph(kPlain, dense::Shape::full, 16384)->weight_facts().greatest, 1)
      << "u16 holds the longest path";
}

TEST(MeasuringGraph, IsSolvedAsAMatrixThoughOtherWaysAreFaster) {
  const KernelKind narrow = {Semiring::min_plus, ValueType::u16, kernels::Sign::non_negative};
  const auto graph = measuring_graph(narrow, dense::Shape::full, 2048);
  ASSERT_TRUE(graph);
  SolveOptions options = measuring_options({.kernel = narrow}, {});
  EXPECT_EQ(planner::make_plan(*graph, options, planner::no_device).algorithm,
            Algorithm::floyd_warshall);
  options.method.algorithm = Algorithm::automatic;
  EXPECT_NE(planner::make_plan(*graph, options, planner::no_device).algorithm,
            Algorithm::floyd_warshall);
}

TEST(MeasureHost, GrowsAsFarAsTheTimeAllows) {
  const auto rates = measure_host({.kernel = kPlain}, {.seconds = kShort});
  ASSERT_TRUE(rates);
  EXPECT_FALSE(rates->uncalibrated);
  ASSERT_GE(rates->solve.points().size(), 1u);
  EXPECT_EQ(rates->solve.points()[0].n, 256);
  EXPECT_GT(rates->solve.limit(), 1e7);
  EXPECT_GT(rates->statistics, 1e5);
  const auto small = measure_host({.kernel = kPlain}, {.seconds = 10, .bytes = 512 * 512 * 4});
  ASSERT_TRUE(small);
  EXPECT_EQ(small->solve.points().back().n, 512) << "memory ends it too";
}

TEST(MeasureHost, WhatCannotBeSolvedIsNotMeasured) {
  EXPECT_FALSE(measure_host(
      {.kernel = {Semiring::max_plus, ValueType::f32}, .shape = dense::Shape::symmetric}, {}));
}

TEST(MeasureHost, CanBeInterrupted) {
  Cancellation cancellation;
  cancellation.request();
  EXPECT_THROW(measure_host({.kernel = kPlain}, {.cancellation = &cancellation}), Error);
}

TEST(MeasureDevice, FindsRatesOfRunsAndCopies) {
  const planner::Devices devices = planner::one_device();
  const auto rates = measure_device({.kernel = kPlain, .device = devices.list[0]},
                                    {.seconds = 5, .sizes = {16, 32}, .devices = &devices});
  ASSERT_TRUE(rates);
  ASSERT_EQ(rates->run.points().size(), 2u);
  EXPECT_GT(rates->copies.in, 0);
  EXPECT_GT(rates->copies.out, 0);
  EXPECT_GT(rates->copies.both, 0);
  EXPECT_GT(rates->copies.relaxations, 0);
}

TEST(MeasureElimination, TakesSmallGraphsWhereThereIsLittleTime) {
  for (const ValueType type : {ValueType::u16, ValueType::f64}) {
    auto rates = measure_elimination({.kernel = {.type = type}}, {.seconds = 1e-6});
    ASSERT_TRUE(rates);
    for (const auto& field : planner::EliminationRates::kFields) {
      EXPECT_GT(field.of(*rates), 0) << field.name;
    }
  }
}

TEST_F(MeasuredRatesTest, AShortJobNeverWaitsForMeasuring) {
  MeasuredRates measured(policy(Measuring::when_worth_it), planner::no_device);
  EXPECT_FALSE(measured.source().host({.kernel = kPlain, .guess = 0.01}));
  EXPECT_FALSE(measured.source().host({.kernel = kPlain, .guess = 2.9}));
  EXPECT_FALSE(fs::exists(folder_));
  EXPECT_TRUE(measured.source().host({.kernel = kPlain, .guess = 3.1}));
  EXPECT_TRUE(fs::exists(file()));
  EXPECT_TRUE(measured.source().host({.kernel = kPlain, .guess = 0.01})) << "it is known now";
  EXPECT_FALSE(measured.source().elimination({.kernel = kPlain, .guess = 2.9}));
  EXPECT_TRUE(measured.source().elimination({.kernel = kPlain, .guess = 3.1}));
}

/// Threads of one processor, which wait for each other while any is busy.
class OneProcessor {
 public:
  explicit OneProcessor(int threads) {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    for (int i = 0; i < threads; ++i) {
      threads_.emplace_back([this] {
        while (!over_) {
        }
      });
    }
  }
  ~OneProcessor() {
    over_ = true;
    for (std::thread& thread : threads_) thread.join();
    sched_setaffinity(0, sizeof before_, &before_);
  }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

 private:
  cpu_set_t before_{};
  std::atomic<bool> over_ = false;
  std::vector<std::thread> threads_;
};

TEST_F(MeasuredRatesTest, FiguresOfACrowdedMachineAreDropped) {
  if (!fs::exists("/proc/self/schedstat")) GTEST_SKIP() << "the system does not tell who waits";
  RatePolicy crowded = policy(Measuring::when_worth_it);
  crowded.most_waiting = 2;
  crowded.sizes = {256, 512};
  const OneProcessor busy(7);
  const auto known = [&](int threads) {
    MeasuredRates measured(crowded, planner::no_device);
    return measured.source().host({.kernel = kPlain, .threads = threads, .guess = 100}).has_value();
  };
  EXPECT_FALSE(known(1));
  EXPECT_FALSE(fs::exists(file()));
  EXPECT_TRUE(known(16)) << "so many threads of one processor wait for each other";
  crowded.measuring = Measuring::always;
  EXPECT_TRUE(known(1));
}

TEST_F(MeasuredRatesTest, FiguresHoldForTheirKindAndThreadsAlone) {
  const auto ask = [&](const KernelKind& kind, dense::Shape shape, int threads) {
    MeasuredRates measured(policy(Measuring::never), planner::no_device);
    return measured.source()
        .host({.kernel = kind, .shape = shape, .threads = threads, .guess = 100})
        .has_value();
  };
  EXPECT_FALSE(ask(kPlain, dense::Shape::full, 1));
  MeasuredRates(policy(Measuring::always), planner::no_device).source().host({.kernel = kPlain});
  EXPECT_TRUE(ask(kPlain, dense::Shape::full, 1));
  EXPECT_FALSE(ask(kPlain, dense::Shape::full, 2));
  EXPECT_FALSE(ask(kPlain, dense::Shape::symmetric, 1));
  EXPECT_FALSE(ask({Semiring::max_min, ValueType::f32}, dense::Shape::full, 1));
}

TEST_F(MeasuredRatesTest, ABrokenCacheIsMeasuredAgain) {
  fs::create_directories(folder_);
  std::ofstream(file()) << "{broken";
  MeasuredRates measured(policy(Measuring::always), planner::no_device);
  EXPECT_TRUE(measured.source().host({.kernel = kPlain}));
  EXPECT_EQ(RateCache(folder_).entries().size(), 1u);
}

TEST_F(MeasuredRatesTest, ADeviceIsMeasuredOnceAndItsStartIsNoted) {
  MeasuredRates measured(policy(Measuring::always), planner::one_device);
  const planner::Devices devices = measured.find()();
  const auto first = measured.source().device({.kernel = kPlain, .device = devices.list[0]});
  ASSERT_TRUE(first);
  EXPECT_GT(first->start, 1e-4) << "what measuring took is waited for, this once";
  MeasuredRates later(policy(Measuring::never), planner::one_device);
  later.find()();
  const auto again = later.source().device({.kernel = kPlain, .device = devices.list[0]});
  ASSERT_TRUE(again);
  EXPECT_LT(again->start, first->start);
  planner::DeviceFacts newer = devices.list[0];
  newer.driver = "99.0";
  EXPECT_FALSE(later.source().device({.kernel = kPlain, .device = newer}));
}

TEST_F(MeasuredRatesTest, WhatIsAroundADeviceIsMeasuredOnceAndKnownBeforeADriverStarts) {
  constexpr double kStart = 0.02;  // s
  const auto slow = [=] {
    std::this_thread::sleep_for(std::chrono::duration<double>(kStart));
    return planner::one_device();
  };
  RatePolicy once = policy(Measuring::when_worth_it);
  once.most_link = kShort;
  MeasuredRates measured(once, slow);
  EXPECT_FALSE(measured.source().any_link());
  const planner::DeviceFacts device = measured.find()().list[0];
  EXPECT_FALSE(measured.source().link({.device = device, .guess = 0.1})) << "short";
  const auto first = measured.source().link({.device = device, .guess = 0.4});
  ASSERT_TRUE(first);
  EXPECT_GE(first->start, kStart);
  EXPECT_GT(first->launch, 0);
  for (const double rate : {first->pinned, first->in, first->out, first->copied}) {
    EXPECT_GT(rate, 1e6);
  }

  MeasuredRates later(policy(Measuring::never), planner::no_device);
  const auto again = later.source().any_link();
  ASSERT_TRUE(again) << "no driver was asked";
  EXPECT_EQ(again->start, first->start);
  EXPECT_EQ(later.source().link({.device = device})->copied, first->copied);
  planner::DeviceFacts newer = device;
  newer.driver = "99.0";
  EXPECT_FALSE(later.source().link({.device = newer}));
  EXPECT_EQ(planner::driver_start_seconds(later.source()), first->start);
  EXPECT_EQ(planner::driver_start_seconds({}), planner::LinkRates().start);
}

TEST_F(MeasuredRatesTest, RowsOnADeviceAreMeasuredForALongSolveAndThenKnown) {
  MeasuredRates measured(policy(Measuring::when_worth_it), planner::one_device);
  const planner::DeviceFacts device = measured.find()().list[0];
  EXPECT_FALSE(measured.source().device_rows({.device = device, .guess = 0.1})) << "short";
  const auto first = measured.source().device_rows({.threads = 2, .device = device, .guess = 60});
  ASSERT_TRUE(first);
  const planner::DeviceRowRates assumed = planner::assumed_device_row_rates(device);
  for (const auto& field : planner::DeviceRowRates::kFields) {
    planner::DeviceRowRates found = *first, scaled = assumed;
    EXPECT_GT(field.of(found), 0) << field.name;
    EXPECT_NE(field.of(found), field.of(scaled)) << field.name << " was not measured";
  }
  MeasuredRates later(policy(Measuring::never), planner::one_device);
  const auto again = later.source().device_rows({.device = device});
  ASSERT_TRUE(again) << "kept";
  EXPECT_EQ(again->swept, first->swept);
  EXPECT_FALSE(again->measured.empty());
}

TEST_F(MeasuredRatesTest, SearchesOnADeviceAreSampledForSolvesThatAreWorthIt) {
  const Graph graph = generate({.kind = GraphKind::gnp, .vertices = 300, .probability = 0.02});
  const planner::Plan plan = planner::find_plan(graph,
                                                {.method = {.algorithm = Algorithm::johnson},
                                                 .machine = {.device = Device::cuda},
                                                 .storage = {.keep = Keep::statistics}},
                                                planner::one_device);
  const auto& searches = *std::get<planner::RowsBySearches>(plan.rows()->by).on_device;
  MeasuredRates measured(policy(Measuring::when_worth_it), planner::one_device);
  const planner::RateSource source = measured.source();
  const planner::DevicePlan& there = *plan.on_device;
  planner::DeviceSearchSample asked{there.open, 0, there.bytes_allowed, there.kernel,
                                    searches.batches};
  EXPECT_FALSE(source.sample_on_device(graph, asked, 0.01)) << "short";
  const auto row = source.sample_on_device(graph, asked, 10);
  ASSERT_TRUE(row);
  EXPECT_GT(*row, 0);
  asked.memory = 1000;
  EXPECT_FALSE(source.sample_on_device(graph, asked, 10)) << "too little memory";
}

TEST_F(MeasuredRatesTest, MemoryAndDiskAreMeasuredOnceAndLeaveNothing) {
  fs::create_directories(folder_);
  const std::string output = fs::path(folder_) / "x.zarr";
  MeasuredRates measured(policy(Measuring::always), planner::no_device);
  const auto first = measured.source().transfers({.threads = 2, .path = output});
  ASSERT_TRUE(first);
  EXPECT_GT(first->copy_bytes_per_second, 1e8);
  EXPECT_GT(first->disk_write_bytes_per_second, 0);
  EXPECT_GT(first->disk_read_bytes_per_second, 0);
  EXPECT_FALSE(first->measured.empty());
  for (const auto& entry : fs::directory_iterator(folder_)) EXPECT_EQ(entry.path(), file());
  MeasuredRates later(policy(Measuring::never), planner::no_device);
  const auto again = later.source().transfers({.threads = 2, .path = output});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->disk_write_bytes_per_second, first->disk_write_bytes_per_second);
  EXPECT_FALSE(later.source().transfers({.threads = 1, .path = output}))
      << "other threads are another machine";
  EXPECT_FALSE(measured.source().transfers(
      {.threads = 2, .path = fs::path(folder_) / "nowhere" / "x.zarr"}));
}

TEST_F(MeasuredRatesTest, WithoutACacheTransfersAreMeasuredOnceAProcess) {
  RatePolicy kept_nowhere = policy(Measuring::always);
  kept_nowhere.folder.clear();
  MeasuredRates measured(kept_nowhere, planner::no_device);
  const std::string output = fs::temp_directory_path() / "x.zarr";
  const auto first = measured.source().transfers({.threads = 1, .path = output});
  const auto again = measured.source().transfers({.threads = 1, .path = output});
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->copy_bytes_per_second, again->copy_bytes_per_second);
}

TEST_F(MeasuredRatesTest, LargeOutputsTellWhatAStoreTakes) {
  MeasuredRates measured(policy(Measuring::never), planner::no_device);
  const std::string output = fs::temp_directory_path() / "x.npy";
  const auto ask = [&] { return measured.source().store({.path = output}); };
  measured.source().stored({.path = output}, 1000, 1);
  EXPECT_FALSE(ask()) << "too small to tell";
  measured.source().stored({.path = output}, 1e9, 2);
  ASSERT_TRUE(ask());
  EXPECT_DOUBLE_EQ(ask()->bytes, 5e8);
  EXPECT_FALSE(measured.source().store({.path = output, .compress = true}))
      << "compressed is another matter";
}

}  // namespace
}  // namespace apsp::rates::measure_rates_test
