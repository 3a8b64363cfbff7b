#include "planner/device_plan.hpp"

#include "dense/reachable_bits.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "support/invented_devices.hpp"
#include "support/test.hpp"

namespace apsp::planner::device_plan_test {
namespace {

constexpr std::int64_t kMatrix = 65536ll * 65536 * 4;

DeviceProblem problem_of(std::int64_t n, std::int64_t memory = 0) {
  return {.n = n,
          .kernel = {Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative},
          .memory = memory};
}

DevicePlan plan_of(const DeviceProblem& problem, const DeviceFacts& device = invented_h200(0)) {
  return plan_on_devices(problem, {device}, one_device());
}

TEST(DeviceTile, GrowsWithTheMatrixInWholeGranules) {
  for (const std::int64_t granule : {4, 64, 128}) {
    EXPECT_EQ(choose_device_tile(0, granule, 0), 128);
    EXPECT_EQ(choose_device_tile(1024, granule, 0), 128);
    EXPECT_EQ(choose_device_tile(4096, granule, 0), 256);
    EXPECT_EQ(choose_device_tile(8192, granule, 0), 512);
    EXPECT_EQ(choose_device_tile(16384, granule, 0), 512);
    EXPECT_EQ(choose_device_tile(200000, granule, 0), 512);
  }
  EXPECT_EQ(choose_device_tile(100, 96, 0), 192);
}

TEST(DeviceTile, IsTheWholeMatrixWhereTheDeviceSolvesThatAtOnce) {
  EXPECT_EQ(choose_device_tile(0, 64, 2048), 64);
  EXPECT_EQ(choose_device_tile(1000, 64, 2048), 1024);
  EXPECT_EQ(choose_device_tile(2048, 128, 2048), 2048);
  EXPECT_EQ(choose_device_tile(2049, 128, 2048), 128);
  EXPECT_EQ(choose_device_tile(1000, 64, 2048, true), 128) << "not where via is tracked";
  EXPECT_EQ(choose_device_tile(4096, 64, 2048, true), 512);
}

TEST(DevicePlan, ResidesWhereItFits) {
  const DevicePlan plan = plan_of(problem_of(65536));
  EXPECT_FALSE(plan.streamed);
  EXPECT_EQ(plan.tile, 512);
  EXPECT_GE(plan.bytes, kMatrix);
  EXPECT_LT(plan.bytes, kMatrix * 11 / 10);
  EXPECT_LE(plan.bytes_allowed, 136 * kGiB);
  EXPECT_EQ(plan_of(problem_of(65536, 1000 * kGiB)).bytes_allowed, plan.bytes_allowed)
      << "a cap makes no memory";
}

TEST(DevicePlan, StreamsWhereTheCapIsSmaller) {
  for (const std::int64_t cap : {2 * kGiB, 4 * kGiB, 16 * kGiB}) {
    const DevicePlan plan = plan_of(problem_of(65536, cap));
    EXPECT_TRUE(plan.streamed);
    EXPECT_EQ(plan.bytes_allowed, cap);
    EXPECT_LE(plan.bytes, cap);
    EXPECT_GT(plan.offload.width, 0);
    EXPECT_EQ(plan.seconds, plan.offload.seconds);
    EXPECT_GT(plan.seconds, 0.95 * plan_of(problem_of(65536)).seconds);
  }
  EXPECT_TRUE(plan_of(problem_of(65536), invented_h200(0, 4 * kGiB)).streamed) << "others use it";
}

TEST(DevicePlan, PredictsAnH200) {
  const auto seconds = [](std::int64_t n) { return plan_of(problem_of(n)).seconds; };
  EXPECT_NEAR(seconds(32768), 2.3, 0.2);
  EXPECT_LT(seconds(1024), 0.002);
  EXPECT_GT(seconds(1024), 0.0002);
  EXPECT_EQ(seconds(0), 0);

  DeviceProblem symmetric = problem_of(32768);
  symmetric.shape = dense::Shape::symmetric;
  EXPECT_NEAR(plan_of(symmetric).seconds, 1.2, 0.15);
  DeviceProblem via = problem_of(32768);
  via.kernel.tracks_via = true;
  EXPECT_GT(plan_of(via).seconds, 1.8 * seconds(32768));
  EXPECT_GT(plan_of(via).bytes, 2 * 32768ll * 32768 * 4);
}

TEST(DevicePlan, ASymmetricMatrixStreamsInHalfTheTime) {
  DeviceProblem problem = problem_of(65536, 4 * kGiB);
  const double full = plan_of(problem).seconds;
  problem.shape = dense::Shape::symmetric;
  const DevicePlan plan = plan_of(problem);
  EXPECT_TRUE(plan.streamed);
  EXPECT_EQ(plan.shape, dense::Shape::symmetric);
  EXPECT_EQ(plan.offload.shape, dense::Shape::symmetric);
  EXPECT_NEAR(plan.seconds / full, 0.5, 0.05);
}

TEST(DevicePlan, HalfOfASymmetricMatrixStreamsThroughSeveral) {
  const std::vector<DeviceFacts> all = {invented_h200(0), invented_h200(1), invented_h200(2),
                                        invented_h200(3)};
  DeviceProblem problem = problem_of(131072, 4 * kGiB);
  problem.shape = dense::Shape::symmetric;
  const double alone = plan_of(problem).seconds;
  for (const std::size_t count : {2, 3, 4}) {
    const DevicePlan plan =
        plan_on_devices(problem, {all.begin(), all.begin() + count}, invented_devices(all));
    EXPECT_TRUE(plan.streamed);
    EXPECT_EQ(plan.shape, dense::Shape::symmetric);
    EXPECT_EQ(plan.places, 1);
    EXPECT_EQ(plan.tile, 512);
    EXPECT_LE(plan.bytes, 4 * kGiB);
    EXPECT_EQ(plan.seconds, plan.offload.seconds);
    const double share = alone / plan.seconds / static_cast<double>(count);
    EXPECT_GT(share, 0.9) << count;
    EXPECT_LT(share, 1) << count;
  }
  problem.memory = 1 << 20;
  const DevicePlan small = plan_on_devices(problem, {all[0], all[1]}, invented_devices(all));
  EXPECT_FALSE(small.fits());
  problem.memory = small.bytes;
  EXPECT_TRUE(plan_on_devices(problem, {all[0], all[1]}, invented_devices(all)).fits());
}

TEST(DevicePlan, TilesThatWereAskedForBecomeWholeGranules) {
  DeviceProblem problem = problem_of(1000);
  problem.tile = 17;
  EXPECT_EQ(plan_of(problem).tile, 20);
}

TEST(DevicePlan, TooLittleMemorySaysTheLeastThatWorks) {
  const DevicePlan small = plan_of(problem_of(65536, 100000));
  EXPECT_ERROR(does_not_fit, require_fitting(small));
  EXPECT_LE(plan_of(problem_of(65536, small.bytes)).bytes, small.bytes);
  EXPECT_FALSE(plan_of(problem_of(65536, small.bytes - 1)).fits());
  EXPECT_FALSE(plan_of(problem_of(65536), invented_h200(1, 100000)).fits());
}

TEST(DevicePlan, OfACallersMatrixSaysWhatWouldFit) {
  const auto advised = [](const DeviceProblem& problem) {
    std::vector<std::string> options;
    try {
      plan_matrix(problem, {Device::cuda}, one_device);
    } catch (const RefusedSolve& refused) {
      for (const Advice& advice : refused.advice()) options.push_back(advice.front().option);
    }
    return options;
  };
  EXPECT_THAT(advised(problem_of(65536, 100000)), ElementsAre("device_memory", "device"));
  EXPECT_THAT(advised(problem_of(1'000'000'000, 100000)), ElementsAre("device"));
}

TEST(WhyNotOnCuda, SignedIntegerSumsHaveALimit) {
  DeviceProblem problem = problem_of(100);
  const auto refused = [&](Semiring semiring, ValueType type, kernels::Sign sign, double bound) {
    problem.kernel = {semiring, type, sign};
    problem.distance_bound = bound;
    return !why_not_on_cuda(problem).empty();
  };
  using kernels::Sign;
  constexpr double kLimit = 1 << 28;
  EXPECT_TRUE(refused(Semiring::min_plus, ValueType::i32, Sign::any, kLimit));
  EXPECT_FALSE(refused(Semiring::min_plus, ValueType::i32, Sign::any, kLimit - 1));
  EXPECT_FALSE(refused(Semiring::min_plus, ValueType::i32, Sign::non_negative, 2 * kLimit));
  EXPECT_TRUE(refused(Semiring::max_plus, ValueType::i32, Sign::non_negative, kLimit));
  EXPECT_FALSE(refused(Semiring::max_min, ValueType::i32, Sign::any, 2 * kLimit));
  EXPECT_FALSE(refused(Semiring::min_plus, ValueType::f64, Sign::any, 2 * kLimit));
  EXPECT_FALSE(refused(Semiring::or_and, ValueType::boolean, Sign::any, 1));

  problem.kernel = {Semiring::min_plus, ValueType::i32, Sign::any};
  problem.distance_bound = 3e8;
  EXPECT_ERROR(device, plan_of(problem));
}

TEST(DevicePlan, ReachabilityResidesInBits) {
  DeviceProblem problem = problem_of(65536);
  problem.kernel = {Semiring::or_and, ValueType::boolean, kernels::Sign::any};
  problem.shape = dense::Shape::symmetric;
  problem.tile = 100;
  const DevicePlan plan = plan_of(problem);
  constexpr std::int64_t kBits = 65536ll * 65536 / 8;
  EXPECT_FALSE(plan.streamed);
  EXPECT_EQ(plan.shape, dense::Shape::full);
  EXPECT_EQ(plan.tile, 512);
  EXPECT_GE(plan.bytes, kBits);
  EXPECT_LT(plan.bytes, 2 * kBits);
  EXPECT_NEAR(plan.seconds, 0.62, 0.1);
}

TEST(DevicePlan, ReachabilityStreamsInBits) {
  DeviceProblem problem = problem_of(262144);
  problem.kernel = {Semiring::or_and, ValueType::boolean, kernels::Sign::any};
  problem.shape = dense::Shape::symmetric;
  const double resident = plan_of(problem).seconds;
  for (const std::int64_t memory : {4 * kGiB, 8 * kGiB}) {
    problem.memory = memory;
    const DevicePlan plan = plan_of(problem);
    EXPECT_TRUE(plan.streamed);
    EXPECT_EQ(plan.shape, dense::Shape::full);
    EXPECT_EQ(plan.offload.width % dense::kDeviceClosureTile, 0);
    EXPECT_LE(plan.bytes, memory);
    EXPECT_LT(plan.seconds, resident * 1.2);
    EXPECT_GT(plan.seconds, resident * 0.9);
  }
  problem.memory = 1 << 20;
  const DevicePlan small = plan_of(problem);
  EXPECT_FALSE(small.fits());
  problem.memory = small.bytes;
  EXPECT_LE(plan_of(problem).bytes, small.bytes);
  problem.memory = small.bytes - 1;
  EXPECT_FALSE(plan_of(problem).fits());
}

TEST(OptionSize, IsNeverLessThanWhatWasMeant) {
  EXPECT_EQ(option_size(1), "1KiB");
  EXPECT_EQ(option_size(1 << 20), "1024KiB");
  EXPECT_EQ(option_size(64 << 20), "64MiB");
  EXPECT_EQ(option_size((64 << 20) + 1), "65MiB");
}

Devices never_asked() {
  ADD_FAILURE() << "devices were looked for";
  return no_device();
}

Devices two_devices() { return invented_devices({invented_h200(0), invented_h200(3)}); }

/// The choice. Throws `Error` where the device that was named does not do.
DeviceChoice choose_device(const DeviceProblem& problem, const DevicePreference& preference,
                           const FindDevices& find, const RateSource& rates = {}) {
  DeviceChoice choice = try_device(problem, preference, find, rates);
  if (choice.refused) throw Error(ErrorKind::device, choice.why);
  if (choice.cuda) choice.cuda = require_fitting(*std::move(choice.cuda));
  return choice;
}

DeviceProblem problem_by(std::int64_t n, int threads = 1) {
  return {.n = n,
          .kernel = {Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative},
          .threads = threads};
}

/// A CPU that relaxes so many a second on every thread, whatever the kind.
RateSource cpu_of(double relaxations) {
  RateSource rates;
  rates.host = [=](const RateQuery& asked) {
    HostRates host;
    host.solve = RateCurve({{1000, 1e9 / relaxations / asked.threads}});
    host.uncalibrated = false;
    return host;
  };
  return rates;
}

TEST(ChooseDevice, TheCpuNeedsNoQuestion) {
  const DeviceChoice choice = choose_device(problem_by(100000), {Device::cpu}, never_asked);
  EXPECT_FALSE(choice.cuda);
  EXPECT_EQ(choice.why, "");
}

TEST(ChooseDevice, ADeviceAskedForByNameIsTakenHoweverSmallTheProblem) {
  const DeviceChoice choice = choose_device(problem_by(3), {Device::cuda}, two_devices);
  ASSERT_TRUE(choice.cuda);
  EXPECT_EQ(choice.cuda->device.ordinal, 0);
  EXPECT_EQ(choice.why, "");
  EXPECT_EQ(choose_device(problem_by(3), {Device::cuda, {3}}, two_devices).cuda->device.ordinal, 3);
}

TEST(ChooseDevice, OnlyTheDeviceThatIsTakenIsAskedForItsFreeMemory) {
  std::vector<int> asked;
  const auto find = [&] {
    Devices devices = invented_devices({invented_h200(0, 0), invented_h200(3, 0)});
    devices.memory_free = [&](int ordinal) {
      asked.push_back(ordinal);
      return 8 * kGiB;
    };
    return devices;
  };
  const DeviceChoice choice = choose_device(problem_by(3), {Device::cuda, {3}}, find);
  EXPECT_EQ(choice.cuda->device.memory_free, 8 * kGiB);
  EXPECT_THAT(asked, ElementsAre(3));
  EXPECT_TRUE(choose_device(problem_by(16384), {Device::automatic}, find).cuda);
  EXPECT_THAT(asked, ElementsAre(3, 0)) << "too soon done for two";
}

TEST(ChooseDevice, ADeviceThatIsNotThereIsNeverReplaced) {
  EXPECT_ERROR(device, choose_device(problem_by(100000), {Device::cuda}, no_device));
  EXPECT_ERROR(device, choose_device(problem_by(100000), {Device::cuda, {1}}, two_devices));
}

TEST(ChooseDevice, OrdinalsMustMakeSense) {
  EXPECT_ERROR(usage, choose_device(problem_by(9), {Device::cuda, {0, 1, 0}}, never_asked));
  for (const std::vector<int>& ordinals : {std::vector<int>{-1}, {0, kAllGpus}, {kAllGpus, 0}}) {
    EXPECT_ERROR(usage, choose_device(problem_by(9), {Device::cuda, ordinals}, never_asked));
  }
  for (const Device device : {Device::cpu, Device::automatic}) {
    EXPECT_ERROR(usage, choose_device(problem_by(9), {device, {0}}, never_asked));
  }
}

TEST(ChooseDevice, SeveralThatAreNamedShareTheWork) {
  for (const std::vector<int>& ordinals : {std::vector<int>{0, 3}, {kAllGpus}}) {
    const DeviceChoice choice =
        choose_device(problem_by(32768), {Device::cuda, ordinals}, two_devices);
    ASSERT_TRUE(choice.cuda);
    EXPECT_EQ(choice.cuda->title(), "NVIDIA H200 (cuda:0,3)");
    EXPECT_EQ(choice.cuda->devices(), 2);
    const DeviceChoice one = choose_device(problem_by(32768), {Device::cuda}, two_devices);
    EXPECT_LT(choice.cuda->bytes, one.cuda->bytes * 6 / 10);
    EXPECT_LT(choice.cuda->seconds, one.cuda->seconds * 0.55);
    EXPECT_GT(choice.cuda->seconds, one.cuda->seconds * 0.5);
  }
  EXPECT_EQ(choose_device(problem_by(9), {Device::cuda, {3, 0}}, two_devices).cuda->title(),
            "NVIDIA H200 (cuda:3,0)");
  EXPECT_EQ(choose_device(problem_by(9), {Device::cuda, {kAllGpus}}, one_device).cuda->devices(),
            1);
  EXPECT_ERROR(device, choose_device(problem_by(9), {Device::cuda, {0, 1}}, two_devices));
}

TEST(ChooseDevice, EachOfSeveralNeedsMemoryForItsPart) {
  const auto find = [] {
    return invented_devices({invented_h200(0), invented_h200(1, kGiB / 1024), invented_h200(2)});
  };
  EXPECT_ERROR(does_not_fit, choose_device(problem_by(32768), {Device::cuda, {0, 1}}, find));
  EXPECT_EQ(choose_device(problem_by(32768), {Device::cuda, {0, 2}}, find).cuda->devices(), 2);
  const DeviceChoice automatic =
      choose_device(problem_by(131072), {Device::automatic}, find, cpu_of(1e9));
  EXPECT_EQ(automatic.cuda->devices(), 1) << "all together have no room";
}

TEST(ChooseDevice, AutomaticTakesAllWhereThatIsFaster) {
  const auto devices = [](std::int64_t n, const FindDevices& find) {
    return choose_device(problem_by(n, 16), {Device::automatic}, find, cpu_of(5e10))
        .cuda->devices();
  };
  EXPECT_EQ(devices(65536, two_devices), 2);
  EXPECT_EQ(devices(16384, two_devices), 1) << "soon done";
  const auto mixed = [] {
    Devices list = two_devices();
    list.list[1].name = "NVIDIA A100";
    return list;
  };
  EXPECT_EQ(devices(65536, mixed), 1) << "one of them would wait for the other";
  const auto symmetric = [] {
    DeviceProblem problem = problem_by(65536, 16);
    problem.shape = dense::Shape::symmetric;
    return choose_device(problem, {Device::automatic}, two_devices, cpu_of(5e10)).cuda->devices();
  };
  EXPECT_EQ(symmetric(), 2) << "half the work on both";
}

TEST(ChooseDevice, WhatTheEngineDoesNotTakeIsSaidBeforeADeviceIsLookedFor) {
  DeviceProblem problem = problem_by(9);
  problem.kernel = {Semiring::or_and, ValueType::boolean, kernels::Sign::any, true};
  EXPECT_ERROR(device, choose_device(problem, {Device::cuda}, never_asked));
}

TEST(ChooseDevice, TooLittleMemoryIsAnErrorByNameOnly) {
  const auto full = [] { return invented_devices({invented_h200(0, 10000)}); };
  EXPECT_ERROR(does_not_fit, choose_device(problem_by(50000), {Device::cuda}, full));
  const DeviceChoice choice = choose_device(problem_by(50000), {Device::automatic}, full);
  EXPECT_FALSE(choice.cuda);
  EXPECT_THAT(choice.why, HasSubstr("too little free memory"));
}

TEST(ChooseDevice, AutomaticTakesAGpuWhereThatPays) {
  const auto choose = [](std::int64_t n, int threads, const FindDevices& find) {
    return choose_device(problem_by(n, threads), {Device::automatic}, find, cpu_of(5e10));
  };
  const DeviceChoice large = choose(32768, 16, one_device);
  ASSERT_TRUE(large.cuda);
  EXPECT_NEAR(large.cpu_seconds, 43.98, 0.005);
  EXPECT_THAT(choose(1000, 1, never_asked).why, HasSubstr("too small"));
  EXPECT_FALSE(choose(4096, 128, never_asked).cuda) << "many threads are soon done";
  EXPECT_THAT(choose(32768, 16, no_device).why, HasSubstr("no CUDA device: no driver"));

  const auto feeble = [] {
    DeviceFacts device = invented_h200(0);
    device.multiprocessors = 1;
    return invented_devices({device});
  };
  const DeviceChoice beaten = choose(32768, 128, feeble);
  EXPECT_FALSE(beaten.cuda);
  EXPECT_THAT(beaten.why, HasSubstr("as fast as"));
}

TEST(ChooseDevice, AFastCpuOrSlowPinningDecide) {
  const DeviceProblem problem = problem_by(32768, 16);
  EXPECT_TRUE(choose_device(problem, {}, one_device, cpu_of(5e10)).cuda);
  EXPECT_FALSE(choose_device(problem, {}, one_device, cpu_of(5e12)).cuda);
  RateSource slow_pinning = cpu_of(5e10);
  slow_pinning.device = [](const RateQuery&) {
    DeviceRates rates{.run = RateCurve({{1024, 1e-3}}), .touched = 1e7};
    return rates;
  };
  const DeviceChoice choice = choose_device(problem, {}, one_device, slow_pinning);
  EXPECT_FALSE(choice.cuda);
  EXPECT_THAT(choice.why, HasSubstr("as fast as"));
}

TEST(ChooseDevice, AutomaticTakesAGpuForReachabilityOfManyVertices) {
  DeviceProblem problem = problem_by(200000);
  problem.kernel = {Semiring::or_and, ValueType::boolean, kernels::Sign::any};
  EXPECT_TRUE(choose_device(problem, {}, one_device, cpu_of(1e12)).cuda);
  problem.n = 3000;
  EXPECT_THAT(choose_device(problem, {}, never_asked).why, HasSubstr("too small"));
  problem.n = 10000;
  EXPECT_THAT(choose_device(problem, {}, never_asked, cpu_of(1e13)).why, HasSubstr("too small"));
}

TEST(ChooseDevice, AutomaticPassesOverADeviceThatFails) {
  const auto broken = [] {
    Devices devices = one_device();
    devices.memory_free = [](int) -> std::int64_t {
      throw Error(ErrorKind::device, "CUDA, choosing the device: busy");
    };
    return devices;
  };
  const DeviceChoice choice = choose_device(problem_by(32768), {}, broken);
  EXPECT_FALSE(choice.cuda);
  EXPECT_THAT(choice.why, HasSubstr("busy"));
  EXPECT_ERROR(device, choose_device(problem_by(32768), {Device::cuda}, broken));
}

TEST(ChooseDevice, OpensNone) {
  const auto closed = [] {
    Devices devices = one_device();
    devices.open = [](int, Semiring, ValueType, kernels::Sign,
                      std::int64_t) -> std::unique_ptr<kernels::ComputeDevice> {
      throw Error(ErrorKind::device, "opened by a plan");
    };
    return devices;
  };
  for (const std::int64_t memory : {std::int64_t{0}, kGiB}) {
    DeviceProblem problem = problem_by(32768);
    problem.memory = memory;
    const DeviceChoice choice = choose_device(problem, {Device::cuda}, closed);
    ASSERT_TRUE(choice.cuda);
    EXPECT_EQ(choice.cuda->streamed, memory > 0);
  }
  DeviceProblem reachability = problem_by(32768);
  reachability.kernel = {Semiring::or_and, ValueType::boolean};
  EXPECT_TRUE(choose_device(reachability, {Device::cuda}, closed).cuda);
}

TEST(CudaDevices, AreThereOrTheyAreMissedForAReason) {
  const Devices devices = cuda_devices();
  EXPECT_NE(devices.list.empty(), devices.why_none.empty());
  EXPECT_TRUE(devices.open);
  EXPECT_TRUE(devices.sizes);
}

TEST(ChooseDevice, AutomaticLeavesToTheCpuWhatOnlyTheCpuTakes) {
  DeviceProblem problem = problem_by(50000);
  problem.kernel = {Semiring::min_plus, ValueType::i32, kernels::Sign::any};
  problem.distance_bound = 1e9;
  EXPECT_THAT(choose_device(problem, {}, never_asked).why, HasSubstr("need the CPU"));
  problem.kernel = {Semiring::or_and, ValueType::boolean, kernels::Sign::any, true};
  EXPECT_THAT(choose_device(problem, {}, never_asked).why, HasSubstr("needs the CPU"));
}

}  // namespace
}  // namespace apsp::planner::device_plan_test
