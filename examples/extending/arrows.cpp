// A new graph format: lines "FROM -> TO WEIGHT" between names without blanks, 1 where no weight is
// given, and "#" comments. Names become labels in order of appearance.
//
// In the tree of the library this file is src/io/arrows.cpp. One more file is touched:
// src/io/formats.cpp declares `arrows_format` and enters it in the table.
#include "io/annotations.hpp"
#include "io/formats.hpp"
#include "io/text_cursor.hpp"
#include "io/vertex_numbers.hpp"

namespace apsp::io {
namespace {

/// The content is unmistakable: an arrow is the second word of the first row.
bool is_arrows(std::string_view text) {
  const std::string_view row = first_line_without(text, '#');
  const std::size_t blank = row.find(' ');
  return blank != row.npos && row.substr(blank).starts_with(" -> ");
}

Vertex read_name(TextCursor& cursor, VertexNames& names) {
  cursor.skip_blanks();
  const char* const at = cursor.at();
  const std::string_view name = cursor.take_word();
  if (name.empty()) cursor.fail_expected(at, "a vertex");
  return names.intern(name, VertexNames::hash(name), at);
}

Edge read_arrow(TextCursor& cursor, VertexNames& names) {
  Edge arc;
  arc.from = read_name(cursor, names);
  cursor.skip_blanks();
  const char* const at = cursor.at();
  if (cursor.take_word() != "->") cursor.fail_expected(at, "'->'");
  arc.to = read_name(cursor, names);
  if (cursor.peek() != '\n') arc.weight = cursor.expect_weight();
  cursor.expect_line_end();
  return arc;
}

Graph read_arrows(const Source& source) {
  TextCursor cursor(source);
  Annotations annotations;
  VertexNames names;
  std::vector<Edge> arcs;
  while (annotations.find_row(cursor, '#')) arcs.push_back(read_arrow(cursor, names));
  if (arcs.empty()) cursor.fail_at_end("the file has no arcs");
  std::vector<std::string> labels;
  for (Vertex v = 0; v < names.count(); ++v) labels.emplace_back(names.text(v));
  GraphBuilder builder(std::ssize(labels), annotations.resolve_directed(source.options, true));
  builder.add_edges(std::move(arcs));
  builder.set_distinct_labels(std::move(labels));
  return std::move(builder).build();
}

void write_arrows(const Graph& graph, OutputFile& out) {
  if (!graph.directed()) out.put("# apsp:undirected\n");
  for_each_edge(graph, [&](Vertex u, Vertex v, double weight) {
    out.put(graph.name(u), " -> ", graph.name(v), ' ', weight, '\n');
  });
}

}  // namespace

extern const Format arrows_format;
const Format arrows_format = {.name = "arrows",
                              .suffixes = {".arrows"},
                              .recognises = is_arrows,
                              .read = read_arrows,
                              .write = write_arrows};

}  // namespace apsp::io
