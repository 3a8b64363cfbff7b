// Options by their names, as a dictionary of Python's.
#pragma once

#include <nanobind/nanobind.h>

#include <apsp/apsp.hpp>
#include <optional>
#include <string>

namespace apsp::python {

/// `given` names every option by its field of `SolveOptions`; enumerations by their names.
/// Throws `Error` (usage) for a name that is none, with all that there are.
SolveOptions options_of(const nanobind::dict& given);

/// The one of `parse` that a text names. `what`: "algorithm". Throws `Error` (usage).
template <class Parse>
auto choice_of(const std::string& text, const char* what, const Parse& parse) {
  const auto chosen = parse(text);
  if (!chosen)
    throw Error(ErrorKind::usage, "there is no " + std::string(what) + " '" + text + "'");
  return *chosen;
}

}  // namespace apsp::python
