#include "cli/distance_view.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace apsp::cli {
namespace {

std::string csv_field(const std::string& name) {
  const bool plain = !name.empty() && name.find_first_of(",\"\r\n") == name.npos &&
                     name.front() != '#' && name.front() != '%' && name.front() != ' ' &&
                     name.back() != ' ';
  if (plain) return name;
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

bool is_reachable(const Result& result, const PairDistance& of) {
  if (result.semiring() == Semiring::or_and) return of.distance != 0;
  return of.pair.from == of.pair.to || of.distance != no_path(result.semiring(), ValueType::f64);
}

std::string distance_text(const Result& result, double distance) {
  if (result.value_type() == ValueType::f32) {
    return fmt::format("{}", static_cast<float>(distance));
  }
  return fmt::format("{}", distance);
}

std::string distance_lines(const Result& result, std::span<const PairDistance> pairs) {
  const Graph& graph = result.graph();
  std::string text;
  for (const auto& [pair, distance] : pairs) {
    text += fmt::format("{},{},{}\n", csv_field(graph.name(pair.from)),
                        csv_field(graph.name(pair.to)), distance_text(result, distance));
  }
  return text;
}

nlohmann::json distances_json(const Result& result, std::span<const PairDistance> pairs) {
  nlohmann::json list = nlohmann::json::array();
  for (const PairDistance& of : pairs) {
    const bool reachable = is_reachable(result, of);
    const bool valued = reachable && result.semiring() != Semiring::or_and;
    list.push_back({{"from", result.graph().name(of.pair.from)},
                    {"to", result.graph().name(of.pair.to)},
                    {"reachable", reachable},
                    {"distance", valued ? nlohmann::json(of.distance) : nlohmann::json()}});
  }
  return list;
}

}  // namespace apsp::cli
