// The plain k-loop with directives, as in Schiff, §IV: one source for an accelerator's compiler.
//
// OpenACC is used where the compiler has it (-fopenacc), else OpenMP's target constructs. A
// compiler without a device for either runs the same loops on the host, which the note says. The
// matrix stays on the device for all n steps. f32. VARIANT is not read.
#ifdef _OPENACC
#include <openacc.h>
#else
#include <omp.h>
#endif

#include "peers/peer_program.hpp"

namespace {

#ifdef _OPENACC
std::string where() {
  const int devices = acc_get_num_devices(acc_device_not_host);
  return std::string("OpenACC, ") + (devices > 0 ? "on a device" : "on the host");
}

void floyd_warshall(float* d, std::int64_t n) {
#pragma acc data copy(d [0:n * n])
  for (std::int64_t k = 0; k < n; ++k) {
#pragma acc parallel loop gang present(d [0:n * n])
    for (std::int64_t i = 0; i < n; ++i) {
      const float through = d[i * n + k];
      if (i == k) continue;  // row k cannot improve, and others read it
#pragma acc loop vector
      for (std::int64_t j = 0; j < n; ++j) {
        const float old = d[i * n + j], joined = through + d[k * n + j];
        d[i * n + j] = joined < old ? joined : old;
      }
    }
  }
}
#else
std::string where() {
  return std::string("OpenMP target, ") +
         (omp_get_num_devices() > 0 ? "on a device" : "on the host");
}

void floyd_warshall(float* d, std::int64_t n) {
#pragma omp target data map(tofrom : d [0:n * n])
  for (std::int64_t k = 0; k < n; ++k) {
#pragma omp target teams distribute parallel for
    for (std::int64_t i = 0; i < n; ++i) {
      const float through = d[i * n + k];
      if (i == k) continue;  // row k cannot improve, and others read it
#pragma omp simd
      for (std::int64_t j = 0; j < n; ++j) {
        const float old = d[i * n + j], joined = through + d[k * n + j];
        d[i * n + j] = joined < old ? joined : old;
      }
    }
  }
}
#endif

}  // namespace

int main(int argc, char** argv) {
  const auto solve = [](peers::Typed<float>& matrix) {
    floyd_warshall(matrix.values.data(), matrix.n);
  };
  return peers::run_typed<float>(argc, argv, solve, INFINITY, where());
}
