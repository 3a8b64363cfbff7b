// A double as a value of some type in memory.
#pragma once

#include <apsp/semiring.hpp>

#include <cstdint>

namespace apsp {

/// values[at] ← value, of `type`.
inline void put_value(ValueType type, void* values, std::int64_t at, double value) {
  switch (type) {
    case ValueType::f32:
      return void(static_cast<float*>(values)[at] = static_cast<float>(value));
    case ValueType::f64:
      return void(static_cast<double*>(values)[at] = value);
    case ValueType::i32:
      return void(static_cast<std::int32_t*>(values)[at] = static_cast<std::int32_t>(value));
    case ValueType::u16:
      return void(static_cast<std::uint16_t*>(values)[at] = static_cast<std::uint16_t>(value));
    case ValueType::boolean:
      return void(static_cast<std::uint8_t*>(values)[at] = static_cast<std::uint8_t>(value));
  }
}

}  // namespace apsp
