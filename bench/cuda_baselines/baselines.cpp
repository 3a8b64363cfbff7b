// Floyd-Warshall on one GPU by the papers' kernels and by apsp, on the same matrices:
//
//   apsp_cuda_baselines [--vertices LIST] [--device N] [--quick | --full] [--json]
//
// Seconds on the device alone, by its own events; apsp's by the host's clock. All results must be
// equal, entry by entry, to the plain kernel's, and up to 2,048 vertices to the CPU engine's.
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <apsp/solve.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <sstream>

#include "base/aligned_memory.hpp"
#include "base/machine.hpp"
#include "baseline.hpp"
#include "baseline_rows.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "kernels/cuda/cuda_runtime.hpp"
#include "places/device_memory.hpp"
#include "planner/device_plan.hpp"
#include "program/benchmark_cuda_random.hpp"
#include "program/benchmark_peaks.hpp"
#include "semiring/semirings.hpp"

namespace apsp::baselines {
namespace {

using kernels::cuda::check;

constexpr std::int64_t kLargestBlock = 32;
constexpr std::int64_t kComparedWithCpu = 2048;
constexpr std::uint32_t kLargestWeight = 500'000;  // paths of that many vertices stay below 2^30

struct Task {
  std::vector<std::int64_t> vertices{1024, 2048, 4096, 8192};
  int ordinal = 0;
  bool json = false;

  static int repetitions(std::int64_t n) { return n > 8192 ? 1 : n > 4096 ? 2 : 3; }
};

class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "making events"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record() const { check(cudaEventRecord(event_, nullptr), "recording an event"); }
  void await() const { check(cudaEventSynchronize(event_), "a solve"); }
  double seconds_since(const Event& begin) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "reading a stopwatch");
    return 1e-3 * double{milliseconds};
  }

 private:
  cudaEvent_t event_ = nullptr;
};

template <class T>
struct Method {
  const char* name;
  int block;  // 0: none
  int phases;
  Solve<T> solve;
};

template <class T>
std::vector<Method<T>> methods() {
  return {{"plain", 0, 1, solve_plain<T>},
          {"tiled 8", 8, 3, solve_tiled_8<T>},
          {"tiled 16", 16, 3, solve_tiled_16<T>},
          {"tiled 32", 32, 3, solve_tiled_32<T>}};
}

/// One random matrix, its padded copy on the device, and what it solves to.
template <class T>
class Problem {
 public:
  using S = semiring::MinPlus<T>;

  Problem(std::int64_t n, const Task& task)
      : n_(n),
        side_((n + kLargestBlock - 1) / kLargestBlock * kLargestBlock),
        task_(task),
        weights_(side_ * side_ * int{sizeof(T)}),
        solved_(weights_.bytes()),
        result_(weights_.bytes()) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes()), "allocating device memory");
    there_ = static_cast<T*>(memory);
    fill();
  }
  ~Problem() { cudaFree(there_); }
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  Row measure(const Method<T>& method) {
    Row row = row_of(method.name, method.block);
    for (int i = 0; i < Task::repetitions(n_); ++i) {
      bring();
      const Event begin, end;
      begin.record();
      method.solve(there_, side_, {});
      end.record();
      end.await();
      row.seconds.push_back(end.seconds_since(begin));
    }
    compare(row);
    if (method.phases > 1) row.seconds_phases = phases(method);
    return row;
  }

  /// apsp's own solve of the same matrix.
  Row measure_apsp() {
    Row row = row_of("apsp", 0);
    const ValueType type = detail::ValueTypeOf<T>::value;
    const auto device = kernels::cuda::make_device(task_.ordinal, Semiring::min_plus, type,
                                                   kernels::Sign::non_negative);
    const Control control;
    const places::TiledMatrix matrix{
        {result_.data(), n_, n_, side_},
        int{sizeof(T)},
        planner::choose_device_tile(n_, device->granule(), device->whole_side())};
    std::memcpy(result_.data(), weights_.data(), bytes());
    places::DeviceMemory memory(*device, matrix, places::Shape::full, kernels::Cycles::excluded,
                                control);
    for (int i = -1; i < Task::repetitions(n_); ++i) {
      std::memcpy(result_.data(), weights_.data(), bytes());
      memory.upload();
      const double seconds = bench::timed([&] { memory.solve(); }).seconds;
      if (i >= 0) row.seconds.push_back(seconds);
    }
    memory.download();
    row.equal = same();
    return row;
  }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(weights_.bytes()); }

  /// Weights from 1 to 2^20, one of eight arcs missing; nothing leads to or from the padding.
  void fill() {
    const bench::RandomMatrix random(side_, side_, static_cast<std::uint64_t>(n_));
    const int threads = base::thread_count(0);
    T* const weights = weights_.template as<T>();
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::int64_t i = 0; i < side_; ++i) {
      for (std::int64_t j = 0; j < side_; ++j) {
        const std::uint32_t word = random(i, j);
        const bool arc = word % 8 != 0 && i < n_ && j < n_;
        weights[i * side_ + j] = i == j ? S::one()
                                 : arc  ? static_cast<T>(1 + (word >> 12) % kLargestWeight)
                                        : S::zero();
      }
    }
    if (n_ > kComparedWithCpu) return;
    std::memcpy(solved_.data(), weights_.data(), bytes());
    floyd_warshall<MinPlus>(MatrixView<T>{solved_.template as<T>(), n_, n_, side_});
    has_solved_ = true;
  }

  Row row_of(const char* name, int block) const {
    Row row;
    row.name = name;
    row.value_type = apsp::name(detail::ValueTypeOf<T>::value);
    row.block = block;
    row.n = n_;
    row.compared_with_cpu = n_ <= kComparedWithCpu;
    return row;
  }

  void bring() {
    check(cudaMemcpy(there_, weights_.data(), bytes(), cudaMemcpyHostToDevice), "copying in");
  }

  bool same() const {
    const auto line = static_cast<std::size_t>(n_) * sizeof(T);
    for (std::int64_t i = 0; i < n_; ++i) {
      const std::int64_t at = i * side_ * int{sizeof(T)};
      if (std::memcmp(solved_.data() + at, result_.data() + at, line) != 0) return false;
    }
    return true;
  }

  void compare(Row& row) {
    check(cudaMemcpy(result_.data(), there_, bytes(), cudaMemcpyDeviceToHost), "copying out");
    if (has_solved_) {
      row.equal = same();
      return;
    }
    std::memcpy(solved_.data(), result_.data(), bytes());  // the first one: the plain kernel
    has_solved_ = true;
  }

  std::vector<double> phases(const Method<T>& method) {
    std::vector<std::pair<int, Event>> marks(static_cast<std::size_t>(3 * (side_ / method.block)));
    std::size_t used = 0;
    const Event begin;
    bring();
    begin.record();
    method.solve(there_, side_, [&](int phase) {
      marks[used].first = phase;
      marks[used++].second.record();
    });
    check(cudaDeviceSynchronize(), "a solve");
    std::vector<double> seconds(static_cast<std::size_t>(method.phases), 0);
    const Event* before = &begin;
    for (std::size_t m = 0; m < used; ++m) {
      seconds[static_cast<std::size_t>(marks[m].first)] += marks[m].second.seconds_since(*before);
      before = &marks[m].second;
    }
    return seconds;
  }

  std::int64_t n_, side_;
  const Task& task_;
  base::AlignedMemory weights_, solved_, result_;  // [side, side]
  bool has_solved_ = false;
  T* there_ = nullptr;
};

