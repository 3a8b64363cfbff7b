// Arrays from and to Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace apsp::python {

/// Values [n] of a caller, without a copy.
template <class T>
using Values =
    nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <class T>
std::span<const T> span_of(const Values<T>& values) {
  return {values.data(), values.shape(0)};
}

/// A number, or nothing for NumPy's NaN.
inline std::optional<double> number_or_none(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

/// A NumPy array [rows, columns] that owns its uninitialised values.
template <class T>
struct OwnedRows {
  OwnedRows(std::size_t rows, std::size_t columns)
      : values(new T[rows * columns]), shape{rows, columns} {}
  T* row(std::size_t i) { return values.get() + i * shape[1]; }
  nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<2>> as_array() {
    T* data = values.release();
    const nanobind::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return {data, 2, shape, owner};
  }

  std::unique_ptr<T[]> values;
  std::size_t shape[2];
};

/// Returns a NumPy array [n] that takes over a vector.
template <class Vector>
nanobind::object array_of(Vector&& taken) {
  using Held = std::remove_cvref_t<Vector>;
  using T = typename Held::value_type;
  auto held = std::make_unique<Held>(std::forward<Vector>(taken));
  T* data = held->data();
  const std::size_t shape[1] = {held->size()};
  const nanobind::capsule owner(held.release(),
                                [](void* p) noexcept { delete static_cast<Held*>(p); });
  return nanobind::cast(
      nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(data, 1, shape, owner));
}

/// Returns a read-only view of values [n], kept alive by a Python object.
template <class T>
nanobind::object view_of(std::span<const T> values, nanobind::handle owner) {
  const std::size_t shape[1] = {values.size()};
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, const T, nanobind::ndim<1>>(
      values.data(), 1, shape, owner));
}

}  // namespace apsp::python
