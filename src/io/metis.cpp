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
#include "io/plain_rows.hpp"
#include "io/text_cursor.hpp"

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
    annotations.read_comment(cursor);
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

void read_vertex_line(TextCursor& cursor, const Header& header, Vertex v, std::vector<Edge>& arcs) {
  if (cursor.peek() != '\n') {
    for (std::uint64_t i = 0; i < header.numbers_before_edges; ++i) {
      cursor.expect_unsigned("a size or weight of the vertex");
    }
  }
  while (cursor.peek() != '\n') {
    const char* const at = cursor.at();
    const Vertex target = cursor.expect_vertex(header.n);
    if (target == v) cursor.fail(at, "METIS graphs have no self-loops");
    arcs.push_back({v, target, header.weighted ? cursor.expect_weight() : 1.0});
  }
  cursor.expect_line_end();
}

/// Reads the line of vertex v and moves `at` after its end. Returns false, with edges to discard,
/// for text other than numbers.
bool read_plain_line(const char*& at, const char* end, const Header& header, Vertex v,
                     std::vector<Edge>& edges) {
  skip_blanks(at, end);
  if (at != end && *at != '\n') {
    for (std::uint64_t i = 0; i < header.numbers_before_edges; ++i) {
      std::uint64_t number = 0;
      if (!read_unsigned(at, end, number) || at == end || !is_blank(*at)) return false;
      skip_blanks(at, end);
    }
  }
  for (; at != end && *at != '\n'; skip_blanks(at, end)) {
    Edge& edge = edges.emplace_back();
    edge.from = v;
    if (!read_plain_vertex(at, end, header.n, edge.to) || edge.to == v) return false;
    if (!header.weighted) continue;
    skip_blanks(at, end);
    if (read_number(at, end, edge.weight) != NumberFault::none) return false;
    if (at != end && *at != '\n' && !is_blank(*at)) return false;
  }
  if (at != end) ++at;
  return true;
}

void read_plain_lines(Piece& piece, const char* end, const Header& header) {
  const char* at = piece.begin;
  const auto n = static_cast<std::size_t>(header.n);
  while (at != piece.end && piece.first_row + piece.rows < n) {
    const std::size_t before = piece.edges.size();
    const auto v = static_cast<Vertex>(piece.first_row + piece.rows);
    const char* next = at;
    if (!read_plain_line(next, end, header, v, piece.edges)) {
      piece.edges.resize(before);
      break;
    }
    ++piece.rows;
    at = next;
  }
  piece.greatest = static_cast<Vertex>(n - 1);
  piece.reached = at;
}

/// The beginning of a vertex's line. Requires: `body` is after the header, and the line exists.
const char* line_of(TextCursor body, Vertex vertex) {
  for (Vertex v = 0;; body.skip_line()) {
    if (body.peek() == '%') continue;
    if (v++ == vertex) return body.at();
  }
}

RowArcs read_metis_lines(TextCursor& cursor, const Header& header, Annotations& annotations) {
  RowArcs rows(
      cursor.source(), false, header.n,
      [header, end = cursor.end()](Piece& piece) { read_plain_lines(piece, end, header); }, true);
  const auto n = static_cast<std::size_t>(header.n);
  std::vector<Edge> arcs;
  while (rows.rows() < n) {
    skip_comments(cursor, annotations);
    if (cursor.at_end()) {
      cursor.fail_at_end("the file ends after the lines of {} of {}", rows.rows(),
                         base::counted(n, "vertex", "vertices"));
    }
    if (rows.append(cursor)) continue;
    arcs.clear();
    read_vertex_line(cursor, header, static_cast<Vertex>(rows.rows()), arcs);
    rows.add_row(arcs);
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
  const Graph mirrored = build_counted(cursor, annotations, header.n, true, rows);
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
  AnnotationWriter(out, "% ").names(graph, kCountedFrom);
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
    out.end_row();
  }
}

}  // namespace

extern const Format metis_format = {
    .name = "metis",
    .suffixes = {".graph", ".metis"},
    .read = read_metis,
    .write = write_metis,
    .peek = [](const Source& source) { return peek_numbers(text_of(source), '%', "", 2); }};

}  // namespace apsp::io
