// Floyd-Warshall on GPUs by the papers' kernels and by apsp, on the same matrices.
//
// Seconds on the device only, by its own events; apsp's by the host's clock. All results must be
// equal, entry by entry, to the plain kernel's, and up to 2,048 vertices to the host's.
// --all-blocks: also blocks of 2, 4 and 18, a thread for each row, and arithmetic in place of
// branches. --overheads: allocation and copies of matrices of so many vertices.
// --graph: matrices of the vertices of a graph that are nearest to its greatest hub, as CAIDA's
// snapshots grow. --stages: copies between several GPUs, N vertices. Exit 1 where anything differs.
#include <apsp/io.hpp>

#include "problem.hpp"

namespace apsp::baselines {
namespace {

struct Task {
  std::vector<std::int64_t> vertices{1024, 2048, 4096, 8192}, overheads;
  std::int64_t stages = 0;
  std::vector<int> gpus{0, 0};
  int ordinal = 0;
  std::string file;
  std::optional<Graph> graph{};
  bool quick = false, full = false, all_blocks = false, json = false;
};

template <class T>
std::vector<Method<T>> methods(bool all_blocks) {
  std::vector<Method<T>> methods{{"plain", 0, solve_plain<T>},
                                 {"tiled 8", 8, solve_tiled<T, 8>},
                                 {"tiled 16", 16, solve_tiled<T, 16>},
                                 {"tiled 32", 32, solve_tiled<T, 32>}};
  if (!all_blocks) return methods;
  if constexpr (std::is_same_v<T, float>) {
    methods.push_back({"rows", 0, solve_rows<T>});
    methods.push_back({"tiled 2", 2, solve_tiled<T, 2>});
    methods.push_back({"tiled 4", 4, solve_tiled<T, 4>});
    methods.push_back({"tiled 18", 18, solve_tiled<T, 18>});
  }
  if constexpr (std::is_same_v<T, std::int32_t>) {
    methods.push_back({"arithmetic", 0, solve_arithmetic});
  }
  return methods;
}

template <class T>
void measure(std::int64_t n, const Task& task, std::vector<Row>& rows) {
  Problem<T> problem(n, task.ordinal, task.graph ? &*task.graph : nullptr);
  for (const Method<T>& method : methods<T>(task.all_blocks))
    rows.push_back(problem.measure(method));
  rows.push_back(problem.measure_apsp());
}

std::string device_name(int ordinal) {
  for (const auto& facts : kernels::cuda::devices()) {
    if (facts.ordinal == ordinal) return facts.name;
  }
  throw Error(ErrorKind::device, kernels::cuda::devices().empty()
                                     ? kernels::cuda::why_no_device()
                                     : fmt::format("no CUDA device number {}", ordinal));
}

bool run(Task& task) {
  if (task.quick) task.vertices = {1024, 2048};
  if (task.full) task.vertices = {1024, 2048, 4096, 8192, 16384};
  if (!task.file.empty()) task.graph = read_graph(task.file);
  Measured measured;
  measured.graph = task.file;
  measured.device = device_name(task.ordinal);
  check(cudaSetDevice(task.ordinal), "choosing the device");
  for (const std::int64_t n : task.vertices) {
    fmt::print(stderr, "{} vertices\n", n);
    measure<float>(n, task, measured.rows);
    measure<std::int32_t>(n, task, measured.rows);
    measure<std::uint8_t>(n, task, measured.rows);
  }
  for (const std::int64_t n : task.overheads) measured.overheads.push_back(measure_overheads(n));
  if (task.stages > 0) {
    measured.stages = measure_stages(task.gpus, task.stages, {2, 4, 8, 16, 32});
  }
  std::puts((task.json ? as_json(measured) : as_table(measured)).c_str());
  return measured.correct();
}

}  // namespace
}  // namespace apsp::baselines

int main(int argc, char** argv) {
  apsp::baselines::Task task;
  apsp::bench::Options options("apsp_cuda_baselines");
  options("--vertices LIST", task.vertices)("--device N", task.ordinal)("--quick", task.quick);
  options("--full", task.full)("--all-blocks", task.all_blocks)("--graph FILE", task.file);
  options("--overheads LIST", task.overheads)("--stages N", task.stages)("--gpus LIST", task.gpus);
  options("--json", task.json);
  return options.run(argc, argv, [&] { return run(task); });
}
