// Counts real distances ≥ 0 in one pass over rows, like count_whole.cu: no branch in the common
// path, maxima in registers, bins in shared memory.
//
// Distances are compared and find their bins by their bits. Each value to be added is cut in two: a
// multiple of a coarse unit and the remainder, whose sums are exact in doubles (as on the host:
// statistics/lane_counts.hpp). A warp's sums become integers of 128 bits, and these the slices of a
// row's totals.
#include "kernels/cuda/count_reals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/cuda/counted_strip.cuh"
#include "kernels/cuda/whole_sums.cuh"
#include "semiring/semirings.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kBetween = 45;        // digits of a remainder, and of a coarse part
constexpr int kLeadingDigits = 11;  // of a distance in its bin, besides the exponent

constexpr int kRealWarps = 16;  // of a block
template <class T>
constexpr int kRealColumns = sizeof(T) == 4 ? 8 : 4;  // of a thread
template <class T>
using RealValues = StripValues<T, kRealColumns<T>>;

/// A sum in units of 2^unit: (x + round) − round is the coarse part of x.
struct TwoParts {
  double round, per_coarse, per_unit;

  TwoParts() = default;
  explicit TwoParts(int unit)
      : round(std::ldexp(1.5, 52 + unit + kBetween)),
        per_coarse(std::ldexp(1.0, -unit - kBetween)),
        per_unit(std::ldexp(1.0, -unit)) {}
};

struct RealSum {
  double coarse = 0, rest = 0;

  __device__ void add(double value, double round) {
    const double part = __dsub_rn(__dadd_rn(value, round), round);
    coarse += part;
    rest += value - part;
  }
  __device__ WholeSum over_warp(const TwoParts& parts) const {
    return joined<kBetween>(sum_over_warp(__double2ll_rn(coarse * parts.per_coarse)),
                            sum_over_warp(__double2ll_rn(rest * parts.per_unit)));
  }
};

/// Exponents of distances other than 0, and the lowest digits of sums.
struct RealDigits {
  int least, greatest, sums, reciprocals;

  RealDigits(const DistanceCount& count, int bytes) {
    const DistanceBins& bins = count.bins;
    const int digits =
        bytes == 4 ? std::numeric_limits<float>::digits : std::numeric_limits<double>::digits;
    const bool whole = bins.limit() > 1;
    const double last = bins.low(bins.count() - 1);
    least = whole || bins.count() == 1 ? 0 : std::ilogb(bins.low(bins.limit()));
    greatest = std::max(least, last > 0 ? std::ilogb(last) : 0);
    sums = whole ? 0 : least - (digits - 1);
    reciprocals = -(greatest + 1) - (std::numeric_limits<double>::digits - 1);
  }
  bool fit() const {
    return greatest + 1 - sums <= 2 * kBetween && 1 - least - reciprocals <= 2 * kBetween;
  }
};

struct RealArguments : StripArguments {
  DistanceTotals* totals;
  Farthest* farthest;
  Word64* least;
  Word64* counts;
  std::int64_t first;  // leading bits of the first shared bin, of a double
  int limit, bins;
  unsigned first_here;  // the same of this type
  /// Bins in shared memory: of short distances, of others, and one for what has none here.
  unsigned short_held, held;
  TwoParts sum_parts, reciprocal_parts;
  WholeSlices sums, reciprocals;
};

template <class T>
struct Real {
  using Bits = std::conditional_t<sizeof(T) == 4, int, long long>;
  using Unsigned = std::make_unsigned_t<Bits>;
  static constexpr T kNone = semiring::MinPlus<T>::zero();
  static constexpr Bits kLeftOut = -1;

  static __device__ Bits bits(T value) {
    if constexpr (sizeof(T) == 4) {
      return __float_as_int(value);
    } else {
      return __double_as_longlong(value);
    }
  }
  static __device__ T value(Bits bits) {
    if constexpr (sizeof(T) == 4) {
      return __int_as_float(bits);
    } else {
      return __longlong_as_double(bits);
    }
  }
  static __device__ unsigned leading(Bits bits) {
    if constexpr (sizeof(T) == 4) {
      return static_cast<unsigned>(bits) >> (23 - kLeadingDigits);
    } else {
      return static_cast<unsigned>(bits >> 32) >> (20 - kLeadingDigits);
    }
  }
  /// 1 / x rounded to the nearest double, for x above 0.
  static __device__ double reciprocal(T x) {
    if constexpr (sizeof(T) == 4) {
      return reciprocal_of_whole(static_cast<double>(x));  // 24 digits are enough for it
    } else {
      return __drcp_rn(x);
    }
  }
};

