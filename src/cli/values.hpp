// Option values from text: numbers, sizes, ranges, and words of a fixed list. Every wrong value is
// an `Error` (usage) that names the option and what it takes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <apsp/error.hpp>
#include <apsp/solve.hpp>

#include "cli/arguments.hpp"

namespace apsp::cli {

std::int64_t integer_value(const std::string& option, const std::string& text, std::int64_t least);
/// At least 1.
int count_value(const std::string& option, const std::string& text);
std::uint64_t seed_value(const std::string& option, const std::string& text);
double real_value(const std::string& option, const std::string& text);
/// At least 0.
double tolerance_value(const std::string& option, const std::string& text);
std::int64_t byte_value(const std::string& option, const std::string& text);
/// "1:100"; low ≤ high.
std::pair<double, double> range_value(const std::string& option, const std::string& text);
/// "2,3,4".
std::vector<double> list_value(const std::string& option, const std::string& text);

struct DeviceValue {
  Device device = Device::automatic;
  std::vector<int> ordinals{};
};
/// "auto", "cpu", "cuda", "cuda:0", "cuda:0,1".
DeviceValue device_value(const std::string& option, const std::string& text);

/// The error for a word that is not in the list, with the nearest that is.
Error not_a_choice(const std::string& option, const std::string& text,
                   const std::vector<std::string>& allowed);

template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

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

/// "auto|f32|f64".
template <class T>
std::string placeholder(const Choices<T>& choices) {
  std::string text;
  for (const auto& [word, value] : choices) text += (text.empty() ? "" : "|") + word;
  return text;
}

/// An option `name` whose value is one of the choices; `target` may be an optional of it.
template <class T, class Target>
void choice(Arguments& arguments, const std::string& name, const Choices<T>& choices,
            Target& target, const std::string& about) {
  arguments.value(
      name, placeholder(choices),
      [name, choices, &target](const std::string& text) { target = choose(name, text, choices); },
      about);
}

}  // namespace apsp::cli
