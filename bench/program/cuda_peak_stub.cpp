// A build without CUDA: there is no device whose limits could be measured.
#include "kernels/cuda/cuda_device.hpp"
#include "program/cuda_peak.hpp"

namespace apsp::kernels::cuda {

double peak_relaxations(int, Semiring, ValueType, Sign) {
  throw Error(ErrorKind::device, why_no_device());
}

double memory_rate(int) { throw Error(ErrorKind::device, why_no_device()); }

}  // namespace apsp::kernels::cuda
