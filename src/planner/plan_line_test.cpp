#include "planner/plan_line.hpp"

#include "support/invented_devices.hpp"
#include "support/test.hpp"

namespace apsp::planner::plan_line_test {
namespace {

/// As a terminal without Unicode counts: "…" is "...", other signs one column.
std::size_t columns(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) continue;
    count += text.compare(at, 3, "…") == 0 ? 3 : 1;
  }
  return count;
}

Plan plan_on_cpu() {
  Plan plan;
  plan.n = 4096;
  plan.threads = 2;
  plan.method = DensePlan{192};
  plan.bytes = 70 << 20;
  plan.bytes_allowed = std::int64_t{16} << 30;
  plan.predicted = {1.5, 0.003, 1.3, 0.197, 0, false};
  return plan;
}

Plan plan_on(const std::string& device, bool streamed) {
  Plan plan = plan_on_cpu();
  plan.on_device = DevicePlan{};
  plan.on_device->device = invented_h200(0);
  plan.on_device->streamed = streamed;
  plan.on_device->device.name = device;
  plan.on_device->bytes = 3 << 20;
  plan.on_device->offload.width = 512;
  return plan;
}

TEST(PlanLine, SaysWhatWhereHowMuchAndHowLong) {
  EXPECT_EQ(plan_line(plan_on_cpu()),
            "floyd-warshall min-plus f32 on 2 CPU threads, 70.0 MiB, predicted 1.50 s");
  EXPECT_EQ(plan_line(plan_on("NVIDIA H200", false)),
            "floyd-warshall min-plus f32 on NVIDIA H200 (cuda:0), resident, 70.0 MiB, predicted "
            "1.50 s");
  EXPECT_THAT(plan_line(plan_on("NVIDIA H200", true)), HasSubstr("(cuda:0), 70.0 MiB, streamed"));
  Plan real = plan_on_cpu();
  real.unit_roundoff = 0x1p-24;
  EXPECT_EQ(plan_line(real),
            "floyd-warshall min-plus f32 on 2 CPU threads, 70.0 MiB, error 6.0e-08/edge, predicted "
            "1.50 s");
  real.predicted.rough = true;
  EXPECT_THAT(plan_line(real), HasSubstr("error 6.0e-08/edge, predicted about 1.5 s"));
}

TEST(PlanLine, FitsTheTerminalWhateverThePlan) {
  const std::string names[] = {
      "A",
      "NVIDIA H200",
      "NVIDIA RTX 6000 Ada Generation",
      "NVIDIA GeForce RTX 4090 Laptop GPU with a name that a vendor found in a very long meeting",
      std::string(300, 'x'),
      "名前がとても長いデバイスの名前がとても長いデバイス"};
  const std::string reasons[] = {"", "too small for a GPU to pay", std::string(200, 'r'),
                                 "no CUDA device: CUDA driver version is insufficient for runtime"};
  std::size_t plans = 0;
  for (const std::string& device : names) {
    for (const std::string& reason : reasons) {
      for (const Semiring semiring : all_semirings()) {
        for (const ValueType type : {ValueType::f32, ValueType::boolean}) {
          for (int bits = 0; bits < 32; ++bits) {
            Plan plan = (bits & 1) != 0 ? plan_on(device, (bits & 2) != 0) : plan_on_cpu();
            plan.semiring = semiring;
            plan.type = type;
            plan.threads = (bits & 2) != 0 ? 65536 : 1;
            plan.with_via = (bits & 4) != 0;
            plan.unit_roundoff = (bits & 8) != 0 ? 1.11e-16 : 0;
            plan.predicted.rough = (bits & 16) != 0;
            plan.predicted.seconds = (bits & 16) != 0 ? 5e5 : 59.994;
            plan.bytes = (bits & 8) != 0 ? std::int64_t{1023} << 30 : 1;
            plan.why.device = reason;
            const std::string line = "plan: " + plan_line(plan);
            ASSERT_LE(columns(line), kPlanColumns) << line;
            ASSERT_EQ(line.find('\n'), std::string::npos);
            ASSERT_THAT(line, AllOf(HasSubstr(" " + std::string(name(semiring)) + " "),
                                    HasSubstr(", predicted ")));
            ++plans;
          }
        }
      }
    }
  }
  EXPECT_GT(plans, 5000u);
}

TEST(PlanLine, LongNamesAreCutAndStandWholeInTheRows) {
  const Plan plan = plan_on(std::string(90, 'x'), true);
  EXPECT_THAT(plan_line(plan), AllOf(HasSubstr("xxx… (cuda:0)"), HasSubstr("streamed, predicted")));
  bool whole = false;
  for (const auto& [subject, chosen] : plan_rows(plan)) {
    whole = whole || chosen.find(std::string(90, 'x')) != std::string::npos;
  }
  EXPECT_TRUE(whole);
}

TEST(PlanRows, HoldEverythingWithItsReason) {
  Plan plan = plan_on("NVIDIA H200", true);
  plan.why.type = "real weights";
  plan.why.cpu_seconds = 44;
  plan.with_via = true;
  plan.unit_roundoff = 0x1p-24;
  std::string text;
  for (const auto& [subject, chosen] : plan_rows(plan)) text += subject + "=" + chosen + "\n";
  EXPECT_THAT(
      text, AllOf(HasSubstr("values=f32 (real weights)"),
                  HasSubstr("place=NVIDIA H200 (cuda:0) (the CPU would take some 44.00 s)"),
                  HasSubstr("tile=192 vertices"), HasSubstr("memory=70.0 MiB of 16.0 GiB allowed"),
                  HasSubstr("streamed through 3.0 MiB"), HasSubstr("panels of 512"),
                  HasSubstr("via="), HasSubstr("precision=error at most 6.0e-08 an edge"),
                  HasSubstr("predicted=1.50 s (start 3.0 ms, solve 1.30 s, statistics ")));
}

TEST(PlanReport, HasTheSameAsPlainValues) {
  const PlanReport report = plan_report(plan_on("NVIDIA H200", true));
  EXPECT_EQ(report.line, plan_line(plan_on("NVIDIA H200", true)));
  EXPECT_EQ(report.device, Device::cuda);
  EXPECT_TRUE(report.streamed);
  EXPECT_EQ(report.panel, 512);
  EXPECT_EQ(report.bytes_device, 3 << 20);
  EXPECT_EQ(report.tile, 192);
  EXPECT_EQ(report.predicted.seconds, 1.5);
  EXPECT_FALSE(report.predicted.rough);
}

TEST(WhyValueType, NamesTheReason) {
  EXPECT_EQ(why_value_type({}, true, ValueType::f64), "asked for");
  EXPECT_THAT(why_value_type({}, false, ValueType::u16), HasSubstr("integer weights"));
  EXPECT_EQ(why_value_type({.integral = false}, false, ValueType::f32), "real weights");
  EXPECT_THAT(why_value_type({.integral = true}, false, ValueType::f64), HasSubstr("beyond i32"));
  EXPECT_THAT(why_value_type({.integral = false}, false, ValueType::f64), HasSubstr("narrow"));
}

}  // namespace
}  // namespace apsp::planner::plan_line_test
