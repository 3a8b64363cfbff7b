#include "elimination/assembly.hpp"

#include <algorithm>

#include "semiring/dispatch.hpp"
#include "semiring/weight.hpp"

namespace apsp::elimination {
namespace {

template <class S>
void clear(kernels::View rows) {
  auto* const values = static_cast<typename S::Value*>(rows.data);
  std::fill(values, values + rows.rows * rows.stride, S::zero());
}

template <class S>
void put(kernels::View front, std::int64_t width, std::span<const Entry> entries,
         const Position* row_of) {
  auto* const values = static_cast<typename S::Value*>(front.data);
  for (std::int64_t i = 0; i < width; ++i) values[i * (front.stride + 1)] = S::one();
  for (const Entry& entry : entries) {
    auto& value = values[row_of[entry.row] * front.stride + row_of[entry.col]];
    value = S::plus(value, semiring::weight_as<S>(entry.weight));
  }
}

template <class S>
void add(const void* from, std::int64_t begin_from, void* to, std::int64_t begin_to,
         std::int64_t count) {
  using T = typename S::Value;
  const T* const added = static_cast<const T*>(from) + begin_from;
  T* const values = static_cast<T*>(to) + begin_to;
#pragma omp simd
  for (std::int64_t j = 0; j < count; ++j) values[j] = S::plus(values[j], added[j]);
}

}  // namespace

AssemblyOperations assembly_operations(Semiring semiring, ValueType type) {
  return semiring::dispatch(semiring, type, []<class S>() {
    return AssemblyOperations{&clear<S>, &put<S>, &add<S>};
  });
}

}  // namespace apsp::elimination
