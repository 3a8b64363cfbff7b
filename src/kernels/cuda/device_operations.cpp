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

DeviceOperations device_operations(Semiring semiring, ValueType type, Sign sign) {
  if (!supported(semiring, type)) {
    throw Error(ErrorKind::usage, "the CUDA kernels have no " + std::string(name(semiring)) +
                                      " over " + std::string(name(type)));
  }
  DeviceOperations operations;
  if (semiring == Semiring::or_and) {
    operations = or_and_bits();
  } else if (semiring == Semiring::max_min || semiring == Semiring::min_max) {
    operations = bottlenecks(semiring, type);
    set_listed_bottlenecks(type, operations);
  } else {
    operations = sums(semiring, type, sign);
    set_listed_sums(semiring, type, sign, operations);
  }
  operations.semiring = semiring;
  operations.type = type;
  operations.keeps_whole =
      semiring == Semiring::min_plus && type == ValueType::f64 && sign == Sign::non_negative;
  operations.keeps_reduced =
      semiring == Semiring::min_plus && type == ValueType::i32 && sign == Sign::non_negative;
  operations.count_distances = count_distances(semiring, type);
  operations.gather_distances = gather_distances(semiring, type);
  return operations;
}

}  // namespace apsp::kernels::cuda
