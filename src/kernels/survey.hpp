// A look at a matrix that lies on a device: there what `graph::prepare_matrix` is on the host.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels {

/// What the values of a matrix are found to be; finite values of sums alone count.
enum SurveyFlag : std::uint32_t {
  kHasNegative = 1,
  kHasPositive = 2,
  kHasFraction = 4,   ///< a value is no integer of magnitude ≤ 2^53
  kHasAsymmetry = 8,  ///< a value differs from its mirror image
};

struct SurveyFound {
  std::uint64_t flags = 0;
  std::uint64_t bad = 0;  ///< 1 + row · n + column of the last NaN or value beyond no path; 0: none
};

/// Looks at every value, and improves the diagonal to the empty path afterwards.
struct Survey {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  View matrix;                   ///< [n, n]
  double* largest = nullptr;     ///< [n]: the largest magnitude of a finite value of each row
  SurveyFound* found = nullptr;  ///< zeros on entry
};

}  // namespace apsp::kernels
