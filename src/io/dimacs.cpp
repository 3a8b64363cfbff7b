// DIMACS 9 shortest-path graphs (9th DIMACS Implementation Challenge): "c" comments, one "p sp n
// m", then m arcs "a u v w", counted from 1.
//
// The format has only arcs. Undirected graphs are written with both arcs of every edge and the
// annotation apsp:undirected, which on reading joins each pair again.

#include "base/units.hpp"
#include "graph/mirrored.hpp"
#include "io/annotations.hpp"
#include "io/formats.hpp"
#include "io/plain_rows.hpp"
#include "io/text_cursor.hpp"

namespace apsp::io {
namespace {

struct Problem {
  std::int64_t n = 0;
  std::uint64_t arcs = 0;
  bool read = false;
};

void read_problem(TextCursor& cursor, Problem& problem) {
  if (problem.read) cursor.fail_here("a second problem line");
  cursor.take('p');
  const char* const at = cursor.next();
  if (cursor.take_word() != "sp") cursor.fail_expected(at, "'sp': p sp VERTICES ARCS");
  problem.n = cursor.expect_vertex_count();
  problem.arcs = cursor.expect_count("the number of arcs");
  problem.read = true;
  cursor.expect_line_end();
}

Edge read_arc(TextCursor& cursor, const Problem& problem, std::size_t arcs_before) {
  if (!problem.read) cursor.fail_here("an arc before the problem line: p sp VERTICES ARCS");
  if (arcs_before == problem.arcs) {
    cursor.fail_here("one arc more than the {} of the problem line", problem.arcs);
  }
  cursor.take('a');
  Edge arc;
  arc.from = cursor.expect_vertex(problem.n);
  arc.to = cursor.expect_vertex(problem.n);
  arc.weight = cursor.expect_weight();
  cursor.expect_line_end();
  return arc;
}

/// Reads "a u v w" of known vertices and moves `at` after the line end. Returns false for other
/// lines.
inline bool read_plain_arc(const char*& at, const char* end, std::int64_t n, Edge& arc) {
  if (at == end || *at != 'a') return false;
  ++at;
  skip_blanks(at, end);
  return read_plain_edge(at, end, n, true, arc);
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

void read_dimacs_lines(TextCursor& cursor, Problem& problem, Annotations& annotations,
                       RowArcs& rows) {
  while (annotations.find_row(cursor, 'c')) {
    switch (cursor.peek()) {
      case 'a':
        if (!rows.append(cursor, problem.arcs)) {
          rows.add(read_arc(cursor, problem, rows.edges()));
        }
        break;
      case 'p':
        read_problem(cursor, problem);
        break;
      default:
        cursor.fail_expected(cursor.at(), "a line of kind c, p or a");
    }
  }
  if (!problem.read) cursor.fail_at_end("the problem line is missing: p sp VERTICES ARCS");
  if (rows.edges() != problem.arcs) {
    cursor.fail_at_end("the file ends after {} of {}", rows.edges(),
                       base::counted(static_cast<std::int64_t>(problem.arcs), "arc", "arcs"));
  }
}

Graph read_dimacs_file(const Source& source, bool mirrored) {
  TextCursor cursor(source);
  Annotations annotations;
  Problem problem;
  const auto row_of = [&problem, end = cursor.end()](const char*& at, std::size_t, Edge& arc) {
    return read_plain_arc(at, end, problem.n, arc);
  };
  RowArcs rows(source, mirrored, 0, [&row_of](Piece& piece) { read_piece(piece, row_of); });
  read_dimacs_lines(cursor, problem, annotations, rows);
  const bool directed = annotations.resolve_directed(source.options, true);
  const bool in_pairs = annotations.directed == false;
  const bool both_ways = !directed && !in_pairs;
  if (both_ways != mirrored) return read_dimacs_file(source, both_ways);
  const Graph graph = build_counted(cursor, annotations, problem.n, !both_ways, rows);
  return !directed && in_pairs ? fold_pairs(cursor, graph) : graph;
}

bool is_dimacs(std::string_view text) {
  std::string_view line = first_line_without(text, 'c');
  if (line.substr(0, 2) != "p ") return false;
  line = without_blanks(line.substr(2));
  return line.substr(0, 3) == "sp " || line.substr(0, 3) == "sp\t";
}

void write_dimacs(const Graph& graph, OutputFile& out) {
  AnnotationWriter annotations(out, "c ");
  if (!graph.directed()) annotations.directed(false);
  annotations.names(graph, kCountedFrom);
  out.put("p sp ", graph.vertex_count(), ' ', graph.arc_count(), '\n');
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    graph.for_each_arc(u, [&](Vertex v, double weight) {
      out.put("a ", u + kCountedFrom, ' ', v + kCountedFrom, ' ', weight, '\n');
    });
    out.end_row();
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
    .peek = [](const Source& source) { return peek_numbers(text_of(source), 'c', "p sp", 1); }};

}  // namespace apsp::io
