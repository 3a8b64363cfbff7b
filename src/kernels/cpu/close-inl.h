// D ← D*: Floyd-Warshall inside a tile. Included once per instruction set.
//
// Above kBase the tile is closed by halves (R-Kleene; D'Alberto, Nicolau 2007), so that nearly all
// of its work is multiply_add; pivots are still met in order, which the cycle test needs.

#if defined(APSP_KERNELS_CPU_CLOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_CLOSE_INL_H_
#undef APSP_KERNELS_CPU_CLOSE_INL_H_
#else
#define APSP_KERNELS_CPU_CLOSE_INL_H_
#endif

#include "kernels/cpu/multiply_add-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class R>
class Close {
 public:
  using T = typename R::T;

  static std::int64_t run(View d, Cycles cycles) {
    if (d.rows <= kBase) return pivots(d, cycles);
    const std::int64_t h = d.rows / 2;
    const std::int64_t rest = d.rows - h;
    const View d11 = part(d, sizeof(T), 0, 0, h, h);
    const View d12 = part(d, sizeof(T), 0, h, h, rest);
    const View d21 = part(d, sizeof(T), h, 0, rest, h);
    const View d22 = part(d, sizeof(T), h, h, rest, rest);

    if (const std::int64_t pivot = run(d11, cycles); pivot >= 0) return pivot;
    MultiplyAdd<R>::run(d12, d11, d12);
    MultiplyAdd<R>::run(d21, d21, d11);
    MultiplyAdd<R>::run(d22, d21, d12);
    if (const std::int64_t pivot = run(d22, cycles); pivot >= 0) return h + pivot;
    MultiplyAdd<R>::run(d21, d22, d21);
    MultiplyAdd<R>::run(d12, d12, d22);
    MultiplyAdd<R>::run(d11, d12, d21);
    if (cycles == Cycles::excluded) put_back_diagonal(d11);
    return -1;
  }

 private:
  static constexpr std::int64_t kBase = 64;

  /// Pivot by pivot, a row of D at a time.
  static std::int64_t pivots(View d, Cycles cycles) {
    T* const data = static_cast<T*>(d.data);
    for (std::int64_t k = 0; k < d.rows; ++k) {
      T* const pivot_row = data + k * d.stride;
      if (R::S::better(pivot_row[k], R::S::one())) {
        if (cycles == Cycles::possible) return k;
        pivot_row[k] = R::S::one();
      }
      for (std::int64_t i = 0; i < d.rows; ++i) {
        T* const row = data + i * d.stride;
        if (i != k && row[k] != R::S::zero()) relax_row(row, row[k], pivot_row, d.cols);
      }
    }
    if (cycles == Cycles::excluded) put_back_diagonal(d);
    return -1;
  }

  /// row [n] ← row ⊕ left ⊗ pivot_row.
  static void relax_row(T* HWY_RESTRICT row, T left, const T* HWY_RESTRICT pivot_row,
                        std::int64_t n) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto a = hn::Set(d, left);
    const auto guard_a = hn::Set(d, R::guard(left));
    std::int64_t j = 0;
    for (; j + lanes <= n; j += lanes) {
      const auto b = hn::LoadU(d, pivot_row + j);
      auto product = R::times(a, b);
      if constexpr (R::kGuarded) product = R::guarded(product, guard_a, R::guard_of(d, b));
      hn::StoreU(R::plus(hn::LoadU(d, row + j), product), d, row + j);
    }
    for (; j < n; ++j) row[j] = R::S::plus(row[j], R::S::times(left, pivot_row[j]));
  }

  static void put_back_diagonal(View d) {
    T* const data = static_cast<T*>(d.data);
    for (std::int64_t i = 0; i < d.rows; ++i) data[i * d.stride + i] = R::S::one();
  }
};

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
