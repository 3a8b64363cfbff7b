// DIMACS 9 shortest-path graphs (9th DIMACS Implementation Challenge): "c" comments, one "p sp n
// m", then m arcs "a u v w", counted from 1.
//
// The format has only arcs. Undirected graphs are written with both arcs of every edge and the
// annotation apsp:undirected, which on reading joins each pair again.

#include "graph/mirrored.hpp"
#include "io/annotations.hpp"
#include "io/formats.hpp"
#include "io/text_table.hpp"

namespace apsp::io {
namespace {

struct Problem {
  std::int64_t n = 0;
  std::uint64_t arcs = 0;
};

Problem read_problem(TextCursor& cursor, Annotations& annotations) {
  if (!annotations.find_row(cursor, 'c')) {
    cursor.fail_at_end("the problem line is missing: p sp VERTICES ARCS");
  }
  if (cursor.peek() == 'a') cursor.fail_here("an arc before the problem line: p sp VERTICES ARCS");
  if (!cursor.take('p')) cursor.fail_expected(cursor.at(), "a line of kind c, p or a");
  const char* const at = cursor.next();
  if (cursor.take_word() != "sp") cursor.fail_expected(at, "'sp': p sp VERTICES ARCS");
  Problem problem;
  problem.n = cursor.expect_vertex_count();
  problem.arcs = cursor.expect_count("the number of arcs");
  cursor.expect_line_end();
  return problem;
}

bool read_arc(TextCursor& cursor, std::int64_t n, RowEdges& arcs) {
  if (!cursor.take('a')) {
    if (cursor.peek() == 'p') cursor.fail_here("a second problem line");
    cursor.fail_expected(cursor.at(), "a line of kind c, p or a");
  }
  cursor.skip_blanks();
  const Edge arc = read_counted_edge(cursor, n, true);
  arcs.add(arc.from, arc.to, arc.weight);
  return true;
}

/// Joins each pair of arcs, which the annotation guarantees, to an edge.
Graph fold_pairs(const TextCursor& cursor, const Graph& graph) {
  if (!graph.symmetric()) {
    const Edge lone = *find_unmirrored(graph);
    cursor.fail_at_end(
        "apsp:undirected, but the arc {} {} of weight {} has no counterpart {} {} of that weight",
        lone.from + kCountedFrom, lone.to + kCountedFrom, lone.weight, lone.to + kCountedFrom,
        lone.from + kCountedFrom);
  }
  return graph.as_undirected();
}

Graph read_dimacs_file(const Source& source, bool mirrored) {
  TextCursor cursor(source);
  Annotations annotations;
  const Problem problem = read_problem(cursor, annotations);
  RowArcs rows(cursor, {.mirrored = mirrored},
               [n = problem.n](TextCursor& at, std::size_t, RowEdges& arcs) {
                 return read_arc(at, n, arcs);
               });
  read_announced_rows(cursor, annotations, 'c', rows, problem.arcs, "arc", "arcs");
  const bool directed = annotations.resolve_directed(source.options, true);
  const bool in_pairs = annotations.directed == false;
  const bool both_ways = !directed && !in_pairs;
  if (both_ways != mirrored) return read_dimacs_file(source, both_ways);
  const Graph graph =
      build_numbered(cursor, annotations, !both_ways, problem.n, kCountedFrom, rows.arcs());
  return !directed && in_pairs ? fold_pairs(cursor, graph) : graph;
}

bool is_dimacs(std::string_view text) {
  std::string_view line = first_line_without(text, 'c');
  if (line.substr(0, 2) != "p ") return false;
  line = without_blanks(line.substr(2));
  const std::size_t end = line.find_first_of(" \t");
  constexpr std::string_view kProblems[] = {"sp", "max", "min", "asn"};  // of which "sp" is read
  return end != line.npos && is_one_of(kProblems, line.substr(0, end));
}

void write_dimacs(const Graph& graph, OutputFile& out) {
  if (!graph.directed()) out.put("c apsp:undirected\n");
  put_names(out, "c ", graph, kCountedFrom, kCountedFrom);
  out.put("p sp ", graph.vertex_count(), ' ', graph.arc_count(), '\n');
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    graph.for_each_arc(u, [&](Vertex v, double weight) {
      out.put("a ", u + kCountedFrom, ' ', v + kCountedFrom, ' ', weight, '\n');
    });
    out.end_rows();
  }
}

}  // namespace

extern const Format dimacs_format = {
    .name = "dimacs",
    .suffixes = {".gr"},
    .recognises = is_dimacs,
    .read =
        [](const Source& source) {
          return read_dimacs_file(source, source.options.directed == false);
        },
    .write = write_dimacs,
    .peek =
        [](const Source& source) {
          TextCursor cursor(source);
          Annotations annotations;
          const Problem problem = read_problem(cursor, annotations);
          return header_before(cursor.at(), static_cast<std::uint64_t>(problem.n), problem.arcs);
        }};

}  // namespace apsp::io
