// apsp::Error as the exceptions of apsp._errors.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <apsp/error.hpp>
#include <apsp/solve.hpp>
#include <exception>
#include <system_error>

#include "bindings.hpp"
#include "describe.hpp"
#include "text.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

const char* class_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "UsageError";
    case ErrorKind::input:
      return "InputError";
    case ErrorKind::negative_cycle:
      return "NegativeCycleError";
    case ErrorKind::does_not_fit:
      return "DoesNotFitError";
    case ErrorKind::input_output:
      return "InputOutputError";
    case ErrorKind::device:
      return "DeviceError";
    case ErrorKind::interrupted:
      return "InterruptedSolveError";
    case ErrorKind::defect:
      return "DefectError";
  }
  return "DefectError";
}

nb::object exception_of(const Error& error) {
  const nb::module_ errors = nb::module_::import_("apsp._errors");
  nb::object exception =
      errors.attr(class_of(error.kind()))(errors.attr("worded")(to_python(error.what())));
  if (error.kind() == ErrorKind::negative_cycle) {
    exception.attr("cycle") = nb::cast(error.cycle().vertices);
    exception.attr("weight") = error.cycle().weight;
  }
  if (!error.location().file.empty()) {
    const Location& where = error.location();
    exception.attr("location") = nb::make_tuple(to_python(where.file), where.line, where.column);
  }
  if (const auto* const refused = dynamic_cast<const RefusedSolve*>(&error)) {
    exception.attr("advice") = describe(refused->advice());
  }
  return exception;
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const nb::object exception = exception_of(error);
    PyErr_SetObject(exception.type().ptr(), exception.ptr());
  } catch (const std::system_error& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  }
}

}  // namespace

void bind_errors(nb::module_&) { nb::register_exception_translator(translate); }

}  // namespace apsp::python
