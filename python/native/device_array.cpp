// Device memory as a DLPack capsule.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <apsp/semiring.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "bindings.hpp"
#include "choices.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

nb::dlpack::dtype dlpack_type(ValueType type) {
  switch (type) {
    case ValueType::f32:
      return nb::dtype<float>();
    case ValueType::f64:
      return nb::dtype<double>();
    case ValueType::i32:
      return nb::dtype<std::int32_t>();
    case ValueType::u16:
      return nb::dtype<std::uint16_t>();
    case ValueType::boolean:
      return nb::dtype<bool>();
  }
  return {};
}

/// A DLPack capsule: values of a type at `address`, kept by `owner`. `device`: its DLPack type and
/// number.
nb::object dlpack(std::uintptr_t address, std::pair<std::size_t, std::size_t> shape,
                  std::int64_t stride, const std::string& type, std::pair<int, int> device,
                  const nb::object& owner) {
  const std::size_t sides[2] = {shape.first, shape.second};
  const std::int64_t strides[2] = {stride, 1};
  return nb::cast(nb::ndarray<>(reinterpret_cast<void*>(address), 2, sides, owner, strides,
                                dlpack_type(value_type_of(type)), device.first, device.second));
}

}  // namespace

void bind_device_array(nb::module_& module) {
  module.def("dlpack", &dlpack, nb::arg("address"), nb::arg("shape"), nb::arg("stride"),
             nb::arg("type"), nb::arg("device"), nb::arg("owner"));
}

}  // namespace apsp::python
