// A small problem as a matrix on a disk in memory: begun, and looked at when it is solved.
#pragma once

#include <gtest/gtest.h>
#include <string>

#include "store/disk_matrix.hpp"
#include "support/small_problem.hpp"

namespace apsp::store {

inline JournalHead head_of(std::int64_t n, std::int64_t band) {
  return {{n, ValueType::i32, Semiring::min_plus, band}, false, {Graph().digest(), "test"}};
}

/// The problem's weights as what the first step reads.
inline void fill(SmallProblem& problem, DiskMatrix& matrix) {
  const dense::TiledMatrix values = problem.values();
  matrix.write_block({0, 0, values.n(), values.n()}, values.matrix.data, values.matrix.stride);
  matrix.commit_step(0);
}

inline void expect_solved(SmallProblem& problem, const DiskMatrix& matrix) {
  ASSERT_EQ(matrix.checkpoint()->pivots, problem.values().n());
  const dense::TiledMatrix values = problem.values();
  matrix.read(Plane::distance, {0, 0, values.n(), values.n()}, values.matrix.data,
              values.matrix.stride);
  problem.expect_solved();
}

}  // namespace apsp::store
