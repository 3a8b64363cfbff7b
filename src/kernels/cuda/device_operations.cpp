#include "kernels/cuda/device_operations.hpp"

#include <apsp/error.hpp>
#include <string>

#include "kernels/cuda/bits.hpp"
#include "kernels/cuda/bottlenecks.hpp"
#include "kernels/cuda/count_distances.hpp"
#include "kernels/cuda/gathered_bottlenecks.hpp"
#include "kernels/cuda/gathered_sums.hpp"
#include "kernels/cuda/path_shares.hpp"
#include "kernels/cuda/sums.hpp"

namespace apsp::kernels::cuda {
namespace {

DeviceOperations tile_operations(Semiring semiring, ValueType type, Sign sign) {
  switch (semiring) {
    case Semiring::or_and:
      return or_and_bits();
    case Semiring::max_min:
    case Semiring::min_max:
      return bottlenecks(semiring, type);
    default:
      return sums(semiring, type, sign);
  }
}

void set_listed_rows(Semiring semiring, ValueType type, Sign sign, DeviceOperations& operations) {
  if (semiring == Semiring::or_and) return;
  if (semiring == Semiring::min_max || semiring == Semiring::max_min) {
    return set_listed_bottlenecks(type, operations);
  }
  set_listed_sums(semiring, type, sign, operations);
}

}  // namespace

DeviceOperations device_operations(Semiring semiring, ValueType type, Sign sign) {
  if (!supported(semiring, type)) {
    throw Error(ErrorKind::usage, "the CUDA kernels have no " + std::string(name(semiring)) +
                                      " over " + std::string(name(type)));
  }
  DeviceOperations operations = tile_operations(semiring, type, sign);
  operations.semiring = semiring;
  operations.type = type;
  set_listed_rows(semiring, type, sign, operations);
  operations.keeps_whole =
      semiring == Semiring::min_plus && type == ValueType::f64 && sign == Sign::non_negative;
  operations.count_distances = count_distances(semiring, type);
  operations.gather_distances = gather_distances(semiring, type);
  return operations;
}

}  // namespace apsp::kernels::cuda
