// Conversions of option values. Every wrong value is an `Error` (usage) that names the option and
// the values it takes.
#pragma once

#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <apsp/table.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/joined.hpp"
#include "cli/arguments.hpp"

namespace apsp::cli {

class Context;

std::int64_t integer_value(const std::string& option, const std::string& text, std::int64_t least);
template <std::int64_t kLeast>
std::int64_t at_least(const std::string& option, const std::string& text) {
  return integer_value(option, text, kLeast);
}
int count_value(const std::string& option, const std::string& text);
std::uint64_t seed_value(const std::string& option, const std::string& text);
double real_value(const std::string& option, const std::string& text);
double tolerance_value(const std::string& option, const std::string& text);
std::int64_t byte_value(const std::string& option, const std::string& text);
std::pair<double, double> range_value(const std::string& option, const std::string& text);
std::vector<double> list_value(const std::string& option, const std::string& text);

void declare_unit(Arguments& arguments, Unit& unit);

/// "900,15min": quantities, and their words in titles, where a number has the unit if it is known.
struct Limits {
  std::vector<double> values;
  std::vector<std::string> words;
};
Limits limits_value(const std::string& option, const std::string& text, const Unit& unit);
/// The parts of a text between its commas; the text itself if it has none.
std::vector<std::string> words_between_commas(std::string_view text);

struct DeviceValue {
  Device device = Device::automatic;
  std::vector<int> ordinals{};
};
/// "auto", "cpu", "cuda", "cuda:0", "cuda:0,1".
DeviceValue device_value(const std::string& option, const std::string& text);
/// Declares --device, for the fields `device` and `device_ordinals`.
template <class Options>
void declare_device(Arguments& arguments, Options& options, const std::string& about,
                    const std::string& placeholder = "auto|cpu|cuda|cuda:N|cuda:N,M|cuda:all") {
  arguments.value(
      "--device", placeholder,
      [&options](const std::string& text) {
        DeviceValue value = device_value("--device", text);
        options.device = value.device;
        options.device_ordinals = std::move(value.ordinals);
      },
      about);
}

/// The error for an unknown word, which suggests the nearest choice.
Error not_a_choice(const std::string& option, const std::string& text,
                   const std::vector<std::string>& allowed);

template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

template <class Range>
auto named_choices(const Range& values) {
  Choices<typename Range::value_type> choices;
  for (const auto value : values) choices.emplace_back(name(value), value);
  return choices;
}

template <class T>
std::vector<std::string> words_of(const Choices<T>& choices) {
  std::vector<std::string> words;
  for (const auto& [word, value] : choices) words.push_back(word);
  return words;
}

template <class T>
T choose(const std::string& option, const std::string& text, const Choices<T>& choices) {
  for (const auto& [word, value] : choices) {
    if (word == text) return value;
  }
  throw not_a_choice(option, text, words_of(choices));
}

template <class T>
std::string placeholder(const Choices<T>& choices) {
  return base::joined(words_of(choices), "|");
}

template <class Target, class Convert>
void parsed(Arguments& arguments, const std::string& name, const std::string& placeholder,
            Convert convert, Target& target, const std::string& about) {
  arguments.value(
      name, placeholder,
      [name, convert, &target](const std::string& text) {
        target = static_cast<Target>(convert(name, text));
      },
      about);
}

template <class T, class Target>
void choice(Arguments& arguments, const std::string& name, const Choices<T>& choices,
            Target& target, const std::string& about) {
  constexpr std::size_t kWidest = 60;
  const std::string words = placeholder(choices);
  const bool fits = words.size() <= kWidest;
  arguments.value(
      name, fits ? words : "NAME",
      [name, choices, &target](const std::string& text) { target = choose(name, text, choices); },
      fits ? about : about + ": " + base::joined(words_of(choices), ", "));
}

/// Declares --component. `largest`: whether only the largest strong component counts.
void declare_component(Arguments& arguments, bool& largest);

void declare_vertices(Arguments& arguments, std::string& sources, std::string& targets);

/// The file of an option's list of vertices; empty: the option holds the list itself.
std::string file_of(const std::string& vertices);

struct VertexChoice {
  std::string option;
  std::string text;  ///< "17,2093", "@towns.txt", "random:100"; empty: none
};

/// Returns the vertices in the given order; random ones in increasing order, determined by seed and
/// option. Throws `Error`: usage (an unknown or repeated vertex, a wrong number), input (the same
/// in a file, with line and column; an empty file), input_output, interrupted. A vertex that a file
/// repeats counts once; `context` notes assumptions. `names`: as in `ListReading`. Of a graph with
/// turn states: its own vertices, all of them without a choice, and for --targets where paths to
/// them end.
std::vector<Vertex> chosen_vertices(const VertexChoice& choice, const Graph& graph,
                                    std::uint64_t seed, Context* context = nullptr,
                                    std::vector<std::string>* names = nullptr);

}  // namespace apsp::cli
