// Tables of distances as files.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <apsp/apsp.hpp>
#include <optional>
#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "choices.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

TableOptions::Layout layout_of(const std::string& text) {
  if (text == "auto") return TableOptions::Layout::automatic;
  if (text == "long") return TableOptions::Layout::tall;
  if (text == "wide") return TableOptions::Layout::wide;
  throw Error(ErrorKind::usage, "there is no layout '" + text + "'; known: auto, long, wide");
}

TableOptions table_of(const nb::dict& given, const std::optional<Graph>& second,
                      const std::string& layout) {
  const SolveOptions options = options_of(given);
  return {options.question.sources, options.question.targets, second, layout_of(layout)};
}

void write_of_graph(const Graph& graph, const std::string& path, const nb::dict& given,
                    const std::optional<Graph>& second, const std::string& layout,
                    const nb::object& progress) {
  const TableOptions table = table_of(given, second, layout);
  SolveOptions options = options_of(given);
  call(
      [&](const Control& control) {
        options.control = control;
        write_table(graph, path, table, options);
      },
      progress);
}

void write_of_result(const Result& result, const std::string& path, const nb::dict& given,
                     const std::optional<Graph>& second, const std::string& layout,
                     const nb::object& progress) {
  const TableOptions table = table_of(given, second, layout);
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
             nb::arg("options"), nb::arg("second").none(), nb::arg("layout"),
             nb::arg("progress").none());
  module.def("write_table_of_result", &write_of_result, nb::arg("result"), nb::arg("path"),
             nb::arg("options"), nb::arg("second").none(), nb::arg("layout"),
             nb::arg("progress").none());
}

}  // namespace apsp::python
