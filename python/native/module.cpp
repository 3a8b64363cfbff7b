// The extension module apsp._apsp, which users access through the Python files next to it.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <apsp/table.hpp>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "cli/application.hpp"
#include "running.hpp"

namespace nb = nanobind;

// The module's entry is the function at the end, because nanobind must not start in a second
// interpreter, where it would forget the types of the first.
#define PyInit__apsp begin_module

NB_MODULE(_apsp, module) {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&apsp::python::end_all_running));
  module.attr("__version__") = APSP_VERSION;
  apsp::python::bind_errors(module);
  apsp::python::bind_graph(module);
  apsp::python::bind_solve(module);
  apsp::python::bind_near(module);
  apsp::python::bind_places(module);
  apsp::python::bind_table(module);
  apsp::python::bind_matrix(module);
  apsp::python::bind_device_array(module);
  apsp::python::bind_result(module);
  apsp::python::bind_report(module);
  apsp::python::bind_row_stream(module);
  apsp::python::bind_csgraph(module);
  const auto unit_of = [](const std::string& text) {
    return text.empty() ? apsp::Unit() : apsp::parse_unit("unit", text);
  };
  module.def("quantity", [unit_of](const std::string& option, const std::string& text,
                                   const std::string& unit) {
    return apsp::quantity(option, text, unit_of(unit));
  });
  module.def("with_unit", [unit_of](const std::string& title, const std::string& unit) {
    return apsp::with_unit(title, unit_of(unit));
  });
  module.def("run_command", [](const std::vector<std::string>& words) {
    const nb::gil_scoped_release others_run;
    return apsp::cli::run(words);
  });
}

#undef PyInit__apsp

namespace {

bool refused() {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) return false;
  PyErr_SetString(PyExc_ImportError,
                  "apsp runs only in the main interpreter: its threads and their lock are shared");
  return true;
}

int refuse_others(PyObject*) { return refused() ? -1 : 0; }

/// Python 3.13 and later start a module in the main interpreter and continue in the importing one,
/// so the refusal has to come first there.
void refuse_first(PyModuleDef* definition) {
  static std::vector<PyModuleDef_Slot> slots;
  if (!slots.empty() || definition->m_slots == nullptr) return;
  slots.push_back({Py_mod_exec, reinterpret_cast<void*>(&refuse_others)});
  const PyModuleDef_Slot* slot = definition->m_slots;
  do {
    slots.push_back(*slot);
  } while (slot++->slot != 0);
  definition->m_slots = slots.data();
}

}  // namespace

extern "C" NB_EXPORT PyObject* PyInit__apsp() {
  if (refused()) return nullptr;
  PyObject* const begun = begin_module();
  if (begun != nullptr && PyObject_TypeCheck(begun, &PyModuleDef_Type)) {
    refuse_first(reinterpret_cast<PyModuleDef*>(begun));
  }
  return begun;
}
