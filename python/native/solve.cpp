// Solving a graph, and what would be done.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <apsp/apsp.hpp>

#include "bindings.hpp"
#include "call.hpp"
#include "choices.hpp"
#include "describe.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

/// (Result, plan).
nb::tuple solve_graph(const Graph& graph, const nb::dict& given, const nb::object& progress) {
  SolveOptions options = options_of(given);
  PlanReport plan;
  options.on_plan = [&](const PlanReport& made) { plan = made; };
  Result result = call(
      [&](const Control& control) {
        options.control = control;
        return solve(graph, options);
      },
      progress);
  return nb::make_tuple(std::move(result), describe(plan));
}

nb::dict plan_graph(const Graph& graph, const nb::dict& given, bool measure) {
  SolveOptions options = options_of(given);
  return describe(call([&](const Control& control) {
    options.control = control;
    return plan_solve(graph, options, measure);
  }));
}

Result open_path(const std::string& path, const std::optional<Graph>& graph,
                 const std::string& semiring) {
  const Semiring chosen = choice_of(semiring, "semiring", parse_semiring);
  return call([&](const Control&) { return open_result(path, graph, chosen); });
}

}  // namespace

void bind_solve(nb::module_& module) {
  module.def("solve", &solve_graph, nb::arg("graph"), nb::arg("options"),
             nb::arg("progress").none());
  module.def("plan", &plan_graph, nb::arg("graph"), nb::arg("options"), nb::arg("measure"));
  module.def("open", &open_path, nb::arg("path"), nb::arg("graph").none(), nb::arg("semiring"));
  module.def("no_path", [](const std::string& semiring, const std::string& type) {
    return no_path(choice_of(semiring, "semiring", parse_semiring),
                   choice_of(type, "value type", parse_value_type));
  });
}

}  // namespace apsp::python
