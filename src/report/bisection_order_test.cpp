#include "report/pictures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"

namespace apsp::report {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Shuffled places on a line; distances are their differences.
std::vector<double> shuffled_places(std::size_t count) {
  std::vector<double> places(count);
  for (std::size_t i = 0; i < count; ++i) places[i] = static_cast<double>(i);
  base::SplitMix64 random(7);
  for (std::size_t i = count; i > 1; --i) std::swap(places[i - 1], places[random.below(i)]);
  return places;
}

std::vector<double> distances_between(const std::vector<double>& places) {
  std::vector<double> distances;
  for (const double a : places) {
    for (const double b : places) distances.push_back(std::abs(a - b));
  }
  return distances;
}

TEST(BisectionOrder, PutsALineBackInOrder) {
  for (const std::size_t count : {1, 2, 3, 5, 16, 101}) {
    const std::vector<double> places = shuffled_places(count);
    const std::vector<std::size_t> order = bisection_order(distances_between(places), count);
    std::vector<double> found;
    for (const std::size_t i : order) found.push_back(places[i]);
    if (found.front() > found.back()) std::reverse(found.begin(), found.end());
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end())) << count;
  }
}

TEST(BisectionOrder, KeepsPartsWithoutAPathTogether) {
  constexpr std::size_t kCount = 30;
  std::vector<double> distances(kCount * kCount, kInf);
  for (std::size_t i = 0; i < kCount; ++i) {
    for (std::size_t j = 0; j < kCount; ++j) {
      if (i % 3 == j % 3) distances[i * kCount + j] = std::abs(double(i) - double(j));
    }
  }
  const std::vector<std::size_t> order = bisection_order(distances, kCount);
  for (std::size_t i = 1; i < kCount; ++i) {
    EXPECT_EQ(order[i] % 3 != order[i - 1] % 3, i % 10 == 0) << i;
  }
}

TEST(BisectionOrder, NamesEveryPositionOnceWhateverTheDistances) {
  EXPECT_TRUE(bisection_order({}, 0).empty());
  base::SplitMix64 random(3);
  for (const std::size_t count : {4, 17, 50}) {
    std::vector<double> distances;
    for (std::size_t i = 0; i < count * count; ++i) {
      const double value = random.uniform() * 10;
      distances.push_back(value < 3 ? kInf : value < 4 ? -value : value);
    }
    std::vector<std::size_t> order = bisection_order(distances, count);
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(order[i], i);
  }
}

}  // namespace
}  // namespace apsp::report
