#include "kernels/cuda/device_operations.hpp"

#include <apsp/error.hpp>
#include <string>

#include "kernels/cuda/instances.hpp"
#include "kernels/cuda/launches.hpp"

namespace apsp::kernels::cuda {
namespace {

DeviceOperations min_plus(ValueType type, Sign sign) {
  const bool non_negative = sign == Sign::non_negative;
  switch (type) {
    case ValueType::f64:
      return min_plus_f64();
    case ValueType::i32:
      return non_negative ? min_plus_i32() : min_plus_i32_signed();
    case ValueType::u16:
      return min_plus_u16();
    default:
      return non_negative ? min_plus_f32_non_negative() : min_plus_f32();
  }
}

DeviceOperations max_plus(ValueType type) {
  if (type == ValueType::f64) return max_plus_f64();
  return type == ValueType::i32 ? max_plus_i32() : max_plus_f32();
}

DeviceOperations max_min(ValueType type) {
  switch (type) {
    case ValueType::f64:
      return max_min_f64();
    case ValueType::i32:
      return max_min_i32();
    case ValueType::u16:
      return max_min_u16();
    default:
      return max_min_f32();
  }
}

DeviceOperations min_max(ValueType type) {
  switch (type) {
    case ValueType::f64:
      return min_max_f64();
    case ValueType::i32:
      return min_max_i32();
    case ValueType::u16:
      return min_max_u16();
    default:
      return min_max_f32();
  }
}

DeviceOperations tile_operations(Semiring semiring, ValueType type, Sign sign) {
  switch (semiring) {
    case Semiring::or_and:
      return or_and_bits();
    case Semiring::max_plus:
      return max_plus(type);
    case Semiring::max_min:
      return max_min(type);
    case Semiring::min_max:
      return min_max(type);
    default:
      return min_plus(type, sign);
  }
}

}  // namespace

DeviceOperations device_operations(Semiring semiring, ValueType type, Sign sign) {
  if (!supported(semiring, type)) {
    throw Error(ErrorKind::usage, "the CUDA kernels have no " + std::string(name(semiring)) +
                                      " over " + std::string(name(type)));
  }
  DeviceOperations operations = tile_operations(semiring, type, sign);
  set_listed_rows(semiring, type, operations);
  operations.search_rows = near_far(semiring, type);
  operations.search_levels = search_levels(semiring, type);
  return operations;
}

}  // namespace apsp::kernels::cuda
