#include "api/json.hpp"

#include <apsp/error.hpp>
#include <apsp/fields.hpp>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/json.hpp"
#include "base/refusal.hpp"

namespace apsp::api {
namespace {

using nlohmann::json;

template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
constexpr bool kIsVector = false;
template <class T>
constexpr bool kIsVector<std::vector<T>> = true;

template <class T>
bool is_set(const T& value) {
  if constexpr (kIsOptional<T>) {
    return value.has_value();
  } else if constexpr (kIsVector<T>) {
    return !value.empty();
  } else if constexpr (std::equality_comparable<T>) {
    return !(value == T{});
  } else {
    return true;
  }
}

/// Writes fields of a report. Vertices appear as their names in `graph`, which only reports of
/// vertices need.
class Writer {
 public:
  explicit Writer(const Graph* graph) : graph_(graph) {}

  template <class T>
  json operator()(const T& value) const {
    if constexpr (kIsOptional<T>) {
      return value ? (*this)(*value) : json(nullptr);
    } else if constexpr (std::is_enum_v<T>) {
      return name(value);
    } else if constexpr (std::same_as<T, VertexPair>) {
      return {{"from", graph_->name(value.from)}, {"to", graph_->name(value.to)}};
    } else if constexpr (std::same_as<T, Advice>) {
      json options = json::object();
      for (const auto& [option, chosen] : value) options[option] = chosen;
      return options;
    } else if constexpr (kIsVector<T>) {
      json list = json::array();
      for (const auto& one : value) list.push_back((*this)(one));
      return list;
    } else if constexpr (HasFields<T>) {
      json object = json::object();
      visit_fields(value, [&](const char* key, const auto& field, Presence presence) {
        if (presence != Presence::if_set || is_set(field)) object[key] = (*this)(field);
      });
      return object;
    } else {
      return value;
    }
  }

 private:
  const Graph* graph_;
};

template <class T>
json fields_json(const T& report, const Graph* graph = nullptr) {
  return Writer(graph)(report);
}

/// Reads fields of a report. Throws nlohmann's exceptions.
class Reader {
 public:
  explicit Reader(const Graph* graph) : graph_(graph) {}

  template <class T>
  void operator()(const json& from, T& to) const {
    if constexpr (std::same_as<T, std::optional<VertexPair>>) {
      if (from.is_null()) return;
      const auto one = graph_->find(from.at("from").get<std::string>());
      const auto other = graph_->find(from.at("to").get<std::string>());
      if (one && other) to = VertexPair{*one, *other};
    } else if constexpr (kIsOptional<T>) {
      if (!from.is_null()) (*this)(from, to.emplace());
    } else if constexpr (std::is_enum_v<T>) {
      to = parsed(from.get<std::string>(), to);
    } else if constexpr (kIsVector<T>) {
      for (const json& one : from) (*this)(one, to.emplace_back());
    } else if constexpr (HasFields<T>) {
      visit_fields(to, [&](const char* key, auto& field, Presence presence) {
        if (presence == Presence::required || from.contains(key)) (*this)(from.at(key), field);
      });
    } else {
      from.get_to(to);
    }
  }

 private:
  // Names that a later version may have added: the default.
  static Algorithm parsed(const std::string& text, Algorithm) {
    return parse_algorithm(text).value_or(Algorithm::automatic);
  }
  static Device parsed(const std::string& text, Device) {
    return parse_device(text).value_or(Device::automatic);
  }
  static ValueType parsed(const std::string& text, ValueType) {
    return parse_value_type(text).value_or(ValueType::f64);
  }
  static Semiring parsed(const std::string& text, Semiring) {
    return parse_semiring(text).value_or(Semiring::min_plus);
  }

  const Graph* graph_;
};

/// Throws `Error` (input): `what` is not a report of ours.
template <class Report>
Report read(const json& object, const char* what, const Graph* graph) {
  try {
    Report report;
    const Reader reader(graph);
    reader(object, report);
    return report;
  } catch (const json::exception& error) {
    throw Error(ErrorKind::input,
                std::string("the stored ") + what + " cannot be read: " + error.what());
  }
}

json most_central(const std::vector<double>& values, const Graph& graph, std::size_t count) {
  json list = json::array();
  for (const Vertex v : top(values, count)) {
    list.push_back({{"vertex", graph.name(v)}, {"value", values[v]}});
  }
  return list;
}

}  // namespace

json to_json(const Statistics& statistics, const Graph& graph, std::size_t count) {
  json object = fields_json(statistics, &graph);
  object["most_central"] = {{"closeness", most_central(statistics.closeness, graph, count)},
                            {"harmonic", most_central(statistics.harmonic, graph, count)}};
  return object;
}

double figure_of(const Statistics& statistics, const Graph& graph, const char* called) {
  const json figures = to_json(statistics, graph, 0);
  const auto found = figures.find(called);
  if (found != figures.end()) {
    if (found->is_number()) return found->get<double>();
    if (found->is_boolean()) return found->get<bool>() ? 1 : 0;
    if (found->is_null()) return std::numeric_limits<double>::quiet_NaN();
  }
  throw usage_error("'{}' is no number of the statistics: take one such as diameter or mean",
                    called);
}

Statistics statistics_from_json(const json& object, const Graph& graph) {
  auto statistics = read<Statistics>(object, "statistics", &graph);
  // Results of the first version have statistics of all pairs only.
  if (!object.contains("sources")) statistics.sources = statistics.targets = statistics.vertices;
  return statistics;
}

json to_json(const PlanReport& plan) { return fields_json(plan); }

json to_json(const std::vector<Advice>& list) { return fields_json(list); }

json to_json(const SolveReport& report) { return fields_json(report); }

SolveReport report_from_json(const json& object) {
  return read<SolveReport>(object, "report", nullptr);
}

json to_json(const VerifyReport& report) { return fields_json(report); }

json to_json(const Graph& graph) {
  return {{"vertices", graph.vertex_count()},    {"edges", graph.edge_count()},
          {"arcs", graph.arc_count()},           {"loops", graph.loop_count()},
          {"directed", graph.directed()},        {"symmetric", graph.symmetric()},
          {"labelled", !graph.labels().empty()}, {"weights", fields_json(graph.weight_facts())},
          {"remarks", graph.remarks()},          {"digest", graph.digest()}};
}

}  // namespace apsp::api
