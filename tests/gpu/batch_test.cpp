// Batches on a GPU against Floyd-Warshall with pivots in order, bit for bit, real values and
// intermediate vertices included, and against batches on the CPU where weights are integers.
#include <apsp/apsp.hpp>

#include "base/random.hpp"
#include "kernels/contract.hpp"
#include "semiring/dispatch.hpp"
#include "support/device_values.hpp"
#include "support/on_gpu.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"
#include "support/watched.hpp"

namespace apsp::batch_test {
namespace {

class BatchOnGpu : public OnGpu {};

struct BatchKind {
  std::int64_t n = 1, count = 3;
  std::int64_t beside = 0;  ///< values behind every row, and behind every matrix
  bool real = false, via = false;
  std::int64_t heights = 0;  ///< differences of heights are added: no cycle is negative
};

template <class S>
struct Matrices {
  using T = typename S::Value;

  explicit Matrices(const BatchKind& of)
      : kind(of), values(static_cast<std::size_t>(of.count * step()), T(7)) {
    base::SplitMix64 random(static_cast<std::uint64_t>(of.n * 8 + of.beside));
    for (std::int64_t g = 0; g < of.count; ++g) {
      for (std::int64_t i = 0; i < of.n; ++i) {
        for (std::int64_t j = 0; j < of.n; ++j) {
          double weight = static_cast<double>(1 + random.below(20));
          if (of.real) weight += 0.1 * static_cast<double>(random.below(7));
          weight += static_cast<double>(of.heights * (i % 5) - of.heights * (j % 5));
          const bool acyclic = S::kKind != Semiring::max_plus || i < j;
          const bool edge = acyclic && random.below(100) < 30;
          at(g, i, j) = !edge                          ? S::zero()
                        : S::kKind == Semiring::or_and ? static_cast<T>(1 + random.below(3))
                                                       : static_cast<T>(weight);
        }
      }
    }
    if (of.via) via.assign(static_cast<std::size_t>(of.count * of.n * of.n), 99);
  }

  std::int64_t stride() const { return kind.n + kind.beside; }
  std::int64_t step() const { return kind.n * stride() + kind.beside; }
  T& at(std::int64_t g, std::int64_t i, std::int64_t j) {
    return values[static_cast<std::size_t>(g * step() + i * stride() + j)];
  }

  void solve_on_gpu(ValueType type) {
    const auto device = gpu(S::kKind, type);
    const auto queue = device->make_queue();
    T* const there = to_device(*device, queue, values);
    std::int32_t* const via_there = kind.via ? to_device(*device, queue, via) : nullptr;
    device->synchronize(queue);
    solve_batch_on_device(S::kKind, {.data = there,
                                     .count = kind.count,
                                     .n = kind.n,
                                     .stride = stride(),
                                     .matrix_stride = step(),
                                     .type = type,
                                     .via = via_there});
    fetch(*device, queue, values, there);
    if (kind.via) fetch(*device, queue, via, via_there);
  }
  void solve_on_cpu(ValueType type) {
    std::vector<detail::BatchItem> items;
    for (std::int64_t g = 0; g < kind.count; ++g) {
      items.push_back({values.data() + g * step(), kind.n, stride()});
    }
    detail::solve_batch(S::kKind, type, items, {});
  }
  /// Floyd-Warshall with pivots in order, by rows.
  void solve_in_order() {
    const std::int64_t n = kind.n;
    std::fill(via.begin(), via.end(), kernels::kNoVia);
    for (std::int64_t g = 0; g < kind.count; ++g) {
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n && S::kKind == Semiring::or_and; ++j) {
          at(g, i, j) = static_cast<T>(at(g, i, j) != 0);
        }
        at(g, i, i) = S::plus(at(g, i, i), S::one());
      }
      for (std::int64_t k = 0; k < n; ++k) {
        for (std::int64_t i = 0; i < n; ++i) {
          const T to_pivot = at(g, i, k);
          if (to_pivot == S::zero()) continue;
          const T* const from = &at(g, k, 0);
          T* const row = &at(g, i, 0);
          for (std::int64_t j = 0; j < n; ++j) {
            const T through = S::times(to_pivot, from[j]);
            if (!S::better(through, row[j])) continue;
            row[j] = through;
            if (kind.via)
              via[static_cast<std::size_t>((g * n + i) * n + j)] = static_cast<std::int32_t>(k);
          }
        }
      }
    }
  }

  BatchKind kind;
  std::vector<T> values;
  std::vector<std::int32_t> via;
};

template <class S>
void expect_order_of_pivots(ValueType type, const BatchKind& kind) {
  Matrices<S> there(kind), here(kind);
  there.solve_on_gpu(type);
  here.solve_in_order();
  const bool same = there.values.size() == here.values.size() &&
                    std::memcmp(there.values.data(), here.values.data(),
                                there.values.size() * sizeof(typename S::Value)) == 0;
  EXPECT_TRUE(same) << name(S::kKind) << " " << name(type) << ", n " << kind.n << ", via "
                    << kind.via << ", beside " << kind.beside;
  EXPECT_EQ(there.via, here.via) << name(S::kKind) << " " << name(type) << ", n " << kind.n;
}

