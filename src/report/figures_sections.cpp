// Figures: the tiles at the top, the graph, how distances spread, the most central vertices.
#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "graph/components.hpp"
#include "report/markup.hpp"
#include "report/pictures.hpp"
#include "report/sections.hpp"
#include "semiring/semiring_words.hpp"

namespace apsp::report {
namespace {

/// `content` and `remark` are markup.
std::string tile(std::string_view title, std::string_view content, std::string_view remark = {}) {
  const std::string small = remark.empty() ? "" : fmt::format("<small>{}</small>", remark);
  return fmt::format("<div><dt>{}</dt><dd>{}{}</dd></div>\n", title, content, small);
}

std::string pair_remark(const Graph& graph, const std::optional<VertexPair>& pair) {
  if (!pair) return {};
  return fmt::format("{} → {}", shown_name(graph, pair->from), shown_name(graph, pair->to));
}

/// Of the largest component, where there are others.
std::string component_tiles(const Subject& subject, const ComponentStatistics& component) {
  const char* const kind = subject.graph().directed() ? "strong components" : "components";
  std::string text =
      tile("Largest component", count(component.vertices, "component-vertices"),
           fmt::format("of {} vertices; {} {}", base::format_count(subject.statistics.vertices),
                       base::format_count(component.components), kind));
  if (component.mean) text += tile("Its mean", number(*component.mean, "component-mean"));
  if (component.diameter) {
    text += tile("Its diameter", number(*component.diameter, "component-diameter"),
                 pair_remark(subject.graph(), component.diameter_pair));
  }
  return text;
}

std::string extent_tiles(const Subject& subject) {
  const Statistics& s = subject.statistics;
  const std::string pair = pair_remark(subject.graph(), s.diameter_pair);
  std::string text;
  if (s.diameter) {
    text += tile("Diameter", number(*s.diameter, "diameter"), pair);
  } else if (s.diameter_at_least) {
    text += tile("Diameter at least", number(*s.diameter_at_least, "diameter-at-least"), pair);
  } else if (s.greatest) {
    text += tile("Greatest", number(*s.greatest, "greatest"));
  }
  const std::string centre =
      s.radius_pair ? "centre " + shown_name(subject.graph(), s.radius_pair->from) : "";
  if (s.component) text += component_tiles(subject, *s.component);
  if (s.radius) {
    text += tile(s.component ? "Its radius" : "Radius", number(*s.radius, "radius"), centre);
  } else if (s.radius_at_most) {
    text += tile("Radius at most", number(*s.radius_at_most, "radius-at-most"));
  }
  return text;
}

std::string weights_row(const Graph& graph) {
  const WeightFacts& facts = graph.weight_facts();
  if (graph.arc_count() == 0) return "none";
  if (facts.unit) return "all 1";
  const char* const kind = facts.integral ? "integers" : "real numbers";
  if (facts.least == facts.greatest) return fmt::format("{}, all {}", kind, number(facts.least));
  return fmt::format("{} from {} to {}", kind, number(facts.least), number(facts.greatest));
}

std::string degrees_row(const Graph& graph) {
  std::int64_t least = graph.arc_count(), greatest = 0;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    least = std::min(least, graph.out_degree(v));
    greatest = std::max(greatest, graph.out_degree(v));
  }
  const double mean =
      static_cast<double>(graph.arc_count()) / static_cast<double>(graph.vertex_count());
  return fmt::format("{} to {}, {:.3g} on average", base::format_count(least),
                     base::format_count(greatest), mean);
}

std::string components_row(const Graph& graph) {
  const Components components = weak_components(graph);
  const std::vector<std::int64_t> sizes = components.sizes();
  const std::string largest =
      base::counted(*std::max_element(sizes.begin(), sizes.end()), "vertex", "vertices");
  return fmt::format("{}{}", base::format_count(components.count),
                     components.count == 1 ? "" : ", the largest of " + largest);
}

std::string central_table(const Subject& subject, const std::vector<double>& values,
                          std::string_view title, std::string_view id) {
  const std::vector<Vertex> best = top(values, subject.options.top);
  if (best.empty()) return {};
  std::string rows;
  for (std::size_t i = 0; i < best.size(); ++i) {
    const Vertex v = best[i];
    rows += fmt::format(
        "<tr><td class=\"n\">{}</td><td>{}</td><td class=\"n\"><data value=\"{}\">{:.4g}</data>"
        "</td></tr>\n",
        i + 1, shown_name(subject.graph(), v), values[v], values[v]);
  }
  return fmt::format(
      "<div class=\"wide\"><table class=\"short\" id=\"{}\"><thead><tr><th class=\"n\">#</th><th>"
      "vertex</th><th class=\"n\">{}</th></tr></thead><tbody>\n{}</tbody></table></div>\n",
      id, title, rows);
}

}  // namespace

