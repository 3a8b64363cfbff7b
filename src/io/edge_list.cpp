// Edge lists: rows "u v [w]" between blanks, tabs, commas or semicolons; SNAP's, CSV, TSV and the
// like.
//
// Vertices that are all integers are ordered as numbers; if they are just 0 … n−1 or 1 … n, or the
// file says how many there are, they need no labels. Otherwise, and for other names, the names
// become labels, other names in order of appearance.
//
// They are written so that reading them gives the same graph. Labels are in the rows where a reader
// would number them the same way: all vertices have edges, and the labels are integers in order, or
// other names in the order in which the rows mention them. Else the rows hold numbers and the
// labels are annotations.
#include "io/edge_list.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <numeric>

#include "base/machine.hpp"
#include "io/formats.hpp"

namespace apsp::io {
namespace {

/// Whether the name of a vertex is an integer of any length. "7" is; "007" and "+7" are names that
/// would be lost if they were read as numbers.
bool is_integer_id(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit) &&
         (text[0] != '0' || text.size() == 1);
}

/// Requires: both are integer ids.
bool less_as_integers(std::string_view a, std::string_view b) {
  return a.size() < b.size() || (a.size() == b.size() && a < b);
}

/// How the integers of a file become vertices 0 … n−1.
struct Numbering {
  std::int64_t n = 0;
  Vertex first_id = 0;
};

/// What the comments say of the vertices, if they do. An annotation binds; SNAP's "Nodes: N" holds
/// if all vertices are below N, as they are where vertices count from 0.
std::optional<Numbering> stated_numbering(const TextCursor& cursor,
                                          const EdgeListComments& comments,
                                          std::optional<Vertex> greatest) {
  const Annotations& annotations = comments.annotations;
  if (annotations.vertices)
    return Numbering{*annotations.vertices, annotations.first_id.value_or(0)};
  if (annotations.first_id || annotations.has_labels()) {
    cursor.fail_at_end("apsp:first-id and apsp:label need an apsp:vertices in an edge list");
  }
  const bool fits = comments.nodes && (!greatest || *greatest < *comments.nodes) &&
                    plausible_vertex_count(*comments.nodes, cursor.source().bytes.size());
  if (!fits) return std::nullopt;
  return Numbering{static_cast<std::int64_t>(*comments.nodes), 0};
}

bool is_directed(const Source& source, const EdgeListComments& comments) {
  return comments.annotations.resolve_directed(source.options, comments.directed.value_or(false));
}

using Arcs = std::shared_ptr<graph::ArcBuckets>;

Graph build_numbered(const TextCursor& cursor, const EdgeListComments& comments, Arcs arcs,
                     Numbering numbering) {
  GraphBuilder builder(numbering.n, is_directed(cursor.source(), comments));
  builder.set_threads(cursor.source().options.threads);
  if (arcs != nullptr) builder.set_arcs(std::move(arcs), numbering.first_id);
  comments.annotations.apply(cursor, numbering.n, numbering.first_id, numbering.first_id, builder);
  return std::move(builder).build();
}

/// Integers without a statement about them: dense from 0 or 1, or else labels.
Graph build_from_integers(const TextCursor& cursor, const EdgeListComments& comments, Arcs arcs) {
  const Source& source = cursor.source();
  if (const auto stated = stated_numbering(cursor, comments, arcs->greatest())) {
    return build_numbered(cursor, comments, std::move(arcs), *stated);
  }
  const IdRanks ranks(*arcs, source.bytes.size());
  const auto n = static_cast<std::int64_t>(ranks.count());
  if (n == std::int64_t{arcs->greatest()} + 1) {
    return build_numbered(cursor, comments, std::move(arcs), {n, 0});
  }
  if (n == arcs->greatest() && !ranks.holds(0)) {
    return build_numbered(cursor, comments, std::move(arcs), {n, 1});
  }
  return build_ranked(source, is_directed(source, comments), std::move(arcs), ranks);
}

/// Whether all integers are the vertices that an annotation announces; there is none: true.
bool within_annotation(const Source& source, const EdgeListComments& comments,
                       const graph::ArcBuckets& arcs) {
  const Annotations& annotations = comments.annotations;
  if (!annotations.vertices || arcs.edge_count() == 0) return true;
  const Vertex base = annotations.first_id.value_or(0);
  if (arcs.greatest() < base || arcs.greatest() - base >= *annotations.vertices) return false;
  return base == 0 || !IdRanks(arcs, source.bytes.size()).holds(0);
}

std::uint64_t value_of(std::string_view name) {
  const char* at = name.data();
  std::uint64_t value = 0;
  read_unsigned(at, at + name.size(), value);
  return value;
}

/// Throws for a name that is none of the vertices which an annotation announces.
void require_announced(const TextCursor& cursor, const Annotations& annotations,
                       const VertexNames& names) {
  const std::uint64_t base = annotations.first_id.value_or(0);
  for (Vertex v = 0; v < names.count(); ++v) {
    const std::string_view name = names.text(v);
    const std::uint64_t value = is_integer_id(name) ? value_of(name) : 0;
    if (is_integer_id(name) && value >= base &&
        value - base < static_cast<std::uint64_t>(*annotations.vertices)) {
      continue;
    }
    cursor.fail(names.first_seen(v),
                "vertex '{}' is not one of the {} that apsp:vertices announces, numbered from {}",
                name, *annotations.vertices, base);
  }
}

bool all_integers(const VertexNames& names) {
  for (Vertex v = 0; v < names.count(); ++v) {
    if (!is_integer_id(names.text(v))) return false;
  }
  return names.count() > 0;
}

/// Vertices in the order of their names, which are integers.
std::vector<Vertex> order_of_integers(const VertexNames& names) {
  std::vector<Vertex> order(names.count());
  std::iota(order.begin(), order.end(), Vertex{0});
  std::ranges::sort(
      order, [&](Vertex a, Vertex b) { return less_as_integers(names.text(a), names.text(b)); });
  return order;
}

Graph build_from_names(const TextCursor& cursor, const EdgeListComments& comments,
                       NamedRows&& rows) {
  const Source& source = cursor.source();
  const VertexNames& names = rows.names;
  const Annotations& annotations = comments.annotations;
  if (annotations.vertices) require_announced(cursor, annotations, names);
  std::vector<std::string> labels;
  labels.reserve(names.count());
  if (all_integers(names)) {
    const std::vector<Vertex> order = order_of_integers(names);
    std::vector<Vertex> place(names.count());  // [names] the value, or else the rank
    const std::uint64_t greatest = value_of(names.text(order.back()));
    const bool by_value = greatest < std::numeric_limits<Vertex>::max();
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::string_view name = names.text(order[i]);
      place[order[i]] = by_value ? static_cast<Vertex>(value_of(name)) : static_cast<Vertex>(i);
      if (!by_value) labels.emplace_back(name);
    }
    const std::uint64_t vertices = by_value ? greatest + 1 : order.size();
    rows.arcs->relabel(static_cast<std::int64_t>(vertices), [&](Vertex v) { return place[v]; });
    if (by_value) return build_from_integers(cursor, comments, std::move(rows.arcs));
  }
  if (annotations.first_id || annotations.has_labels()) stated_numbering(cursor, comments, {});
  if (labels.empty()) {
    for (Vertex v = 0; v < names.count(); ++v) labels.emplace_back(names.text(v));
  }
  return build_labelled(source, is_directed(source, comments), std::move(rows.arcs),
                        std::move(labels));
}