std::vector<std::int64_t> sides() {
  if (watched()) return {5, 33, 70};
  return {1, 2, 5, 31, 32, 33, 63, 64, 65, 127, 128, 129, 192, 193, 255, 256};
}

TEST_F(BatchOnGpu, TakePivotsInOrderForEverySemiringTypeAndSide) {
  for (const auto& [semiring, type] : all_kinds()) {
    semiring::dispatch(semiring, type, [&]<class S>() {
      for (const std::int64_t n : sides()) {
        for (const bool via : {false, true}) {
          const bool real = std::is_floating_point_v<typename S::Value>;
          expect_order_of_pivots<S>(
              type, {.n = n, .beside = n % 3 == 0 ? 3 : 0, .real = real, .via = via});
        }
      }
    });
  }
}

TEST_F(BatchOnGpu, ManyMultiprocessorsShareAMatrix) {
  if (watched()) GTEST_SKIP() << "too long";
  using semiring::MinPlus;
  for (const std::int64_t n : {257, 400, 512}) {
    for (const bool via : {false, true}) {
      const BatchKind kind{.n = n, .count = 12, .via = via}, real{.n = n, .real = true, .via = via};
      expect_order_of_pivots<MinPlus<float>>(ValueType::f32, real);
      expect_order_of_pivots<MinPlus<double>>(ValueType::f64, real);
      expect_order_of_pivots<MinPlus<std::uint16_t>>(ValueType::u16, kind);
      expect_order_of_pivots<semiring::MaxMin<std::int32_t>>(ValueType::i32, real);
      expect_order_of_pivots<semiring::OrAnd<std::uint8_t>>(ValueType::boolean, real);
    }
  }
}

TEST_F(BatchOnGpu, AgreesWithTheCpuOnManyMatrices) {
  for (const auto& [semiring, type] : all_kinds()) {
    semiring::dispatch(semiring, type, [&]<class S>() {
      for (const std::int64_t n : {20, 64, 100, 150}) {
        Matrices<S> there({.n = n, .count = watched() ? 3 : 1500}), here = there;
        there.solve_on_gpu(type);
        here.solve_on_cpu(type);
        EXPECT_EQ(there.values == here.values, true)
            << name(semiring) << " " << name(type) << ", n " << n;
      }
    });
  }
}

TEST_F(BatchOnGpu, NegativeWeightsAreSolvedThereOrOnTheHost) {
  using semiring::MinPlus;
  for (const std::int64_t n : {40, 100}) {
    const BatchKind kind{.n = n, .heights = 30};
    expect_order_of_pivots<MinPlus<std::int32_t>>(ValueType::i32, kind);
    expect_order_of_pivots<MinPlus<float>>(ValueType::f32, kind);  // integers: exact
    expect_order_of_pivots<MinPlus<double>>(ValueType::f64, kind);
    Matrices<MinPlus<double>> there({.n = n, .real = true, .heights = 30}), here = there;
    there.solve_on_gpu(ValueType::f64);
    here.solve_on_cpu(ValueType::f64);
    EXPECT_EQ(there.values, here.values);
  }
}

TEST_F(BatchOnGpu, ErrorsNameTheFirstGraph) {
  using S = semiring::MinPlus<float>;
  Matrices<S> matrices({.n = 50, .count = 5});
  matrices.at(3, 1, 2) = std::numeric_limits<float>::quiet_NaN();
  matrices.at(4, 0, 1) = -1;
  matrices.at(4, 1, 0) = 0;
  Matrices<S> copy = matrices;
  const Error bad = error_of([&] { copy.solve_on_gpu(ValueType::f32); });
  EXPECT_EQ(bad.kind(), ErrorKind::usage);
  EXPECT_THAT(bad.what(), StartsWith("graph 3: "));
  matrices.at(3, 1, 2) = 1;
  const Error cycle = error_of([&] { matrices.solve_on_gpu(ValueType::f32); });
  EXPECT_EQ(cycle.kind(), ErrorKind::negative_cycle);
  EXPECT_THAT(cycle.what(), StartsWith("graph 4: "));
  Matrices<semiring::MinPlus<std::uint16_t>> far({.n = 20});
  for (std::int64_t i = 0; i < 20; ++i) far.at(2, i, 0) = 5000;
  EXPECT_ERROR(does_not_fit, far.solve_on_gpu(ValueType::u16));
  EXPECT_ERROR(usage, solve_batch_on_device(
                          Semiring::min_plus,
                          {.data = copy.values.data(), .count = 1, .n = 50}));  // of the host
}

TEST_F(BatchOnGpu, LargeMatricesAreSolvedOneByOne) {
  if (watched()) GTEST_SKIP() << "too long";
  for (const bool via : {false, true}) {
    Matrices<semiring::MinPlus<std::int32_t>> there({.n = 600, .count = 2, .via = via}),
        here = there;
    there.solve_on_gpu(ValueType::i32);
    here.solve_on_cpu(ValueType::i32);
    EXPECT_EQ(there.values, here.values);
  }
}

}  // namespace
}  // namespace apsp::batch_test
