// A matrix that lies on a device, invented, and strict about whose memory and queue is whose.
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

namespace apsp {
namespace {

using planner::one_device;
using testing::ElementsAre;

constexpr std::int64_t kMargin = 3;  // columns behind the matrix that must survive

struct MatrixKind {
  bool negative = false, symmetric = false, real = false;
};

/// [n, n + kMargin]: weights 1 … 100; `negative`: differences of heights are added, so that no
/// cycle is negative.
template <class S>
std::vector<typename S::Value> random_matrix(std::int64_t n, MatrixKind kind) {
  using T = typename S::Value;
  base::SplitMix64 random(static_cast<std::uint64_t>(n));
  const std::int64_t stride = n + kMargin;
  std::vector<T> values(static_cast<std::size_t>(n * stride), T(7));
  const auto at = [&](std::int64_t i, std::int64_t j) -> T& {
    return values[static_cast<std::size_t>(i * stride + j)];
  };
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double weight = static_cast<double>(1 + random.below(100)) + (kind.real ? 0.25 : 0);
      if (kind.negative) weight += static_cast<double>(40 * (i % 5) - 40 * (j % 5));
      at(i, j) = random.below(4) == 0 ? static_cast<T>(weight) : S::zero();
      if (kind.symmetric && j < i) at(i, j) = at(j, i);
    }
  }
  return values;
}

template <class T>
void solve_on_device(Semiring semiring, ValueType type, std::vector<T>& values, std::int64_t n,
                     std::int64_t tile = 0, const planner::FindDevices& find = one_device) {
  api::floyd_warshall_on_device_among(
      find, semiring, {.data = values.data(), .n = n, .stride = n + kMargin, .type = type},
      {.threads = 2, .tile = tile});
}

template <class S>
void expect_solved_as_on_the_host(ValueType type, std::int64_t n, MatrixKind kind) {
  auto there = random_matrix<S>(n, kind);
  auto here = there;
  solve_on_device(S::kKind, type, there, n, 16);
  api::floyd_warshall_among(one_device, S::kKind, type, {here.data(), n, n, n + kMargin}, {});
  EXPECT_EQ(there, here) << name(S::kKind) << " " << name(type) << ", n " << n;
}

TEST(DeviceMatrix, IsSolvedWhereItLiesAsOnTheHost) {
  for (const std::int64_t n : {1, 15, 16, 17, 61}) {
    for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::min_max}) {
      for (const ValueType type :
           {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16}) {
        semiring::dispatch(semiring, type, [&]<class S>() {
          for (const bool symmetric : {false, true}) {
            expect_solved_as_on_the_host<S>(type, n, {.symmetric = symmetric});
          }
        });
      }
    }
  }
}

TEST(DeviceMatrix, WeightsOfBothSigns) {
  for (const std::int64_t n : {16, 45}) {
    expect_solved_as_on_the_host<semiring::MinPlus<std::int32_t>>(ValueType::i32, n,
                                                                  {.negative = true});
    expect_solved_as_on_the_host<semiring::MinPlus<float>>(ValueType::f32, n, {.negative = true});
    expect_solved_as_on_the_host<semiring::MinPlus<double>>(ValueType::f64, n,
                                                            {.negative = true, .real = true});
  }
}

TEST(DeviceMatrix, ReachabilityGoesThroughTheHost) {
  std::vector<std::uint8_t> matrix = {0, 1, 0, 9, 9, 9, 0, 0, 1, 9, 9, 9, 0, 0, 0, 9, 9, 9};
  solve_on_device(Semiring::or_and, ValueType::boolean, matrix, 3);
  EXPECT_THAT(matrix, ElementsAre(1, 1, 1, 9, 9, 9, 0, 1, 1, 9, 9, 9, 0, 0, 1, 9, 9, 9));
}

TEST(DeviceMatrix, ABadValueIsNamedByItsPlace) {
  std::vector<float> values(5 * (5 + kMargin), 1);
  values[2 * (5 + kMargin) + 4] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_ERROR(usage, solve_on_device(Semiring::min_plus, ValueType::f32, values, 5));
  std::vector<std::uint16_t> beyond = {0, 40000, 0, 0, 0, 3, 0, 0, 0, 0};
  EXPECT_ERROR(usage, solve_on_device(Semiring::min_plus, ValueType::u16, beyond, 2));
}

TEST(DeviceMatrix, NegativeCyclesEndTheSolve) {
  for (const std::int64_t n : {2, 40}) {  // one tile, and several
    std::vector<std::int32_t> values(static_cast<std::size_t>(n * (n + kMargin)), 50);
    values[1] = -60;
    EXPECT_ERROR(negative_cycle,
                 solve_on_device(Semiring::min_plus, ValueType::i32, values, n, 16));
    std::vector<double> real(static_cast<std::size_t>(n * (n + kMargin)), 0.5);
    real[1] = -0.75;
    EXPECT_ERROR(negative_cycle, solve_on_device(Semiring::min_plus, ValueType::f64, real, n, 16));
  }
}

TEST(DeviceMatrix, DistancesThatTheTypeDoesNotHoldAreRefused) {
  std::vector<std::uint16_t> values(9 * (9 + kMargin), 5000);
  EXPECT_ERROR(does_not_fit, solve_on_device(Semiring::min_plus, ValueType::u16, values, 9));
}

TEST(DeviceMatrix, RefusesWhatIsNoMatrixAndMissingDevices) {
  std::vector<float> values(8 * (8 + kMargin), 1);
  const auto refused = [&](DeviceMatrix matrix, FloydWarshallOptions options = {},
                           Semiring semiring = Semiring::min_plus,
                           const planner::FindDevices& find = one_device) {
    return error_of([&] { api::floyd_warshall_on_device_among(find, semiring, matrix, options); });
  };
  const DeviceMatrix good{.data = values.data(), .n = 8, .stride = 8 + kMargin};
  DeviceMatrix bad = good;
  bad.stride = 7;
  EXPECT_EQ(refused(bad).kind(), ErrorKind::usage);
  bad = good;
  bad.ordinal = 4;
  EXPECT_EQ(refused(bad).kind(), ErrorKind::device);
  EXPECT_EQ(refused(good, {.tile = -1}).kind(), ErrorKind::usage);
  EXPECT_EQ(refused(good, {}, Semiring::or_and).kind(), ErrorKind::usage);
  EXPECT_EQ(refused(good, {.device_memory = 20}).kind(), ErrorKind::does_not_fit);
  const Error none = refused(good, {}, Semiring::min_plus, planner::no_device);
  EXPECT_EQ(none.kind(), ErrorKind::device);
}

TEST(DeviceMatrix, OfNoVerticesIsSolved) {
  EXPECT_NO_THROW(
      api::floyd_warshall_on_device_among(one_device, Semiring::min_plus, DeviceMatrix{}, {}));
}

TEST(DeviceMatrix, StopsWhenAskedTo) {
  std::vector<float> values(150 * (150 + kMargin), 1);
  Cancellation cancellation;
  cancellation.request();
  const FloydWarshallOptions options{.tile = 16, .control = {nullptr, &cancellation}};
  EXPECT_ERROR(interrupted,
               api::floyd_warshall_on_device_among(
                   one_device, Semiring::min_plus,
                   {.data = values.data(), .n = 150, .stride = 150 + kMargin}, options));
}

}  // namespace
}  // namespace apsp
