// Matrices on the disk that a GPU computes which is none: the files of the CPU, whoever began.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include "api/solve.hpp"
#include "store/leftovers.hpp"
#include "support/error_of.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"
#include "support/recorded_progress.hpp"
#include "support/same_statistics.hpp"
#include "support/solved_on_device.hpp"
#include "support/temporary_folder.hpp"

namespace apsp {
namespace {

using planner::Devices;
using planner::no_device;
using planner::one_device;
using testing::HasSubstr;

constexpr std::int64_t kN = 300, kTile = 48, kPassing = 300'000;  // bytes of the device

Graph disk_graph(bool real = false) {
  return random_graph(
      {.n = kN, .arcs = 3 * kN, .least = 1, .greatest = 90, .real = real, .seed = 7});
}

/// Less memory than a matrix in memory would need.
SolveOptions options_to(const std::string& output, Device device, ValueType type = ValueType::i32) {
  SolveOptions options{
      .method = {.algorithm = Algorithm::floyd_warshall, .value_type = type, .tile = kTile},
      .machine = {.device = Device::cpu, .threads = 2},
      .storage = {.output = output}};
  options.machine.memory = plan_solve(disk_graph(type == ValueType::f32), options).bytes - 1;
  options.machine.device = device;
  return options;
}

Result solve_with_one_device(const Graph& graph, const SolveOptions& options) {
  return api::solve_among(options.machine.device == Device::cpu ? no_device : one_device, graph,
                          options);
}

constexpr auto three_devices = planner::several_devices<3>;

class DiskDeviceSolve : public testing::Test {
 protected:
  /// Ends a solve that needs three steps at least, behind one of them.
  void solve_partly(const Graph& graph, SolveOptions options) {
    RecordedProgress progress;
    progress.cancel_when = [&] {
      return progress.task == "Floyd-Warshall" && progress.done > 0.6 * progress.total;
    };
    options.control = {&progress, &progress.cancellation};
    EXPECT_ERROR(interrupted, solve_with_one_device(graph, options));
  }
  void remove(const std::string& path) { store::posix_file_system().remove_all(path); }

