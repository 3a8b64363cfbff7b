// The limit of a kernel's instruction mix: the register tile over operands that never leave the
// first-level cache and a C that never leaves the registers. What multiply_add and Floyd-Warshall
// reach is measured against this figure, in one run. Compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "program/peak.cpp"
#include "base/targets.hpp"
// The instruction sets are chosen above, before Highway looks at them.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include "kernels/cpu/register_tile-inl.h"
#include "kernels/cpu/relaxation-inl.h"
#include "program/peak.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

/// Per step the same loads, broadcasts and relaxations as register_tile-inl.h, for the same number
/// of accumulators, repeated over one sliver of A and one strip of B.
template <class R>
class Peak {
 public:
  /// `a_lane`: relaxations of one lane.
  static PeakRun kernel(double a_lane = 1) {
    return {a_lane * static_cast<double>(kDepth * kRows * kStrip), &run};
  }

 private:
  using T = typename R::T;
  using Registers = RegisterTile<R>;
  static constexpr std::int64_t kRows = Registers::kRows;
  static constexpr std::int64_t kStrip = Registers::kStrip;
  static constexpr std::int64_t kGroup = Registers::kGroup;
  /// Steps, a power of two: sliver and strip take some 10 KiB, a third of a first-level cache.
  static constexpr std::int64_t kDepth = 32;

  static double run(std::int64_t repeats) {
    HWY_ALIGN T a[kDepth * kGroup];
    HWY_ALIGN T b[kDepth * kStrip];
    // Any values will do; a bool holds 0 or 1 only.
    const auto value = [](std::int64_t i) {
      return static_cast<T>(R::kKind == Semiring::or_and ? i % 2 : 1 + i % 100);
    };
    for (std::int64_t k = 0; k < kDepth; ++k) {
      for (std::int64_t r = 0; r < kRows; ++r) {
        T* const copies = a + k * kGroup + r * Registers::kCopies;
        std::fill(copies, copies + Registers::kCopies, value(7 * k + r));
        if constexpr (R::kGuarded) a[k * kGroup + kRows + r] = R::guard(*copies);
      }
    }
    for (std::int64_t i = 0; i < kDepth * kStrip; ++i) b[i] = value(i);
    HWY_ALIGN T c[kRows * kStrip];
    std::fill(c, c + kRows * kStrip, R::S::zero());
    accumulate(repeats, a, b, c);
    double sum = 0;
    for (const T value_of_c : c) sum += static_cast<double>(value_of_c);
    return sum;
  }

  /// Repeats c [kRows, kStrip] ← c ⊕ a ⊗ b. a: [kDepth, kGroup]; b: [kDepth, kStrip]. Loads and
  /// stores of c enclose one flat loop, as in the kernel: otherwise GCC spills accumulators.
  HWY_NOINLINE static void accumulate(std::int64_t repeats, const T* HWY_RESTRICT a,
                                      const T* HWY_RESTRICT b, T* HWY_RESTRICT c) {
    typename Registers::template Accumulators<Registers::kVectors> tile;
    tile.load(c, kStrip);
    for (std::int64_t k = 0; k < repeats * kDepth; ++k) {
      tile.relax(a + k % kDepth * kGroup, b + k % kDepth * kStrip);
    }
    tile.store(c, kStrip);
  }
};

PeakRun peak_run(ValueType type, Sign sign, bool by_bits) {
  const Semiring semiring = type == ValueType::boolean ? Semiring::or_and : Semiring::min_plus;
  return with_relaxation(semiring, type, sign, by_bits, []<class R>() -> PeakRun {
    if constexpr (R::kKind == Semiring::or_and) return Peak<R>::kernel(8);
    if constexpr (R::kKind == Semiring::min_plus) return Peak<R>::kernel();
    return {};  // no other mix is asked for
  });
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(peak_run);

PeakRun peak_run(ValueType type, Sign sign, bool by_bits) {
  return HWY_DYNAMIC_DISPATCH(peak_run)(type, sign, by_bits);
}

}  // namespace apsp::kernels::cpu
#endif
