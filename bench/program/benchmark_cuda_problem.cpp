#include "program/benchmark_cuda_problem.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <vector>

#include "base/aligned_memory.hpp"
#include "engine/run.hpp"
#include "program/benchmark_cuda_parts.hpp"
#include "program/benchmark_cuda_random.hpp"
#include "program/benchmark_solves.hpp"

namespace apsp::bench {
namespace {

using kernels::ConstView;
using kernels::View;

constexpr std::int64_t kRun = RandomWords::kRun;
/// No arc, no path: the sum of two still fits.
constexpr std::int32_t kNoArc = 1 << 29;
/// What no distance is: a value that is no whole number, or negative, or too large.
constexpr std::int32_t kWrong = -1;

constexpr std::int64_t kWhole = 4096;  // vertices up to which the CPU engine solves it all
constexpr std::int64_t kSourcesChecked = 8;
constexpr std::int64_t kProbes = 1 << 20;

template <class T>
const T& entry(ConstView matrix, std::int64_t i, std::int64_t j) {
  return static_cast<const T*>(matrix.data)[i * matrix.stride + j];
}

template <class T>
std::int32_t whole(T value) {
  if (value == semiring::MinPlus<T>::zero()) return kNoArc;
  const auto number = static_cast<double>(value);
  if (!(number >= 0 && number < kNoArc)) return kWrong;
  const auto integer = static_cast<std::int32_t>(number);
  return integer == number ? integer : kWrong;
}

class WeightedProblem final : public CudaProblem {
 public:
  WeightedProblem(const BenchmarkKernel& kernel, places::Shape shape, std::int64_t n,
                  std::uint64_t seed, int threads)
      : kernel_(kernel),
        shape_(shape),
        n_(n),
        seed_(seed),
        threads_(threads),
        shift_(kernel.type == ValueType::u16 ? 32 - 13 : 32 - 22),
        random_(n, n, seed, shape == places::Shape::symmetric) {}

  void fill(View matrix) const override {
    with_sums(kernel_.type, [&]<class S>() {
      using T = typename S::Value;
#pragma omp parallel for schedule(static) num_threads(threads_)
      for (std::int64_t i = 0; i < n_; ++i) {
        T* const row = static_cast<T*>(matrix.data) + i * matrix.stride;
        std::array<std::uint32_t, kRun> words;
        for (std::int64_t first = 0; first < n_; first += kRun) {
          random_.run(i, first, words.data());
          const std::int64_t count = std::min(kRun, n_ - first);
          for (std::int64_t c = 0; c < count; ++c) {
            const std::int32_t w = weight_of(words[static_cast<std::size_t>(c)]);
            row[first + c] = w == kNoArc ? S::zero() : static_cast<T>(w);
          }
        }
        row[i] = S::one();
      }
    });
  }

  Verdict check(ConstView solved, ConstView via) const override {
    Verdict verdict;
    with_sums(kernel_.type, [&]<class S>() {
      using T = typename S::Value;
      check_rows<T>(solved, verdict);
      check_triples<T>(solved, verdict);
      if (via.data != nullptr) check_via<T>(solved, via, verdict);
      if (n_ <= kWhole) check_whole(solved, verdict);
    });
    return verdict;
  }

 private:
  std::int32_t weight_of(std::uint32_t word) const {
    return word % 8 == 0 ? kNoArc : static_cast<std::int32_t>(1 + (word >> shift_));
  }
  std::int32_t weight(std::int64_t u, std::int64_t v) const {
    return u == v ? 0 : weight_of(random_(u, v));
  }

