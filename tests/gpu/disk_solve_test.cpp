// Matrices on the disk that a GPU computes: as the CPU leaves them, to the last bit.
#include <apsp/apsp.hpp>

#include "kernels/cuda/cuda_device.hpp"
#include "support/on_gpu.hpp"
#include "support/random_graph.hpp"
#include "support/recorded_progress.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::disk_solve_test {
namespace {

class CudaDiskSolve : public OnGpu {
 protected:
  static Graph graph_of(std::int64_t n) {
    return random_graph({.n = n, .arcs = 8 * n, .least = 1, .greatest = 900, .seed = 5});
  }
  /// Less memory than a matrix in memory would need; `share`: of the matrix, of the device's.
  SolveOptions options_to(const Graph& graph, const std::string& name, Device device,
                          ValueType type, double share = 0) const {
    SolveOptions options{.method = {.algorithm = Algorithm::floyd_warshall, .value_type = type},
                         .machine = {.device = device},
                         .storage = {.output = folder_ / name}};
    options.machine.memory = plan_solve(graph, options).bytes - 1;
    const auto n = static_cast<double>(graph.vertex_count());
    options.machine.device_memory = static_cast<std::int64_t>(share * n * n * size_of(type));
    return options;
  }
  static void expect_same(const Graph& graph, const std::string& a, const std::string& b) {
    const Result there = open_result(a, graph), here = open_result(b, graph);
    for (Vertex s = 0; s < static_cast<Vertex>(here.vertex_count()); ++s) {
      ASSERT_EQ(there.distances_from(s), here.distances_from(s)) << "from " << s;
    }
  }

  TemporaryFolder folder_;
};

TEST_F(CudaDiskSolve, WritesWhatTheCpuWrites) {
  for (const std::int64_t n : {1500, 2047, 2048, 2049, 4099}) {
    const Graph graph = graph_of(n);
    for (const ValueType type : {ValueType::u16, ValueType::i32, ValueType::f32, ValueType::f64}) {
      SolveOptions options = options_to(graph, "here.npy", Device::cpu, type);
      options.storage.overwrite = true;
      const Result here = solve(graph, options);
      for (const double share : {0.0, 0.8}) {  // all of it stays, or it passes
        SCOPED_TRACE(testing::Message() << "n " << n << ", " << name(type) << ", " << share);
        options = options_to(graph, "there.npy", Device::cuda, type, share);
        options.storage.overwrite = true;
        options.on_plan = [](const PlanReport& plan) {
          EXPECT_EQ(plan.candidates.front().residence, "disk");
        };
        const Result there = solve(graph, options);
        EXPECT_EQ(there.report().on_device->streamed, share > 0);
        expect_same(graph, folder_ / "there.npy", folder_ / "here.npy");
      }
    }
  }
}

/// Each has room for about a share: none could hold the matrix.
TEST_F(CudaDiskSolve, SeveralGpusTogetherWriteWhatTheCpuWrites) {
  const int gpus = static_cast<int>(kernels::cuda::devices().size());
  if (gpus < 2) GTEST_SKIP() << "there is one GPU: nothing is shared";
  for (const int count : {2, std::min(gpus, 4)}) {
    for (const std::int64_t n : {2049, 4099}) {
      const Graph graph = graph_of(n);
      for (const ValueType type :
           {ValueType::u16, ValueType::i32, ValueType::f32, ValueType::f64}) {
        SCOPED_TRACE(testing::Message() << count << " GPUs, n " << n << ", " << name(type));
        SolveOptions options = options_to(graph, "here.npy", Device::cpu, type);
        options.storage.overwrite = true;
        solve(graph, options);
        options = options_to(graph, "there.npy", Device::cuda, type, 1.6 / count);
        for (int gpu = 0; gpu < count; ++gpu) options.machine.device_ordinals.push_back(gpu);
        options.storage.overwrite = true;
        options.on_plan = [](const PlanReport& plan) {
          EXPECT_EQ(plan.candidates.front().residence, "disk");
        };
        const Result there = solve(graph, options);
        EXPECT_FALSE(there.report().on_device->streamed);
        EXPECT_EQ(there.report().on_device->peers.size(), static_cast<std::size_t>(count) - 1);
        expect_same(graph, folder_ / "there.npy", folder_ / "here.npy");
      }
    }
  }
}

TEST_F(CudaDiskSolve, IsContinuedByEitherDevice) {
  const Graph graph = graph_of(3001);
  solve(graph, options_to(graph, "whole.npy", Device::cpu, ValueType::i32));
  for (const Device continued : {Device::cpu, Device::cuda}) {
    SolveOptions options = options_to(graph, "out.npy", Device::cuda, ValueType::i32, 0.8);
    RecordedProgress progress;
    progress.cancel_when = [&] {
      return progress.task == "Floyd-Warshall" && progress.done > 0.7 * progress.total;
    };
    options.control = {&progress, &progress.cancellation};
    EXPECT_EQ(error_of([&] { solve(graph, options); }).kind(), ErrorKind::interrupted);
    options = options_to(graph, "out.npy", continued, ValueType::i32);
    options.storage.resume = true;
    const Result resumed = solve(graph, options);
    EXPECT_GT(resumed.report().pivots_resumed, 0);
    EXPECT_EQ(resumed.report().device, continued);
    expect_same(graph, folder_ / "out.npy", folder_ / "whole.npy");
    std::remove((folder_ / "out.npy").c_str());
  }
}

}  // namespace
}  // namespace apsp::disk_solve_test
