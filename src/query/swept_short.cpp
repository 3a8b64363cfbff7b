#include "query/swept_short.hpp"

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "query/swept_short.cpp"
#include "kernels/cpu/targets.hpp"
// The instruction sets are chosen above, before Highway looks at them.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "query/swept_short-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::query::HWY_NAMESPACE {

SweepShort sweep_short_of(bool both_ways) {
  return both_ways ? &ShortSweep<true>::run : &ShortSweep<false>::run;
}

}  // namespace apsp::query::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::query {

HWY_EXPORT(sweep_short_of);

SweepShort sweep_short(bool both_ways) { return HWY_DYNAMIC_DISPATCH(sweep_short_of)(both_ways); }

}  // namespace apsp::query
#endif
