// METIS graph files: "%" comments, a header "n m [fmt [ncon]]", then one line a vertex that lists
// its neighbours, counted from 1; a blank line is a vertex without edges. Each edge stands in the
// lines of both its ends and counts once. Format: the METIS 5 manual, section 4.1.
//
// fmt has three digits, leading zeros dropped: vertex sizes, vertex weights (ncon of them), edge
// weights. Sizes and weights of vertices mean nothing for paths and are skipped. METIS wants
// positive integers for edge weights; any number is read, but only those are written.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>

#include "graph/mirrored.hpp"
#include "io/annotations.hpp"
#include "io/formats.hpp"
#include "io/text_cursor.hpp"

namespace apsp::io {
namespace {

constexpr Vertex kFirstId = 1;

struct Header {
  std::int64_t n = 0;
  std::uint64_t m = 0;
  std::uint64_t numbers_before_edges = 0;  // of each vertex: its size and weights
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
  skip_comments(cursor, annotations);
  while (!cursor.at_end() && cursor.peek() == '\n') {
    cursor.skip_line();
    skip_comments(cursor, annotations);
  }
  Header header;
  header.n = cursor.expect_vertex_count();
  cursor.skip_blanks();
  header.m_at = cursor.at();
  header.m = cursor.expect_unsigned("the number of edges");
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

[[noreturn]] void fail_unmirrored(const TextCursor& cursor, const char* line, const Edge& lone,
                                  bool weighted) {
  const std::string weight = weighted ? fmt::format(" of weight {}", lone.weight) : "";
  cursor.fail(line, fmt::format("the edge to {}{} does not stand in the line of vertex {}",
                                lone.to + kFirstId, weight, lone.to + kFirstId));
}

}  // namespace

Graph read_metis(const Source& source) {
  TextCursor cursor(source);
  Annotations annotations;
  const Header header = read_header(cursor, annotations);
  std::vector<Edge> arcs;
  arcs.reserve(
      static_cast<std::size_t>(std::min<std::uint64_t>(header.m, source.bytes.size() / 4) * 2));
  std::vector<const char*> lines;  // [n] where the line of each vertex begins
  for (std::int64_t v = 0; v < header.n; ++v) {
    skip_comments(cursor, annotations);
    if (cursor.at_end()) {
      cursor.fail_at_end(
          fmt::format("the file ends after the lines of {} of {} vertices", v, header.n));
    }
    lines.push_back(cursor.at());
    read_vertex_line(cursor, header, static_cast<Vertex>(v), arcs);
  }
  while (skip_comments(cursor, annotations), !cursor.at_end()) cursor.expect_line_end();

  GraphBuilder builder(header.n);
  builder.add_edges(std::move(arcs));
  annotations.apply(cursor, header.n, kFirstId, kFirstId, builder);
  const Graph mirrored = std::move(builder).build();
  if (const auto lone = find_unmirrored(mirrored)) {
    fail_unmirrored(cursor, lines[lone->from], *lone, header.weighted);
  }
  const auto edges = static_cast<std::uint64_t>(mirrored.arc_count()) / 2;
  if (edges != header.m) {
    cursor.fail(header.m_at,
                fmt::format("the header says {} edges, the lines have {}", header.m, edges));
  }
  const bool directed = annotations.resolve_directed(source.options, false);
  return directed ? mirrored : mirrored.as_undirected();
}

void write_metis(const Graph& graph, OutputFile& out) {
  const WeightFacts& facts = graph.weight_facts();
  const auto refuse = [](const char* why) {
    throw Error(ErrorKind::usage, fmt::format("METIS files {}; .mtx, .gr and .txt do", why));
  };
  if (graph.directed()) refuse("cannot hold directed graphs");
  if (graph.loop_count() > 0) refuse("cannot hold self-loops");
  if (graph.arc_count() > 0 && (!facts.integral || facts.least < 1)) {
    refuse("hold no weights but positive integers");
  }
  AnnotationWriter annotations(out, "% ");
  annotations.first_id(graph, kFirstId);
  annotations.labels(graph, kFirstId);
  out.put_integer(static_cast<std::uint64_t>(graph.vertex_count()));
  out.put(' ');
  out.put_integer(static_cast<std::uint64_t>(graph.edge_count()));
  out.put(facts.unit ? "\n" : " 1\n");
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    bool first = true;
    graph.for_each_arc(u, [&](Vertex v, double weight) {
      if (!first) out.put(' ');
      first = false;
      out.put_integer(std::uint64_t{v} + kFirstId);
      if (facts.unit) return;
      out.put(' ');
      out.put_number(weight);
    });
    out.put('\n');
    out.end_row();
  }
}

}  // namespace apsp::io
