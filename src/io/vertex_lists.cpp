#include "io/vertex_lists.hpp"

#include <cmath>
#include <utility>

#include "io/held_bytes.hpp"
#include "io/npy_header.hpp"
#include "io/number.hpp"
#include "io/source.hpp"
#include "io/table_rows.hpp"

namespace apsp::io {
namespace {

std::vector<Vertex> vertices_of(const Source& source, const Graph& graph) {
  TextCursor cursor(source);
  std::vector<Vertex> vertices;
  std::vector<bool> listed(static_cast<std::size_t>(graph.vertex_count()));
  const auto take = [&](const char* at, Vertex vertex) {
    if (listed[vertex]) cursor.fail(at, "the vertex '{}' comes twice", graph.name(vertex));
    listed[vertex] = true;
    vertices.push_back(vertex);
  };
  for (bool first = true; find_row(cursor); first = false) {
    const std::string_view line = without_blanks(TextCursor(cursor).take_line());
    if (const auto whole = graph.find(line)) {
      take(cursor.at(), *whole);
      cursor.skip_line();
    } else {
      RowSplitter splitter(separator_of(line));  // keeps the field's text
      const TableField field = splitter.split(cursor).front();
      const bool title = first && is_column_title(field.text) && !graph.find(field.text);
      if (!title) take(field.at, field_vertex(cursor, field, graph));
    }
  }
  if (vertices.empty()) cursor.fail_at_end("no vertex is listed");
  return vertices;
}

/// of(source) of a file's text.
template <class F>
auto of_text(HeldBytes held, const std::string& path, const Control& control, const F& of) {
  return with_text(std::move(held), display_name(path), control, of);
}
template <class F>
auto of_file(const std::string& path, const Control& control, const F& of) {
  return of_text(hold_input(path, {}), path, control, of);
}

/// A T of each row but titles: make(from, to, cursor, fields). Fails with `too_few` on a row of
/// fewer columns.
template <class T, class Make>
std::vector<T> read_rows_of(HeldBytes held, const std::string& path, const Graph& graph,
                            const Control& control, std::size_t columns, const char* too_few,
                            const Make& make) {
  return of_text(std::move(held), path, control, [&](const Source& source) {
    TextCursor cursor(source);
    std::vector<T> list;
    for_each_row(cursor, [&](const TableFields& fields, bool first) {
      if (fields.size() < columns) cursor.fail(fields.front().at, "{}", too_few);
      const auto is_vertex = [&](std::size_t i) { return graph.find(fields[i].text).has_value(); };
      if (first && is_column_title(fields[0].text) && is_column_title(fields[1].text) &&
          !(is_vertex(0) && is_vertex(1))) {
        return;
      }
      const Vertex from = field_vertex(cursor, fields[0], graph);
      list.push_back(make(from, field_vertex(cursor, fields[1], graph), cursor, fields));
    });
    return list;
  });
}

bool is_number(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  double value = 0;
  return read_number(at, end, value) == NumberFault::none && at == end;
}

/// The numbers behind the vertices, row by row.
class QuantityRows {
 public:
  QuantityRows(const TextCursor& cursor, const Graph& graph) : cursor_(cursor), graph_(graph) {}

  void take(const TableFields& fields, bool first) {
    if (first) begin(fields);
    if (first && has_titles_) return;
    if (fields.size() != columns_ + 1) {
      cursor_.fail(fields.front().at, "{} columns, where the first row has {}", fields.size(),
                   columns_ + 1);
    }
    const Vertex vertex = field_vertex(cursor_, fields[0], graph_);
    for (std::size_t c = 0; c < columns_; ++c) {
      double& sum = found_.values[c * vertices() + vertex];
      sum += field_number(cursor_, fields[c + 1]);
      if (!std::isfinite(sum)) {
        cursor_.fail(fields[c + 1].at, "what the rows of '{}' add up to is too large",
                     graph_.name(vertex));
      }
    }
    any_ = true;
  }
  VertexQuantities quantities() && {
    if (!any_) cursor_.fail_at_end("no vertex is listed");
    return std::move(found_);
  }

 private:
  std::size_t vertices() const { return static_cast<std::size_t>(graph_.vertex_count()); }

  void begin(const TableFields& fields) {
    if (fields.size() < 2) {
      cursor_.fail(fields.front().at, "no quantity: a row is 'vertex,quantity'");
    }
    columns_ = fields.size() - 1;
    has_titles_ = !graph_.find(fields[0].text) && !is_number(fields[1].text);
    for (std::size_t c = 1; c <= columns_; ++c) {
      found_.titles.push_back(has_titles_ ? std::string(fields[c].text) : std::to_string(c));
    }
    found_.values.resize(columns_ * vertices());
  }

  const TextCursor& cursor_;
  const Graph& graph_;
  std::size_t columns_ = 0;
  bool has_titles_ = false, any_ = false;
  VertexQuantities found_;
};

}  // namespace

std::vector<Vertex> read_vertices(const std::string& path, const Graph& graph,
                                  const Control& control) {
  return of_file(path, control, [&](const Source& source) { return vertices_of(source, graph); });
}

std::vector<VertexPair> read_pairs(const std::string& path, const Graph& graph,
                                   const Control& control) {
  HeldBytes held = hold_input(path, {});
  if (has_npy_magic(held.bytes)) {
    return pairs_of_npy(held.bytes, display_name(path), graph, control);
  }
  return read_rows_of<VertexPair>(std::move(held), path, graph, control, 2,
                                  "one column: a pair is 'from to', or 'from,to'",
                                  [](Vertex from, Vertex to, auto&, auto&) {
                                    return VertexPair{from, to};
                                  });
}

std::vector<WeightChange> read_changes(const std::string& path, const Graph& graph,
                                       const Control& control) {
  return read_rows_of<WeightChange>(
      hold_input(path, {}), path, graph, control, 3,
      "no weight: a row is 'from to weight', or 'from,to,weight'",
      [](Vertex from, Vertex to, const TextCursor& cursor, const TableFields& fields) {
        WeightChange change{from, to, field_weight(cursor, fields[2])};
        if (fields.size() > 3 && !fields[3].text.empty()) {
          change.old = field_number(cursor, fields[3]);
        }
        return change;
      });
}

VertexQuantities read_quantities(const std::string& path, const Graph& graph,
                                 const Control& control) {
  return of_file(path, control, [&](const Source& source) {
    TextCursor cursor(source);
    QuantityRows rows(cursor, graph);
    for_each_row(cursor, [&](const TableFields& fields, bool first) { rows.take(fields, first); });
    return std::move(rows).quantities();
  });
}

}  // namespace apsp::io