std::string of_whom(const Statistics& statistics) {
  if (statistics.of_all()) return {};
  return fmt::format(", from {} to {}", base::counted(statistics.sources, "source", "sources"),
                     base::counted(statistics.targets, "target", "targets"));
}

std::string section(std::string_view title, const std::string& content) {
  if (content.empty()) return {};
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", title, content);
}

std::string key_figures(const Subject& subject) {
  const Graph& graph = subject.graph();
  const Statistics& s = subject.statistics;
  std::string text = tile("Vertices", count(graph.vertex_count(), "vertices"));
  text += tile(graph.directed() ? "Arcs" : "Edges", count(graph.edge_count(), "edges"));
  text += tile("Pairs with a path", escaped(base::format_share(s.reachable_pairs, s.pairs)),
               fmt::format("{} of {}", count(s.reachable_pairs, "reachable-pairs"),
                           count(s.pairs, "pairs")));
  if (s.unreachable_pairs() > 0) {
    text +=
        tile("Pairs without a path", escaped(base::format_share(s.unreachable_pairs(), s.pairs)),
             count(s.unreachable_pairs(), "unreachable-pairs"));
  }
  text += extent_tiles(subject);
  if (s.mean) text += tile("Mean", number(*s.mean, "mean"));
  if (s.median) {
    const std::string error =
        s.median_error > 0 ? fmt::format("within {:.2g} %", 100 * s.median_error) : "";
    text += tile("Median", number(*s.median, "median"), error);
  }
  return "<dl class=\"figures\">\n" + text + "</dl>\n";
}

std::string graph_table(const Subject& subject) {
  const Graph& graph = subject.graph();
  const std::int64_t n = graph.vertex_count();
  std::string rows = row("vertices", base::format_count(n));
  rows += row(graph.directed() ? "arcs" : "edges", base::format_count(graph.edge_count()));
  const bool both_ways = graph.directed() && graph.symmetric() && graph.arc_count() > 0;
  rows += row("direction", !graph.directed() ? "undirected"
                           : both_ways       ? "directed, and every arc has its like the other way"
                                             : "directed");
  rows += row("weights", weights_row(graph));
  if (graph.loop_count() > 0) rows += row("self-loops", base::format_count(graph.loop_count()));
  if (n > 0) {
    rows += row(graph.directed() ? "out-degrees" : "degrees", degrees_row(graph));
    rows += row(graph.directed() ? "weak components" : "components", components_row(graph));
    rows += row("names", fmt::format("{} to {}", shown_name(graph, 0),
                                     shown_name(graph, static_cast<Vertex>(n - 1))));
  }
  rows += row("digest", graph.digest());
  return section("Graph", "<table class=\"short\">" + rows + "</table>\n");
}

std::string spread(Subject& subject) {
  const std::string_view measure = semiring::words_of(subject.result.semiring()).measure;
  const std::string picture = histogram_picture(subject.statistics, measure);
  if (picture.empty()) {
    return subject.without("How distances spread: no two vertices have one.");
  }
  const Statistics& s = subject.statistics;
  const std::string caption =
      fmt::format("Ordered pairs of distinct vertices by their {}{}.", measure, of_whom(s));
  return section("How far apart", figure(picture, caption));
}

std::string central_vertices(Subject& subject) {
  const Statistics& s = subject.statistics;
  std::string text = central_table(subject, s.closeness, "closeness", "closeness");
  text += central_table(subject, s.harmonic, "harmonic centrality", "harmonic");
  if (!text.empty())
    return section("Most central vertices", "<div class=\"two\">" + text + "</div>\n");
  if (subject.options.top > 0) {
    subject.without(
        "Central vertices: closeness takes the distances of shortest paths from all vertices, none "
        "of them negative.");
  }
  return {};
}

}  // namespace apsp::report
