// Exact sums of integer distances and of their reciprocals, in slices (base/sum_slices.hpp).
//
// A distance has up to 31 binary digits. Its reciprocal, rounded to a double, is a multiple of
// 2^-83 and is cut once, at 2^-37: sums of a thread's parts are exact in doubles, and those of a
// warp in 64 bits. Only the sums of a warp are cut into slices, as binary digits.
#pragma once

#include <cstdint>

#include "base/sum_slices.hpp"
#include "kernels/distance_count.hpp"

namespace apsp::kernels::cuda {

using Word64 = unsigned long long;

/// Returns 1 / x rounded to the nearest double, for integers from 1 to 2^31. Starting from an
/// estimate of 20 digits, one step of third order computes all but the last; then 1 − x·y is exact,
/// and the last step rounds once (Markstein 1990): 1 / x is at least one part in 2^85 away from a
/// rounding boundary, and the error is less than one in 2^100.
__device__ inline double reciprocal_of_whole(double x) {
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  const double e = __fma_rn(-x, y, 1.0);
  const double better = __fma_rn(y, __fma_rn(e, e, e), y);
  return __fma_rn(better, __fma_rn(-x, better, 1.0), better);
}

/// Sums numbers up to 2^58 in magnitude over a warp.
__device__ inline Word64 sum_over_warp(long long value) {
  constexpr int kDigits = 26;
  constexpr long long kMask = (1ll << kDigits) - 1;
  const unsigned low = __reduce_add_sync(~0u, static_cast<unsigned>(value & kMask));
  const unsigned middle = __reduce_add_sync(~0u, static_cast<unsigned>(value >> kDigits & kMask));
  const int high = __reduce_add_sync(~0u, static_cast<int>(value >> 2 * kDigits));
  return static_cast<Word64>(low) + (static_cast<Word64>(middle) << kDigits) +
         (static_cast<Word64>(static_cast<long long>(high)) << 2 * kDigits);
}

struct WholeSlices {
  int digits = 0, width = 1, top = 0, count = 0;

  WholeSlices() = default;
  WholeSlices(int digits_of_sum, const base::SliceRange& range)
      : digits(digits_of_sum), width(range.width()), top(range.top()), count(range.count()) {}
};

struct WholeSum {
  Word64 high = 0, low = 0;

  /// Returns the number without its last `digits` (shifted up if negative, then exact below 2^64).
  __device__ Word64 without(int digits) const {
    if (digits >= 64) return high >> (digits - 64);
    if (digits > 0) return low >> digits | high << (64 - digits);
    return digits > -64 ? low << -digits : 0;
  }
};

/// The word of a row's `DistanceTotals` to which a thread of a warp adds: `reached`, then slices of
/// both sums. Other threads have none.
struct WholeWord {
  static constexpr int kSlices = DistanceTotals::kSlices, kWords = 1 + 2 * kSlices;
  static_assert(sizeof(DistanceTotals) == kWords * sizeof(Word64));

  int lane, left_out = 0;  // digits
  Word64 kept = 0;         // mask of the remaining digits

  __device__ WholeWord(const WholeSlices& sums, const WholeSlices& reciprocals)
      : lane(static_cast<int>(threadIdx.x) % 32) {
    if (lane == 0) kept = ~Word64{0};
    if (lane == 0 || lane >= kWords) return;
    const WholeSlices& slices = of_sums() ? sums : reciprocals;
    const int slice = (lane - 1) % kSlices;
    left_out = slices.digits + slices.width * (slices.top - slice) + 1;
    kept = slice >= slices.count ? 0 : slice == 0 ? ~Word64{0} : (Word64{1} << slices.width) - 1;
  }
  __device__ bool of_sums() const { return lane <= kSlices; }

  __device__ void add(DistanceTotals& totals, unsigned reached, const WholeSum& sum,
                      const WholeSum& reciprocals) const {
    const Word64 low = lane == 0 ? reached : of_sums() ? sum.low : reciprocals.low;
    const Word64 high = lane == 0 ? 0 : of_sums() ? sum.high : reciprocals.high;
    const Word64 word = WholeSum{high, low}.without(left_out) & kept;
    if (word != 0) atomicAdd(reinterpret_cast<Word64*>(&totals) + lane, word);
  }
};

/// high · 2^kBelow + low, the sum of which is not negative.
template <int kBelow>
__device__ WholeSum joined(Word64 high, Word64 low) {
  const Word64 digits = (high << kBelow) + low;
  const auto sign = static_cast<Word64>(static_cast<long long>(low) >> 63);
  return {(high >> (64 - kBelow)) + sign + (digits < low ? 1 : 0), digits};
}

struct ReciprocalParts {
  static constexpr double kRound = 0x1.8p15;  // (x + round) − round is x to the nearest 2^-37
  static constexpr int kHighDigits = 37, kDigits = 83;

  double high = 0, low = 0;

  __device__ void add(double reciprocal) {
    const double part = __dsub_rn(__dadd_rn(reciprocal, kRound), kRound);
    high += part;
    low += reciprocal - part;
  }
  __device__ WholeSum sum() const {
    const Word64 of_high = sum_over_warp(__double2ll_rn(high * 0x1p37));
    const Word64 of_low = sum_over_warp(__double2ll_rn(low * 0x1p83));
    return joined<kDigits - kHighDigits>(of_high, of_low);
  }
};

}  // namespace apsp::kernels::cuda
