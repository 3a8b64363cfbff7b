#include "cli/path_view.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/numbers.hpp"
#include "base/units.hpp"
#include "cli/graph_view.hpp"
#include "cli/table.hpp"
#include "query/hops.hpp"
#include "semiring/semiring_words.hpp"

namespace apsp::cli {
namespace {

std::vector<query::Hop> hops_of(const Result& result, const std::vector<Vertex>& path) {
  return query::hops(result.graph(), result.semiring(), result.value_type(), path);
}

}  // namespace

std::string path_text(const Result& result, const std::vector<Vertex>& path, const Look& look) {
  const Graph& graph = result.graph();
  const semiring::SemiringWords words = semiring::words_of(result.semiring());
  const std::vector<query::Hop> list = hops_of(result, path);
  const bool valued = !words.edge.empty();
  Table table({Align::right, Align::left, Align::right, Align::right});
  table.header({"hop", "vertex", std::string(words.edge), std::string(words.so_far)});
  table.row({"0", shown_name(graph, path.front())});
  for (std::size_t i = 0; i < list.size(); ++i) {
    table.row({base::format_count(static_cast<std::int64_t>(i) + 1), shown_name(graph, list[i].to),
               valued ? base::format_value(list[i].weight) : "",
               valued ? base::format_value(list[i].so_far) : ""});
  }
  const std::string title = fmt::format("{} {} {}", shown_name(graph, path.front()), look.arrow(),
                                        shown_name(graph, path.back()));
  std::string remark;
  if (valued) {
    remark = fmt::format("{} {}, ", words.measure,
                         base::format_value(result.distance(path.front(), path.back())));
  }
  remark += base::counted(static_cast<std::int64_t>(list.size()), "edge", "edges");
  return heading(look, title, remark) + table.text(look);
}

nlohmann::json path_json(const Result& result, const std::vector<Vertex>& path) {
  const Graph& graph = result.graph();
  nlohmann::json names = nlohmann::json::array();
  for (const Vertex v : path) names.push_back(graph.name(v));
  nlohmann::json steps = nlohmann::json::array();
  for (const query::Hop& hop : hops_of(result, path)) {
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
