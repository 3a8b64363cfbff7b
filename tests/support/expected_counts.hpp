// Counts of distances by a device against rows of the textbook, number by number.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "flow/column_sink.hpp"

namespace apsp {

inline double sum_of_slices(const base::SliceRange& range, const std::int64_t* units) {
  double sum = 0;
  for (int i = 0; i < range.count(); ++i) {
    sum += static_cast<double>(units[i]) * range.unit_of(i);
  }
  return sum;
}

/// `rows`: [n, n] distances, infinite without a path.
inline void expect_counts(const flow::CountedDistances& found, const std::vector<double>& rows,
                          std::size_t n) {
  std::vector<std::int64_t> counts(found.counts.size());
  std::vector<kernels::Farthest> farthest(n);
  for (std::size_t t = 0; t < n; ++t) {
    std::uint64_t reached = 0;
    double sum = 0, harmonic = 0;
    for (std::size_t s = 0; s < n; ++s) {
      const double distance = rows[s * n + t];
      if (s == t || std::isinf(distance)) continue;
      ++reached;
      sum += distance;
      if (distance > 0) harmonic += 1 / distance;
      ++counts[static_cast<std::size_t>(found.binned ? found.binned->bins.of(distance)
                                                     : static_cast<std::int64_t>(distance))];
      farthest[s].add(distance, static_cast<std::uint32_t>(t));
    }
    double sum_found = 0, harmonic_found = 0;
    if (found.binned) {
      const auto& [bins, sums, reciprocals, least, to] = *found.binned;
      EXPECT_EQ(to[t].reached, reached);
      sum_found = sum_of_slices(sums, to[t].sums);
      harmonic_found = sum_of_slices(reciprocals, to[t].reciprocals);
    } else {
      EXPECT_EQ(found.to[t].reached, reached);
      sum_found = static_cast<double>(found.to[t].sum);
      harmonic_found = found.to[t].reciprocals.upper() + found.to[t].reciprocals.lower();
    }
    EXPECT_EQ(sum_found, sum) << "to " << t;
    EXPECT_NEAR(harmonic_found, harmonic, 1e-12 * (1 + harmonic)) << "to " << t;
  }
  EXPECT_EQ(found.counts, counts);
  for (std::size_t s = 0; s < n; ++s) {
    EXPECT_EQ(found.from[s].distance, farthest[s].distance) << "from " << s;
    EXPECT_EQ(found.from[s].label, farthest[s].label) << "from " << s;
  }
}

}  // namespace apsp
