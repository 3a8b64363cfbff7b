// METIS graph files (METIS 5 manual, section 4.1): "%" comments, a header "n m [fmt [ncon]]", then
// a line per vertex with its neighbours, counted from 1. A blank line is an isolated vertex. Each
// edge is in the lines of both ends and counts once.
//
// fmt has three digits without leading zeros: vertex sizes, vertex weights (ncon of them), edge
// weights. Sizes and weights of vertices are ignored. METIS requires positive integer edge weights;
// the reader accepts any number, the writer only those.

#include "base/fail.hpp"
#include "base/units.hpp"
#include "graph/mirrored.hpp"
#include "io/annotations.hpp"
#include "io/formats.hpp"

namespace apsp::io {
namespace {

struct Header {
  std::int64_t n = 0;
  std::uint64_t m = 0;
  std::uint64_t numbers_before_edges = 0;
  bool weighted = false;
  const char* m_at = nullptr;
};

void skip_comments(TextCursor& cursor, Annotations& annotations) {
  while (!cursor.at_end() && cursor.peek() == '%') {
    cursor.take('%');
    if (!annotations.take(cursor)) cursor.skip_line();
  }
}

void read_format_digits(TextCursor& cursor, Header& header) {
  const char* const at = cursor.at();
  const std::string_view digits = cursor.take_word();
  if (digits.size() > 3 || digits.find_first_not_of("01") != std::string_view::npos) {
    cursor.fail_expected(at, "a format of up to three digits 0 or 1");
  }
  const auto digit = [&](std::size_t from_right) {
    return digits.size() > from_right && digits[digits.size() - 1 - from_right] == '1';
  };
  header.weighted = digit(0);
  std::uint64_t weights = 1;
  if (cursor.peek() != '\n') {
    const char* const weights_at = cursor.at();
    weights = cursor.expect_unsigned("the number of weights of a vertex");
    if (digit(1) && weights == 0) cursor.fail(weights_at, "fmt says that vertices have weights");
  }
  header.numbers_before_edges = (digit(2) ? 1u : 0u) + (digit(1) ? weights : 0u);
}

Header read_header(TextCursor& cursor, Annotations& annotations) {
  annotations.find_row(cursor, '%');
  Header header;
  header.n = cursor.expect_vertex_count();
  header.m_at = cursor.next();
  header.m = cursor.expect_count("the number of edges");
  if (cursor.peek() != '\n') read_format_digits(cursor, header);
  cursor.expect_line_end();
  return header;
}

/// Reads the line of vertex v.
void read_vertex_line(TextCursor& cursor, const Header& header, Vertex v, RowEdges& arcs) {
  if (cursor.peek() != '\n') {
    for (std::uint64_t i = 0; i < header.numbers_before_edges; ++i) {
      cursor.expect_unsigned("a size or weight of the vertex");
    }
  }
  while (cursor.peek() != '\n') {
    const char* const at = cursor.at();
    const Vertex target = cursor.expect_vertex(header.n);
    if (target == v) cursor.fail(at, "METIS graphs have no self-loops");
    arcs.add(v, target, header.weighted ? cursor.expect_weight() : 1);
  }
  cursor.expect_line_end();
}

/// The beginning of a vertex's line. Requires: `body` is after the header, and the line exists.
const char* line_of(TextCursor body, Vertex vertex) {
  for (Vertex v = 0;; body.skip_line()) {
    if (body.peek() == '%') continue;
    if (v++ == vertex) return body.at();
  }
}

RowArcs read_metis_lines(TextCursor& cursor, const Header& header, Annotations& annotations) {
  RowArcs rows(cursor, {.vertices = header.n, .numbered = true},
               [header](TextCursor& at, std::size_t row, RowEdges& arcs) {
                 if (at.peek() == '%') return false;
                 read_vertex_line(at, header, static_cast<Vertex>(row), arcs);
                 return true;
               });
  const auto n = static_cast<std::size_t>(header.n);
  while (skip_comments(cursor, annotations), rows.rows() < n) {
    if (cursor.at_end()) {
      cursor.fail_at_end("the file ends after the lines of {} of {}", rows.rows(),
                         base::counted(n, "vertex", "vertices"));
    }
    rows.read(cursor, n);
  }
  while (skip_comments(cursor, annotations), !cursor.at_end()) cursor.expect_line_end();
  return rows;
}

Graph read_metis(const Source& source) {
  TextCursor cursor(source);
  Annotations annotations;
  const Header header = read_header(cursor, annotations);
  const TextCursor body = cursor;
  const RowArcs rows = read_metis_lines(cursor, header, annotations);
  const Graph mirrored =
      build_numbered(cursor, annotations, true, header.n, kCountedFrom, rows.arcs());
  if (!mirrored.symmetric()) {
    const Edge lone = *find_unmirrored(mirrored);
    const std::string weight = header.weighted ? fmt::format(" of weight {}", lone.weight) : "";
    cursor.fail(line_of(body, lone.from), "the edge to {}{} is missing in the line of vertex {}",
                lone.to + kCountedFrom, weight, lone.to + kCountedFrom);
  }
  const auto edges = static_cast<std::uint64_t>(mirrored.arc_count()) / 2;
  if (edges != header.m) {
    cursor.fail(header.m_at, "the header says {}, the lines have {}",
                base::counted(static_cast<std::int64_t>(header.m), "edge", "edges"), edges);
  }
  const bool directed = annotations.resolve_directed(source.options, false);
  return directed ? mirrored : mirrored.as_undirected();
}

void write_metis(const Graph& graph, OutputFile& out) {
  const WeightFacts& facts = graph.weight_facts();
  const auto refuse = [](const char* why) {
    base::fail(ErrorKind::usage, "METIS files {}: use .mtx, .gr or .txt", why);
  };
  if (graph.directed()) refuse("cannot hold directed graphs");
  if (graph.loop_count() > 0) refuse("cannot hold self-loops");
  if (graph.arc_count() > 0 && (!facts.integral || facts.least < 1)) {
    refuse("hold only positive integers as weights");
  }
  put_names(out, "% ", graph, kCountedFrom, kCountedFrom);
  out.put(graph.vertex_count(), ' ', graph.edge_count(), facts.unit ? "\n" : " 1\n");
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    bool first = true;
    graph.for_each_arc(u, [&](Vertex v, double weight) {
      if (!first) out.put(' ');
      first = false;
      out.put(v + kCountedFrom);
      if (!facts.unit) out.put(' ', weight);
    });
    out.put('\n');
    out.end_rows();
  }
}

}  // namespace

extern const Format metis_format = {
    .name = "metis",
    .suffixes = {".graph", ".metis"},
    .read = read_metis,
    .write = write_metis,
    .peek = [](const Source& source) {
      TextCursor cursor(source);
      Annotations annotations;
      const Header header = read_header(cursor, annotations);
      return header_before(cursor.at(), static_cast<std::uint64_t>(header.n), 2 * header.m);
    }};

}  // namespace apsp::io
