#include "overheads.hpp"

#include <cstring>

#include "baseline.hpp"
#include "event.hpp"
#include "harness.hpp"
#include "program/random_words.hpp"

namespace apsp::baselines {
namespace {

constexpr int kRounds = 3;

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

Overheads measure_overheads(std::int64_t n) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  Overheads row{n, kNone, kNone, kNone, kNone, kNone};
  const std::vector<float> weights = random_weights(n);
  std::vector<float> copied(weights.size()), managed(weights.size());
  for (int round = 0; round < kRounds; ++round) {
    measure_copies(weights, copied, row);
    measure_managed(weights, managed, row);
    row.equal = row.equal && copied == managed;
  }
  return row;
}

}  // namespace apsp::baselines
