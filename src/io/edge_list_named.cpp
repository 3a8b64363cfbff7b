#include <fmt/format.h>

#include "io/edge_list.hpp"

namespace apsp::io {
namespace {

void require_width(const TextCursor& cursor, const std::vector<EdgeListField>& fields,
                   const EdgeListLayout& layout) {
  const auto width = static_cast<std::size_t>(layout.width);
  if (fields.size() == width) return;
  const EdgeListField& last = fields.back();
  const char* const at = fields.size() > width ? fields[width].at : last.at;
  cursor.fail(at, fmt::format("{} columns, but the first row has {}", fields.size(), width));
}

void require_count(const TextCursor& cursor, const EdgeListField& field, std::size_t row) {
  if (field.text == fmt::format_int(row).c_str()) return;
  cursor.fail(field.at,
              fmt::format("the first of four columns should count the rows, and {} comes next; if "
                          "it means something else, say which columns to use (--columns "
                          "FROM,TO,WEIGHT)",
                          row));
}

Vertex take_vertex(const TextCursor& cursor, const EdgeListField& field, VertexNames& names) {
  if (field.text.empty() && !field.quoted) {
    cursor.fail(field.at, "expected a vertex, found an empty field");
  }
  return names.intern(field.text, field.at);
}

double take_weight(const TextCursor& cursor, const EdgeListField& field) {
  const char* at = field.text.data();
  const char* const end = at + field.text.size();
  double weight = 0;
  const NumberFault fault = read_number(at, end, weight);
  if (fault != NumberFault::none || at != end) cursor.fail_number(field.at, fault);
  return weight;
}

}  // namespace

NamedRows read_named_rows(TextCursor& cursor, const EdgeListLayout& layout,
                          EdgeListComments& comments) {
  NamedRows rows;
  RowSplitter splitter(layout.commas);
  const auto from = static_cast<std::size_t>(layout.from);
  const auto to = static_cast<std::size_t>(layout.to);
  while (!cursor.at_end()) {
    const char first = cursor.peek();
    if (first == '\n') {
      cursor.skip_line();
      continue;
    }
    if (begins_comment(first)) {
      comments.read(cursor);
      continue;
    }
    const std::vector<EdgeListField>& fields = splitter.split(cursor);
    require_width(cursor, fields, layout);
    if (layout.counted) require_count(cursor, fields[0], rows.edges.size());
    Edge edge;
    edge.from = take_vertex(cursor, fields[from], rows.names);
    edge.to = take_vertex(cursor, fields[to], rows.names);
    if (layout.weight >= 0) {
      edge.weight = take_weight(cursor, fields[static_cast<std::size_t>(layout.weight)]);
    }
    rows.edges.push_back(edge);
  }
  return rows;
}

}  // namespace apsp::io
