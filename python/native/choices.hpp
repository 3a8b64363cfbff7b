// Options from a Python dictionary.
#pragma once

#include <nanobind/nanobind.h>

#include <apsp/apsp.hpp>
#include <optional>
#include <string>

namespace apsp::python {

/// `given` has options by the names of fields of `SolveOptions`, with enumerations by their names.
/// Throws `Error` (usage) for an unknown name, with the known ones.
SolveOptions options_of(const nanobind::dict& given);
/// The same for an update: threads, memory, semiring, device, device_memory.
UpdateOptions update_options_of(const nanobind::dict& given);

/// The names of choices, for messages.
template <class Choices>
std::string names_of(const Choices& choices) {
  std::string names;
  for (const auto choice : choices)
    names += (names.empty() ? "" : ", ") + std::string(name(choice));
  return names;
}

/// The choice of `parse` for a text. `what`: "algorithm"; `known`: all names. Throws `Error`
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
/// Sets `ordinals`, as `MachineOptions::device_ordinals`, if the text names GPUs.
Device device_of(const std::string& text, std::vector<int>& ordinals);
Semiring semiring_of(const std::string& text);
ValueType value_type_of(const std::string& text);

}  // namespace apsp::python
