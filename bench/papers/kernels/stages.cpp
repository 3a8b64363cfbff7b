// Several GPUs, each with some rows of the matrix, and what they copy in each step of the blocked
// algorithm (Lee, "Optimization").
//
//   whole list      every step copies the whole matrix to each GPU, and each GPU's rows back
//   row and column  every step copies the pivot's row and column to each GPU
//   row             every step copies only the pivot's row: each GPU has its part of the column
//
// Copies go through pinned memory of the host. Rows are assigned to GPUs for good. The report's
// first stage assigns them in every step, and its last one has another kernel; all of ours have one
// value a thread.
#include <algorithm>
#include <barrier>
#include <cstring>
#include <memory>
#include <thread>

#include "base/json.hpp"
#include "baseline.hpp"
#include "cuda_event.hpp"
#include "harness.hpp"
#include "program/random_words.hpp"

namespace apsp::baselines {
namespace {

using kernels::cuda::check;

enum class Copies { matrix, row_and_column, row };

/// Pinned memory of the host.
class HostMatrix {
 public:
  explicit HostMatrix(std::int64_t side) : side_(side) {
    check(cudaMallocHost(&data_, bytes()), "allocating pinned memory");
  }
  ~HostMatrix() { cudaFreeHost(data_); }
  HostMatrix(const HostMatrix&) = delete;
  HostMatrix& operator=(const HostMatrix&) = delete;
  std::size_t bytes() const { return static_cast<std::size_t>(side_ * side_) * sizeof(float); }
  float* row(std::int64_t i) const { return static_cast<float*>(data_) + i * side_; }

 private:
  std::int64_t side_;
  void* data_ = nullptr;
};

void fill(const HostMatrix& matrix, std::int64_t n, std::int64_t side) {
  const bench::RandomWords random(side, side, static_cast<std::uint64_t>(n));
  for (std::int64_t i = 0; i < side; ++i) {
    for (std::int64_t j = 0; j < side; ++j) {
      matrix.row(i)[j] = i == j           ? 0
                         : i < n && j < n ? static_cast<float>(1 + random(i, j) % 1000)
                                          : std::numeric_limits<float>::infinity();
    }
  }
}

/// One GPU's rows of blocks [begin, end), and the thread that drives it.
class Worker {
 public:
  Worker(int gpu, const HostMatrix& host, std::int64_t side, int block, std::int64_t begin,
         std::int64_t end)
      : gpu_(gpu), host_(host), side_(side), block_(block), begin_(begin), end_(end) {}

  void run(Copies copies, std::barrier<>& together) {
    check(cudaSetDevice(gpu_), "choosing the device");
    const bench::DeviceArray memory(host_.bytes());
    there_ = memory.as<float>();
    copy_in(0, side_, 0, side_);
    check(cudaDeviceSynchronize(), "copying in");
    copied_ = in_steps_ = seconds_copies_ = 0;
    for (std::int64_t pivot = 0; pivot < side_ / block_; ++pivot) {
      if (pivot > 0 || copies == Copies::matrix) bring(copies, pivot);
      together.arrive_and_wait();  // all have read what others write next
      update(pivot);
      leave(copies, pivot + 1);
      together.arrive_and_wait();
    }
    if (copies != Copies::matrix) copy_out(begin_ * block_, end_ * block_, 0, side_);
  }

  double copied() const { return copied_; }
  double in_steps() const { return in_steps_; }
  double seconds_copies() const { return seconds_copies_; }
  double seconds_kernels() const { return seconds_kernels_; }

 private:
  bool mine(std::int64_t pivot) const { return begin_ <= pivot && pivot < end_; }

  void bring(Copies copies, std::int64_t pivot) {
    const double before = copied_;
    const std::int64_t first = pivot * block_, after = first + block_;
    if (copies == Copies::matrix) {
      copy_in(0, side_, 0, side_);
    } else {
      copy_in(first, after, 0, side_);
      if (copies == Copies::row_and_column) copy_in(0, side_, first, after);
    }
    in_steps_ += copied_ - before;
  }

  void update(std::int64_t pivot) {
    const bench::Event begin, end;
    begin.record();
    update_rows(there_, side_, block_, pivot, begin_, end_);
    end.record();
    end.await();
    seconds_kernels_ += end.seconds_since(begin);
  }

