// The kernels of one instruction set as the contract wants them. Included once per instruction set.

#if defined(APSP_KERNELS_CPU_KERNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_KERNELS_INL_H_
#undef APSP_KERNELS_CPU_KERNELS_INL_H_
#else
#define APSP_KERNELS_CPU_KERNELS_INL_H_
#endif

#include "kernels/cpu/close-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class S_, Sign kSign, Least kLeast = Least::by_value>
struct Kernels {
  using S = S_;
  using R = Relaxation<S, kSign, kLeast>;
  using T = typename S::Value;
  using Pack = Packing<R>;

  static void multiply_add(View c, ConstView a, ConstView b) { MultiplyAdd<R>::run(c, a, b); }
  static std::int64_t close(View d, Cycles cycles) { return Close<R>::run(d, cycles); }

  static PackedOperations packed() {
    PackedOperations operations;
    operations.left_bytes = [](std::int64_t rows, std::int64_t depth) {
      return Pack::left_values(rows, depth) * static_cast<std::int64_t>(sizeof(T));
    };
    operations.right_bytes = [](std::int64_t cols, std::int64_t depth) {
      return Pack::right_values(cols, depth) * static_cast<std::int64_t>(sizeof(T));
    };
    operations.pack_left = [](ConstView a, bool transposed, void* out) {
      transposed ? Pack::template left<true>(a, static_cast<T*>(out))
                 : Pack::template left<false>(a, static_cast<T*>(out));
    };
    operations.pack_right = [](ConstView b, bool transposed, void* out) {
      transposed ? Pack::template right<true>(b, static_cast<T*>(out))
                 : Pack::template right<false>(b, static_cast<T*>(out));
    };
    operations.multiply_add = [](View c, const void* left, const void* right, std::int64_t depth) {
      MultiplyAdd<R>::run_packed(c, static_cast<const T*>(left), static_cast<const T*>(right),
                                 depth);
    };
    return operations;
  }
};

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
