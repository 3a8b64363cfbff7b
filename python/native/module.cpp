// The extension module apsp._apsp. People use the Python files beside it.
#include "bindings.hpp"
#include "running.hpp"

namespace nb = nanobind;

NB_MODULE(_apsp, module) {
  // Python 3.12 and later refuse by themselves where an interpreter has a lock of its own.
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
    PyErr_SetString(
        PyExc_ImportError,
        "apsp runs in the main interpreter alone: its threads and their lock are shared");
    nb::raise_python_error();
  }
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&apsp::python::end_all_running));
  module.attr("__version__") = APSP_VERSION;
  apsp::python::bind_errors(module);
  apsp::python::bind_graph(module);
  apsp::python::bind_solve(module);
  apsp::python::bind_matrix(module);
  apsp::python::bind_result(module);
  apsp::python::bind_report(module);
  apsp::python::bind_row_stream(module);
  apsp::python::bind_csgraph(module);
}