  /// Brings to the host what the step with pivot `next` needs of this GPU's rows.
  void leave(Copies copies, std::int64_t next) {
    const std::int64_t first = next * block_, after = first + block_;
    if (copies == Copies::matrix) return copy_out(begin_ * block_, end_ * block_, 0, side_);
    if (first == side_) return;
    if (mine(next)) copy_out(first, after, 0, side_);
    if (copies == Copies::row_and_column) copy_out(begin_ * block_, end_ * block_, first, after);
  }

  void copy_in(std::int64_t first, std::int64_t after, std::int64_t left, std::int64_t right) {
    copy(there_ + first * side_ + left, host_.row(first) + left, after - first, right - left,
         cudaMemcpyHostToDevice);
  }
  void copy_out(std::int64_t first, std::int64_t after, std::int64_t left, std::int64_t right) {
    copy(host_.row(first) + left, there_ + first * side_ + left, after - first, right - left,
         cudaMemcpyDeviceToHost);
  }

  void copy(float* to, const float* from, std::int64_t rows, std::int64_t columns,
            cudaMemcpyKind way) {
    const std::size_t pitch = static_cast<std::size_t>(side_) * sizeof(float);
    const std::size_t width = static_cast<std::size_t>(columns) * sizeof(float);
    seconds_copies_ += bench::seconds([&] {
      check(cudaMemcpy2DAsync(to, pitch, from, pitch, width, static_cast<std::size_t>(rows), way),
            "a copy");
      check(cudaDeviceSynchronize(), "a copy");
    });
    copied_ += static_cast<double>(width) * static_cast<double>(rows);
  }

  int gpu_;
  const HostMatrix& host_;
  std::int64_t side_;
  int block_;
  std::int64_t begin_, end_;
  float* there_ = nullptr;
  double copied_ = 0, in_steps_ = 0, seconds_copies_ = 0, seconds_kernels_ = 0;
};

/// Seconds of copies and of kernels are those of the slowest GPU.
nlohmann::json run_stage(const std::vector<int>& gpus, Copies copies, const HostMatrix& host,
                         std::int64_t side, int block) {
  const std::int64_t blocks = side / block, count = static_cast<std::int64_t>(gpus.size());
  std::vector<std::unique_ptr<Worker>> workers;
  for (std::int64_t g = 0; g < count; ++g) {
    workers.push_back(std::make_unique<Worker>(gpus[static_cast<std::size_t>(g)], host, side, block,
                                               g * blocks / count, (g + 1) * blocks / count));
  }
  std::barrier together(static_cast<std::ptrdiff_t>(count));
  const double seconds = bench::seconds([&] {
    std::vector<std::jthread> threads;
    for (const auto& worker : workers) threads.emplace_back([&] { worker->run(copies, together); });
  });
  double copied = 0, to_gpus = 0, in_copies = 0, in_kernels = 0;
  for (const auto& worker : workers) {
    copied += worker->copied();
    to_gpus += worker->in_steps();
    in_copies = std::max(in_copies, worker->seconds_copies());
    in_kernels = std::max(in_kernels, worker->seconds_kernels());
  }
  return {{"block", block},
          {"bytes_per_step", to_gpus / static_cast<double>(blocks)},
          {"copied_bytes_per_second", in_copies > 0 ? copied / in_copies : 0},
          {"seconds_kernels", in_kernels},
          {"seconds", seconds}};
}

}  // namespace

nlohmann::json measure_stages(const std::vector<int>& gpus, std::int64_t n,
                              const std::vector<int>& blocks) {
  constexpr std::pair<Copies, const char*> kStages[] = {{Copies::matrix, "whole list"},
                                                        {Copies::row_and_column, "row and column"},
                                                        {Copies::row, "row"}};
  nlohmann::json stages = nlohmann::json::array();
  for (const int block : blocks) {
    const std::int64_t side = (n + block - 1) / block * block;
    const HostMatrix host(side), alone(side);
    fill(alone, n, side);
    run_stage({gpus.front()}, Copies::row, alone, side, block);
    for (const auto& [copies, name] : kStages) {
      fill(host, n, side);
      nlohmann::json stage = run_stage(gpus, copies, host, side, block);
      const bool equal = std::memcmp(host.row(0), alone.row(0), host.bytes()) == 0;
      stage.update({{"name", name}, {"vertices", n}, {"equal", equal}});
      stages.push_back(stage);
    }
  }
  return stages;
}

}  // namespace apsp::baselines
