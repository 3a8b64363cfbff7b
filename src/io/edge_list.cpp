// Edge lists: rows "u v [w]" separated by blanks, tabs, commas or semicolons (SNAP, CSV, TSV).
//
// Integer vertices are sorted by number; if they are 0 … n−1 or 1 … n, or the file states their
// number, they need no labels. Other names become labels in order of appearance.
//
// Written files read back as the same graph. Rows have labels if a reader would number them the
// same way: all vertices have edges, and the labels are integers in order, or other names in order
// of appearance. Otherwise rows have numbers, and labels are annotations.
#include "io/edge_list_rows.hpp"
#include "io/text_matrix.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "base/units.hpp"
#include "base/utf8.hpp"
#include "io/column_table.hpp"
#include "io/formats.hpp"

namespace apsp::io {
namespace {

struct Numbering {
  std::int64_t n = 0;
  Vertex first_id = 0;
};

/// The numbering that comments state, if any. Annotations are binding; SNAP's "Nodes: N" counts if
/// all vertices are below N. `greatest`: the greatest vertex of the rows.
std::optional<Numbering> stated_numbering(const TextCursor& cursor,
                                          const EdgeListComments& comments,
                                          std::optional<Vertex> greatest) {
  const Annotations& annotations = comments.annotations;
  if (annotations.vertices)
    return Numbering{*annotations.vertices, annotations.first_id.value_or(0)};
  if (annotations.first_id || annotations.has_labels()) {
    cursor.fail_at_end("apsp:first-id and apsp:label need an apsp:vertices in an edge list");
  }
  const bool konect = comments.konect != EdgeListComments::Konect::none;
  if (konect && comments.sizes.size() != 3) return std::nullopt;
  if (!konect && !comments.nodes) return std::nullopt;
  const std::uint64_t nodes = konect ? comments.sizes[1] : *comments.nodes;
  const Vertex base = konect ? 1 : 0;
  const bool fits = (!greatest || *greatest < nodes + base) &&
                    plausible_vertex_count(nodes, cursor.source().bytes.size());
  if (!fits) return std::nullopt;
  return Numbering{static_cast<std::int64_t>(nodes), base};
}

bool is_directed(const Source& source, const EdgeListComments& comments) {
  return comments.annotations.resolve_directed(source.options, comments.directed.value_or(false));
}

using Arcs = std::shared_ptr<graph::ArcBuckets>;

Graph build_as(const TextCursor& cursor, const EdgeListComments& comments, Arcs arcs,
               Numbering numbering) {
  return build_numbered(cursor, comments.annotations, is_directed(cursor.source(), comments),
                        numbering.n, numbering.first_id, std::move(arcs), numbering.first_id);
}

Graph build_from_integers(const TextCursor& cursor, const EdgeListComments& comments, Arcs arcs) {
  const Source& source = cursor.source();
  const auto stated = stated_numbering(cursor, comments, arcs->greatest());
  if (stated && stated->first_id <= comments.annotations.first_id.value_or(0)) {
    return build_as(cursor, comments, std::move(arcs), *stated);
  }
  const IdRanks ranks(*arcs, source.bytes.size());
  if (stated && !ranks.holds(0)) return build_as(cursor, comments, std::move(arcs), *stated);
  const auto n = static_cast<std::int64_t>(ranks.count());
  if (n == std::int64_t{arcs->greatest()} + 1) {
    return build_as(cursor, comments, std::move(arcs), {n, 0});
  }
  if (n == arcs->greatest() && !ranks.holds(0)) {
    return build_as(cursor, comments, std::move(arcs), {n, 1});
  }
  return build_ranked(source, is_directed(source, comments), std::move(arcs), ranks);
}

/// Whether all integers are vertices that an annotation announces, if there is one.
bool within_annotation(const Source& source, const EdgeListComments& comments,
                       const graph::ArcBuckets& arcs) {
  const Annotations& annotations = comments.annotations;
  if (!annotations.vertices || arcs.edge_count() == 0) return true;
  const Vertex base = annotations.first_id.value_or(0);
  if (arcs.greatest() < base || arcs.greatest() - base >= *annotations.vertices) return false;
  return base == 0 || !IdRanks(arcs, source.bytes.size()).holds(0);
}

void require_announced(const TextCursor& cursor, const Annotations& annotations,
                       const VertexNames& names) {
  const Vertex base = annotations.first_id.value_or(0);
  for (Vertex v = 0; v < names.count(); ++v) {
    const std::string_view name = names.text(v);
    const auto id = integer_of(name);
    if (id && *id >= base && *id - base < *annotations.vertices) continue;
    cursor.fail(names.first_seen(v),
                "vertex '{}' is not one of the {} that apsp:vertices announces, numbered from {}",
                name, *annotations.vertices, base);
  }
}

/// Throws `Error` (input) for a comment that may be a row, because one of its fields is a vertex
/// whose name begins as comments do.
void require_no_hidden_rows(const TextCursor& cursor, const EdgeListLayout& layout,
                            const EdgeListComments& comments, const VertexNames& names) {
  for (const std::string_view line : comments.dense) {
    for (const std::string& name : split_titles(line, layout.separator)) {
      if (name.empty() || !begins_comment(name.front())) continue;
      if (names.find(name, VertexNames::hash(name)) != VertexNames::kNone)
        fail_hidden_row(cursor, line, name);
    }
  }
}

bool all_integers(const VertexNames& names) {
  for (Vertex v = 0; v < names.count(); ++v) {
    if (!is_integer_id(names.text(v))) return false;
  }
  return names.count() > 0;
}

/// The name without signs around it that nobody sees: byte order and direction marks, spaces that
/// are no blanks, soft hyphens, NUL, form feeds.
std::string_view visible_part(std::string_view name) {
  // Every mark begins and ends outside of the visible characters of ASCII.
  const auto is_visible = [](char c) { return c > ' ' && c <= '~'; };
  if (!name.empty() && is_visible(name.front()) && is_visible(name.back())) return name;
  constexpr std::string_view kInvisible[] = {
      " ",      "\t",     "\f",     {"\0", 1}, "\uFEFF", "\u00A0", "\u00AD", "\u2003", "\u2009",
      "\u200B", "\u200C", "\u200D", "\u200E",  "\u200F", "\u202F", "\u2060", "\u3000"};
  for (std::size_t before = name.size() + 1; before != name.size();) {
    before = name.size();
    for (const std::string_view mark : kInvisible) {
      if (name.starts_with(mark)) name.remove_prefix(mark.size());
      if (name.ends_with(mark)) name.remove_suffix(mark.size());
    }
  }
  return name;
}

/// Whether all names are integers and some are not canonical. Adds a remark on integers that may be
/// rounded. Throws `Error` (input) for ambiguous or impossible names.
bool are_other_integers(const TextCursor& cursor, const VertexNames& names, Remarks& remarks) {
  const auto asked = cursor.source().options.ids;
  for (Vertex v = 0; v < names.count(); ++v) {
    const std::string_view name = names.text(v);
    if (!base::is_utf8(name)) {
      cursor.fail(names.first_seen(v),
                  "this name is not UTF-8; say how the text is encoded (`encoding=cp1252`, latin1, "
                  "…)");
    }
    require_exact_id(cursor, names.first_seen(v), name);
    const std::string_view seen = visible_part(name);
    if (seen.size() < name.size() &&
        names.find(seen, VertexNames::hash(seen)) != VertexNames::kNone) {
      cursor.fail(names.first_seen(v),
                  "two names differ from '{}' and each other only by invisible characters (a blank "
                  "at an end, or a byte order mark): take these out",
                  seen);
    }
  }
  if (asked == VertexIds::text) return false;
  const IdReading ids = read_ids(
      names.count(), [&](std::size_t i) { return names.text(static_cast<Vertex>(i)); },
      asked == VertexIds::number);
  if (ids.numbers && ids.rounded) {
    remarks.push_back(
        fmt::format("the vertex {} and others like it are taken as integers, and may "
                    "be rounded (`ids=text` takes them as written)",
                    names.text(static_cast<Vertex>(*ids.rounded))));
  }
  if (ids.numbers) return true;
  const auto first_other = static_cast<Vertex>(ids.first_other);
  if (asked == VertexIds::number) {
    cursor.fail(names.first_seen(first_other), "'{}' is no integer that `ids=number` can read",
                names.text(first_other));
  }
  if (ids.rounded) {
    const auto rounded = static_cast<Vertex>(*ids.rounded);
    cursor.fail(names.first_seen(rounded),
                "the vertex '{}' is a number beyond 2^53 with a point or an exponent, which may be "
                "rounded: write all its digits, or take names as they are written (`ids=text`)",
                names.text(rounded));
  }
  if (!ids.same) return false;
  const auto first = static_cast<Vertex>(ids.same->first);
  const auto second = static_cast<Vertex>(ids.same->second);
  cursor.fail(names.first_seen(second),
              "'{}' and '{}' are one number and two names; say which (`ids=number` or `ids=text`)",
              names.text(first), names.text(second));
}

Graph build_from_names(const TextCursor& cursor, const EdgeListComments& comments,
                       NamedRows&& rows) {
  const Source& source = cursor.source();
  const VertexNames& names = rows.names;
  const Annotations& annotations = comments.annotations;
  if (annotations.vertices) require_announced(cursor, annotations, names);
  std::vector<std::string> labels;
  labels.reserve(names.count());
  for (Vertex v = 0; v < names.count(); ++v) labels.emplace_back(names.text(v));
  if (source.options.ids != VertexIds::text && all_integers(names)) {
    std::vector<Vertex> place = sort_integers(labels);  // [names] the rank, or the value
    const auto greatest = integer_of(labels.back());
    const bool by_value = !labels.front().starts_with('-') && greatest &&
                          *greatest < std::numeric_limits<Vertex>::max();
    for (Vertex v = 0; by_value && v < place.size(); ++v) {
      place[v] = static_cast<Vertex>(*integer_of(names.text(v)));
    }
    rows.arcs->relabel(by_value ? *greatest + 1 : std::ssize(labels),
                       [&](Vertex v) { return place[v]; });
    if (by_value) return build_from_integers(cursor, comments, std::move(rows.arcs));
  }
  if (annotations.first_id || annotations.has_labels()) stated_numbering(cursor, comments, {});
  return build_labelled(source, is_directed(source, comments), std::move(rows.arcs),
                        std::move(labels));
}

/// Builds a bipartite graph of KONECT; sides are numbered from 1: "left:1" and "right:1".
Graph build_sides(const TextCursor& cursor, const EdgeListComments& comments,
                  const EdgeListLayout& layout, Arcs arcs) {
  const Source& source = cursor.source();
  const bool directed = is_directed(source, comments);
  const auto label = [&](Vertex id) {
    return id <= layout.bipartite_offset ? fmt::format("left:{}", id)
                                         : fmt::format("right:{}", id - layout.bipartite_offset);
  };
  std::vector<std::string> labels;
  if (comments.sizes.size() == 3) {
    const std::uint64_t n = comments.sizes[1] + comments.sizes[2];
    if (arcs->greatest() <= n && plausible_vertex_count(n, source.bytes.size())) {
      for (std::uint64_t id = 1; id <= n; ++id) labels.push_back(label(static_cast<Vertex>(id)));
      arcs->relabel(std::ssize(labels), [](Vertex id) { return id - 1; });
      return build_labelled(source, directed, std::move(arcs), std::move(labels));
    }
  }
  const IdRanks ranks(*arcs, source.bytes.size());
  ranks.for_each([&](Vertex id) { labels.push_back(label(id)); });
  arcs->relabel(std::ssize(labels), [&](Vertex id) { return ranks.rank(id); });
  return build_labelled(source, directed, std::move(arcs), std::move(labels));
}

/// Reads all rows as integers. Empty if they are not, or not within what comments allow.
std::optional<Graph> read_numbered(TextCursor cursor, const EdgeListLayout& layout,
                                   const EdgeListComments& head, bool mirrored) {
  const Source& source = cursor.source();
  if (source.options.ids == VertexIds::text) return std::nullopt;
  EdgeListComments comments = head;
  TextCursor rows = cursor;
  Arcs arcs = read_numbered_rows(rows, layout, mirrored, comments);
  if (arcs == nullptr || !within_annotation(source, comments, *arcs)) return std::nullopt;
  const bool both_ways = !is_directed(source, comments);
  if (both_ways != mirrored) {
    arcs.reset();
    return read_numbered(cursor, layout, head, both_ways);
  }
  if (layout.bipartite_offset != 0) return build_sides(rows, comments, layout, std::move(arcs));
  return build_from_integers(rows, comments, std::move(arcs));
}

Graph read_named(const TextCursor& cursor, EdgeListLayout& layout, const EdgeListComments& head,
                 bool mirrored) {
  EdgeListComments comments = head;
  TextCursor rows_cursor = cursor;
  NamedRows rows = read_named_rows(rows_cursor, layout, mirrored, comments);
  const bool both_ways = !is_directed(cursor.source(), comments);
  if (both_ways != mirrored) {
    rows = {};
    return read_named(cursor, layout, head, both_ways);
  }
  require_no_hidden_rows(rows_cursor, layout, comments, rows.names);
  if (!all_integers(rows.names) && are_other_integers(rows_cursor, rows.names, layout.remarks)) {
    rows = {};
    layout.number_ids = true;
    return read_named(cursor, layout, head, mirrored);
  }
  return build_from_names(rows_cursor, comments, std::move(rows));
}

std::optional<std::pair<Vertex, Vertex>> differing_pair(const Graph& graph) {
  if (graph.weight_facts().unit) return std::nullopt;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    const auto targets = graph.targets(u);
    for (std::size_t i = 1; i < targets.size(); ++i) {
      if (targets[i] != targets[i - 1]) continue;
      if (graph.weights(u)[i] != graph.weights(u)[i - 1]) return std::pair(u, targets[i]);
    }
  }
  return std::nullopt;
}

void remark_on_direction(const Graph& graph, const EdgeListComments& head, Remarks& remarks) {
  if (!head.unclear.empty()) {
    remarks.push_back(
        fmt::format("the comment '{}' does not say that the graph is directed or not; it is read "
                    "as undirected (`directed=true` or `directed=false` chooses)",
                    head.unclear));
  }
  if (const auto pair = differing_pair(graph)) {
    remarks.push_back(fmt::format(
        "the graph is undirected, and several rows of one pair of vertices have "
        "different weights, as of '{}' and '{}'; `directed=true` takes each row one way",
        graph.name(pair->first), graph.name(pair->second)));
  }
}

/// Throws `Error` (input) if an edge joins the titles of the ends: files that were joined.
void require_titles_once(const TextCursor& cursor, const Graph& graph,
                         const std::array<std::string, 2>& titles) {
  if (titles[0].empty() || graph.labels().empty()) return;
  const auto from = graph.find(titles[0]), to = graph.find(titles[1]);
  if (!from || !to || std::ranges::find(graph.targets(*from), *to) == graph.targets(*from).end())
    return;
  cursor.fail_here(
      "the titles '{}' and '{}' come again below, as an edge: leave that row out, or, if vertices "
      "are called so, give the columns other titles",
      titles[0], titles[1]);
}

/// Whether the edge from u to v is the only one at its ends, and has the weight 2 if weights are in
/// rows: like titles 0, 1, 2.
bool is_like_titles(const Graph& graph, Vertex u, Vertex v, bool weighted) {
  std::int64_t edges = 0, like = 0;
  for_each_edge(graph, [&](Vertex a, Vertex b, double weight) {
    edges += a == u || a == v || b == u || b == v ? 1 : 0;
    like += a == u && b == v && (!weighted || weight == 2) ? 1 : 0;
  });
  return edges == 1 && like == 1;
}

/// Whether the rows below a first edge from u to v are edges of a graph of n vertices. Two rows
/// below the first suffice only if they name all these vertices.
bool fit_below(const Graph& graph, std::int64_t n, Vertex u, Vertex v) {
  const auto is_above = [&](Vertex end) {
    std::int64_t edges = 0;
    for_each_edge(graph,
                  [&](Vertex a, Vertex b, double) { edges += a == end || b == end ? 1 : 0; });
    return edges == 1;
  };
  const bool u_above = is_above(u), v_above = u != v && is_above(v);
  const auto above = [&](Vertex w) { return (w == u && u_above) || (w == v && v_above); };
  Vertex first = 0, last = static_cast<Vertex>(graph.vertex_count()) - 1;
  while (above(first)) ++first;
  while (above(last)) --last;
  const auto least = integer_of(graph.name(first)), greatest = integer_of(graph.name(last));
  const bool fit =
      least && greatest && ((*least >= 1 && *greatest <= n) || (*least == 0 && *greatest < n));
  return fit && (graph.edge_count() > 3 || graph.vertex_count() - u_above - v_above == n);
}

/// Throws `Error` (input) if the first row may be no edge: the numbers of vertices and edges, or
/// the titles 0, 1, 2 that pandas writes for columns without names.
void require_edge_in_first_row(const TextCursor& cursor, const Graph& graph,
                               const EdgeListComments& head, const EdgeListLayout& layout) {
  const auto& [from, to] = layout.first_ends;
  const std::int64_t edges = graph.edge_count();
  const bool weighted = layout.weight >= 0;
  const bool may_count = !weighted && integer_of(to) == edges - 1;
  const bool may_title = from == "0" && to == "1" && layout.separator != Separator::blank;
  if (edges < 2 || head.edges == edges || !(may_count || may_title)) return;
  const auto u = graph.find(from), v = graph.find(to);
  if (!u || !v) return;
  const bool counts = may_count && fit_below(graph, *integer_of(from), *u, *v);
  if (!counts && !(may_title && is_like_titles(graph, *u, *v, weighted))) return;
  cursor.fail_here(
      "the first row is an edge from {} to {}, or {}: say `columns={}` in the first case, and "
      "leave the row out in the second",
      from, to, counts ? "the numbers of vertices and edges" : "titles that pandas writes",
      weighted ? "1,2,3" : "1,2");
}

/// The number of pairs of vertices with an edge.
std::uint64_t count_pairs(const Graph& graph) {
  std::uint64_t pairs = 0;
  std::pair<Vertex, Vertex> last = {1, 0};  // no edge of an undirected graph
  for_each_edge(graph, [&](Vertex u, Vertex v, double) {
    pairs += std::exchange(last, std::pair(u, v)) != std::pair(u, v) ? 1 : 0;
  });
  return pairs;
}

bool has_zero_between(const Graph& graph) {
  bool found = false;
  if (graph.weight_facts().least <= 0)
    for_each_edge(graph, [&](Vertex u, Vertex v, double weight) {
      found = found || (u != v && weight == 0);
    });
  return found;
}

/// Adds remarks on a list that may be something else, or may have lost rows.
void remark_on_doubts(const Graph& graph, const EdgeListComments& head, EdgeListLayout& layout) {
  const WeightFacts& weights = graph.weight_facts();
  const auto edges = static_cast<std::uint64_t>(graph.edge_count());
  const std::uint64_t told = head.sizes.size() == 3 ? head.sizes[0] : head.edges.value_or(edges);
  Remarks& remarks = layout.remarks;
  const auto is_time = [](double value) {
    return (value > 9e8 && value < 2.2e9) || (value > 9e11 && value < 2.2e12);
  };
  if (weights.integral && is_time(weights.least) && is_time(weights.greatest)) {
    remarks.push_back(
        fmt::format("the weights, {} to {}, look like times since 1970; `columns=1,2` leaves them "
                    "out",
                    weights.least, weights.greatest));
  }
  const bool counts_pairs = told != edges && !graph.directed() && count_pairs(graph) == told;
  if (told != edges && !counts_pairs && !layout.has_directions()) {
    remarks.push_back(fmt::format("a comment counts {}, and the file has {}",
                                  base::counted(static_cast<std::int64_t>(told), "edge", "edges"),
                                  edges));
  }
  if (edges > 1 && !head.nodes && static_cast<std::uint64_t>(graph.vertex_count()) == 2 * edges)
    remarks.push_back("no vertex is in two rows, as in a list of vertices, which has no edges");
  if (has_zero_between(graph))
    remarks.push_back("rows of weight 0 are edges; leave them out if they mean no edge");
}

Graph read_edge_list(const Source& source) {
  TextCursor cursor(source);
  EdgeListComments head;
  std::optional<EdgeListLayout> layout = find_layout(cursor, head);
  if (!layout) {
    const auto stated = stated_numbering(cursor, head, std::nullopt);
    if (!stated) cursor.fail_at_end("the file has no edges, and does not say how many vertices");
    return build_as(cursor, head, nullptr, *stated);
  }
  if (layout->matrix) return read_matrix(source);
  if (layout->has_directions()) {
    if (source.options.directed == false) {
      throw Error(ErrorKind::usage,
                  "`oneway` and `reverse_cost` make a directed graph: leave "
                  "`directed=false` out");
    }
    head.annotations.directed = true;
  }
  const bool mirrored = !is_directed(source, head);
  const auto numbered = read_numbered(cursor, *layout, head, mirrored);
  if (!numbered && layout->bipartite_offset != 0) {
    cursor.fail_here(
        "a bipartite file of KONECT has rows 'left right [weight [time]]' of vertices "
        "counted from 1, and one of its rows is none");
  }
  Graph graph = numbered ? *numbered : read_named(cursor, *layout, head, mirrored);
  require_titles_once(cursor, graph, layout->end_titles);
  if (head.annotations.empty()) {
    require_edge_in_first_row(cursor, graph, head, *layout);
    remark_on_doubts(graph, head, *layout);
  }
  const bool stated = source.options.directed || head.annotations.directed || head.directed;
  if (!stated && !graph.directed()) remark_on_direction(graph, head, layout->remarks);
  for (const std::string& remark : layout->remarks) graph = graph.with_remark(remark);
  return graph;
}

/// Vertices in order of appearance in the rows, without isolated ones.
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

bool fits_a_row(const std::string& label) {
  return visible_part(label) == label && std::ranges::none_of(label, [](char c) {
           return static_cast<unsigned char>(c) < 0x20 && c != '\t';
         });
}

bool labels_can_stand_in_rows(const Graph& graph) {
  const auto labels = graph.labels();
  if (labels.empty() || graph.first_id() != 0 || graph.arc_count() == 0) return false;
  if (!std::ranges::all_of(labels, fits_a_row)) return false;
  const std::vector<Vertex> order = order_of_appearance(graph);
  if (order.size() != labels.size()) return false;
  if (!std::ranges::all_of(labels, is_integer_id)) {
    const IdReading ids =
        read_ids(labels.size(), [&](std::size_t i) -> std::string_view { return labels[i]; });
    return !ids.numbers && !ids.same && !ids.rounded && std::ranges::is_sorted(order);
  }
  if (!std::ranges::is_sorted(labels, less_as_integers)) return false;
  // 0 … n−1 and 1 … n would be read as plain numbers.
  return labels.back() != std::to_string(labels.size() - 1) &&
         labels.back() != std::to_string(labels.size());
}

void put_label(OutputFile& out, const std::string& label) {
  const bool plain =
      !is_missing_value(label) && label.find_first_of(" \t,;\"#%") == std::string::npos;
  out.put(plain ? label : quoted_field(label));
}

/// Whether the vertices first_id … first_id + n − 1 follow from the rows.
bool rows_show_all_vertices(const Graph& graph) {
  return graph.vertex_count() > 0 && graph.first_id() <= 1 &&
         order_of_appearance(graph).size() == static_cast<std::size_t>(graph.vertex_count());
}

void write_edge_list(const Graph& graph, OutputFile& out) {
  const std::string_view plain = without_compression(out.name());
  const char separator = has_suffix(plain, ".csv") ? ',' : has_suffix(plain, ".tsv") ? '\t' : ' ';
  const bool labels_in_rows = labels_can_stand_in_rows(graph);
  // An annotation also shows the reader that the first row is not titles, such as 0 and 1, and that
  // rows with zeros on the diagonal are not a matrix.
  const bool like_matrix = graph.loop_count() > 0 && graph.edge_count() < 4;
  const bool unit = graph.weight_facts().unit;
  const bool like_titles = separator != ' ' && graph.edge_count() > 1 && graph.labels().empty() &&
                           graph.first_id() == 0 && is_like_titles(graph, 0, 1, !unit);
  if (graph.directed() || labels_in_rows || like_matrix || like_titles) {
    out.put("# apsp:", graph.directed() ? "directed\n" : "undirected\n");
  }
  if (!labels_in_rows && (!graph.labels().empty() || !rows_show_all_vertices(graph))) {
    out.put("# apsp:vertices ", graph.vertex_count(), '\n');
    put_names(out, "# ", graph, 0, graph.first_id());
  }
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
      [&] { out.end_rows(); });
}

}  // namespace

extern const Format edge_list_format = {
    .name = "edge-list",
    .suffixes = {".txt", ".csv", ".tsv", ".el", ".edges", ".cedge"},
    .read = read_edge_list,
    .write = write_edge_list};

}  // namespace apsp::io
