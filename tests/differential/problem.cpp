#include "differential/problem.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include "base/json.hpp"

namespace apsp::campaign {
namespace {

using nlohmann::json;

template <class T>
std::vector<T> matrix_of(const Problem& problem) {
  const auto n = static_cast<std::size_t>(problem.n);
  std::vector<T> values(n * n, WeightMatrix::no_arc<T>());
  const auto put = [&](Vertex u, Vertex v, double weight) {
    T& value = values[u * n + v];
    // Of parallel arcs a matrix holds one.
    if (value == WeightMatrix::no_arc<T>()) value = static_cast<T>(weight);
  };
  for (const Edge& edge : problem.edges) {
    put(edge.from, edge.to, edge.weight);
    if (!problem.directed) put(edge.to, edge.from, edge.weight);
  }
  return values;
}

json listed(const std::vector<Edge>& edges) {
  json list = json::array();
  for (const Edge& edge : edges) {
    const json weight = std::isinf(edge.weight) ? json("none") : json(edge.weight);
    list.push_back({edge.from, edge.to, weight});
  }
  return list;
}

std::vector<Edge> edges_from(const json& list) {
  std::vector<Edge> edges;
  for (const json& edge : list) {
    const json& weight = edge.at(2);
    edges.push_back(
        {edge.at(0), edge.at(1),
         weight.is_string() ? std::numeric_limits<double>::infinity() : weight.get<double>()});
  }
  return edges;
}

std::string text_of(const std::optional<ValueType>& type) {
  return type ? std::string(name(*type)) : "auto";
}

template <class T>
T required(const std::optional<T>& value, const json& from) {
  if (!value) throw std::invalid_argument("no such name: " + from.dump());
  return *value;
}

std::optional<ValueType> type_from(const json& text) {
  if (text == "auto") return std::nullopt;
  return required(parse_value_type(text.get<std::string>()), text);
}

}  // namespace

Graph graph_of(const Problem& problem) {
  GraphBuilder builder(problem.n, problem.directed);
  if (problem.matrix) {
    WeightMatrix matrix;
    matrix.type = *problem.matrix;
    matrix.n = problem.n;
    matrix.with_type([&]<class T>() {
      const auto values = std::make_shared<std::vector<T>>(matrix_of<T>(problem));
      matrix.data = values->data();
      matrix.owner = values;
    });
    builder.set_matrix(std::move(matrix));
  } else {
    for (const Edge& edge : problem.edges) builder.add_edge(edge.from, edge.to, edge.weight);
  }
  return std::move(builder).build();
}

std::string to_text(const Problem& problem) {
  return json{{"seed", problem.seed},
              {"n", problem.n},
              {"directed", problem.directed},
              {"edges", listed(problem.edges)},
              {"matrix", text_of(problem.matrix)},
              {"semiring", name(problem.semiring)},
              {"type", text_of(problem.type)},
              {"algorithm", name(problem.algorithm)},
              {"gpus", problem.gpus},
              {"threads", problem.threads},
              {"memory", problem.memory},
              {"device_memory", problem.device_memory},
              {"tile", problem.tile},
              {"tolerance", problem.tolerance},
              {"keep", name(problem.keep)},
              {"grid", {problem.grid_rows, problem.grid_columns}},
              {"question", name(problem.question)},
              {"sources", problem.sources},
              {"targets", problem.targets},
              {"limit", problem.limit},
              {"count", problem.count},
              {"changes", listed(problem.changes)},
              {"planted", problem.planted}}
      .dump();
}

Problem from_text(const std::string& text) {
  const json from = json::parse(text);
  Problem problem;
  from.at("seed").get_to(problem.seed);
  from.at("n").get_to(problem.n);
  from.at("directed").get_to(problem.directed);
  problem.edges = edges_from(from.at("edges"));
  problem.matrix = type_from(from.at("matrix"));
  problem.semiring =
      required(parse_semiring(from.at("semiring").get<std::string>()), from.at("semiring"));
  problem.type = type_from(from.at("type"));
  problem.algorithm =
      required(parse_algorithm(from.at("algorithm").get<std::string>()), from.at("algorithm"));
  from.at("gpus").get_to(problem.gpus);
  from.at("threads").get_to(problem.threads);
  from.at("memory").get_to(problem.memory);
  from.at("device_memory").get_to(problem.device_memory);
  from.at("tile").get_to(problem.tile);
  from.at("tolerance").get_to(problem.tolerance);
  problem.keep = required(parse_keep(from.at("keep").get<std::string>()), from.at("keep"));
  if (from.contains("grid")) {
    from["grid"].at(0).get_to(problem.grid_rows);
    from["grid"].at(1).get_to(problem.grid_columns);
  }
  for (std::size_t i = 0; i < kQuestions.size(); ++i) {
    if (from.at("question") == kQuestions[i]) problem.question = static_cast<Question>(i);
  }
  from.at("sources").get_to(problem.sources);
  from.at("targets").get_to(problem.targets);
  from.at("limit").get_to(problem.limit);
  from.at("count").get_to(problem.count);
  problem.changes = edges_from(from.at("changes"));
  problem.planted = from.value("planted", false);
  return problem;
}

}  // namespace apsp::campaign
