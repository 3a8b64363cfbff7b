// Edge lists: rows "u v [w]" between blanks, tabs or commas; SNAP's, CSV, TSV and the like.
//
// Vertices that are all integers are ordered as numbers; if they are just 0 … n−1 or 1 … n, or the
// file says how many there are, they need no labels. Otherwise, and for other names, the names
// become labels, other names in order of appearance.
#include "io/edge_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/machine.hpp"
#include "io/edge_list_ids.hpp"
#include "io/formats.hpp"
#include "io/id_ranks.hpp"
#include "io/ranked_graph.hpp"

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

/// Edges between names that all are integers below 2^32 − 1, `greatest` among them.
Arcs arcs_of_values(const Source& source, bool directed, const Names& names,
                    const std::vector<Edge>& edges, Vertex greatest) {
  std::vector<Vertex> values;  // [names]
  for (const VertexNames::Name& name : names) {
    values.push_back(static_cast<Vertex>(value_of(name)));
  }
  auto arcs =
      std::make_shared<graph::ArcBuckets>(!directed, 0, base::thread_count(source.options.threads));
  constexpr std::size_t kAtOnce = 1024;
  std::vector<Edge> some;
  for (const Edge& edge : edges) {
    some.push_back({values[edge.from], values[edge.to], edge.weight});
    if (some.size() < kAtOnce) continue;
    arcs->add(some, greatest);
    some.clear();
  }
  arcs->add(some, greatest);
  return arcs;
}

Graph build_from_names(const TextCursor& cursor, const EdgeListComments& comments,
                       NamedRows&& rows) {
  const Source& source = cursor.source();
  Names& names = rows.names.names();
  const Annotations& annotations = comments.annotations;
  if (annotations.vertices) require_announced(cursor, annotations, names);
  const bool directed = is_directed(source, comments);
  const bool integers = std::all_of(names.begin(), names.end(), [](const VertexNames::Name& name) {
    return is_integer_id(name.text);
  });
  if (integers) {
    sort_as_integers(names, rows.edges);
    const std::uint64_t greatest = value_of(names.back());
    if (greatest < std::numeric_limits<Vertex>::max()) {
      return build_from_integers(
          cursor, comments,
          arcs_of_values(source, directed, names, rows.edges, static_cast<Vertex>(greatest)));
    }
  }
  if (annotations.first_id || annotations.has_labels()) stated_numbering(cursor, comments, {});
  std::vector<std::string> labels;
  labels.reserve(names.size());
  for (VertexNames::Name& name : names) labels.push_back(std::move(name.text));
  GraphBuilder builder(std::ssize(labels), directed);
  builder.set_threads(source.options.threads);
  builder.add_edges(std::move(rows.edges));
  builder.set_distinct_labels(std::move(labels));
  return std::move(builder).build();
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

}  // namespace

Graph read_edge_list(const Source& source) {
  TextCursor cursor(source);
  EdgeListComments head;
  const std::optional<EdgeListLayout> layout = find_layout(cursor, head);
  if (!layout) {
    const auto stated = stated_numbering(cursor, head, std::nullopt);
    if (!stated) cursor.fail_at_end("the file has no edges, and does not say how many vertices");
    return build_numbered(cursor, head, nullptr, *stated);
  }
  if (auto graph = read_numbered(cursor, *layout, head, !is_directed(source, head))) return *graph;
  NamedRows rows = read_named_rows(cursor, *layout, head);
  return build_from_names(cursor, head, std::move(rows));
}

}  // namespace apsp::io
