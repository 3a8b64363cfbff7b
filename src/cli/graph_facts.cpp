#include "cli/graph_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "api/json.hpp"
#include "base/numbers.hpp"
#include "base/units.hpp"
#include "cli/graph_view.hpp"
#include "cli/machine_view.hpp"
#include "cli/reading.hpp"
#include "cli/table.hpp"
#include "graph/components.hpp"

namespace apsp::cli {
namespace {

/// Out-degrees; of an undirected graph, degrees.
nlohmann::json degrees(const Graph& graph) {
  std::int64_t least = graph.vertex_count() == 0 ? 0 : graph.arc_count(), greatest = 0;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    const auto degree = graph.out_degree(v);
    least = std::min(least, degree);
    greatest = std::max(greatest, degree);
  }
  const double mean = graph.vertex_count() == 0 ? 0
                                                : static_cast<double>(graph.arc_count()) /
                                                      static_cast<double>(graph.vertex_count());
  return {{"least", least}, {"mean", mean}, {"greatest", greatest}};
}

std::int64_t largest(const Components& components) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(components.count), 0);
  for (const std::int64_t c : components.of) ++sizes[static_cast<std::size_t>(c)];
  return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
}

nlohmann::json component_facts(const Components& components) {
  return {{"count", components.count}, {"largest", largest(components)}};
}

std::string component_text(const nlohmann::json& facts) {
  return fmt::format("{}, the largest of {}", base::format_count(facts["count"]),
                     base::counted(facts["largest"], "vertex", "vertices"));
}

}  // namespace

nlohmann::json graph_facts(const Graph& graph, const std::string& path) {
  nlohmann::json facts = api::to_json(graph);
  facts["file"] = path;
  facts["degree"] = degrees(graph);
  facts["components"] = component_facts(weak_components(graph));
  if (graph.directed()) facts["strong_components"] = component_facts(strong_components(graph));
  return facts;
}

std::string graph_text(const Graph& graph, const nlohmann::json& facts, const Look& look) {
  Table table({Align::left, Align::left}, kWidestTable);
  table.row({"vertices", base::format_count(graph.vertex_count())});
  table.row({graph.directed() ? "arcs" : "edges", base::format_count(graph.edge_count())});
  table.row({"direction", direction_text(graph)});
  table.row({"weights", weights_text(graph, look)});
  table.row({"self-loops", base::format_count(graph.loop_count())});
  table.row({graph.directed() ? "out-degree" : "degree",
             fmt::format("{} {} {}, mean {:.3g}", base::format_count(facts["degree"]["least"]),
                         look.ellipsis(), base::format_count(facts["degree"]["greatest"]),
                         facts["degree"]["mean"].get<double>())});
  table.row(
      {graph.directed() ? "weak components" : "components", component_text(facts["components"])});
  if (graph.directed()) {
    table.row({"strong components", component_text(facts["strong_components"])});
  }
  if (graph.vertex_count() > 0) {
    const auto last = static_cast<Vertex>(graph.vertex_count() - 1);
    table.row({"names", fmt::format("{} {} {}", shown_name(graph, 0), look.ellipsis(),
                                    shown_name(graph, last))});
  }
  for (const std::string& remark : graph.remarks()) {
    table.row({"remark", look.spelled(printable(remark))});
  }
  return heading(look, shown_path(facts["file"])) + table.text(look);
}

}  // namespace apsp::cli
