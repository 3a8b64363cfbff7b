// Edge lists, written so that reading them gives the same graph. Labels stand in the rows where a
// reader would number them the same way: all vertices have edges, and the labels are integers in
// order, or other names in the order in which the rows mention them. Else the rows hold numbers and
// the labels are annotations.
#include <algorithm>

#include "io/annotations.hpp"
#include "io/edge_list_ids.hpp"
#include "io/edges.hpp"
#include "io/formats.hpp"

namespace apsp::io {
namespace {

/// Vertices in the order in which the rows mention them; those without edges are missing.
std::vector<Vertex> order_of_appearance(const Graph& graph) {
  std::vector<bool> seen(static_cast<std::size_t>(graph.vertex_count()), false);
  std::vector<Vertex> order;
  const auto mention = [&](Vertex v) {
    if (seen[v]) return;
    seen[v] = true;
    order.push_back(v);
  };
  for_each_edge(graph, [&](Vertex u, Vertex v, double) {
    mention(u);
    mention(v);
  });
  return order;
}

/// Whether a label can stand in a row, in quotation marks if need be.
bool fits_a_row(const std::string& label) {
  return std::none_of(label.begin(), label.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; });
}

bool labels_can_stand_in_rows(const Graph& graph) {
  const auto labels = graph.labels();
  if (labels.empty() || graph.first_id() != 0 || graph.arc_count() == 0) return false;
  if (!std::all_of(labels.begin(), labels.end(), fits_a_row)) return false;
  const std::vector<Vertex> order = order_of_appearance(graph);
  if (order.size() != labels.size()) return false;
  if (!std::all_of(labels.begin(), labels.end(), is_integer_id)) {
    return std::is_sorted(order.begin(), order.end());
  }
  if (!std::is_sorted(labels.begin(), labels.end(), less_as_integers)) return false;
  // 0 … n−1 and 1 … n would be read as plain numbers.
  return labels.back() != std::to_string(labels.size() - 1) &&
         labels.back() != std::to_string(labels.size());
}

void put_label(OutputFile& out, const std::string& label) {
  const bool plain = !label.empty() && label.find_first_of(" \t,;\"#%") == std::string::npos;
  if (plain) return out.put(label);
  out.put('"');
  for (const char c : label) {
    if (c == '"') out.put('"');
    out.put(c);
  }
  out.put('"');
}

/// Whether a reader would find vertices first_id … first_id + n − 1 from the rows alone.
bool rows_show_all_vertices(const Graph& graph) {
  return graph.vertex_count() > 0 && graph.first_id() <= 1 &&
         order_of_appearance(graph).size() == static_cast<std::size_t>(graph.vertex_count());
}

}  // namespace

void write_edge_list(const Graph& graph, OutputFile& out, char separator) {
  const bool labels_in_rows = labels_can_stand_in_rows(graph);
  AnnotationWriter annotations(out, "# ");
  // An annotation also tells the reader that the first row is no header line.
  if (graph.directed() || labels_in_rows) annotations.directed(graph.directed());
  if (!labels_in_rows && (!graph.labels().empty() || !rows_show_all_vertices(graph))) {
    annotations.vertices(graph.vertex_count());
    annotations.first_id(graph, 0);
    annotations.labels(graph, graph.first_id());
  }
  const bool unit = graph.weight_facts().unit;
  const auto put_vertex = [&](Vertex v) {
    if (labels_in_rows) return put_label(out, graph.labels()[v]);
    out.put_integer(std::uint64_t{v} + graph.first_id());
  };
  for_each_edge(
      graph,
      [&](Vertex u, Vertex v, double weight) {
        put_vertex(u);
        out.put(separator);
        put_vertex(v);
        if (!unit) {
          out.put(separator);
          out.put_number(weight);
        }
        out.put('\n');
      },
      [&] { out.end_row(); });
}

}  // namespace apsp::io
