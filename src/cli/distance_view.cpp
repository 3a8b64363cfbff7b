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

bool is_reachable(Semiring semiring, const PairDistance& of) {
  if (semiring == Semiring::or_and) return of.distance != 0;
  return of.pair.from == of.pair.to || of.distance != no_path(semiring, ValueType::f64);
}

std::string distance_text(ValueType type, double distance) {
  if (type == ValueType::f32) return fmt::format("{}", static_cast<float>(distance));
  return fmt::format("{}", distance);
}

std::string distance_lines(const Graph& graph, ValueType type,
                           std::span<const PairDistance> pairs) {
  std::string text;
  for (const auto& [pair, distance] : pairs) {
    text += fmt::format("{},{},{}\n", csv_field(graph.name(pair.from)),
                        csv_field(graph.name(pair.to)), distance_text(type, distance));
  }
  return text;
}

nlohmann::json distances_json(const Graph& graph, Semiring semiring,
                              std::span<const PairDistance> pairs) {
  nlohmann::json list = nlohmann::json::array();
  for (const PairDistance& of : pairs) {
    const bool reachable = is_reachable(semiring, of);
    const bool valued = reachable && semiring != Semiring::or_and;
    list.push_back({{"from", graph.name(of.pair.from)},
                    {"to", graph.name(of.pair.to)},
                    {"reachable", reachable},
                    {"distance", valued ? nlohmann::json(of.distance) : nlohmann::json()}});
  }
  return list;
}

}  // namespace apsp::cli