template <class T>
void measure(std::int64_t n, const Task& task, std::vector<Row>& rows) {
  Problem<T> problem(n, task);
  for (const Method<T>& method : methods<T>()) rows.push_back(problem.measure(method));
  rows.push_back(problem.measure_apsp());
}

Task task_of(int argc, char** argv) {
  Task task;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (i + 1 == argc) throw Error(ErrorKind::usage, word + " needs a value");
      return std::string(argv[++i]);
    };
    if (word == "--json") {
      task.json = true;
    } else if (word == "--quick") {
      task.vertices = {1024, 2048};
    } else if (word == "--full") {
      task.vertices = {1024, 2048, 4096, 8192, 16384};
    } else if (word == "--device") {
      task.ordinal = std::atoi(value().c_str());
    } else if (word == "--vertices") {
      task.vertices.clear();
      std::istringstream list(value());
      for (std::string part; std::getline(list, part, ',');) {
        task.vertices.push_back(std::atoll(part.c_str()));
        if (task.vertices.back() < 1) throw Error(ErrorKind::usage, "no number: " + part);
      }
    } else {
      throw Error(ErrorKind::usage,
                  "usage: apsp_cuda_baselines [--vertices LIST] [--device N] [--quick | --full] "
                  "[--json]");
    }
  }
  return task;
}

int run(int argc, char** argv) {
  const Task task = task_of(argc, argv);
  std::string device;
  for (const auto& facts : kernels::cuda::devices()) {
    if (facts.ordinal == task.ordinal) device = facts.name;
  }
  if (device.empty()) {
    throw Error(ErrorKind::device, kernels::cuda::devices().empty()
                                       ? kernels::cuda::why_no_device()
                                       : fmt::format("no CUDA device number {}", task.ordinal));
  }
  check(cudaSetDevice(task.ordinal), "choosing the device");
  std::vector<Row> rows;
  for (const std::int64_t n : task.vertices) {
    std::fprintf(stderr, "%lld vertices\n", static_cast<long long>(n));
    measure<float>(n, task, rows);
    measure<std::int32_t>(n, task, rows);
  }
  std::puts((task.json ? as_json(device, rows) : as_table(device, rows)).c_str());
  return std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.equal; }) ? 0 : 1;
}

}  // namespace
}  // namespace apsp::baselines

int main(int argc, char** argv) {
  try {
    return apsp::baselines::run(argc, argv);
  } catch (const apsp::Error& error) {
    std::fprintf(stderr, "apsp_cuda_baselines: %s\n", error.what());
    return error.kind() == apsp::ErrorKind::usage    ? 2
           : error.kind() == apsp::ErrorKind::device ? 7
                                                     : 5;
  }
}
