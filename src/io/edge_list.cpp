// Edge lists: rows "u v [w]" between blanks, tabs or commas; SNAP's, CSV, TSV and the like.
//
// Vertices that are all integers are ordered as numbers; if they are just 0 … n−1 or 1 … n, or the
// file says how many there are, they need no labels. Otherwise, and for other names, the names
// become labels, other names in order of appearance.
#include "io/edge_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "io/edge_list_ids.hpp"
#include "io/formats.hpp"
#include "io/id_ranks.hpp"

namespace apsp::io {
namespace {

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

Graph build_numbered(const TextCursor& cursor, const EdgeListComments& comments,
                     std::vector<Edge>&& edges, Numbering numbering) {
  if (numbering.first_id > 0) {
    for (Edge& edge : edges) {
      edge.from -= numbering.first_id;
      edge.to -= numbering.first_id;
    }
  }
  GraphBuilder builder(numbering.n, is_directed(cursor.source(), comments));
  builder.add_edges(std::move(edges));
  comments.annotations.apply(cursor, numbering.n, numbering.first_id, numbering.first_id, builder);
  return std::move(builder).build();
}

Graph build_labelled(const Source& source, const EdgeListComments& comments,
                     std::vector<Edge>&& edges, std::vector<std::string>&& labels) {
  GraphBuilder builder(static_cast<std::int64_t>(labels.size()), is_directed(source, comments));
  builder.add_edges(std::move(edges));
  builder.set_labels(std::move(labels));
  return std::move(builder).build();
}

/// Integers without a statement about them: dense from 0 or 1, or else labels.
Graph build_from_integers(const TextCursor& cursor, const EdgeListComments& comments,
                          NumberedRows&& rows) {
  const Source& source = cursor.source();
  if (const auto stated = stated_numbering(cursor, comments, rows.greatest)) {
    return build_numbered(cursor, comments, std::move(rows.edges), *stated);
  }
  const IdRanks ranks(rows.edges, rows.greatest, source.bytes.size());
  const auto n = static_cast<std::int64_t>(ranks.count());
  if (n == std::int64_t{rows.greatest} + 1) {
    return build_numbered(cursor, comments, std::move(rows.edges), {n, 0});
  }
  if (n == rows.greatest && !ranks.holds(0)) {
    return build_numbered(cursor, comments, std::move(rows.edges), {n, 1});
  }
  for (Edge& edge : rows.edges) {
    edge.from = ranks.rank(edge.from);
    edge.to = ranks.rank(edge.to);
  }
  std::vector<std::string> labels;
  labels.reserve(ranks.count());
  ranks.for_each([&](Vertex id) { labels.push_back(std::to_string(id)); });
  return build_labelled(source, comments, std::move(rows.edges), std::move(labels));
}

/// Whether all integers are the vertices that an annotation announces; there is none: true.
bool within_annotation(const EdgeListComments& comments, const NumberedRows& rows) {
  const Annotations& annotations = comments.annotations;
  if (!annotations.vertices) return true;
  const Vertex base = annotations.first_id.value_or(0);
  return std::all_of(rows.edges.begin(), rows.edges.end(), [&](const Edge& edge) {
    return edge.from >= base && edge.to >= base && edge.from - base < *annotations.vertices &&
           edge.to - base < *annotations.vertices;
  });
}

using Names = std::vector<VertexNames::Name>;

std::uint64_t value_of(const VertexNames::Name& name) {
  const char* at = name.text.data();
  std::uint64_t value = 0;
  read_unsigned(at, at + name.text.size(), value);
  return value;
}

/// Throws for a name that is none of the vertices which an annotation announces.
void require_announced(const TextCursor& cursor, const Annotations& annotations,
                       const Names& names) {
  const std::uint64_t base = annotations.first_id.value_or(0);
  for (const VertexNames::Name& name : names) {
    const std::uint64_t value = is_integer_id(name.text) ? value_of(name) : 0;
    if (is_integer_id(name.text) && value >= base &&
        value - base < static_cast<std::uint64_t>(*annotations.vertices)) {
      continue;
    }
    cursor.fail(name.first_seen,
                fmt::format("vertex '{}' is none of the {} that apsp:vertices announces, numbered "
                            "from {}",
                            name.text, *annotations.vertices, base));
  }
}

/// Sorts names that are integers as numbers; edges follow.
void sort_as_integers(Names& names, std::vector<Edge>& edges) {
  std::vector<Vertex> order(names.size());
  std::iota(order.begin(), order.end(), Vertex{0});
  std::sort(order.begin(), order.end(),
            [&](Vertex a, Vertex b) { return less_as_integers(names[a].text, names[b].text); });
  std::vector<Vertex> rank(names.size());
  Names sorted;
  sorted.reserve(names.size());
  for (const Vertex v : order) {
    rank[v] = static_cast<Vertex>(sorted.size());
    sorted.push_back(std::move(names[v]));
  }
  names = std::move(sorted);
  for (Edge& edge : edges) {
    edge.from = rank[edge.from];
    edge.to = rank[edge.to];
  }
}

Graph build_from_names(const TextCursor& cursor, const EdgeListComments& comments,
                       NamedRows&& rows) {
  Names& names = rows.names.names();
  const Annotations& annotations = comments.annotations;
  if (annotations.vertices) require_announced(cursor, annotations, names);
  const bool integers = std::all_of(names.begin(), names.end(), [](const VertexNames::Name& name) {
    return is_integer_id(name.text);
  });
  if (integers) {
    sort_as_integers(names, rows.edges);
    const std::uint64_t greatest = value_of(names.back());
    if (greatest < std::numeric_limits<Vertex>::max()) {
      for (Edge& edge : rows.edges) {
        edge.from = static_cast<Vertex>(value_of(names[edge.from]));
        edge.to = static_cast<Vertex>(value_of(names[edge.to]));
      }
      return build_from_integers(cursor, comments,
                                 {std::move(rows.edges), static_cast<Vertex>(greatest)});
    }
  }
  if (annotations.first_id || annotations.has_labels()) stated_numbering(cursor, comments, {});
  std::vector<std::string> labels;
  labels.reserve(names.size());
  for (VertexNames::Name& name : names) labels.push_back(std::move(name.text));
  return build_labelled(cursor.source(), comments, std::move(rows.edges), std::move(labels));
}

}  // namespace

Graph read_edge_list(const Source& source) {
  TextCursor cursor(source);
  EdgeListComments head;
  const std::optional<EdgeListLayout> layout = find_layout(cursor, head);
  if (!layout) {
    const auto stated = stated_numbering(cursor, head, std::nullopt);
    if (!stated) cursor.fail_at_end("the file has no edges, and does not say how many vertices");
    return build_numbered(cursor, head, {}, *stated);
  }
  {
    TextCursor rows_cursor = cursor;
    EdgeListComments comments = head;
    NumberedRows rows;
    if (read_numbered_rows(rows_cursor, *layout, comments, rows) &&
        within_annotation(comments, rows)) {
      return build_from_integers(rows_cursor, comments, std::move(rows));
    }
  }
  NamedRows rows = read_named_rows(cursor, *layout, head);
  return build_from_names(cursor, head, std::move(rows));
}

}  // namespace apsp::io
