#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/small_matrices.cpp"
#include "base/targets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <iterator>

#include "base/rounded_up.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/cpu/inner_loops.hpp"
#include "kernels/cpu/relaxation-inl.h"
#include "kernels/cpu/small_matrices.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class R>
class SmallMatrices {
 public:
  static SmallMatrixOperations operations() { return {&padded, &survey, &close}; }

 private:
  using S = typename R::S;
  using T = typename R::T;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(D()));

  static std::int64_t padded(std::int64_t n) { return base::rounded_up(n, kLanes); }

  /// Values of a row so far: the least and the greatest finite ones, and whether one is bad.
  struct Row {
    V least, greatest;
    hn::Mask<D> bad;

    HWY_INLINE Row() : least(hn::Zero(D())), greatest(hn::Zero(D())), bad(hn::FirstN(D(), 0)) {}

    HWY_INLINE void add(V v) {
      const D d;
      const V none = hn::Set(d, S::zero());
      if constexpr (hwy::IsFloat<T>()) {
        bad = hn::Or(bad, hn::IsNaN(v));
      }
      if constexpr (R::kKind != Semiring::or_and) {
        bad = hn::Or(bad, R::kLeast ? hn::Gt(v, none) : hn::Lt(v, none));
      }
      if constexpr (R::kSum) {
        const V finite = hn::IfThenZeroElse(hn::Eq(v, none), v);
        least = hn::Min(least, finite);
        greatest = hn::Max(greatest, finite);
      }
    }
  };

  /// Fewer values than a vector holds, then "no path".
  static HWY_INLINE V load_rest(const T* from, std::int64_t count) {
    const D d;
#if HWY_MEM_OPS_MIGHT_FAULT
    HWY_ALIGN T values[hn::MaxLanes(D())];
    std::fill(std::begin(values), std::end(values), S::zero());
    std::copy_n(from, count, values);
    return hn::Load(d, values);
#else
    const auto first = hn::FirstN(d, static_cast<std::size_t>(count));
    return hn::IfThenElse(first, hn::MaskedLoad(first, d, from), hn::Set(d, S::zero()));
#endif
  }

  static MatrixSurvey survey(ConstView matrix, void* copy) {
    const D d;
    const auto* from = static_cast<const T*>(matrix.data);
    auto* to = static_cast<T*>(copy);
    const std::int64_t n = matrix.rows;
    const std::int64_t rest = n % kLanes;
    MatrixSurvey found;
    for (std::int64_t i = 0; i < n; ++i, from += matrix.stride) {
      Row row;
      const auto take = [&](std::int64_t j, V v) HWY_ATTR {
        row.add(v);
        if constexpr (R::kKind == Semiring::or_and) v = hn::Min(v, hn::Set(d, S::one()));
        hn::Store(v, d, to + j);
      };
      std::int64_t j = 0;
      for (; j + kLanes <= n; j += kLanes) take(j, hn::LoadU(d, from + j));
      if (rest != 0) take(j, load_rest(from + j, rest));
      to[i] = S::plus(to[i], S::one());
      to += padded(n);
      found.bad = found.bad || !hn::AllFalse(d, row.bad);
      if constexpr (R::kSum) {
        const auto least = static_cast<double>(hn::GetLane(hn::MinOfLanes(d, row.least)));
        const auto greatest = static_cast<double>(hn::GetLane(hn::MaxOfLanes(d, row.greatest)));
        found.negative = found.negative || least < 0;
        found.longest_path += std::max(-least, greatest);
      }
    }
    return found;
  }

  static std::int64_t close(void* copy, std::int64_t n) {
    T* const data = static_cast<T*>(copy);
    const std::int64_t width = padded(n);
    for (std::int64_t k = 0; k < n; ++k) {
      if (S::better(data[k * width + k], S::one())) return k;
      std::int64_t j = 0;
      for (; j + 4 * kLanes <= width; j += 4 * kLanes) relax<4>(data, n, width, k, j);
      for (; j + 2 * kLanes <= width; j += 2 * kLanes) relax<2>(data, n, width, k, j);
      if (j < width) relax<1>(data, n, width, k, j);
    }
    return -1;
  }

  /// Relaxes columns [j, j + vectors · kLanes) of all rows by pivot k, whose row does not change.
  /// Column k does not change either, because its pivot is the empty path.
  template <std::int64_t vectors>
  static HWY_INLINE void relax(T* data, std::int64_t n, std::int64_t width, std::int64_t k,
                               std::int64_t j) {
    const D d;
    V pivots[vectors];
    V guards[vectors];
    APSP_UNROLL
    for (std::int64_t v = 0; v < vectors; ++v) {
      pivots[v] = hn::Load(d, data + k * width + j + v * kLanes);
      if constexpr (R::kGuarded) guards[v] = R::guard_of(d, pivots[v]);
    }
    const auto rows = [&](std::int64_t begin, std::int64_t end) HWY_ATTR {
      for (T* row = data + begin * width; row < data + end * width; row += width) {
        const V left = hn::Set(d, row[k]);
        const V guard = hn::Set(d, R::guard(row[k]));
        APSP_UNROLL
        for (std::int64_t v = 0; v < vectors; ++v) {
          T* const to = row + j + v * kLanes;
          V product = R::times(left, pivots[v]);
          if constexpr (R::kGuarded) product = R::guarded(product, guard, guards[v]);
          hn::Store(R::plus(hn::Load(d, to), product), d, to);
        }
      }
    };
    rows(0, k);
    rows(k + 1, n);
  }
};

SmallMatrixOperations small_matrix_operations(Semiring semiring, ValueType type, bool by_bits) {
  return with_relaxation(semiring, type, Sign::non_negative, by_bits,
                         []<class R>() { return SmallMatrices<R>::operations(); });
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(small_matrix_operations);

SmallMatrixOperations small_matrix_operations(Semiring semiring, ValueType type) {
  const bool by_bits = bits_order_faster(semiring, type, Sign::non_negative);
  return HWY_DYNAMIC_DISPATCH(small_matrix_operations)(semiring, type, by_bits);
}

}  // namespace apsp::kernels::cpu
#endif
