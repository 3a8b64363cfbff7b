#include "cli/path_view.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <nlohmann/json.hpp>
#include <optional>

#include "base/units.hpp"
#include "cli/graph_view.hpp"
#include "cli/numbers.hpp"
#include "cli/semiring_words.hpp"
#include "cli/table.hpp"

namespace apsp::cli {
namespace {

double best_weight(const Graph& graph, Semiring semiring, Vertex from, Vertex to) {
  std::optional<double> best;
  graph.for_each_arc_between(from, to, [&](double weight) {
    if (!best || better(semiring, weight, *best)) best = weight;
  });
  if (!best) {
    throw Error(ErrorKind::input, fmt::format("the graph has no edge {} to {}: it is not the graph "
                                              "that was solved",
                                              graph.name(from), graph.name(to)));
  }
  return *best;
}

}  // namespace

std::vector<Hop> hops(const Result& result, const std::vector<Vertex>& path) {
  const Semiring semiring = result.semiring();
  double so_far = empty_path(semiring, result.value_type());
  std::vector<Hop> list;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const double weight = best_weight(result.graph(), semiring, path[i - 1], path[i]);
    so_far = extended(semiring, so_far, weight);
    list.push_back({path[i - 1], path[i], weight, so_far});
  }
  return list;
}

std::string path_text(const Result& result, const std::vector<Vertex>& path, const Look& look) {
  const Graph& graph = result.graph();
  const SemiringWords words = words_of(result.semiring());
  const std::vector<Hop> list = hops(result, path);
  const bool valued = !words.edge.empty();
  Table table({Align::right, Align::left, Align::right, Align::right});
  table.header({"hop", "vertex", std::string(words.edge), std::string(words.so_far)});
  table.row({"0", shown_name(graph, path.front())});
  for (std::size_t i = 0; i < list.size(); ++i) {
    table.row({base::format_count(static_cast<std::int64_t>(i) + 1), shown_name(graph, list[i].to),
               valued ? format_value(list[i].weight) : "",
               valued ? format_value(list[i].so_far) : ""});
  }
  const std::string title = fmt::format("{} {} {}", shown_name(graph, path.front()), look.arrow(),
                                        shown_name(graph, path.back()));
  std::string remark;
  if (valued) {
    remark = fmt::format("{} {}, ", words.measure,
                         format_value(result.distance(path.front(), path.back())));
  }
  remark += counted(static_cast<std::int64_t>(list.size()), "edge", "edges");
  return heading(look, title, remark) + table.text(look);
}

nlohmann::json path_json(const Result& result, const std::vector<Vertex>& path) {
  const Graph& graph = result.graph();
  nlohmann::json names = nlohmann::json::array();
  for (const Vertex v : path) names.push_back(graph.name(v));
  nlohmann::json steps = nlohmann::json::array();
  for (const Hop& hop : hops(result, path)) {
    nlohmann::json step = {{"from", graph.name(hop.from)}, {"to", graph.name(hop.to)}};
    if (result.semiring() != Semiring::or_and) {
      step["weight"] = hop.weight;
      step["so_far"] = hop.so_far;
    }
    steps.push_back(step);
  }
  return {{"path", names}, {"hops", steps}};
}

}  // namespace apsp::cli
