#include "kernels/cuda/instances.hpp"
#include "kernels/cuda/launch.cuh"

namespace apsp::kernels::cuda {
namespace {

template <class T, bool kNegated = false>
DeviceOperations min_max() {
  return operations_of<Relaxation<semiring::MinMax<T>>, kNegated>();
}
template <class T>
DeviceOperations max_min() {
  return min_max<T, true>();
}

}  // namespace

DeviceOperations max_min_f32() { return max_min<float>(); }
DeviceOperations max_min_f64() { return max_min<double>(); }
DeviceOperations max_min_i32() { return max_min<std::int32_t>(); }
DeviceOperations max_min_u16() { return max_min<std::uint16_t>(); }
DeviceOperations min_max_f32() { return min_max<float>(); }
DeviceOperations min_max_f64() { return min_max<double>(); }
DeviceOperations min_max_i32() { return min_max<std::int32_t>(); }
DeviceOperations min_max_u16() { return min_max<std::uint16_t>(); }

}  // namespace apsp::kernels::cuda
