// The overheads of the plain kernel: allocation, copies, and managed memory in their place
// (Schiff, Figure 3 and §VII). Seconds by the host's clock, the best of three.
#include <cstring>
#include <limits>

#include "base/json.hpp"
#include "baseline.hpp"
#include "cuda_event.hpp"
#include "harness.hpp"
#include "program/random_words.hpp"

namespace apsp::baselines {
namespace {

using kernels::cuda::check;

constexpr int kRounds = 3;
constexpr double kNone = std::numeric_limits<double>::infinity();

struct Overheads {
  std::int64_t n;
  double allocation = kNone, copy_in = kNone, kernels = kNone, copy_out = kNone;  // pageable memory
  double managed = kNone;  // all of it in managed memory that the host fills and reads
};

template <class F>
double seconds_of(F&& work) {
  return bench::seconds([&] {
    work();
    check(cudaDeviceSynchronize(), "a solve");
  });
}

std::vector<float> random_weights(std::int64_t n) {
  const bench::RandomWords random(n, n, static_cast<std::uint64_t>(n));
  std::vector<float> weights(static_cast<std::size_t>(n * n));
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      weights[static_cast<std::size_t>(i * n + j)] =
          i == j ? 0 : static_cast<float>(1 + random(i, j) % 1000);
    }
  }
  return weights;
}

void measure_copies(const std::vector<float>& weights, std::vector<float>& result, Overheads& row) {
  const std::size_t bytes = weights.size() * sizeof(float);
  void* there = nullptr;
  const double allocation =
      seconds_of([&] { check(cudaMalloc(&there, bytes), "allocating device memory"); });
  const double in = seconds_of([&] {
    check(cudaMemcpy(there, weights.data(), bytes, cudaMemcpyHostToDevice), "copying in");
  });
  const double kernels = seconds_of([&] { solve_plain(static_cast<float*>(there), row.n, {}); });
  const double out = seconds_of([&] {
    check(cudaMemcpy(result.data(), there, bytes, cudaMemcpyDeviceToHost), "copying out");
  });
  const double release = seconds_of([&] { check(cudaFree(there), "releasing device memory"); });
  row.allocation = std::min(row.allocation, allocation + release);
  row.copy_in = std::min(row.copy_in, in);
  row.kernels = std::min(row.kernels, kernels);
  row.copy_out = std::min(row.copy_out, out);
}

void measure_managed(const std::vector<float>& weights, std::vector<float>& result,
                     Overheads& row) {
  const std::size_t bytes = weights.size() * sizeof(float);
  const double seconds = seconds_of([&] {
    void* memory = nullptr;
    check(cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal), "allocating managed memory");
    std::memcpy(memory, weights.data(), bytes);
    solve_plain(static_cast<float*>(memory), row.n, {});
    check(cudaDeviceSynchronize(), "a solve");
    std::memcpy(result.data(), memory, bytes);
    check(cudaFree(memory), "releasing managed memory");
  });
  row.managed = std::min(row.managed, seconds);
}

}  // namespace

nlohmann::json measure_overheads(std::int64_t n) {
  Overheads row{n};
  const std::vector<float> weights = random_weights(n);
  std::vector<float> copied(weights.size()), managed(weights.size());
  bool equal = true;
  for (int round = 0; round < kRounds; ++round) {
    measure_copies(weights, copied, row);
    measure_managed(weights, managed, row);
    equal = equal && copied == managed;
  }
  return {{"vertices", n},
          {"seconds_allocation", row.allocation},
          {"seconds_copy_in", row.copy_in},
          {"seconds_kernels", row.kernels},
          {"seconds_copy_out", row.copy_out},
          {"seconds_managed", row.managed},
          {"equal", equal}};
}

}  // namespace apsp::baselines
