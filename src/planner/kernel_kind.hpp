#pragma once

#include <apsp/semiring.hpp>
#include <string>
#include <string_view>

#include "dense/tiled_matrix.hpp"
#include "kernels/contract.hpp"

namespace apsp::planner {

struct KernelKind {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  kernels::Sign sign = kernels::Sign::any;
  bool tracks_via = false;

  /// Reachability without `via` is solved in packed bits.
  bool in_bits() const { return semiring == Semiring::or_and && !tracks_via; }
  int value_bytes() const { return size_of(type); }
  std::string_view values() const { return in_bits() ? "bits" : name(type); }
};

/// "min-plus f32 non-negative full via": the key under which rates are kept.
std::string title(const KernelKind& kind, dense::Shape shape);

}  // namespace apsp::planner
