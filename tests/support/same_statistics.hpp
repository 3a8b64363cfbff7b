// Whether two ways to the same statistics agree.
#pragma once

#include <gtest/gtest.h>

#include <apsp/statistics.hpp>
#include <cmath>
#include <cstddef>
#include <vector>

namespace apsp::statistics {

/// NaN is the same as NaN.
inline void expect_same(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))
        << i << ": " << a[i] << " and " << b[i];
  }
}

/// To the last bit.
inline void expect_same(const Statistics& a, const Statistics& b) {
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.sources, b.sources);
  EXPECT_EQ(a.targets, b.targets);
  EXPECT_EQ(a.pairs, b.pairs);
  EXPECT_EQ(a.reachable_pairs, b.reachable_pairs);
  EXPECT_EQ(a.connected, b.connected);
  EXPECT_EQ(a.median, b.median);
  EXPECT_EQ(a.median_error, b.median_error);
  EXPECT_EQ(a.diameter, b.diameter);
  EXPECT_EQ(a.radius, b.radius);
  EXPECT_EQ(a.diameter_at_least, b.diameter_at_least);
  EXPECT_EQ(a.radius_at_most, b.radius_at_most);
  expect_same(a.eccentricity, b.eccentricity);
  ASSERT_EQ(a.diameter_pair.has_value(), b.diameter_pair.has_value());
  if (a.diameter_pair) {
    EXPECT_EQ(a.diameter_pair->from, b.diameter_pair->from);
    EXPECT_EQ(a.diameter_pair->to, b.diameter_pair->to);
  }
  ASSERT_EQ(a.radius_pair.has_value(), b.radius_pair.has_value());
  if (a.radius_pair) {
    EXPECT_EQ(a.radius_pair->from, b.radius_pair->from);
    EXPECT_EQ(a.radius_pair->to, b.radius_pair->to);
  }
  ASSERT_EQ(a.component.has_value(), b.component.has_value());
  if (a.component) {
    EXPECT_EQ(a.component->components, b.component->components);
    EXPECT_EQ(a.component->vertices, b.component->vertices);
    EXPECT_EQ(a.component->pairs, b.component->pairs);
    EXPECT_EQ(a.component->mean, b.component->mean);
    EXPECT_EQ(a.component->diameter, b.component->diameter);
  }
  EXPECT_EQ(a.least, b.least);
  EXPECT_EQ(a.greatest, b.greatest);
  ASSERT_EQ(a.histogram.size(), b.histogram.size());
  for (std::size_t i = 0; i < a.histogram.size(); ++i) {
    EXPECT_EQ(a.histogram[i].low, b.histogram[i].low);
    EXPECT_EQ(a.histogram[i].high, b.histogram[i].high);
    EXPECT_EQ(a.histogram[i].pairs, b.histogram[i].pairs);
  }
  EXPECT_EQ(a.mean, b.mean);
  expect_same(a.closeness, b.closeness);
  expect_same(a.harmonic, b.harmonic);
}

}  // namespace apsp::statistics