  TemporaryFolder folder_;
};

TEST_F(DiskDeviceSolve, WritesWhatTheCpuWrites) {
  for (const std::int64_t device_memory : {std::int64_t{0}, kPassing}) {
    for (const char* suffix : {".npy", ".zarr"}) {
      for (const ValueType type : {ValueType::u16, ValueType::i32, ValueType::f64}) {
        const Graph graph = disk_graph();
        const std::string here = folder_ / (std::string("a") + suffix);
        const std::string there = folder_ / (std::string("b") + suffix);
        SolveOptions options = options_to(here, Device::cpu, type);
        const Result expected = solve_with_one_device(graph, options);
        EXPECT_FALSE(expected.report().on_device);
        options = options_to(there, Device::cuda, type);
        if (device_memory > 0) options.machine.device_memory = device_memory * size_of(type) / 4;
        const Result result = solve_with_one_device(graph, options);
        EXPECT_THAT(result.report().plan, HasSubstr(", on disk"));
        ASSERT_TRUE(result.report().on_device);
        EXPECT_EQ(result.report().on_device->streamed, device_memory > 0);
        EXPECT_GT(result.report().on_device->seconds, 0);
        EXPECT_EQ(result.kept(), Keep::statistics);
        statistics::expect_same(result.statistics(), expected.statistics());
        expect_same_distances(open_result(there, graph), open_result(here, graph));
        EXPECT_TRUE(open_result(there, graph).verify().passed);
        for (const std::string& path : {here, there}) remove(path);
      }
    }
  }
}

TEST_F(DiskDeviceSolve, OtherSemiringsNegativeWeightsAndPlanes) {
  const std::string here = folder_ / "a.zarr", there = folder_ / "b.zarr";
  const Graph negative =
      random_graph({.n = kN, .arcs = 3 * kN, .least = -5, .greatest = 90, .acyclic = true});
  for (const Semiring semiring :
       {Semiring::min_plus, Semiring::max_min, Semiring::min_max, Semiring::max_plus}) {
    SolveOptions options = options_to(here, Device::cpu);
    options.question.semiring = semiring;
    options.question.predecessors = semiring == Semiring::max_min;
    options.machine.memory = 0;
    options.machine.memory = plan_solve(negative, options).bytes - 1;
    solve_with_one_device(negative, options);
    options.storage.output = there;
    options.machine.device = Device::cuda;
    for (const std::vector<int>& ordinals : {std::vector<int>{}, {0, 1, 2}}) {
      options.machine.device_ordinals = ordinals;
      const Result result = api::solve_among(three_devices, negative, options);
      EXPECT_EQ(result.report().device, Device::cuda);
      EXPECT_EQ(result.report().on_device->peers.size(), ordinals.empty() ? 0 : 2);
      expect_same_distances(open_result(there), open_result(here));
      EXPECT_TRUE(open_result(there).verify().passed);
      remove(there);
    }
    remove(here);
  }
}

TEST_F(DiskDeviceSolve, IntegersAreContinuedByAnyDevice) {
  const Graph graph = disk_graph();
  const std::string whole = folder_ / "whole.zarr", output = folder_ / "out.zarr";
  solve_with_one_device(graph, options_to(whole, Device::cpu));
  for (const Device begun : {Device::cpu, Device::cuda}) {
    for (const Device continued : {Device::cpu, Device::cuda}) {
      for (const std::int64_t device_memory : {std::int64_t{0}, kPassing}) {
        SolveOptions options = options_to(output, begun);
        options.machine.device_memory = begun == Device::cuda ? kPassing : 0;
        solve_partly(graph, options);
        options = options_to(output, continued);
        options.machine.device_memory = continued == Device::cuda ? device_memory : 0;
        options.storage.resume = true;
        const Result resumed = solve_with_one_device(graph, options);
        EXPECT_GT(resumed.report().pivots_resumed, 0);
        EXPECT_LT(resumed.report().pivots_resumed, kN);
        EXPECT_EQ(resumed.report().on_device.has_value(), continued == Device::cuda);
        expect_same_distances(open_result(output, graph), open_result(whole, graph));
        remove(output);
      }
    }
  }
}

TEST_F(DiskDeviceSolve, RoundedSumsAreContinuedWhereTheyWereBegun) {
  const Graph graph = disk_graph(true);
  const std::string whole = folder_ / "whole.zarr", output = folder_ / "out.zarr";
  SolveOptions options = options_to(whole, Device::cuda, ValueType::f32);
  options.machine.device_memory = kPassing;
  solve_with_one_device(graph, options);
  options.storage.output = output;
  solve_partly(graph, options);
  SolveOptions resume = options;
  resume.storage.resume = true;
  resume.machine.device = Device::cpu;
  resume.machine.device_memory = 0;
  EXPECT_ERROR(usage, solve_with_one_device(graph, resume));
  resume.machine.device = Device::automatic;
  const Result resumed = solve_with_one_device(graph, resume);
  EXPECT_GT(resumed.report().pivots_resumed, 0);
  EXPECT_EQ(resumed.report().device, Device::cuda);
  expect_same_distances(open_result(output, graph), open_result(whole, graph));
}

/// Of a matrix that one of them cannot hold.
SolveOptions options_for(int devices, const std::string& output, ValueType type) {
  SolveOptions options = options_to(output, Device::cuda, type);
  for (int i = 0; i < devices; ++i) options.machine.device_ordinals.push_back(i);
  options.machine.device_memory = kN * kN * size_of(type) * 8 / 5 / devices;
  return options;
}

TEST_F(DiskDeviceSolve, SeveralDevicesTogetherWriteWhatTheCpuWrites) {
  for (const int devices : {2, 3}) {
    for (const char* suffix : {".npy", ".zarr"}) {
      for (const ValueType type : {ValueType::u16, ValueType::i32, ValueType::f64}) {
        SCOPED_TRACE(testing::Message() << devices << ", " << name(type) << suffix);
        const Graph graph = disk_graph();
        const std::string here = folder_ / (std::string("a") + suffix);
        const std::string there = folder_ / (std::string("b") + suffix);
        solve_with_one_device(graph, options_to(here, Device::cpu, type));
        const Result result =
            api::solve_among(three_devices, graph, options_for(devices, there, type));
        EXPECT_THAT(result.report().plan, HasSubstr(", on disk"));
        ASSERT_TRUE(result.report().on_device);
        EXPECT_EQ(result.report().on_device->peers.size(), static_cast<std::size_t>(devices - 1));
        EXPECT_FALSE(result.report().on_device->streamed);
        expect_same_distances(open_result(there, graph), open_result(here, graph));
        EXPECT_TRUE(open_result(there, graph).verify().passed);
        for (const std::string& path : {here, there}) remove(path);
      }
    }
  }
}

TEST_F(DiskDeviceSolve, SeveralDevicesContinueIntegersAndBeginAgainWhereNothingIsLeft) {
  const Graph graph = disk_graph();
  const std::string whole = folder_ / "whole.zarr", output = folder_ / "out.zarr";
  solve_with_one_device(graph, options_to(whole, Device::cpu));
  for (const Device begun : {Device::cpu, Device::cuda}) {
    SolveOptions options = begun == Device::cpu ? options_to(output, Device::cpu)
                                                : options_for(3, output, ValueType::i32);
    RecordedProgress progress;
    progress.cancel_when = [&] {
      return progress.task == "Floyd-Warshall" && progress.done > 0.6 * progress.total;
    };
    options.control = {&progress, &progress.cancellation};
    EXPECT_ERROR(interrupted, api::solve_among(three_devices, graph, options));
    options = options_for(3, output, ValueType::i32);
    options.machine.device_memory = 0;
    options.storage.resume = true;
    const Result resumed = api::solve_among(three_devices, graph, options);
    EXPECT_EQ(resumed.report().pivots_resumed > 0, begun == Device::cpu);
    EXPECT_EQ(resumed.report().on_device->peers.size(), 2);
    expect_same_distances(open_result(output, graph), open_result(whole, graph));
    remove(output);
  }
}

/// They depend on the blocks of the plan, and a run that begins again takes the same.
TEST_F(DiskDeviceSolve, RoundedSumsOfSeveralDevicesAreTheSameAgain) {
  const Graph graph = disk_graph(true);
  const std::string first = folder_ / "a.zarr", second = folder_ / "b.zarr";
  api::solve_among(three_devices, graph, options_for(2, first, ValueType::f32));
  SolveOptions options = options_for(2, second, ValueType::f32);
  RecordedProgress progress;
  progress.cancel_when = [&] { return progress.task == "Floyd-Warshall" && progress.done > 0; };
  options.control = {&progress, &progress.cancellation};
  EXPECT_ERROR(interrupted, api::solve_among(three_devices, graph, options));
  options = options_for(2, second, ValueType::f32);
  options.storage.resume = true;
  api::solve_among(three_devices, graph, options);
  expect_same_distances(open_result(second, graph), open_result(first, graph));
  EXPECT_TRUE(open_result(second, graph).verify().passed);
}

TEST_F(DiskDeviceSolve, WhatItDoesNotTakeIsRefusedWithWhatWorks) {
  const std::string output = folder_ / "out.zarr";
  const auto complaint = [&](const Graph& graph, const SolveOptions& options) {
    EXPECT_ERROR(does_not_fit, solve_with_one_device(graph, options));
  };
  SolveOptions via = options_to(output, Device::cuda);
  via.question.via = true;
  complaint(disk_graph(), via);
  SolveOptions small = options_to(output, Device::cuda);
  small.machine.device_memory = 20'000;
  complaint(disk_graph(), small);
  SolveOptions several = options_for(2, output, ValueType::i32);
  several.machine.device_memory = kPassing / 2;
  EXPECT_ERROR(does_not_fit, api::solve_among(three_devices, disk_graph(), several));
  SolveOptions tight = options_to(output, Device::cuda);
  tight.machine.memory = std::int64_t{1} << 20;
  complaint(disk_graph(), tight);
  EXPECT_TRUE(store::posix_file_system().list(folder_.path()).empty());
}

}  // namespace
}  // namespace apsp
