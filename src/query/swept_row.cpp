#include "query/swept_row.hpp"

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "query/swept_row.cpp"
#include "kernels/cpu/targets.hpp"
// The instruction sets are chosen above, before Highway looks at them.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "query/swept_row-inl.h"
#include "semiring/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::query::HWY_NAMESPACE {

SweptRow swept_row_of(Semiring semiring, ValueType type) {
  return semiring::dispatch(semiring, type,
                            []<class S>() -> SweptRow { return swept_row_operations<S>(); });
}

}  // namespace apsp::query::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::query {

HWY_EXPORT(swept_row_of);

SweptRow swept_row(Semiring semiring, ValueType type) {
  return HWY_DYNAMIC_DISPATCH(swept_row_of)(semiring, type);
}

}  // namespace apsp::query
#endif
