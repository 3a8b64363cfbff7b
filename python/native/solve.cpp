// Solving a graph, and what would be done.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <apsp/apsp.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "bindings.hpp"
#include "call.hpp"
#include "choices.hpp"
#include "describe.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

/// A solve, or a plan, with all that belongs to it.
struct Work {
  Work(const Graph& of, const nb::dict& given) : graph(of), options(options_of(given)) {
    options.on_plan = [this](const PlanReport& made) { plan = made; };
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  /// `run` may be left where it writes no output.
  void listen(std::function<void()> run, const nb::object& progress) {
    const auto work = [this, run = std::move(run)](const Control& control) {
      options.control = control;
      run();
    };
    options.output.empty() ? listen_or_leave(work, progress) : listen_while(work, progress);
  }

  const Graph graph;
  SolveOptions options;
  PlanReport plan;
  std::optional<Result> result;
};

/// (Result, plan).
nb::tuple solve_graph(const Graph& graph, const nb::dict& given, const nb::object& progress) {
  const auto work = std::make_shared<Work>(graph, given);
  work->listen([work] { work->result.emplace(solve(work->graph, work->options)); }, progress);
  return nb::make_tuple(std::move(*work->result), describe(work->plan));
}

nb::dict plan_graph(const Graph& graph, const nb::dict& given, bool measure) {
  const auto work = std::make_shared<Work>(graph, given);
  work->listen([work, measure] { work->plan = plan_solve(work->graph, work->options, measure); },
               nb::none());
  return describe(work->plan);
}

Result open_path(const std::string& path, const std::optional<Graph>& graph,
                 const std::string& semiring) {
  const Semiring chosen = semiring_of(semiring);
  return call([&](const Control&) { return open_result(path, graph, chosen); });
}

}  // namespace

void bind_solve(nb::module_& module) {
  module.def("solve", &solve_graph, nb::arg("graph"), nb::arg("options"),
             nb::arg("progress").none());
  module.def("plan", &plan_graph, nb::arg("graph"), nb::arg("options"), nb::arg("measure"));
  module.def("open", &open_path, nb::arg("path"), nb::arg("graph").none(), nb::arg("semiring"));
  module.def("no_path", [](const std::string& semiring, const std::string& type) {
    return no_path(semiring_of(semiring), value_type_of(type));
  });
}

}  // namespace apsp::python
