#include <apsp/semiring.hpp>
#include <array>
#include <limits>

#include "base/value_types.hpp"
#include "semiring/dispatch.hpp"
#include "semiring/semiring_words.hpp"

namespace apsp {
namespace {

constexpr std::array kSemirings = {Semiring::min_plus, Semiring::max_min, Semiring::min_max,
                                   Semiring::max_plus, Semiring::or_and};
constexpr std::array kTypes = {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16,
                               ValueType::boolean};

}  // namespace

std::string_view name(Semiring semiring) {
  constexpr std::array<std::string_view, 5> kNames = {"min-plus", "max-min", "min-max", "max-plus",
                                                      "or-and"};
  return kNames[static_cast<std::size_t>(semiring)];
}

std::string_view name(ValueType type) {
  constexpr std::array<std::string_view, 5> kNames = {"f32", "f64", "i32", "u16", "bool"};
  return kNames[static_cast<std::size_t>(type)];
}

std::optional<Semiring> parse_semiring(std::string_view text) {
  for (const Semiring semiring : kSemirings) {
    if (name(semiring) == text) return semiring;
  }
  return std::nullopt;
}

std::optional<ValueType> parse_value_type(std::string_view text) {
  for (const ValueType type : kTypes) {
    if (name(type) == text) return type;
  }
  return std::nullopt;
}

int size_of(ValueType type) {
  constexpr std::array<int, 5> kSizes = {4, 8, 4, 2, 1};
  return kSizes[static_cast<std::size_t>(type)];
}

bool supported(Semiring semiring, ValueType type) {
  if (semiring == Semiring::or_and) return type == ValueType::boolean;
  if (type == ValueType::boolean) return false;
  return !(semiring == Semiring::max_plus && type == ValueType::u16);
}

std::span<const Semiring> all_semirings() { return kSemirings; }
std::span<const ValueType> all_value_types() { return kTypes; }

double no_path(Semiring semiring, ValueType type) {
  return semiring::dispatch(semiring, type,
                            []<class S>() { return static_cast<double>(S::zero()); });
}

double empty_path(Semiring semiring, ValueType type) {
  return semiring::dispatch(semiring, type,
                            []<class S>() { return static_cast<double>(S::one()); });
}

double largest_distance(ValueType type) {
  return base::with_type(type, []<class T>() -> double {
    if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::max();
    if constexpr (sizeof(T) > 1) return semiring::Infinity<T>::plus - 1;
    return 1;
  });
}

}  // namespace apsp

namespace apsp::semiring {

SemiringWords words_of(Semiring semiring) {
  constexpr std::array<SemiringWords, 5> kWords = {{
      {"shortest paths", "distance", "edge", "so far"},
      {"widest paths", "width", "edge", "width so far"},
      {"minimax paths", "largest edge", "edge", "largest so far"},
      {"longest paths", "length", "edge", "so far"},
      {"reachability", "reachable", "", ""},
  }};
  return kWords[static_cast<std::size_t>(semiring)];
}

}  // namespace apsp::semiring