/// As count_distances.cu. Returns `p.bins` if the distance has no bin.
__device__ int bin_of(const RealArguments& p, double distance) {
  const bool own = p.limit > 1 ? distance < p.limit : distance == 0;
  if (own) return static_cast<int>(distance);
  const long long bin =
      (__double_as_longlong(distance) >> DistanceBins::kTrailing) - p.first + p.limit;
  return bin < p.limit || bin >= p.bins ? p.bins : static_cast<int>(bin);
}

/// kWhole: distances are whole numbers, and short ones have a bin each.
template <class T, bool kWhole>
__global__ void __launch_bounds__(kRealWarps * 32, 1) count_reals_kernel(RealArguments p) {
  using Values = RealValues<T>;
  using R = Real<T>;
  using Bits = typename R::Bits;
  using Unsigned = typename R::Unsigned;
  constexpr int kColumns = kRealColumns<T>;
  extern __shared__ unsigned held[];
  for (unsigned i = threadIdx.x; i <= p.held; i += blockDim.x) held[i] = 0;
  __syncthreads();

  const unsigned limit = p.limit;
  BinWindow bins{held, p.counts, p.short_held, kWhole ? limit : p.short_held};
  const StripWalk<kRealWarps> walk(p.strips, p.rows, bins.rows());
  const int strip = walk.strip, end = walk.end;
  unsigned own[kColumns], best_label[kColumns];
  Bits best[kColumns];
#pragma unroll
  for (int i = 0; i < kColumns; ++i) {
    const int column = Values::column(strip, i);
    own[i] = column < p.cols ? p.column_labels[column] : ~0u;
    best[i] = 0;
    best_label[i] = ~0u;
  }
  const WholeWord mine(p.sums, p.reciprocals);
  const bool ragged = (strip + 1) * Values::kWidth > p.cols;
  Unsigned least = ~Unsigned{0};
  const auto sample = [&](int some, auto&& see) {
    Values values;
    values.load(p, some, strip);
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const T value = values.at(i);
      if (Values::column(strip, i) < p.cols && value < static_cast<T>(p.limit)) {
        see(static_cast<unsigned>(static_cast<int>(value)));
      }
    }
  };
  walk.sample(p.rows, [&](int some) {
    Values values;
    values.load(p, some, strip);
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      if (Values::column(strip, i) < p.cols && values.at(i) != R::kNone &&
          own[i] != p.row_labels[some])
        best[i] = max(best[i], R::bits(values.at(i) + T(0)));
    }
  });
  int row = walk.row;
  Values next;
  // The label and the potential of a row are loaded with its values, a row ahead.
  unsigned next_label = 0;
  const auto load_next = [&](int some) {
    next.load(p, some, strip);
    next_label = p.row_labels[some];
  };
  if (row < end) load_next(row);
  for (int k = 0; k < walk.tiles; ++k, row += walk.others) {
    const int until = min(end, row + walk.tile);
    bins.move(row, until, sample);
    for (; row < until; ++row) {
      Values values = next;
      if (ragged) {
#pragma unroll
        for (int i = 0; i < kColumns; ++i) {
          if (Values::column(strip, i) < p.cols) continue;
          values.lines[i / Values::kValues].template set<T>(i % Values::kValues, R::kNone);
        }
      }
      const unsigned label = next_label;
      const int after = row + 1 < until ? row + 1 : row + 1 + walk.others;
      if (after < end) load_next(after);
      const auto bits_of = [&](int i) {
        const T value = values.at(i);
        // + 0 makes −0 a zero.
        return value != R::kNone && own[i] != label ? R::bits(value + T(0)) : R::kLeftOut;
      };
      const auto slot_of = [&](Bits bits) {
        const T value = R::value(bits);
        unsigned slot = R::leading(bits) - p.first_here + p.short_held;
        if constexpr (kWhole) {
          if (value < static_cast<T>(p.limit)) {  // not where it is left out, a NaN
            const unsigned bin = static_cast<unsigned>(static_cast<int>(value)) - bins.first;
            slot = bin < p.short_held ? bin : p.held;
          }
        } else {
          if (bits == 0) slot = 0;
        }
        return slot;
      };
      RealSum sum, reciprocals;
      unsigned left_out = 0;
      bool greater = false, far = false;
#pragma unroll
      for (int i = 0; i < kColumns; ++i) {
        const Bits bits = bits_of(i);
        const bool counts = bits >= 0;
        const T value = R::value(bits);
        left_out += counts ? 0 : 1;
        sum.add(counts ? static_cast<double>(value) : 0.0, p.sum_parts.round);
        const double reciprocal = R::reciprocal(value);
        reciprocals.add(bits > 0 ? reciprocal : 0.0, p.reciprocal_parts.round);
        least = min(least, static_cast<Unsigned>(bits));
        greater = greater || bits >= best[i];
        const unsigned slot = slot_of(bits);
        far = far || (slot >= p.held && counts);
        atomicAdd(held + min(slot, p.held), 1u);
      }
      if (greater) {
#pragma unroll
        for (int i = 0; i < kColumns; ++i) {
          const Bits bits = bits_of(i);
          if (bits < best[i] || (bits == best[i] && label >= best_label[i])) continue;
          best[i] = bits;
          best_label[i] = label;
        }
      }
      if (far) {
#pragma unroll
        for (int i = 0; i < kColumns; ++i) {
          const Bits bits = bits_of(i);
          if (bits < 0 || slot_of(bits) < p.held) continue;
          atomicAdd(p.counts + bin_of(p, static_cast<double>(R::value(bits))), Word64{1});
        }
      }
      const unsigned reached = __reduce_add_sync(~0u, kColumns - left_out);
      if (reached == 0) continue;
      mine.add(p.totals[row], reached, sum.over_warp(p.sum_parts),
               reciprocals.over_warp(p.reciprocal_parts));
    }
  }
