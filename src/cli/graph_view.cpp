#include "cli/graph_view.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include "base/numbers.hpp"
#include "cli/reading.hpp"
#include "cli/text_width.hpp"
#include "cli/words.hpp"

namespace apsp::cli {

std::string weights_text(const Graph& graph, const Look& look) {
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

std::string graph_line(const Graph& graph, const std::string& path, const Look& look) {
  std::string line =
      fmt::format("{}: {}, {}, {}, {}", shown_path(path),
                  base::counted(graph.vertex_count(), "vertex", "vertices"),
                  graph.directed() ? base::counted(graph.edge_count(), "arc", "arcs")
                                   : base::counted(graph.edge_count(), "edge", "edges"),
                  direction_text(graph), weights_text(graph, look));
  if (graph.loop_count() > 0)
    line += ", " + base::counted(graph.loop_count(), "self-loop", "self-loops");
  for (const std::string& remark : graph.remarks()) line += "; " + look.spelled(printable(remark));
  return line;
}

std::string shown_name(const Graph& graph, Vertex v) { return printable(graph.name(v)); }

Vertex find_vertex(const Graph& graph, const std::string& text) {
  if (const auto vertex = graph.find(text)) return *vertex;
  const std::int64_t n = graph.vertex_count();
  if (n == 0) throw Error(ErrorKind::usage, "the graph has no vertices");
  std::string message = fmt::format("there is no vertex '{}'", text);
  const std::vector<std::string> labels(graph.labels().begin(), graph.labels().end());
  if (const std::string suggestion = did_you_mean(text, labels); !suggestion.empty()) {
    message += suggestion;
  } else {
    message += fmt::format("; vertices are {} to {}", graph.name(0),
                           graph.name(static_cast<Vertex>(n - 1)));
  }
  throw Error(ErrorKind::usage, message);
}

}  // namespace apsp::cli
