// A device that reports an error in the middle of a solve: the solve ends with it, and the next one
// succeeds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <optional>
#include <random>

#include "api/solve.hpp"
#include "support/error_of.hpp"
#include "support/invented_devices.hpp"
#include "support/same_statistics.hpp"
#include "support/strict/strict_device.hpp"
#include "support/temporary_folder.hpp"

namespace apsp {
namespace {

struct Work {
  const char* name;
  Algorithm algorithm;
  std::int64_t device_memory = 0;  // less than the matrix takes: it streams
};
void PrintTo(const Work& work, std::ostream* out) { *out << work.name; }

Graph some_graph() {
  GenerateOptions options{.vertices = 150, .probability = 0.05};
  return generate(options);
}

class DeviceFault : public testing::TestWithParam<Work> {
 protected:
  Result solved(const std::string& output) const {
    SolveOptions options;
    options.machine.device = Device::cuda;
    options.method.algorithm = GetParam().algorithm;
    options.machine.device_memory = GetParam().device_memory;
    options.method.tile = 16;
    options.storage.output = output;
    options.storage.overwrite = !output.empty();
    return api::solve_among(planner::one_device, graph_, options);
  }
  Graph graph_ = some_graph();
};

/// How many operations a solve gives, at most.
constexpr std::int64_t kMost = 1 << 20;

TEST_P(DeviceFault, AtAnyOperationEndsTheSolveWithItsError) {
  const TemporaryFolder folder;
  const std::string output = folder / "out.zarr";
  const Result whole = solved("");
  std::mt19937_64 random(1);
  int failed = 0;
  for (std::int64_t step = 0, most = 1; most < kMost; ++step) {
    if (step % 6 == 5) most *= 2;
    kernels::strict::fail_after(std::uniform_int_distribution<std::int64_t>(0, most)(random));
    std::optional<Error> error;
    try {
      solved(step % 2 == 0 ? "" : output);
    } catch (const Error& thrown) {
      error = thrown;
    }
    if (!kernels::strict::has_failed()) break;  // the solve has given fewer operations
    kernels::strict::fail_after(-1);
    ASSERT_TRUE(error) << "after step " << step;
    EXPECT_EQ(error->kind(), ErrorKind::device);
    ++failed;
  }
  kernels::strict::fail_after(-1);
  EXPECT_GT(failed, 10);
  statistics::expect_same(solved(output).statistics(), whole.statistics());
}

INSTANTIATE_TEST_SUITE_P(Of, DeviceFault,
                         testing::Values(Work{"resident", Algorithm::floyd_warshall},
                                         Work{"streamed", Algorithm::floyd_warshall, 40000},
                                         Work{"rows", Algorithm::nested_dissection},
                                         Work{"searches", Algorithm::johnson}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace apsp
