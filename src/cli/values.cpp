#include "cli/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "base/units.hpp"
#include "cli/words.hpp"

namespace apsp::cli {
namespace {

template <class T>
std::optional<T> whole(std::string_view text) {
  T value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Error wrong(const std::string& option, const std::string& text, std::string_view expected) {
  return Error(ErrorKind::usage, fmt::format("{} takes {}, not '{}'", option, expected, text));
}

/// What other programs and papers call a choice of ours; empty: none of `allowed`.
std::string called_here(std::string_view text, const std::vector<std::string>& allowed) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"gpu", "cuda"},
      {"nvidia", "cuda"},
      {"dijkstra", "johnson"},
      {"fw", "floyd-warshall"},
      {"metis", "nested-dissection"},
      {"float32", "f32"},
      {"float", "f32"},
      {"float64", "f64"},
      {"double", "f64"},
      {"int", "i32"},
      {"int32", "i32"},
      {"uint16", "u16"},
      {"widest", "max-min"},
      {"minimax", "min-max"},
      {"longest", "max-plus"},
      {"shortest", "min-plus"},
      {"reachability", "or-and"}};
  for (const auto& [theirs, ours] : kNames) {
    if (text != theirs) continue;
    if (std::find(allowed.begin(), allowed.end(), ours) != allowed.end()) return std::string(ours);
  }
  return "";
}

}  // namespace

std::int64_t integer_value(const std::string& option, const std::string& text, std::int64_t least) {
  const auto value = whole<std::int64_t>(text);
  if (!value || *value < least) {
    throw wrong(option, text, fmt::format("a whole number, at least {}", least));
  }
  return *value;
}

int count_value(const std::string& option, const std::string& text) {
  const auto value = whole<int>(text);
  if (!value || *value < 1) {
    throw wrong(option, text,
                fmt::format("a whole number from 1 to {}", std::numeric_limits<int>::max()));
  }
  return *value;
}

std::uint64_t seed_value(const std::string& option, const std::string& text) {
  const auto value = whole<std::uint64_t>(text);
  if (!value) throw wrong(option, text, "a whole number, at least 0");
  return *value;
}

double real_value(const std::string& option, const std::string& text) {
  const auto value = whole<double>(text);
  if (!value || !std::isfinite(*value)) throw wrong(option, text, "a number");
  return *value;
}

double tolerance_value(const std::string& option, const std::string& text) {
  const auto value = whole<double>(text);
  if (!value || !std::isfinite(*value) || *value < 0) {
    throw wrong(option, text, "a number, at least 0");
  }
  return *value;
}

std::int64_t byte_value(const std::string& option, const std::string& text) {
  const auto value = base::parse_bytes(text);
  if (!value || *value <= 0) throw wrong(option, text, "a size such as 512MiB or 8GiB");
  return *value;
}

std::pair<double, double> range_value(const std::string& option, const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto low = whole<double>(std::string_view(text).substr(0, colon));
  const auto high =
      colon == std::string::npos ? low : whole<double>(std::string_view(text).substr(colon + 1));
  if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high) || *low > *high) {
    throw wrong(option, text, "a range LOW:HIGH such as 1:100");
  }
  return {*low, *high};
}

std::vector<double> list_value(const std::string& option, const std::string& text) {
  std::vector<double> values;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    const auto value = whole<double>(rest.substr(0, comma));
    if (!value || !std::isfinite(*value)) throw wrong(option, text, "numbers separated by commas");
    values.push_back(*value);
    if (comma == std::string_view::npos) return values;
    rest.remove_prefix(comma + 1);
  }
}

DeviceValue device_value(const std::string& option, const std::string& text) {
  const std::vector<std::string> allowed = {"auto",   "cpu",      "cuda",
                                            "cuda:N", "cuda:N,M", "cuda:all"};
  const std::size_t colon = text.find(':');
  const auto device = parse_device(std::string_view(text).substr(0, colon));
  if (!device) throw not_a_choice(option, text, allowed);
  DeviceValue value{*device};
  if (colon == std::string::npos) return value;
  std::string_view rest = std::string_view(text).substr(colon + 1);
  if (*device == Device::cuda && rest == "all") return {*device, {kAllGpus}};
  while (*device == Device::cuda) {
    const std::size_t comma = rest.find(',');
    const auto ordinal = whole<int>(rest.substr(0, comma));
    if (!ordinal || *ordinal < 0) break;
    value.ordinals.push_back(*ordinal);
    if (comma == std::string_view::npos) return value;
    rest.remove_prefix(comma + 1);
  }
  throw wrong(option, text, alternatives(allowed) + " with N and M counted from 0");
}

Error not_a_choice(const std::string& option, const std::string& text,
                   const std::vector<std::string>& allowed) {
  const std::string ours = called_here(text, allowed);
  return Error(
      ErrorKind::usage,
      fmt::format("{} takes {}, not '{}'{}", option, alternatives(allowed), text,
                  ours.empty() ? did_you_mean(text, allowed) : "; did you mean '" + ours + "'?"));
}

}  // namespace apsp::cli