/// All rows as columns of integers; nothing if they are not, or not those that the comments allow.
std::optional<Graph> read_numbered(TextCursor cursor, const EdgeListLayout& layout,
                                   const EdgeListComments& head, bool mirrored) {
  EdgeListComments comments = head;
  TextCursor rows = cursor;
  Arcs arcs = read_numbered_rows(rows, layout, mirrored, comments);
  const Source& source = cursor.source();
  if (arcs == nullptr || !within_annotation(source, comments, *arcs)) return std::nullopt;
  const bool both_ways = !is_directed(source, comments);
  if (both_ways != mirrored) {  // a comment behind the first row says otherwise
    arcs.reset();
    return read_numbered(cursor, layout, head, both_ways);
  }
  return build_from_integers(rows, comments, std::move(arcs));
}

Graph read_named(const TextCursor& cursor, const EdgeListLayout& layout,
                 const EdgeListComments& head, bool mirrored) {
  EdgeListComments comments = head;
  TextCursor rows_cursor = cursor;
  NamedRows rows = read_named_rows(rows_cursor, layout, mirrored, comments);
  const bool both_ways = !is_directed(cursor.source(), comments);
  if (both_ways != mirrored) {
    rows = {};
    return read_named(cursor, layout, head, both_ways);
  }
  return build_from_names(rows_cursor, comments, std::move(rows));
}

