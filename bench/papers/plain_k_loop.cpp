#include "plain_k_loop.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <limits>

#include "system/machine.hpp"

namespace apsp::bench {
namespace {

template <class T>
constexpr T kNoPath = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                           : T((1 << 30) - 1);

/// row_i ← min(row_i, through + row_k). A float infinity absorbs what is added; an integer's must
/// be kept, or a negative `through` would make a distance of it.
template <class T>
void relax_row(T* row_i, const T* row_k, T through, std::int64_t n) {
#pragma omp simd
  for (std::int64_t j = 0; j < n; ++j) {
    T candidate = static_cast<T>(through + row_k[j]);
    if constexpr (!std::numeric_limits<T>::has_infinity) {
      candidate = row_k[j] == kNoPath<T> ? kNoPath<T> : candidate;
    }
    row_i[j] = std::min(row_i[j], candidate);
  }
}

}  // namespace

template <class T>
void plain_k_loop(MatrixView<T> matrix, int threads) {
  if (matrix.rows != matrix.cols) {
    throw Error(ErrorKind::usage, "a matrix of distances must be square");
  }
  const std::int64_t n = matrix.rows;
  const auto row = [&](std::int64_t i) { return matrix.data + i * matrix.stride; };
#pragma omp parallel num_threads(system::thread_count(threads))
  for (std::int64_t k = 0; k < n; ++k) {
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) {
      // Row k cannot improve through its own vertex; leaving it out, no thread writes what others
      // read.
      const T through = row(i)[k];
      if (i != k && through != kNoPath<T>) relax_row(row(i), row(k), through, n);
    }
  }
}

template void plain_k_loop(MatrixView<float>, int);
template void plain_k_loop(MatrixView<double>, int);
template void plain_k_loop(MatrixView<std::int32_t>, int);

}  // namespace apsp::bench
