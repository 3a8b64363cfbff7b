#include "cli/machine_view.hpp"

#include "base/json.hpp"
#include "support/test.hpp"

namespace apsp::cli::machine_view_test {
namespace {

nlohmann::json machine() {
  return {{"version", "1.2.3"},
          {"cpu", "a processor"},
          {"threads", 4},
          {"memory_total", 1 << 30},
          {"memory_available", 1 << 29},
          {"instruction_set", "AVX2"},
          {"instruction_sets", {"AVX2", "SCALAR"}},
          {"devices", nlohmann::json::array()},
          {"backends", {"cpu"}},
          {"semirings", {"min-plus"}},
          {"formats", {"dimacs"}}};
}

TEST(MachineText, ListsEveryDevice) {
  nlohmann::json with = machine();
  for (const char* ordinal : {"cuda:0", "cuda:1"}) {
    with["devices"].push_back({{"device", ordinal},
                               {"name", "NVIDIA H200"},
                               {"memory_total", std::int64_t{140} << 30},
                               {"memory_free", std::int64_t{136} << 30},
                               {"multiprocessors", 132},
                               {"clock_hz", 1.98e9},
                               {"compute_capability", "9.0"},
                               {"driver", "13.0"}});
  }
  const std::string text = machine_text(with, TerminalStyle{});
  EXPECT_THAT(text, HasSubstr("cuda:0"));
  EXPECT_THAT(text, HasSubstr("cuda:1"));
  EXPECT_THAT(text, HasSubstr("NVIDIA H200, 136.0 GiB of 140.0 GiB free, 132 multiprocessors at "
                              "1980 MHz, compute capability 9.0, driver for CUDA 13.0"));
  EXPECT_THAT(text, Not(HasSubstr("GPU")));
}

TEST(MachineText, SaysWhyThereIsNone) {
  nlohmann::json without = machine();
  without["why_no_device"] = "no CUDA device: no driver";
  EXPECT_THAT(machine_text(without, TerminalStyle{}), HasSubstr("none: no driver"));
  without["why_no_device"] = "no CUDA device";
  EXPECT_THAT(machine_text(without, TerminalStyle{}), HasSubstr("none: no CUDA device"));
}

}  // namespace
}  // namespace apsp::cli::machine_view_test
