#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>

namespace apsp::base {

/// Calls f.operator()<T>().
template <class F>
decltype(auto) with_type(ValueType type, F&& f) {
  switch (type) {
    case ValueType::f64:
      return f.template operator()<double>();
    case ValueType::i32:
      return f.template operator()<std::int32_t>();
    case ValueType::u16:
      return f.template operator()<std::uint16_t>();
    case ValueType::boolean:
      return f.template operator()<std::uint8_t>();
    default:
      return f.template operator()<float>();
  }
}

}  // namespace apsp::base
