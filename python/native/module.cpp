// The extension module apsp._apsp. People use the Python files beside it.
#include "bindings.hpp"

NB_MODULE(_apsp, module) {
  module.attr("__version__") = APSP_VERSION;
  apsp::python::bind_errors(module);
  apsp::python::bind_graph(module);
  apsp::python::bind_solve(module);
  apsp::python::bind_result(module);
  apsp::python::bind_row_stream(module);
  apsp::python::bind_csgraph(module);
}
