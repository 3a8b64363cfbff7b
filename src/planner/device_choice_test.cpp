#include "planner/device_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include "support/error_of.hpp"
#include "support/invented_devices.hpp"

namespace apsp::planner {
namespace {

using testing::HasSubstr;

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

DeviceProblem problem_of(std::int64_t n, int threads = 1) {
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
  const DeviceChoice choice = choose_device(problem_of(100000), {Device::cpu}, never_asked);
  EXPECT_FALSE(choice.cuda);
  EXPECT_EQ(choice.why, "");
}

TEST(ChooseDevice, ADeviceAskedForByNameIsTakenHoweverSmallTheProblem) {
  const DeviceChoice choice = choose_device(problem_of(3), {Device::cuda}, two_devices);
  ASSERT_TRUE(choice.cuda);
  EXPECT_EQ(choice.cuda->device.ordinal, 0);
  EXPECT_EQ(choice.why, "");
  EXPECT_EQ(choose_device(problem_of(3), {Device::cuda, {3}}, two_devices).cuda->device.ordinal, 3);
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
  const DeviceChoice choice = choose_device(problem_of(3), {Device::cuda, {3}}, find);
  EXPECT_EQ(choice.cuda->device.memory_free, 8 * kGiB);
  EXPECT_THAT(asked, testing::ElementsAre(3));
  EXPECT_TRUE(choose_device(problem_of(16384), {Device::automatic}, find).cuda);
  EXPECT_THAT(asked, testing::ElementsAre(3, 0)) << "too soon done for two";
}

TEST(ChooseDevice, ADeviceThatIsNotThereIsNeverReplaced) {
  EXPECT_ERROR(device, choose_device(problem_of(100000), {Device::cuda}, no_device));
  const Error unknown = error_of([&] {
    choose_device(problem_of(100000), {Device::cuda, {1}}, two_devices);
  });
  EXPECT_EQ(unknown.kind(), ErrorKind::device);
}

TEST(ChooseDevice, OrdinalsMustMakeSense) {
  const Error twice = error_of([&] {
    choose_device(problem_of(9), {Device::cuda, {0, 1, 0}}, never_asked);
  });
  EXPECT_EQ(twice.kind(), ErrorKind::usage);
  for (const std::vector<int>& ordinals : {std::vector<int>{-1}, {0, kAllGpus}, {kAllGpus, 0}}) {
    EXPECT_ERROR(usage, choose_device(problem_of(9), {Device::cuda, ordinals}, never_asked));
  }
  for (const Device device : {Device::cpu, Device::automatic}) {
    EXPECT_ERROR(usage, choose_device(problem_of(9), {device, {0}}, never_asked));
  }
}

TEST(ChooseDevice, SeveralThatAreNamedShareTheWork) {
  for (const std::vector<int>& ordinals : {std::vector<int>{0, 3}, {kAllGpus}}) {
    const DeviceChoice choice =
        choose_device(problem_of(32768), {Device::cuda, ordinals}, two_devices);
    ASSERT_TRUE(choice.cuda);
    EXPECT_EQ(choice.cuda->title(), "NVIDIA H200 (cuda:0,3)");
    EXPECT_EQ(choice.cuda->devices(), 2);
    const DeviceChoice one = choose_device(problem_of(32768), {Device::cuda}, two_devices);
    EXPECT_LT(choice.cuda->bytes, one.cuda->bytes * 6 / 10);
    EXPECT_LT(choice.cuda->seconds, one.cuda->seconds * 0.55);
    EXPECT_GT(choice.cuda->seconds, one.cuda->seconds * 0.5);
  }
  EXPECT_EQ(choose_device(problem_of(9), {Device::cuda, {3, 0}}, two_devices).cuda->title(),
            "NVIDIA H200 (cuda:3,0)");
  EXPECT_EQ(choose_device(problem_of(9), {Device::cuda, {kAllGpus}}, one_device).cuda->devices(),
            1);
  EXPECT_ERROR(device, choose_device(problem_of(9), {Device::cuda, {0, 1}}, two_devices));
}

TEST(ChooseDevice, EachOfSeveralNeedsMemoryForItsPart) {
  const auto find = [] {
    return invented_devices({invented_h200(0), invented_h200(1, kGiB / 1024), invented_h200(2)});
  };
  const Error error = error_of([&] {
    choose_device(problem_of(32768), {Device::cuda, {0, 1}}, find);
  });
  EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
  EXPECT_EQ(choose_device(problem_of(32768), {Device::cuda, {0, 2}}, find).cuda->devices(), 2);
  const DeviceChoice automatic =
      choose_device(problem_of(131072), {Device::automatic}, find, cpu_of(1e9));
  EXPECT_EQ(automatic.cuda->devices(), 1) << "all together have no room";
}

TEST(ChooseDevice, AutomaticTakesAllWhereThatIsFaster) {
  const auto devices = [](std::int64_t n, const FindDevices& find) {
    return choose_device(problem_of(n, 16), {Device::automatic}, find, cpu_of(5e10))
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
    DeviceProblem problem = problem_of(65536, 16);
    problem.shape = dense::Shape::symmetric;
    return choose_device(problem, {Device::automatic}, two_devices, cpu_of(5e10)).cuda->devices();
  };
  EXPECT_EQ(symmetric(), 2) << "half the work on both";
}

TEST(ChooseDevice, WhatTheEngineDoesNotTakeIsSaidBeforeADeviceIsLookedFor) {
  DeviceProblem problem = problem_of(9);
  problem.kernel = {Semiring::or_and, ValueType::boolean, kernels::Sign::any, true};
  EXPECT_ERROR(device, choose_device(problem, {Device::cuda}, never_asked));
}

TEST(ChooseDevice, TooLittleMemoryIsAnErrorByNameOnly) {
  const auto full = [] { return invented_devices({invented_h200(0, 10000)}); };
  EXPECT_ERROR(does_not_fit, choose_device(problem_of(50000), {Device::cuda}, full));
  const DeviceChoice choice = choose_device(problem_of(50000), {Device::automatic}, full);
  EXPECT_FALSE(choice.cuda);
  EXPECT_THAT(choice.why, HasSubstr("too little free memory"));
}

TEST(ChooseDevice, AutomaticTakesAGpuWhereThatPays) {
  const auto choose = [](std::int64_t n, int threads, const FindDevices& find) {
    return choose_device(problem_of(n, threads), {Device::automatic}, find, cpu_of(5e10));
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
  EXPECT_THAT(beaten.why, HasSubstr("no slower"));
}

TEST(ChooseDevice, AFastCpuOrSlowPinningDecide) {
  const DeviceProblem problem = problem_of(32768, 16);
  EXPECT_TRUE(choose_device(problem, {}, one_device, cpu_of(5e10)).cuda);
  EXPECT_FALSE(choose_device(problem, {}, one_device, cpu_of(5e12)).cuda);
  RateSource slow_pinning = cpu_of(5e10);
  slow_pinning.device = [](const RateQuery&) {
    DeviceRates rates{.run = RateCurve({{1024, 1e-3}}), .touched = 1e7};
    return rates;
  };
  const DeviceChoice choice = choose_device(problem, {}, one_device, slow_pinning);
  EXPECT_FALSE(choice.cuda);
  EXPECT_THAT(choice.why, HasSubstr("no slower"));
}

TEST(ChooseDevice, AutomaticTakesAGpuForReachabilityOfManyVertices) {
  DeviceProblem problem = problem_of(200000);
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
  const DeviceChoice choice = choose_device(problem_of(32768), {}, broken);
  EXPECT_FALSE(choice.cuda);
  EXPECT_THAT(choice.why, HasSubstr("busy"));
  EXPECT_ERROR(device, choose_device(problem_of(32768), {Device::cuda}, broken));
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
    DeviceProblem problem = problem_of(32768);
    problem.memory = memory;
    const DeviceChoice choice = choose_device(problem, {Device::cuda}, closed);
    ASSERT_TRUE(choice.cuda);
    EXPECT_EQ(choice.cuda->streamed, memory > 0);
  }
  DeviceProblem reachability = problem_of(32768);
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
  DeviceProblem problem = problem_of(50000);
  problem.kernel = {Semiring::min_plus, ValueType::i32, kernels::Sign::any};
  problem.distance_bound = 1e9;
  EXPECT_THAT(choose_device(problem, {}, never_asked).why, HasSubstr("need the CPU"));
  problem.kernel = {Semiring::or_and, ValueType::boolean, kernels::Sign::any, true};
  EXPECT_THAT(choose_device(problem, {}, never_asked).why, HasSubstr("needs the CPU"));
}

}  // namespace
}  // namespace apsp::planner
