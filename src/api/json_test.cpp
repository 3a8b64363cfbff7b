#include "api/json.hpp"

#include "base/json.hpp"
#include "rates/machine_report.hpp"
#include "support/invented_devices.hpp"
#include "support/test.hpp"

namespace apsp::api::json_test {
namespace {

TEST(ReportJson, SurvivesTheRoundTrip) {
  SolveReport report;
  report.device = Device::cuda;
  EXPECT_FALSE(report_from_json(to_json(report)).on_device);
  report.on_device = DeviceReport{2, "NVIDIA H200", true, 2048, 1 << 30, 2.5, 2.25};
  const SolveReport read = report_from_json(to_json(report));
  EXPECT_EQ(read.device, Device::cuda);
  ASSERT_TRUE(read.on_device);
  EXPECT_EQ(read.on_device->ordinal, 2);
  EXPECT_EQ(read.on_device->name, "NVIDIA H200");
  EXPECT_TRUE(read.on_device->streamed);
  EXPECT_EQ(read.on_device->panel, 2048);
  EXPECT_EQ(read.on_device->bytes, 1 << 30);
  EXPECT_EQ(read.on_device->seconds, 2.5);
  EXPECT_EQ(read.on_device->seconds_predicted, 2.25);
  EXPECT_TRUE(read.on_device->peers.empty());
  EXPECT_FALSE(to_json(report)["on_device"].contains("peers"));
  report.on_device->peers = {3, 5};
  EXPECT_EQ(report_from_json(to_json(report)).on_device->peers, (std::vector<int>{3, 5}));
}

TEST(ReportJson, WhatIsNoReportIsAnError) {
  nlohmann::json object = to_json(SolveReport{});
  object["on_device"] = {{"ordinal", "first"}};
  EXPECT_THROW(report_from_json(object), Error);
}

TEST(MachineReport, ListsDevicesOrSaysWhyThereIsNone) {
  const nlohmann::json with =
      rates::machine_report([] { return planner::invented_devices({planner::invented_h200(3)}); });
  ASSERT_EQ(with["devices"].size(), 1u);
  const nlohmann::json& device = with["devices"][0];
  EXPECT_EQ(device["device"], "cuda:3");
  EXPECT_EQ(device["name"], "NVIDIA H200");
  EXPECT_EQ(device["multiprocessors"], 132);
  EXPECT_EQ(device["clock_hz"], 1.98e9);
  EXPECT_EQ(device["compute_capability"], "9.0");
  EXPECT_EQ(device["driver"], "13.0");
  EXPECT_EQ(device["memory_total"], 140 * planner::kGiB);
  EXPECT_EQ(device["memory_free"], 136 * planner::kGiB);
  EXPECT_FALSE(with.contains("why_no_device"));

  const nlohmann::json without = rates::machine_report(planner::no_device);
  EXPECT_TRUE(without["devices"].empty());
  EXPECT_EQ(without["why_no_device"], "no CUDA device: no driver");
}

TEST(MachineReport, NamesTheBackEndsThatAreThere) {
  const nlohmann::json names = rates::machine_report(planner::no_device)["backends"];
  const bool named = std::find(names.begin(), names.end(), "cuda") != names.end();
  EXPECT_EQ(named, !kernels::cuda::back_end().empty());
}

}  // namespace
}  // namespace apsp::api::json_test
