// The groups of bindings of the extension _apsp, one per file.
#pragma once

#include <nanobind/nanobind.h>

namespace apsp::python {

void bind_errors(nanobind::module_& module);
void bind_graph(nanobind::module_& module);
void bind_solve(nanobind::module_& module);
void bind_near(nanobind::module_& module);
void bind_places(nanobind::module_& module);
void bind_table(nanobind::module_& module);
void bind_matrix(nanobind::module_& module);
void bind_result(nanobind::module_& module);
void bind_report(nanobind::module_& module);
void bind_row_stream(nanobind::module_& module);
void bind_device_array(nanobind::module_& module);
void bind_csgraph(nanobind::module_& module);

}  // namespace apsp::python
