#include "io/vertex_list.hpp"

#include "io/edge_list_rows.hpp"
#include "io/named_vertex.hpp"
#include "io/with_source.hpp"

namespace apsp::io {
namespace {

std::string_view trimmed(std::string_view line) {
  const auto blank = [](char c) { return is_blank(c) || c == '\r'; };
  while (!line.empty() && blank(line.front())) line.remove_prefix(1);
  while (!line.empty() && blank(line.back())) line.remove_suffix(1);
  return line;
}

std::vector<Vertex> vertices_of(const Source& source, const Graph& graph) {
  TextCursor cursor(source);
  std::vector<Vertex> vertices;
  std::vector<bool> listed(static_cast<std::size_t>(graph.vertex_count()));
  const auto take = [&](const char* at, Vertex vertex) {
    if (listed[vertex]) {
      cursor.fail(at, fmt::format("the vertex '{}' comes twice", graph.name(vertex)));
    }
    listed[vertex] = true;
    vertices.push_back(vertex);
  };
  for (bool first = true; find_row(cursor); first = false) {
    TextCursor ahead = cursor;
    const std::string_view line = trimmed(ahead.take_line());
    if (const auto whole = graph.find(line)) {
      take(cursor.at(), *whole);
      cursor.skip_line();
    } else {
      const EdgeListField field = RowSplitter(separator_of(line)).split(cursor).front();
      const bool title = first && is_column_title(field.text) && !graph.find(field.text);
      if (!title) take(field.at, named_vertex(cursor, field.at, field.text, graph));
    }
  }
  if (vertices.empty()) cursor.fail_at_end("no vertex is listed");
  return vertices;
}

std::vector<Vertex> vertices_held(HeldBytes held, const std::string& name, const Graph& graph,
                                  const Control& control) {
  return with_text(std::move(held), name, control,
                   [&](const Source& source) { return vertices_of(source, graph); });
}

}  // namespace

std::vector<Vertex> read_vertices(const std::string& path, const Graph& graph,
                                  const Control& control) {
  return vertices_held(hold_input(path, {}), display_name(path), graph, control);
}

std::vector<Vertex> parse_vertices(std::span<const char> text, const std::string& name,
                                   const Graph& graph, const Control& control) {
  return vertices_held({text}, name, graph, control);
}

}  // namespace apsp::io
