// Semirings and value types by name. Their arithmetic lives in src/semiring.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace apsp {

/// (⊕, ⊗): what "better" means, and how a path combines its edges.
enum class Semiring {
  min_plus,  ///< shortest path: least sum of weights
  max_min,   ///< widest path: largest bottleneck
  min_max,   ///< minimax path: smallest of the largest edges
  max_plus,  ///< longest path, on acyclic graphs only
  or_and,    ///< reachability
};

enum class ValueType { f32, f64, i32, u16, boolean };

struct MinPlus {
  static constexpr Semiring kind = Semiring::min_plus;
};
struct MaxMin {
  static constexpr Semiring kind = Semiring::max_min;
};
struct MinMax {
  static constexpr Semiring kind = Semiring::min_max;
};
struct MaxPlus {
  static constexpr Semiring kind = Semiring::max_plus;
};
struct OrAnd {
  static constexpr Semiring kind = Semiring::or_and;
};

std::string_view name(Semiring semiring);  ///< "min-plus", …
std::string_view name(ValueType type);     ///< "f32", …, "bool"
std::optional<Semiring> parse_semiring(std::string_view text);
std::optional<ValueType> parse_value_type(std::string_view text);

int size_of(ValueType type);  ///< bytes of one value

/// Whether the pair makes sense: or_and goes with boolean alone; max_plus needs signed values.
bool supported(Semiring semiring, ValueType type);
std::span<const Semiring> all_semirings();
std::span<const ValueType> all_value_types();

/// The value that marks "no path", and the value of the empty path (the diagonal), as doubles.
/// Integers keep no-path at a magnitude whose double cannot wrap: 2^30−1 for i32, 2^15−1 for u16.
double no_path(Semiring semiring, ValueType type);
double empty_path(Semiring semiring, ValueType type);

/// The largest magnitude that a distance of this type may have without touching `no_path`.
double largest_distance(ValueType type);

}  // namespace apsp
