#include "cli/graph_view.hpp"

#include <fmt/format.h>

#include "cli/numbers.hpp"
#include "cli/reading.hpp"
#include "cli/text_width.hpp"

namespace apsp::cli {

std::string weights_text(const Graph& graph, const Look& look) {
  const WeightFacts& facts = graph.weight_facts();
  if (graph.arc_count() == 0) return "no weights";
  if (facts.unit) return "unit weights";
  const std::string_view kind = facts.integral ? "integer" : "real";
  if (facts.least == facts.greatest) {
    return fmt::format("{} weights, all {}", kind, format_value(facts.least));
  }
  return fmt::format("{} weights {} {} {}", kind, format_value(facts.least), look.ellipsis(),
                     format_value(facts.greatest));
}

std::string direction_text(const Graph& graph) {
  if (!graph.directed()) return "undirected";
  return graph.symmetric() && graph.arc_count() > 0 ? "symmetric" : "directed";
}

std::string graph_line(const Graph& graph, const std::string& path, const Look& look) {
  std::string line = fmt::format("{}: {}, {}, {}, {}", shown_path(path),
                                 counted(graph.vertex_count(), "vertex", "vertices"),
                                 graph.directed() ? counted(graph.edge_count(), "arc", "arcs")
                                                  : counted(graph.edge_count(), "edge", "edges"),
                                 direction_text(graph), weights_text(graph, look));
  if (graph.loop_count() > 0) line += ", " + counted(graph.loop_count(), "self-loop", "self-loops");
  return line;
}

std::string shown_name(const Graph& graph, Vertex v) { return printable(graph.name(v)); }

}  // namespace apsp::cli
