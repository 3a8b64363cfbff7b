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
/// The same of those that an update has too: threads, memory, semiring, device, device_memory.
UpdateOptions update_options_of(const nanobind::dict& given);

/// The names of some choices, for people.
template <class Choices>
std::string names_of(const Choices& choices) {
  std::string names;
  for (const auto choice : choices)
    names += (names.empty() ? "" : ", ") + std::string(name(choice));
  return names;
}

/// The one of `parse` that a text names. `what`: "algorithm"; `known`: names of all. Throws `Error`
/// (usage).
template <class Parse>
auto choice_of(const std::string& text, const char* what, const Parse& parse,
               const std::string& known) {
  const auto chosen = parse(text);
  if (chosen) return *chosen;
  throw Error(ErrorKind::usage,
              "there is no " + std::string(what) + " '" + text + "'; known: " + known);
}

Algorithm algorithm_of(const std::string& text);
/// `ordinals`: as in `SolveOptions::device_ordinals`, where the text names GPUs.
Device device_of(const std::string& text, std::vector<int>& ordinals);
Semiring semiring_of(const std::string& text);
ValueType value_type_of(const std::string& text);

}  // namespace apsp::python
