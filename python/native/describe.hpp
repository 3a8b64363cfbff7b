// Structs of the library as dictionaries of plain values. The names are those of --json
// (docs/schema.json); vertices are numbers here, which the Python files turn into labels.
#pragma once

#include <nanobind/nanobind.h>

#include <apsp/apsp.hpp>

namespace apsp::python {

nanobind::dict describe(const Graph& graph);
nanobind::dict describe(const PlanReport& plan);
nanobind::list describe(const std::vector<Advice>& list);
nanobind::dict describe(const SolveReport& report);
nanobind::dict describe(const Statistics& statistics);
nanobind::dict describe(const VerifyReport& report);

}  // namespace apsp::python
