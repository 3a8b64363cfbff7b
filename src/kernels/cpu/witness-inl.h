// The operations with witness as the contract wants them: closing by halves, panels by the product
// with witness. Included once per instruction set.

#if defined(APSP_KERNELS_CPU_WITNESS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_WITNESS_INL_H_
#undef APSP_KERNELS_CPU_WITNESS_INL_H_
#else
#define APSP_KERNELS_CPU_WITNESS_INL_H_
#endif

#include "kernels/cpu/witness_multiply-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

/// As `Close` (close-inl.h): pivots are met in order.
template <class R>
class WitnessClose {
 public:
  using T = typename R::T;

  static std::int64_t run(View d, View via, Cycles cycles, std::int64_t first_pivot) {
    if (d.rows <= kBase) return pivots(d, via, cycles, first_pivot);
    const std::int64_t h = d.rows / 2;
    const Quarters of(d, sizeof(T), h);
    const Quarters to(via, sizeof(std::int32_t), h);
    const std::int64_t half_pivot = first_pivot + h;

    const std::int64_t pivot = run(of.t11, to.t11, cycles, first_pivot);
    if (pivot >= 0) return pivot;
    Product::run(of.t12, to.t12, of.t11, of.t12, first_pivot);
    Product::run(of.t21, to.t21, of.t21, of.t11, first_pivot);
    Product::run(of.t22, to.t22, of.t21, of.t12, first_pivot);
    const std::int64_t second = run(of.t22, to.t22, cycles, half_pivot);
    if (second >= 0) return h + second;
    Product::run(of.t21, to.t21, of.t22, of.t21, half_pivot);
    Product::run(of.t12, to.t12, of.t12, of.t22, half_pivot);
    Product::run(of.t11, to.t11, of.t12, of.t21, half_pivot);
    if (cycles == Cycles::excluded) put_back_diagonal(d, via);
    return -1;
  }

 private:
  using Product = WitnessMultiply<R>;
  static constexpr std::int64_t kBase = 64;

  struct Quarters {
    Quarters(View tile, int value_size, std::int64_t h)
        : t11(part(tile, value_size, 0, 0, h, h)),
          t12(part(tile, value_size, 0, h, h, tile.cols - h)),
          t21(part(tile, value_size, h, 0, tile.rows - h, h)),
          t22(part(tile, value_size, h, h, tile.rows - h, tile.cols - h)) {}
    View t11, t12, t21, t22;
  };

  /// Pivot by pivot, a row of D at a time.
  static std::int64_t pivots(View d, View via, Cycles cycles, std::int64_t first_pivot) {
    T* const data = static_cast<T*>(d.data);
    for (std::int64_t k = 0; k < d.rows; ++k) {
      T* const pivot_row = data + k * d.stride;
      if (R::S::better(pivot_row[k], R::S::one())) {
        if (cycles == Cycles::possible) return k;
        pivot_row[k] = R::S::one();
      }
      for (std::int64_t i = 0; i < d.rows; ++i) {
        T* const row = data + i * d.stride;
        if (i == k || row[k] == R::S::zero()) continue;
        relax_row(row, static_cast<std::int32_t*>(via.data) + i * via.stride, row[k], pivot_row,
                  d.cols, static_cast<std::int32_t>(first_pivot + k));
      }
    }
    if (cycles == Cycles::excluded) put_back_diagonal(d, via);
    return -1;
  }

  /// row [n] ← row ⊕ left ⊗ pivot_row, via [n] ← pivot where that is better.
  static void relax_row(T* HWY_RESTRICT row, std::int32_t* HWY_RESTRICT via, T left,
                        const T* HWY_RESTRICT pivot_row, std::int64_t n, std::int32_t pivot) {
    for (std::int64_t j = 0; j < n; ++j) {
      const T product = R::S::times(left, pivot_row[j]);
      const bool better = R::S::better(product, row[j]);
      row[j] = better ? product : row[j];
      via[j] = better ? pivot : via[j];
    }
  }

  static void put_back_diagonal(View d, View via) {
    for (std::int64_t i = 0; i < d.rows; ++i) {
      static_cast<T*>(d.data)[i * d.stride + i] = R::S::one();
      static_cast<std::int32_t*>(via.data)[i * via.stride + i] = kNoVia;
    }
  }
};

template <class S, Sign kSign, Least kLeast = Least::by_value>
WitnessOperations witness_operations_of() {
  using R = Relaxation<S, kSign, kLeast>;
  using T = typename S::Value;
  WitnessOperations operations;
  operations.close = &WitnessClose<R>::run;
  operations.multiply_packed = [](View c, View via, const void* left, const void* right,
                                  std::int64_t depth, std::int64_t first_pivot) {
    WitnessMultiply<R>::run_packed(c, via, static_cast<const T*>(left),
                                   static_cast<const T*>(right), depth, first_pivot);
  };
  return operations;
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