/// The same graph, and what its first row was taken for.
Graph with_titles(const Graph& graph, std::string_view titles) {
  constexpr std::size_t kMostShown = 80;
  if (titles.empty()) return graph;
  std::size_t shown = std::min(titles.size(), kMostShown);
  while (shown < titles.size() && (titles[shown] & 0xC0) == 0x80) --shown;  // whole characters
  return graph.with_remark(fmt::format("the first row is taken as titles: '{}{}'",
                                       titles.substr(0, shown), shown < titles.size() ? "…" : ""));
}

Graph read_edge_list(const Source& source) {
  TextCursor cursor(source);
  EdgeListComments head;
  const std::optional<EdgeListLayout> layout = find_layout(cursor, head);
  if (!layout) {
    const auto stated = stated_numbering(cursor, head, std::nullopt);
    if (!stated) cursor.fail_at_end("the file has no edges, and does not say how many vertices");
    return build_numbered(cursor, head, nullptr, *stated);
  }
  const bool mirrored = !is_directed(source, head);
  const auto numbered = read_numbered(cursor, *layout, head, mirrored);
  const Graph graph = numbered ? *numbered : read_named(cursor, *layout, head, mirrored);
  return with_titles(graph, layout->titles);
}

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
  return std::ranges::none_of(
      label, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; });
}

bool labels_can_stand_in_rows(const Graph& graph) {
  const auto labels = graph.labels();
  if (labels.empty() || graph.first_id() != 0 || graph.arc_count() == 0) return false;
  if (!std::ranges::all_of(labels, fits_a_row)) return false;
  const std::vector<Vertex> order = order_of_appearance(graph);
  if (order.size() != labels.size()) return false;
  if (!std::ranges::all_of(labels, is_integer_id)) {
    return std::ranges::is_sorted(order);
  }
  if (!std::ranges::is_sorted(labels, less_as_integers)) return false;
  // 0 … n−1 and 1 … n would be read as plain numbers.
  return labels.back() != std::to_string(labels.size() - 1) &&
         labels.back() != std::to_string(labels.size());
}

void put_label(OutputFile& out, const std::string& label) {
  const bool plain = !label.empty() && label.find_first_of(" \t,;\"#%") == std::string::npos;
  if (!plain) out.put('"');
  for (const char c : label) {
    if (c == '"') out.put('"');
    out.put(c);
  }
  if (!plain) out.put('"');
}

/// Whether a reader would find vertices first_id … first_id + n − 1 from the rows alone.
bool rows_show_all_vertices(const Graph& graph) {
  return graph.vertex_count() > 0 && graph.first_id() <= 1 &&
         order_of_appearance(graph).size() == static_cast<std::size_t>(graph.vertex_count());
}

void write_edge_list(const Graph& graph, OutputFile& out) {
  const std::string_view plain = without_compression(out.name());
  const char separator = has_suffix(plain, ".csv") ? ',' : has_suffix(plain, ".tsv") ? '\t' : ' ';
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
    out.put(std::uint64_t{v} + graph.first_id());
  };
  for_each_edge(
      graph,
      [&](Vertex u, Vertex v, double weight) {
        put_vertex(u);
        out.put(separator);
        put_vertex(v);
        if (!unit) out.put(separator, weight);
        out.put('\n');
      },
      [&] { out.end_row(); });
}

}  // namespace

extern const Format edge_list_format = {
    .name = "edge-list",
    .suffixes = {".txt", ".csv", ".tsv", ".el", ".edges", ".cedge"},
    .read = read_edge_list,
    .write = write_edge_list};

}  // namespace apsp::io
