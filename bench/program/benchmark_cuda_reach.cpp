// Reachability for the benchmark of a device: two random arcs from each vertex. What a source
// reaches is then a giant component and what hangs on to it, not everything.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "base/random.hpp"
#include "program/benchmark_cuda_problem.hpp"

namespace apsp::bench {
namespace {

constexpr std::int64_t kArcs = 2;  // a vertex
constexpr std::int64_t kSources = 64;

class ReachProblem final : public CudaProblem {
 public:
  ReachProblem(std::int64_t n, std::uint64_t seed, int threads)
      : n_(n), threads_(threads), heads_(static_cast<std::size_t>(n * kArcs)) {
    base::SplitMix64 random(seed);
    for (std::int64_t& head : heads_) {
      head = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
    }
  }

  void fill(kernels::View matrix) const override {
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::int64_t i = 0; i < n_; ++i) {
      auto* const row = static_cast<std::uint32_t*>(matrix.data) + i * matrix.stride;
      std::fill_n(row, matrix.cols, 0u);
      set(row, i);
      for (std::int64_t a = 0; a < kArcs; ++a) set(row, head(i, a));
    }
  }

  Verdict check(kernels::ConstView solved, kernels::ConstView) const override {
    const std::int64_t count = std::min(kSources, n_);
    std::atomic<bool> right{true};
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (std::int64_t s = 0; s < count; ++s) {
      const std::int64_t source = s * n_ / count;
      const std::vector<std::uint32_t> expected = reached_from(source, solved.cols);
      const auto* const row =
          static_cast<const std::uint32_t*>(solved.data) + source * solved.stride;
      if (!std::equal(expected.begin(), expected.end(), row)) right = false;
    }
    return {right, count * n_};
  }

 private:
  std::int64_t head(std::int64_t tail, std::int64_t arc) const {
    return heads_[static_cast<std::size_t>(tail * kArcs + arc)];
  }
  static void set(std::uint32_t* row, std::int64_t j) { row[j / 32] |= 1u << j % 32; }

  std::vector<std::uint32_t> reached_from(std::int64_t source, std::int64_t words) const {
    std::vector<std::uint32_t> reached(static_cast<std::size_t>(words), 0);
    std::vector<std::int64_t> queue{source};
    set(reached.data(), source);
    for (std::size_t next = 0; next < queue.size(); ++next) {
      for (std::int64_t a = 0; a < kArcs; ++a) {
        const std::int64_t v = head(queue[next], a);
        if ((reached[static_cast<std::size_t>(v / 32)] >> v % 32 & 1) != 0) continue;
        set(reached.data(), v);
        queue.push_back(v);
      }
    }
    return reached;
  }

  std::int64_t n_;
  int threads_;
  std::vector<std::int64_t> heads_;  // [n, kArcs]
};

}  // namespace

std::unique_ptr<CudaProblem> make_reach_problem(std::int64_t n, std::uint64_t seed, int threads) {
  return std::make_unique<ReachProblem>(n, seed, threads);
}

}  // namespace apsp::bench
