#include "query/swept_whole.hpp"

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "query/swept_whole.cpp"
#include "base/targets.hpp"
// The instruction sets are chosen above, before Highway looks at them.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "query/swept_whole-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::query::HWY_NAMESPACE {

SweepWhole<std::uint16_t> sweep_u16(bool both_ways) {
  return both_ways ? &WholeSweep<std::uint16_t, true>::run : &WholeSweep<std::uint16_t, false>::run;
}
SweepWhole<std::int32_t> sweep_i32(bool both_ways) {
  return both_ways ? &WholeSweep<std::int32_t, true>::run : &WholeSweep<std::int32_t, false>::run;
}

}  // namespace apsp::query::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::query {

HWY_EXPORT(sweep_u16);
HWY_EXPORT(sweep_i32);

SweepWhole<std::uint16_t> sweep_whole_u16(bool both_ways) {
  return HWY_DYNAMIC_DISPATCH(sweep_u16)(both_ways);
}
SweepWhole<std::int32_t> sweep_whole_i32(bool both_ways) {
  return HWY_DYNAMIC_DISPATCH(sweep_i32)(both_ways);
}

}  // namespace apsp::query
#endif
