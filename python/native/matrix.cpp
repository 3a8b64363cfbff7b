// Floyd-Warshall and products in place on dense matrices in host or GPU memory.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <apsp/apsp.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "choices.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

template <class T>
void solve_values(Semiring semiring, std::uintptr_t address, std::int64_t n, std::int64_t stride,
                  const FloydWarshallOptions& options) {
  const MatrixView<T> matrix(reinterpret_cast<T*>(address), n, n, stride);
  switch (semiring) {
    case Semiring::max_min:
      return floyd_warshall<MaxMin>(matrix, options);
    case Semiring::min_max:
      return floyd_warshall<MinMax>(matrix, options);
    case Semiring::max_plus:
      return floyd_warshall<MaxPlus>(matrix, options);
    case Semiring::or_and:
      return floyd_warshall<OrAnd>(matrix, options);
    default:
      return floyd_warshall<MinPlus>(matrix, options);
  }
}

void solve_on_host(Semiring semiring, ValueType type, std::uintptr_t address, std::int64_t n,
                   std::int64_t stride, const FloydWarshallOptions& options) {
  switch (type) {
    case ValueType::f64:
      return solve_values<double>(semiring, address, n, stride, options);
    case ValueType::i32:
      return solve_values<std::int32_t>(semiring, address, n, stride, options);
    case ValueType::u16:
      return solve_values<std::uint16_t>(semiring, address, n, stride, options);
    case ValueType::boolean:
      return solve_values<std::uint8_t>(semiring, address, n, stride, options);
    default:
      return solve_values<float>(semiring, address, n, stride, options);
  }
}

/// `on_device`: the number of a GPU and its stream. Requires: [n, n] values of the type at
/// `address`, rows `stride` values apart, valid until the call returns.
void solve_matrix(std::uintptr_t address, std::int64_t n, std::int64_t stride,
                  const std::string& type_name,
                  std::optional<std::pair<int, std::uintptr_t>> on_device, const nb::dict& given,
                  const nb::object& progress) {
  const SolveOptions named = options_of(given);
  const ValueType type = value_type_of(type_name);
  FloydWarshallOptions options{.threads = named.machine.threads,
                               .device = named.machine.device,
                               .device_ordinals = named.machine.device_ordinals,
                               .device_memory = named.machine.device_memory};
  listen_while(
      [&](const Control& control) {
        options.control = control;
        if (!on_device) {
          return solve_on_host(named.question.semiring, type, address, n, stride, options);
        }
        floyd_warshall_on_device(named.question.semiring,
                                 {.data = reinterpret_cast<void*>(address),
                                  .n = n,
                                  .stride = stride,
                                  .type = type,
                                  .ordinal = on_device->first,
                                  .stream = on_device->second},
                                 options);
      },
      progress);
}

/// Matrices of a batch: addresses, sides, and values from one row to the next, each [count].
using MatricesAt = std::tuple<Values<std::int64_t>, Values<std::int64_t>, Values<std::int64_t>>;

template <class T>
T* pointer_of(std::int64_t address) {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}

/// `via`: int32 matrices of the same sides, or None. Requires: all matrices valid until the call
/// returns.
void solve_matrices(const MatricesAt& matrices, const std::string& type_name,
                    const std::optional<MatricesAt>& via, const nb::dict& given,
                    const nb::object& progress) {
  const SolveOptions named = options_of(given);
  const auto& [addresses, sides, strides] = matrices;
  std::vector<detail::BatchItem> graphs;
  std::vector<MatrixView<std::int32_t>> planes;
  for (std::size_t i = 0; i < addresses.shape(0); ++i) {
    graphs.push_back({pointer_of<void>(addresses(i)), sides(i), strides(i)});
    if (!via) continue;
    const auto& [planes_at, rows, steps] = *via;
    planes.emplace_back(pointer_of<std::int32_t>(planes_at(i)), rows(i), rows(i), steps(i));
  }
  BatchOptions options{.threads = named.machine.threads, .via = planes};
  listen_while(
      [&, type = value_type_of(type_name)](const Control& control) {
        options.control = control;
        detail::solve_batch(named.question.semiring, type, graphs, options);
      },
      progress);
}

/// (count, n, values from row to row, values from matrix to matrix).
using BatchShape = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

