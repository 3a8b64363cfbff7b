// A program without kernels for GPUs, or with those of libapsp_cuda.so: limits are not measured.
#include <apsp/error.hpp>

#include "program/cuda_peak.hpp"

namespace apsp::kernels::cuda {

double peak_relaxations(int, Semiring, ValueType, Sign) {
  throw Error(ErrorKind::device,
              "a GPU's limits are measured by a program that was built with APSP_CUDA=ON");
}

}  // namespace apsp::kernels::cuda
