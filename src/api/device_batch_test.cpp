// Batches that lie on a device, invented, strict about memory and queues, and simpler than a GPU:
// it leaves matrices with negative reals, and larger ones, to the host.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <limits>
#include <vector>

#include "api/floyd_warshall.hpp"
#include "base/random.hpp"
#include "semiring/dispatch.hpp"
#include "support/error_of.hpp"
#include "support/invented_devices.hpp"
#include "support/types_of.hpp"

namespace apsp {
namespace {

using planner::one_device;

/// [count, n, n + 3], `count` of them n · (n + 3) + 5 values apart.
template <class S>
struct BatchThere {
  using T = typename S::Value;
  BatchThere(std::int64_t count_, std::int64_t n_, double lowest = 1)
      : count(count_), n(n_), values(static_cast<std::size_t>(count * step()), T(7)) {
    base::SplitMix64 random(static_cast<std::uint64_t>(n));
    for (std::int64_t g = 0; g < count; ++g) {
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
          const bool acyclic = i < j || (S::kKind != Semiring::max_plus && lowest >= 0);
          const auto weight = static_cast<T>(lowest + static_cast<double>(random.below(20)));
          const bool edge = acyclic && random.below(3) == 0;
          at(g, i, j) = !edge ? S::zero() : S::kKind == Semiring::or_and ? S::one() : weight;
        }
      }
    }
  }
  std::int64_t stride() const { return n + 3; }
  std::int64_t step() const { return n * stride() + 5; }
  T& at(std::int64_t g, std::int64_t i, std::int64_t j) {
    return values[static_cast<std::size_t>(g * step() + i * stride() + j)];
  }
  DeviceBatch batch(ValueType type, std::vector<std::int32_t>* via = nullptr) {
    if (via != nullptr) via->assign(static_cast<std::size_t>(count * n * n), 9);
    return {.data = values.data(),
            .count = count,
            .n = n,
            .stride = stride(),
            .matrix_stride = step(),
            .type = type,
            .via = via == nullptr ? nullptr : via->data()};
  }
  /// The same by `solve_batch` on the host.
  void solve_on_host(ValueType type, std::vector<std::int32_t>* via = nullptr) {
    std::vector<detail::BatchItem> items;
    std::vector<MatrixView<std::int32_t>> planes;
    if (via != nullptr) via->assign(static_cast<std::size_t>(count * n * n), 9);
    for (std::int64_t g = 0; g < count; ++g) {
      items.push_back({&at(g, 0, 0), n, stride()});
      if (via != nullptr) planes.emplace_back(via->data() + g * n * n, n, n);
    }
    detail::solve_batch(S::kKind, type, items, {.threads = 1, .via = planes});
  }

  std::int64_t count, n;
  std::vector<T> values;
};

void solve_there(Semiring semiring, const DeviceBatch& batch, const BatchOptions& options = {}) {
  api::solve_batch_on_device_among(one_device, semiring, batch, options);
}

TEST(DeviceBatch, IsSolvedAsOnTheHostForEverySemiringTypeAndSide) {
  for (const Semiring semiring : all_semirings()) {
    for (const ValueType type : types_of(semiring)) {
      semiring::dispatch(semiring, type, [&]<class S>() {
        for (const std::int64_t n :
             {1, 7, 16, 40, 45}) {  // 16 with via, 40 without; then one by one
          for (const bool tracks : {false, true}) {
            BatchThere<S> there(3, n), here = there;
            std::vector<std::int32_t> via, want;
            solve_there(semiring, there.batch(type, tracks ? &via : nullptr));
            here.solve_on_host(type, tracks ? &want : nullptr);
            EXPECT_EQ(there.values, here.values)
                << name(semiring) << " " << name(type) << ", n " << n << tracks;
            EXPECT_EQ(via, want) << name(semiring) << " " << name(type) << ", n " << n;
          }
        }
      });
    }
  }
}

TEST(DeviceBatch, NegativeWeightsOfSomeMatrices) {
  const auto expect_same = []<class S>(ValueType type) {
    BatchThere<S> there(3, 12, -5);
    for (std::int64_t j = 0; j < 12; ++j) there.at(1, 0, j) = 4;
    BatchThere<S> here = there;
    solve_there(S::kKind, there.batch(type));
    here.solve_on_host(type);
    EXPECT_EQ(there.values, here.values) << name(type);
  };
  expect_same.template operator()<semiring::MinPlus<std::int32_t>>(ValueType::i32);
  expect_same.template operator()<semiring::MinPlus<double>>(ValueType::f64);
}

TEST(DeviceBatch, ErrorsNameTheFirstGraph) {
  using S = semiring::MinPlus<float>;
  BatchThere<S> there(4, 10);
  there.at(2, 3, 4) = std::numeric_limits<float>::quiet_NaN();
  there.at(3, 1, 0) = there.at(3, 0, 1) = -1;
  const Error bad = error_of([&] { solve_there(S::kKind, there.batch(ValueType::f32)); });
  EXPECT_EQ(bad.kind(), ErrorKind::usage);
  EXPECT_THAT(bad.what(), testing::StartsWith("graph 2: "));
  there.at(2, 3, 4) = 1;
  const Error cycle = error_of([&] { solve_there(S::kKind, there.batch(ValueType::f32)); });
  EXPECT_EQ(cycle.kind(), ErrorKind::negative_cycle);
  EXPECT_THAT(cycle.what(), testing::StartsWith("graph 3: "));
  BatchThere<semiring::MinPlus<std::uint16_t>> far(2, 9);
  for (std::int64_t i = 0; i < 9; ++i) far.at(1, i, 0) = 5000;
  EXPECT_ERROR(does_not_fit, solve_there(Semiring::min_plus, far.batch(ValueType::u16)));
}

TEST(DeviceBatch, RefusesWhatIsNoBatch) {
  BatchThere<semiring::MinPlus<float>> there(2, 4);
  const DeviceBatch good = there.batch(ValueType::f32);
  DeviceBatch bad = good;
  bad.matrix_stride = 20;
  EXPECT_ERROR(usage, solve_there(Semiring::min_plus, bad));
  bad = good;
  bad.stride = 3;
  EXPECT_ERROR(usage, solve_there(Semiring::min_plus, bad));
  EXPECT_ERROR(usage, solve_there(Semiring::or_and, good));
  EXPECT_ERROR(usage, solve_there(Semiring::min_plus, good, {.threads = -1}));
  std::vector<MatrixView<std::int32_t>> planes;
  std::vector<std::int32_t> values(16);
  planes.emplace_back(values.data(), 4, 4);
  EXPECT_ERROR(usage, solve_there(Semiring::min_plus, good, {.via = planes}));
  EXPECT_ERROR(device,
               api::solve_batch_on_device_among(planner::no_device, Semiring::min_plus, good, {}));
  EXPECT_NO_THROW(solve_there(Semiring::min_plus, DeviceBatch{}));
}

TEST(DeviceBatch, StopsWhenAskedTo) {
  BatchThere<semiring::MinPlus<float>> there(3, 45);  // one by one
  Cancellation cancellation;
  cancellation.request();
  EXPECT_ERROR(interrupted, solve_there(Semiring::min_plus, there.batch(ValueType::f32),
                                        {.control = {nullptr, &cancellation}}));
}

}  // namespace
}  // namespace apsp