/// `via`: the address of int32 [count, n, n], or 0. `on_device`: as above. Requires: both valid
/// until the call returns.
void solve_matrices_on_device(std::uintptr_t address, const BatchShape& shape,
                              const std::string& type_name, std::uintptr_t via,
                              std::pair<int, std::uintptr_t> on_device, const nb::dict& given,
                              const nb::object& progress) {
  const SolveOptions named = options_of(given);
  const auto& [count, n, stride, step] = shape;
  const DeviceBatch batch{.data = reinterpret_cast<void*>(address),
                          .count = count,
                          .n = n,
                          .stride = stride,
                          .matrix_stride = step,
                          .type = value_type_of(type_name),
                          .via = reinterpret_cast<std::int32_t*>(via),
                          .ordinal = on_device.first,
                          .stream = on_device.second};
  BatchOptions options{.threads = named.machine.threads};
  listen_while(
      [&](const Control& control) {
        options.control = control;
        solve_batch_on_device(named.question.semiring, batch, options);
      },
      progress);
}

/// (address, rows, columns, stride in values).
using Described = std::tuple<std::uintptr_t, std::int64_t, std::int64_t, std::int64_t>;

Operand operand_of(const Described& matrix) {
  const auto& [address, rows, cols, stride] = matrix;
  return {reinterpret_cast<const void*>(address), rows, cols, stride};
}

/// Relaxations of a GPU in 0.1 s; such work cannot be cancelled (engine/device_product.cpp).
constexpr double kSoonOnGpu = 2e12;

double relaxations_of(const Operands& operands) {
  const auto& [c, a, b] = operands;
  return static_cast<double>(c.rows) * static_cast<double>(c.cols) * static_cast<double>(a.cols);
}

/// `on_device`: as above. `expressions`: ⊕ and ⊗ by name; None: the semiring of the options.
/// Requires: matrices valid until the call returns.
void multiply_matrices(const Described& c, const Described& a, const Described& b,
                       const std::string& type_name,
                       std::optional<std::pair<int, std::uintptr_t>> on_device,
                       const std::optional<std::pair<std::string, std::string>>& expressions,
                       const nb::dict& given, const nb::object& progress) {
  const SolveOptions named = options_of(given);
  const ValueType type = value_type_of(type_name);
  const Operands operands{operand_of(c), operand_of(a), operand_of(b)};
  MultiplyAddOptions options{.threads = named.machine.threads,
                             .device = named.machine.device,
                             .device_ordinals = named.machine.device_ordinals,
                             .device_memory = named.machine.device_memory};
  const auto work = [&](const Control& control) {
    options.control = control;
    if (!on_device) return detail::multiply_add(named.question.semiring, type, operands, options);
    const DeviceOperands there{operands, type, on_device->first, on_device->second};
    if (!expressions) return multiply_add_on_device(named.question.semiring, there, options);
    multiply_add_on_device({expressions->first, expressions->second}, there, options);
  };
  if (on_device && !expressions && type != ValueType::boolean && progress.is_none() &&
      relaxations_of(operands) <= kSoonOnGpu) {
    return run_here(work);
  }
  listen_while(work, progress);
}

/// (address, shape, strides in values, (DLPack's code, bits), (device's type, number)).
nb::tuple layout_by_dlpack(const nb::ndarray<nb::ro>& array) {
  nb::list shape, strides;
  for (std::size_t i = 0; i < array.ndim(); ++i) {
    shape.append(array.shape(i));
    strides.append(array.stride(i));
  }
  const nb::dlpack::dtype type = array.dtype();
  return nb::make_tuple(reinterpret_cast<std::uintptr_t>(array.data()), nb::tuple(shape),
                        nb::tuple(strides), nb::make_tuple(int{type.code}, int{type.bits}),
                        nb::make_tuple(array.device_type(), array.device_id()));
}

}  // namespace

void bind_matrix(nb::module_& module) {
  module.def("floyd_warshall", &solve_matrix, nb::arg("address"), nb::arg("n"), nb::arg("stride"),
             nb::arg("type"), nb::arg("on_device").none(), nb::arg("options"),
             nb::arg("progress").none());
  module.def("solve_batch", &solve_matrices, nb::arg("matrices"), nb::arg("type"),
             nb::arg("via").none(), nb::arg("options"), nb::arg("progress").none());
  module.def("solve_batch_on_device", &solve_matrices_on_device, nb::arg("address"),
             nb::arg("shape"), nb::arg("type"), nb::arg("via"), nb::arg("on_device"),
             nb::arg("options"), nb::arg("progress").none());
  module.def("multiply_add", &multiply_matrices, nb::arg("c"), nb::arg("a"), nb::arg("b"),
             nb::arg("type"), nb::arg("on_device").none(), nb::arg("expressions").none(),
             nb::arg("options"), nb::arg("progress").none());
  module.def("layout_by_dlpack", &layout_by_dlpack, nb::arg("array").noconvert());
}

}  // namespace apsp::python
