#include "cli/graph_view.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <vector>

#include "api/json.hpp"
#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/arguments.hpp"
#include "cli/graph_options.hpp"
#include "cli/option_words.hpp"
#include "cli/table.hpp"
#include "graph/components.hpp"
#include "graph/label_twins.hpp"

namespace apsp::cli {

std::string weights_text(const Graph& graph, const TerminalStyle& look) {
  const WeightFacts& facts = graph.weight_facts();
  if (graph.arc_count() == 0) return "no weights";
  if (facts.unit) return "unit weights";
  const std::string_view kind = facts.integral ? "integer" : "real";
  if (facts.least == facts.greatest) {
    return fmt::format("{} weights, all {}", kind, base::format_value(facts.least));
  }
  return fmt::format("{} weights {} {} {}", kind, base::format_value(facts.least), look.ellipsis(),
                     base::format_value(facts.greatest));
}

std::string direction_text(const Graph& graph) {
  if (!graph.directed()) return "undirected";
  return graph.symmetric() && graph.arc_count() > 0 ? "symmetric" : "directed";
}

std::string graph_line(const Graph& graph, const std::string& path, const TerminalStyle& look) {
  std::string line =
      fmt::format("{}: {}, {}, {}, {}", shown_path(path),
                  base::counted(graph.vertex_count(), "vertex", "vertices"),
                  graph.directed() ? base::counted(graph.edge_count(), "arc", "arcs")
                                   : base::counted(graph.edge_count(), "edge", "edges"),
                  direction_text(graph), weights_text(graph, look));
  if (graph.loop_count() > 0)
    line += ", " + base::counted(graph.loop_count(), "self-loop", "self-loops");
  for (const std::string& remark : graph.remarks()) {
    line += "; " + look.spelled(printable(in_option_words(remark)));
  }
  return line;
}

std::string shown_name(const Graph& graph, Vertex v) { return printable(graph.name(v)); }

Vertex find_vertex(const Graph& graph, const std::string& text) {
  if (const auto vertex = graph.find(text)) return *vertex;
  const std::int64_t n = graph.vertex_count();
  refuse_if(n == 0, "the graph has no vertices");
  std::string message = fmt::format("unknown vertex '{}'", text);
  const std::vector<std::string> labels(graph.labels().begin(), graph.labels().end());
  std::string suggestion = graph::note_on_twin(labels, text);
  if (suggestion.empty()) suggestion = did_you_mean(text, labels);
  message += suggestion;
  if (suggestion.empty()) {
    message += fmt::format("; vertices are {} to {}", graph.name(0),
                           graph.name(static_cast<Vertex>(n - 1)));
  }
  throw usage_error("{}", message);
}

namespace {

/// Out-degrees; degrees of an undirected graph.
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

nlohmann::json component_facts(const Components& components) {
  const std::vector<std::int64_t> sizes = components.sizes();
  const std::int64_t largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  return {{"count", components.count}, {"largest", largest}};
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

std::string graph_text(const Graph& graph, const nlohmann::json& facts, const TerminalStyle& look) {
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
    table.row({"remark", look.spelled(printable(in_option_words(remark)))});
  }
  return heading(look, shown_path(facts["file"])) + table.text(look);
}

}  // namespace apsp::cli
