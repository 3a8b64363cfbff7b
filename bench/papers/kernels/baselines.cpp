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

using nlohmann::json;

struct Task {
  std::vector<std::int64_t> vertices{1024, 2048, 4096, 8192}, overheads;
  std::int64_t stages = 0;
  std::vector<int> gpus{0, 0};
  int ordinal = 0;
  std::string file;
  std::optional<Graph> graph{};
  bool quick = false, full = false, all_blocks = false, as_json = false;
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
void measure(std::int64_t n, const Task& task, json& rows) {
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

constexpr const char* kParts[] = {"baselines", "overheads", "stages"};

/// "name value, name value, …" of every field; lists by their values.
std::string line(const json& row) {
  std::string text;
  for (const auto& [name, value] : row.items()) {
    const std::string shown = value.is_number_float() ? fmt::format("{:.4g}", value.get<double>())
                              : value.is_string()     ? value.get<std::string>()
                                                      : value.dump();
    text += (text.empty() ? "" : ", ") + name + " " + shown;
  }
  return text + "\n";
}

bool run(Task& task) {
  if (task.quick) task.vertices = {1024, 2048};
  if (task.full) task.vertices = {1024, 2048, 4096, 8192, 16384};
  if (!task.file.empty()) task.graph = read_graph(task.file);
  json measured = {{"device", device_name(task.ordinal)}, {"graph", task.file}};
  for (const char* const part : kParts) measured[part] = json::array();
  check(cudaSetDevice(task.ordinal), "choosing the device");
  for (const std::int64_t n : task.vertices) {
    fmt::print(stderr, "{} vertices\n", n);
    measure<float>(n, task, measured["baselines"]);
    measure<std::int32_t>(n, task, measured["baselines"]);
    measure<std::uint8_t>(n, task, measured["baselines"]);
  }
  for (const std::int64_t n : task.overheads) {
    measured["overheads"].push_back(measure_overheads(n));
  }
  if (task.stages > 0) {
    measured["stages"] = measure_stages(task.gpus, task.stages, {2, 4, 8, 16, 32});
  }
  bool correct = true;
  std::string text = measured["device"].get<std::string>() + "\n";
  for (const char* const part : kParts) {
    for (const json& row : measured[part]) {
      text += line(row);
      correct = correct && row["equal"].get<bool>();
    }
  }
  measured["correct"] = correct;
  std::puts((task.as_json ? measured.dump(2) : text).c_str());
  return correct;
}

}  // namespace
}  // namespace apsp::baselines

int main(int argc, char** argv) {
  apsp::baselines::Task task;
  apsp::bench::Options options("apsp_cuda_baselines");
  options("--vertices LIST", task.vertices)("--device N", task.ordinal)("--quick", task.quick);
  options("--full", task.full)("--all-blocks", task.all_blocks)("--graph FILE", task.file);
  options("--overheads LIST", task.overheads)("--stages N", task.stages)("--gpus LIST", task.gpus);
  options("--json", task.as_json);
  return options.run(argc, argv, [&] { return run(task); });
}
