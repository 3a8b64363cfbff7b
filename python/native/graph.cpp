// Graphs: from arrays, from files, and what they say of themselves.
#include "bindings.hpp"

namespace apsp::python {

void bind_graph(nanobind::module_&) {}

}  // namespace apsp::python