#pragma unroll
  for (int i = 0; i < kColumns; ++i) {
    if (best_label[i] == ~0u) continue;
    raise(p.farthest + Values::column(strip, i), static_cast<double>(R::value(best[i])),
          best_label[i]);
  }
#pragma unroll
  for (int i = 16; i > 0; i /= 2) least = min(least, __shfl_xor_sync(~0u, least, i));
  // Bits of non-negative numbers order as the numbers.
  if (threadIdx.x % 32 == 0 && least != ~Unsigned{0}) {
    const auto exact = static_cast<double>(R::value(static_cast<Bits>(least)));
    atomicMin(p.least, static_cast<Word64>(__double_as_longlong(exact)));
  }
  __syncthreads();
  bins.empty();
  BinWindow{held + p.short_held, p.counts, p.held - p.short_held, limit, limit}.empty();
}

template <class T, bool kWhole>
void launch(const LaunchSite& site, const RealArguments& p) {
  const int bytes = static_cast<int>((p.held + 1) * sizeof(unsigned));
  allow_shared_memory(count_reals_kernel<T, kWhole>, bytes, "preparing to count");
  const unsigned blocks = blocks_of_strips(site, p.strips, kRealWarps);
  count_reals_kernel<T, kWhole><<<blocks, kRealWarps * 32, bytes, site.stream>>>(p);
  check_launch("counting real distances");
}

}  // namespace

bool reals_fit(const DistanceCount& count, int bytes) { return RealDigits(count, bytes).fit(); }

template <class T>
void launch_count_reals(const LaunchSite& site, const DistanceCount& count, std::int64_t first,
                        std::int64_t rows) {
  RealArguments p{StripArguments::of<T>(count, first, rows, RealValues<T>::kWidth)};
  if (p.rows == 0 || p.cols == 0) return;
  const DistanceBins& bins = count.bins;
  p.totals = count.totals + first;
  p.farthest = count.farthest;
  p.least = reinterpret_cast<Word64*>(count.least);
  p.counts = reinterpret_cast<Word64*>(count.counts);
  p.first = bins.first();
  p.limit = static_cast<int>(bins.limit());
  p.bins = static_cast<int>(bins.count());
  constexpr std::int64_t kOtherBias = sizeof(T) == 4 ? 1023 - 127 : 0;
  p.first_here = static_cast<unsigned>(bins.first() - (kOtherBias << kLeadingDigits));
  const RealDigits digits(count, sizeof(T));
  p.sum_parts = TwoParts(digits.sums);
  p.reciprocal_parts = TwoParts(digits.reciprocals);
  p.sums = WholeSlices(-digits.sums, count.sums);
  p.reciprocals = WholeSlices(-digits.reciprocals, count.reciprocals);
  const auto most = static_cast<unsigned>(counts_in_shared_memory() - 1);
  const unsigned shared_bins = std::min(static_cast<unsigned>(p.bins - p.limit), most - 1);
  p.short_held = std::min(static_cast<unsigned>(p.limit), most - shared_bins);
  p.held = p.short_held + shared_bins;
  p.limit > 1 ? launch<T, true>(site, p) : launch<T, false>(site, p);
}

template void launch_count_reals<float>(const LaunchSite& site, const DistanceCount& count,
                                        std::int64_t first, std::int64_t rows);
template void launch_count_reals<double>(const LaunchSite& site, const DistanceCount& count,
                                         std::int64_t first, std::int64_t rows);

}  // namespace apsp::kernels::cuda
