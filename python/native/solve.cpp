// Solves and plans.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <apsp/apsp.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "choices.hpp"
#include "describe.hpp"
#include "text.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

/// A solve or a plan, with its inputs.
struct Work {
  Work(const Graph& of, const nb::dict& given) : graph(of), options(options_of(given)) {
    options.on_plan = [this](const PlanReport& made) { plan = made; };
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  /// `run` may be abandoned if it writes no output.
  void listen(std::function<void()> run, const nb::object& progress) {
    const auto work = [this, run = std::move(run)](const Control& control) {
      options.control = control;
      run();
    };
    if (!options.storage.output.empty()) return listen_while(work, progress);
    ends_soon() ? run_here(work) : listen_or_leave(work, progress);
  }

  /// Whether a thread would take longer than the work.
  bool ends_soon() const {
    constexpr std::int64_t kFew = 128;  // vertices: some 1 ms
    return graph.vertex_count() <= kFew && options.machine.device != Device::cuda && !measures;
  }

  const Graph graph;
  bool measures = false;  // measure the machine's rates, which takes longer than the plan
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
  work->measures = measure;
  work->listen(
      [work, measure] {
        work->plan = plan_solve(work->graph, work->options, {.measure = measure});
      },
      nb::none());
  return describe(work->plan);
}

Result open_path(const std::string& path, const std::optional<Graph>& graph,
                 const std::string& semiring) {
  const Semiring chosen = semiring_of(semiring);
  return call([&](const Control&) { return open_result(path, graph, chosen); });
}

Vertex vertex_named(const Graph& graph, const std::string& name) {
  if (const auto vertex = graph.find(name)) return *vertex;
  throw Error(ErrorKind::usage, "no vertex is called '" + name + "'");
}

/// The result at `path` for another graph, with a weight for every edge, or with the changes of
/// from[i] → to[i], names of vertices, from the weights `old` (NaN: unknown) to `changed`.
void update_path(const std::string& path, const std::optional<Graph>& graph,
                 const std::optional<Values<double>>& weights, const nb::object& from,
                 const nb::object& to, const Values<double>& changed, const Values<double>& old,
                 const std::string& output, bool compress, const std::optional<Graph>& before,
                 const std::string& metric, const nb::dict& given, const nb::object& progress) {
  UpdateOptions options = update_options_of(given);
  options.output = output;
  options.metric = metric;
  options.compress = compress;
  options.before = before;
  const auto sources = names_to_library(from), targets = names_to_library(to);
  const auto change = [&](const Graph& before) {
    if (graph) return *graph;
    if (weights) return with_weights(before, {weights->data(), weights->shape(0)});
    std::vector<WeightChange> changes;
    for (std::size_t i = 0; i < changed.shape(0); ++i) {
      changes.push_back({vertex_named(before, (*sources)[i]), vertex_named(before, (*targets)[i]),
                         changed.data()[i], number_or_none(old.data()[i])});
    }
    return with_changes(before, changes);
  };
  call(
      [&](const Control& control) {
        options.control = control;
        update_stored(path, change, options);
      },
      progress);
}

}  // namespace

void bind_solve(nb::module_& module) {
  module.def("solve", &solve_graph, nb::arg("graph"), nb::arg("options"),
             nb::arg("progress").none());
  module.def("plan", &plan_graph, nb::arg("graph"), nb::arg("options"), nb::arg("measure"));
  module.def("open", &open_path, nb::arg("path"), nb::arg("graph").none(), nb::arg("semiring"));
  module.def("update", &update_path, nb::arg("path"), nb::arg("graph").none(),
             nb::arg("weights").none(), nb::arg("sources"), nb::arg("targets"), nb::arg("changed"),
             nb::arg("old"), nb::arg("output"), nb::arg("compress"), nb::arg("before").none(),
             nb::arg("metric"), nb::arg("options"), nb::arg("progress").none());
  module.def("metric_path", [](const std::string& path, const std::string& metric) {
    return metric_path(path, metric);
  });
  module.def("metrics", &metrics);
  module.def("no_path", [](const std::string& semiring, const std::string& type) {
    return no_path(semiring_of(semiring), value_type_of(type));
  });
}

}  // namespace apsp::python
