// Signed reals on a device: potentials found there, and distances that they restore. On the strict
// device, which forgives nothing.
#include "algorithms/device_potentials.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include "algorithms/device_memory.hpp"
#include "base/random.hpp"
#include "kernels/strict/strict_device.hpp"

namespace apsp {
namespace {

using kernels::Cycles;
using kernels::Potential;

constexpr std::int64_t kMemory = 8 << 20;
constexpr double kNoPath = std::numeric_limits<double>::infinity();
const base::PathUnit kUnit = base::PathUnit::of_reals(8);  // weights below 256

/// Non-negative random weights, moved by a random height of each vertex: many are negative, and no
/// cycle is.
std::vector<double> signed_weights(std::int64_t n, std::uint64_t seed) {
  base::SplitMix64 random(seed);
  std::vector<double> height;
  for (std::int64_t v = 0; v < n; ++v) height.push_back(static_cast<double>(random.below(100)));
  std::vector<double> weights;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const bool arc = random.below(3) == 0 || j == (i + 1) % n;
      const auto at = [&](std::int64_t v) { return height[static_cast<std::size_t>(v)]; };
      const double weight = std::ldexp(static_cast<double>(random.below(1u << 30)), -25);
      weights.push_back(i == j ? 0 : arc ? weight + at(j) - at(i) : kNoPath);
    }
  }
  return weights;
}

std::vector<double> plain_k_loop(std::vector<double> d, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
      }
    }
  }
  return d;
}

Tiling tiling(std::vector<double>& matrix, std::int64_t n) {
  return {{matrix.data(), n, n, n}, sizeof(double), 8};
}

std::unique_ptr<kernels::Device> make_device() {
  return kernels::strict::make_device(Semiring::min_plus, ValueType::f64, kMemory);
}

std::vector<Potential> find(std::vector<double>& weights, std::int64_t n) {
  const auto device = make_device();
  const auto queue = device->make_queue();
  const kernels::Tile there{device->allocate(n * n * 8), n, n, n};
  device->copy_in(queue, there, kernels::ConstTile{weights.data(), n, n, n}, 8);
  DevicePotentials potentials(*device, n);
  const Control control;
  potentials.find(queue, there, kUnit, control);
  std::vector<Potential> h(static_cast<std::size_t>(n));
  device->copy_out(queue, {h.data(), 1, n, n}, kernels::ConstTile{potentials.data(), 1, n, n},
                   sizeof(Potential));
  device->synchronize(queue);
  return h;
}

TEST(DevicePotentials, LeaveNoWeightNegative) {
  for (const std::int64_t n : {1, 2, 7, 16, 33}) {
    std::vector<double> weights = signed_weights(n, 5);
    const std::vector<Potential> h = find(weights, n);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        const double w = weights[static_cast<std::size_t>(i * n + j)];
        const Potential& from = h[static_cast<std::size_t>(i)];
        const Potential& to = h[static_cast<std::size_t>(j)];
        const double least = -std::ldexp(std::abs(w), -50);
        EXPECT_GE(w + (from.high - to.high) + (from.low - to.low), least) << i << " to " << j;
      }
    }
  }
}

TEST(DevicePotentials, AreTheLightestWalksIntoEachVertex) {
  std::vector<double> weights = signed_weights(12, 8);
  const std::vector<double> distances = plain_k_loop(weights, 12);
  const std::vector<Potential> h = find(weights, 12);
  for (std::size_t v = 0; v < 12; ++v) {
    double lightest = 0;
    for (std::size_t u = 0; u < 12; ++u) lightest = std::min(lightest, distances[u * 12 + v]);
    EXPECT_NEAR(h[v].high, lightest, 1e-9) << v;
  }
}

TEST(DevicePotentials, NameAVertexOfANegativeCycle) {
  constexpr std::int64_t kSide = 9;
  std::vector<double> weights(kSide * kSide, kNoPath);
  const auto arc = [&](std::size_t u, std::size_t v, double w) { weights[u * kSide + v] = w; };
  arc(0, 3, 1);
  arc(3, 5, 0.5);
  arc(5, 7, 0.25);
  arc(7, 3, -0.7500000001);
  try {
    find(weights, kSide);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::negative_cycle);
    EXPECT_THAT(error.cycle().vertices, testing::Each(testing::AnyOf(3, 5, 7)));
  }
}

TEST(DevicePotentials, ForgiveACycleThatRoundingAloneMakesNegative) {
  std::vector<double> weights = {0, 0.1, kNoPath, kNoPath, 0, 0.7, -0.8, kNoPath, 0};
  EXPECT_LT((0.1 + 0.7) - 0.8, 0);
  EXPECT_NO_THROW(find(weights, 3));
}

void expect_near(const std::vector<double>& got, const std::vector<double>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (expected[i] == kNoPath) {
      EXPECT_EQ(got[i], kNoPath);
    } else {
      EXPECT_NEAR(got[i], expected[i], 1e-10);
    }
  }
}

TEST(DevicePotentials, SolveAMatrixOfSignedWeights) {
  for (const std::int64_t n : {1, 7, 8, 9, 29, 71, 149}) {
    std::vector<double> matrix = signed_weights(n, 3);
    const std::vector<double> expected = plain_k_loop(matrix, static_cast<std::size_t>(n));
    const auto device = make_device();
    const Control control;
    DeviceMemory(*device, tiling(matrix, n), Shape::full, Cycles::excluded, control, {},
                 {.unit = kUnit})
        .run();
    expect_near(matrix, expected);
    EXPECT_EQ(device->memory_free(), kMemory) << "everything is given back";
  }
}

TEST(DevicePotentials, RestoreWhatTheHostReduced) {
  for (const std::int64_t n : {1, 8, 29, 149}) {
    std::vector<double> matrix = signed_weights(n, 4);
    const std::vector<double> expected = plain_k_loop(matrix, static_cast<std::size_t>(n));
    const std::vector<Potential> h = find(matrix, n);
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      const auto side = static_cast<std::size_t>(n);
      matrix[i] = kernels::reduced(matrix[i], h[i / side], h[i % side]);
    }
    const auto device = make_device();
    const Control control;
    DeviceMemory(*device, tiling(matrix, n), Shape::full, Cycles::excluded, control, {},
                 {.potentials = h})
        .run();
    expect_near(matrix, expected);
  }
}

}  // namespace
}  // namespace apsp
