// The loops of statistics, compiled once per instruction set: of rows, and of values that stand
// vertex by vertex.
#include "query/row_sweep.hpp"
#include "query/swept_row.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "query/row_sweep.cpp"
#include "base/targets.hpp"
// The instruction sets are chosen above, before Highway looks at them.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "query/row_sweep-inl.h"
#include "query/swept_row-inl.h"
#include "semiring/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::query::HWY_NAMESPACE {

/// Loops know the value of "no path" alone, which longest and widest paths share.
Semiring alike(Semiring semiring) {
  return semiring == Semiring::max_plus ? Semiring::max_min : semiring;
}

RowSweep row_sweep_of(Semiring semiring, ValueType type) {
  return semiring::dispatch(alike(semiring), type,
                            []<class S>() -> RowSweep { return &sweep_row<S>; });
}
SweptRow swept_row_of(Semiring semiring, ValueType type) {
  return semiring::dispatch(alike(semiring), type,
                            []<class S>() { return swept_row_operations<S>(); });
}

}  // namespace apsp::query::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::query {

HWY_EXPORT(row_sweep_of);
HWY_EXPORT(swept_row_of);

RowSweep row_sweep(Semiring semiring, ValueType type) {
  return HWY_DYNAMIC_DISPATCH(row_sweep_of)(semiring, type);
}
SweptRow swept_row(Semiring semiring, ValueType type) {
  return HWY_DYNAMIC_DISPATCH(swept_row_of)(semiring, type);
}

}  // namespace apsp::query
#endif
