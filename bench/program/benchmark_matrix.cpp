#include "program/benchmark_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "base/team.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::bench {
namespace {

constexpr double kNoEdge = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kGreatestWeight = 100;
constexpr double kEdgesAVertex = 3;

}  // namespace

double BenchmarkGraph::weight(std::int64_t u, std::int64_t v) const {
  const auto pair = static_cast<std::uint64_t>(std::min(u, v) * n_ + std::max(u, v));
  base::SplitMix64 random(seed_ * 0x632BE59BD9B4E019u + pair);
  if (semiring_ != Semiring::or_and) return static_cast<double>(1 + random.below(kGreatestWeight));
  return random.uniform() * static_cast<double>(n_) < 2 * kEdgesAVertex ? 1 : kNoEdge;
}

void BenchmarkGraph::fill(kernels::View matrix, ValueType type, int threads) const {
  semiring::dispatch(semiring_, type, [&]<class S>() {
    using T = typename S::Value;
    T* const data = static_cast<T*>(matrix.data);
    base::share_items(n_, threads, [&](std::int64_t i) {
      for (std::int64_t j = 0; j < n_; ++j) {
        const double w = i == j ? 0 : weight(i, j);
        T value = i == j ? S::one() : S::zero();
        if (i != j && w != kNoEdge) value = static_cast<T>(w);
        data[i * matrix.stride + j] = value;
      }
    });
  });
}

bool BenchmarkGraph::is_solution(kernels::ConstView matrix, ValueType type,
                                 std::int64_t source) const {
  const std::vector<double> expected = distances_from(source);
  return semiring::dispatch(semiring_, type, [&]<class S>() {
    using T = typename S::Value;
    const T* const row = static_cast<const T*>(matrix.data) + source * matrix.stride;
    for (std::int64_t j = 0; j < n_; ++j) {
      const double distance = expected[static_cast<std::size_t>(j)];
      T right = distance == kNoEdge ? S::zero() : static_cast<T>(distance);
      if (semiring_ == Semiring::or_and) right = distance == kNoEdge ? S::zero() : S::one();
      if (row[j] != right) return false;
    }
    return true;
  });
}

std::vector<double> BenchmarkGraph::distances_from(std::int64_t source) const {
  const auto at = [](std::int64_t v) { return static_cast<std::size_t>(v); };
  std::vector<double> distance(at(n_), kNoEdge);
  std::vector<bool> settled(at(n_), false);
  distance[at(source)] = 0;
  for (;;) {
    std::int64_t nearest = -1;
    for (std::int64_t v = 0; v < n_; ++v) {
      if (settled[at(v)] || distance[at(v)] == kNoEdge) continue;
      if (nearest < 0 || distance[at(v)] < distance[at(nearest)]) nearest = v;
    }
    if (nearest < 0) return distance;
    settled[at(nearest)] = true;
    for (std::int64_t v = 0; v < n_; ++v) {
      if (settled[at(v)]) continue;
      distance[at(v)] = std::min(distance[at(v)], distance[at(nearest)] + weight(nearest, v));
    }
  }
}

}  // namespace apsp::bench