  template <class T>
  void check_rows(ConstView solved, Verdict& verdict) const {
    const std::int64_t count = std::min(kSourcesChecked, n_);
    std::vector<std::int32_t> rows(static_cast<std::size_t>(count * n_));
    const auto distance = [&](std::int64_t s, std::int64_t v) -> std::int32_t& {
      return rows[static_cast<std::size_t>(s * n_ + v)];
    };
    const auto source = [&](std::int64_t s) { return (s * n_ + n_ / 2) / count; };
    for (std::int64_t s = 0; s < count; ++s) {
      for (std::int64_t v = 0; v < n_; ++v) distance(s, v) = whole(entry<T>(solved, source(s), v));
    }
    std::atomic<bool> right{true};
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (std::int64_t first = 0; first < n_; first += kRun) {
      std::array<std::array<std::int32_t, kRun>, kSourcesChecked> least;
      for (auto& row : least) row.fill(kNoArc);
      std::array<std::uint32_t, kRun> words;
      std::array<std::int32_t, kRun> weights;
      for (std::int64_t u = 0; u < n_; ++u) {
        random_.run(u, first, words.data());
        for (std::size_t c = 0; c < kRun; ++c) weights[c] = weight_of(words[c]);
        // An arc to itself is none.
        if (u >= first && u < first + kRun) weights[static_cast<std::size_t>(u - first)] = kNoArc;
        for (std::int64_t s = 0; s < count; ++s) {
          const std::int32_t until = distance(s, u);
          auto& best = least[static_cast<std::size_t>(s)];
          for (std::size_t c = 0; c < kRun; ++c) best[c] = std::min(best[c], until + weights[c]);
        }
      }
      for (std::int64_t s = 0; s < count; ++s) {
        for (std::int64_t v = first; v < std::min(first + kRun, n_); ++v) {
          const std::int32_t expected =
              v == source(s)
                  ? 0
                  : least[static_cast<std::size_t>(s)][static_cast<std::size_t>(v - first)];
          if (distance(s, v) != expected) right = false;
        }
      }
    }
    note(right, count * n_, verdict);
  }

  template <class T>
  void check_triples(ConstView solved, Verdict& verdict) const {
    probe(verdict, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
      const std::int32_t there = whole(entry<T>(solved, i, j));
      const std::int32_t to = whole(entry<T>(solved, i, k));
      const std::int32_t from = whole(entry<T>(solved, k, j));
      const bool possible = there >= (i == j ? 0 : 1) && to >= 0 && from >= 0;
      return possible && there <= to + from && there <= weight(i, j);
    });
  }

  template <class T>
  void check_via(ConstView solved, ConstView via, Verdict& verdict) const {
    probe(verdict, [&](std::int64_t i, std::int64_t j, std::int64_t) {
      const std::int32_t there = whole(entry<T>(solved, i, j));
      const std::int64_t k = entry<std::int32_t>(via, i, j);
      if (k == kernels::kNoVia) return there == weight(i, j);
      if (k < 0 || k >= n_ || k == i || k == j) return false;
      return there == whole(entry<T>(solved, i, k)) + whole(entry<T>(solved, k, j));
    });
  }

  void check_whole(ConstView solved, Verdict& verdict) const {
    const std::int64_t size = size_of(kernel_.type), bytes = n_ * size;
    base::AlignedMemory memory(n_ * bytes);
    const View expected{memory.data(), n_, n_, n_};
    fill(expected);
    engine::run(host_plan(kernel_, shape_, n_, threads_), {expected}, {});
    bool right = true;
    for (std::int64_t i = 0; i < n_; ++i) {
      const auto* const row = static_cast<const std::byte*>(solved.data) + i * solved.stride * size;
      right = right &&
              std::memcmp(row, memory.data() + i * bytes, static_cast<std::size_t>(bytes)) == 0;
    }
    note(right, n_ * n_, verdict);
  }

  /// `holds(i, j, k)` for random vertices.
  template <class F>
  void probe(Verdict& verdict, F&& holds) const {
    if (n_ == 0) return;
    std::atomic<bool> right{true};
    const auto vertices = static_cast<std::uint64_t>(n_);
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::int64_t p = 0; p < kProbes; ++p) {
      base::SplitMix64 random(seed_ + static_cast<std::uint64_t>(p) * 0x9E3779B97F4A7C15u);
      const auto vertex = [&] { return static_cast<std::int64_t>(random.below(vertices)); };
      const std::int64_t i = vertex(), j = vertex(), k = vertex();
      if (!holds(i, j, k)) right = false;
    }
    note(right, kProbes, verdict);
  }

  static void note(bool right, std::int64_t entries, Verdict& verdict) {
    verdict.correct = verdict.correct && right;
    verdict.entries += entries;
  }

  BenchmarkKernel kernel_;
  places::Shape shape_;
  std::int64_t n_;
  std::uint64_t seed_;
  int threads_;
  int shift_;  // from 32 random bits to a weight
  RandomWords random_;
};

}  // namespace

std::unique_ptr<CudaProblem> make_reach_problem(std::int64_t n, std::uint64_t seed, int threads);

std::unique_ptr<CudaProblem> make_cuda_problem(const BenchmarkKernel& kernel, places::Shape shape,
                                               std::int64_t n, std::uint64_t seed, int threads) {
  if (in_bits(kernel)) return make_reach_problem(n, seed, threads);
  return std::make_unique<WeightedProblem>(kernel, shape, n, seed, threads);
}

}  // namespace apsp::bench
