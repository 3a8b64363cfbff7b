// Whether two ways to the same graph agree.
#pragma once

#include <gtest/gtest.h>
#include <apsp/graph.hpp>

namespace apsp {

/// Arcs, loops, symmetry and all that is known of the weights.
inline void expect_same_facts(const Graph& a, const Graph& b) {
  EXPECT_EQ(a.digest(), b.digest());
  EXPECT_EQ(a.arc_count(), b.arc_count());
  EXPECT_EQ(a.loop_count(), b.loop_count());
  EXPECT_EQ(a.symmetric(), b.symmetric());
  const WeightFacts &x = a.weight_facts(), &y = b.weight_facts();
  EXPECT_EQ(x.least, y.least);
  EXPECT_EQ(x.greatest, y.greatest);
  EXPECT_EQ(x.integral, y.integral);
  EXPECT_EQ(x.unit, y.unit);
  EXPECT_EQ(x.longest_path, y.longest_path);
  EXPECT_EQ(x.below_f32, y.below_f32);
}

}  // namespace apsp
