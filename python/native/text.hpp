// Texts of the library as Python's str, and back. Names of vertices may have any encoding: bytes
// that are not UTF-8 become lone surrogates and survive the conversion back, as in names of files
// (PEP 383).
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apsp::python {

/// Requires, like all functions below: the interpreter lock is held.
inline nanobind::object to_python(std::string_view text) {
  PyObject* const made =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
  if (made == nullptr) nanobind::raise_python_error();
  return nanobind::steal(made);
}

inline std::string to_library(nanobind::handle text) {
  const nanobind::object bytes =
      nanobind::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape"));
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (!bytes.is_valid() || PyBytes_AsStringAndSize(bytes.ptr(), &data, &size) != 0) {
    nanobind::raise_python_error();
  }
  return {data, static_cast<std::size_t>(size)};
}

/// Converts a sequence of str; None: nothing.
inline std::optional<std::vector<std::string>> names_to_library(nanobind::handle names) {
  if (names.is_none()) return std::nullopt;
  std::vector<std::string> texts;
  texts.reserve(nanobind::len(names));
  for (const nanobind::handle name : names) texts.push_back(to_library(name));
  return texts;
}

}  // namespace apsp::python
