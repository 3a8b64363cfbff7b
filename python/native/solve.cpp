// Solving a graph, and its result.
#include "bindings.hpp"

namespace apsp::python {

void bind_solve(nanobind::module_&) {}

}  // namespace apsp::python
