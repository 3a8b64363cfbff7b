// Tables of distances as files.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <apsp/apsp.hpp>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "choices.hpp"
#include "places.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

TableOptions::Layout layout_of(const std::string& text) {
  if (text == "auto") return TableOptions::Layout::automatic;
  if (text == "long") return TableOptions::Layout::tall;
  if (text == "wide") return TableOptions::Layout::wide;
  throw Error(ErrorKind::usage, "there is no layout '" + text + "'; known: auto, long, wide");
}

/// `asked`: (second weights, their titles, layout, unit, source and target points as in
/// `points_of`).
TableOptions table_of(const nb::dict& given, const nb::tuple& asked) {
  const SolveOptions options = options_of(given);
  TableOptions table{.sources = options.question.sources, .targets = options.question.targets};
  table.second = nb::cast<std::vector<Graph>>(asked[0]);
  table.second_titles = nb::cast<std::vector<std::string>>(asked[1]);
  table.layout = layout_of(nb::cast<std::string>(asked[2]));
  table.unit = nb::cast<std::string>(asked[3]);
  table.source_points = points_of(nb::borrow<nb::object>(asked[4]));
  table.target_points = points_of(nb::borrow<nb::object>(asked[5]));
  return table;
}

void write_of_graph(const Graph& graph, const std::string& path, const nb::dict& given,
                    const nb::tuple& asked, const nb::object& progress) {
  const TableOptions table = table_of(given, asked);
  SolveOptions options = options_of(given);
  call(
      [&](const Control& control) {
        options.control = control;
        write_table(graph, path, table, options);
      },
      progress);
}

void write_of_result(const Result& result, const std::string& path, const nb::dict& given,
                     const nb::tuple& asked, const nb::object& progress) {
  const TableOptions table = table_of(given, asked);
  const SolveOptions options = options_of(given);
  call(
      [&](const Control& control) {
        write_table(result, path, table,
                    {.memory = options.machine.memory,
                     .threads = options.machine.threads,
                     .control = control});
      },
      progress);
}

}  // namespace

void bind_table(nb::module_& module) {
  module.def("write_table_of_graph", &write_of_graph, nb::arg("graph"), nb::arg("path"),
             nb::arg("options"), nb::arg("asked"), nb::arg("progress").none());
  module.def("write_table_of_result", &write_of_result, nb::arg("result"), nb::arg("path"),
             nb::arg("options"), nb::arg("asked"), nb::arg("progress").none());
}

}  // namespace apsp::python
