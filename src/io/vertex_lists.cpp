#include "io/vertex_lists.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/units.hpp"
#include "io/held_bytes.hpp"
#include "io/npy_header.hpp"
#include "io/number.hpp"
#include "io/source.hpp"
#include "io/table_rows.hpp"
#include "io/titles.hpp"

namespace apsp::io {
namespace {

/// Adds a remark that a first row is taken as titles.
void remark_on_titles(Remarks* remarks, const TextCursor& cursor, const TableFields& fields) {
  if (remarks == nullptr) return;
  remarks->push_back(fmt::format("{}: the first row is taken as titles: {}", cursor.source().name,
                                 listed(texts_of(fields))));
}

/// A list of vertices while it is read.
class VertexRows {
 public:
  VertexRows(const Source& source, const Graph& graph, const ListReading& reading)
      : cursor_(source),
        graph_(graph),
        remarks_(reading.remarks),
        names_(reading.names),
        listed_(static_cast<std::size_t>(graph.vertex_count())) {}

  std::vector<Vertex> read() {
    if (find_row(cursor_)) separator_ = list_separator(cursor_);
    for (bool first = true; find_row(cursor_); first = false) {
      cursor_.peek();  // the row begins behind its blanks
      const std::string_view line = without_blanks(TextCursor(cursor_).take_line());
      if (const auto whole = name_column_ ? std::nullopt : graph_.find(line)) {
        take(*whole);
        cursor_.skip_line();
      } else {
        take_fields(first);
      }
    }
    if (vertices_.empty()) cursor_.fail_at_end("no vertex is listed");
    remark_on_merged();
    return std::move(vertices_);
  }

 private:
  void take(Vertex vertex, std::string_view name = {}) {
    if (listed_[vertex]) {
      if (merged_++ == 0) first_merged_ = vertex;
      return;
    }
    listed_[vertex] = true;
    vertices_.push_back(vertex);
    if (name_column_) names_->emplace_back(name);
  }

  void take_fields(bool first) {
    RowSplitter splitter(separator_);  // keeps the fields' texts
    const TableFields& fields = splitter.split(cursor_);
    const auto titled = first ? find_vertex_title(texts_of(fields)) : std::nullopt;
    const bool usual = titled || is_vertex_title(fields[0].text);
    if (first && !graph_.find(fields[0].text) && (usual || is_above_vertex())) {
      column_ = titled.value_or(0);
      const auto name = find_title(texts_of(fields), {"name"});
      if (names_ != nullptr && name != column_) name_column_ = name;
      if (!usual) remark_on_titles(remarks_, cursor_, fields);
      return;
    }
    if (fields.size() <= std::max(column_, name_column_.value_or(0))) {
      cursor_.fail(fields.front().at, "{} columns, and the first row has titles of more",
                   fields.size());
    }
    take(field_vertex(cursor_, fields[column_], graph_),
         name_column_ ? fields[*name_column_].text : std::string_view());
  }

  /// Whether the row at the cursor begins with a vertex.
  bool is_above_vertex() const {
    TextCursor ahead = cursor_;
    if (!find_row(ahead)) return false;
    if (graph_.find(without_blanks(TextCursor(ahead).take_line()))) return true;
    RowSplitter splitter(separator_);
    return graph_.find(splitter.split(ahead).front().text).has_value();
  }

  void remark_on_merged() const {
    if (merged_ == 0 || remarks_ == nullptr) return;
    remarks_->push_back(fmt::format(
        "{}: {} named a vertex that was listed before, such as '{}'; it counts once",
        cursor_.source().name, base::counted(merged_, "row", "rows"), graph_.name(first_merged_)));
  }

  TextCursor cursor_;
  const Graph& graph_;
  Remarks* remarks_;
  std::vector<std::string>* names_;
  std::optional<std::size_t> name_column_;
  std::vector<bool> listed_;  // [n]
  std::vector<Vertex> vertices_;
  Separator separator_ = Separator::blank;
  std::size_t column_ = 0;
  std::int64_t merged_ = 0;
  Vertex first_merged_ = 0;
};

/// of(source) of a file's text.
template <class F>
auto of_file(HeldBytes held, const std::string& path, const ListReading& reading, const F& of) {
  return with_text(std::move(held), display_name(path), reading.control, of, reading.encoding);
}

/// The columns of a list of pairs, perhaps with weights.
struct PairColumns {
  std::size_t from = 0, to = 1, weight = 2, old = 3;
  bool titled = false;
  bool usual = false;  ///< the titles are usual ones
};

/// What the first row says of the columns: their titles, if it is no pair.
PairColumns pair_columns(const TextCursor& cursor, const TableFields& first,
                         const TableFields& next, const Graph& graph, bool weighted) {
  const auto is_pair = [&](const TableFields& fields) {
    return fields.size() > 1 && graph.find(fields[0].text) && graph.find(fields[1].text);
  };
  const auto none_is_vertex = [&] {
    return std::ranges::none_of(
        first, [&](const TableField& field) { return graph.find(field.text).has_value(); });
  };
  const std::vector<std::string> titles = texts_of(first);
  const bool known = has_end_titles(titles);
  PairColumns columns;
  if (is_pair(first) || !(known || (none_is_vertex() && is_pair(next)))) return columns;
  columns.titled = true;
  if (!known) return columns;
  try {
    if (weighted) {
      const auto old = std::ranges::find(titles, "old", lower_case);
      std::vector<std::string> others = titles;
      others.erase(others.begin() + (old - titles.begin()), others.end());
      const TableColumns chosen = choose_columns(others);
      if (chosen.weight < 0) cursor.fail(first.front().at, "no column is the weight");
      return {static_cast<std::size_t>(chosen.from),
              static_cast<std::size_t>(chosen.to),
              static_cast<std::size_t>(chosen.weight),
              static_cast<std::size_t>(old - titles.begin()),
              true,
              true};
    }
    const auto ends = find_end_titles(titles);
    return {ends->first, ends->second, 0, 0, true, true};
  } catch (const Error& error) {
    if (!error.location().file.empty()) throw;
    cursor.fail(first.front().at, "{}", error.what());
  }
}

/// A T of each row but titles: make(from, to, cursor, fields, columns). Fails with `too_few` on a
/// row of fewer columns.
template <class T, class Make>
std::vector<T> read_rows_of(HeldBytes held, const std::string& path, const Graph& graph,
                            const ListReading& reading, bool weighted, const char* too_few,
                            const Make& make) {
  return of_file(std::move(held), path, reading, [&](const Source& source) {
    TextCursor cursor(source);
    std::vector<T> list;
    PairColumns columns;
    for_each_row(cursor, [&](const TableFields& fields, const TableFields* next) {
      if (next != nullptr && fields.size() > 1) {
        columns = pair_columns(cursor, fields, *next, graph, weighted);
        if (columns.titled && !columns.usual) remark_on_titles(reading.remarks, cursor, fields);
        if (columns.titled) return;
      }
      const std::size_t last = std::max({columns.from, columns.to, weighted ? columns.weight : 0});
      if (fields.size() <= last) cursor.fail(fields.front().at, "{}", too_few);
      const Vertex from = field_vertex(cursor, fields[columns.from], graph);
      const Vertex to = field_vertex(cursor, fields[columns.to], graph);
      list.push_back(make(from, to, cursor, fields, columns));
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
    const Vertex vertex = field_vertex(cursor_, fields[vertex_column_], graph_);
    for (std::size_t c = 0; c < columns_; ++c) {
      const TableField& field = fields[column_of(c)];
      double& sum = found_.values[c * vertices() + vertex];
      sum += field_number(cursor_, field);
      if (!std::isfinite(sum)) {
        cursor_.fail(field.at, "what the rows of '{}' add up to is too large", graph_.name(vertex));
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
  /// The column of the c-th quantity.
  std::size_t column_of(std::size_t c) const { return c < vertex_column_ ? c : c + 1; }

  void begin(const TableFields& fields) {
    if (fields.size() < 2) {
      cursor_.fail(fields.front().at, "no quantity: a row is 'vertex,quantity'");
    }
    columns_ = fields.size() - 1;
    has_titles_ = !graph_.find(fields[0].text) && !is_number(fields[1].text);
    if (has_titles_) vertex_column_ = find_vertex_title(texts_of(fields)).value_or(0);
    for (std::size_t c = 0; c < columns_; ++c) {
      found_.titles.push_back(has_titles_ ? std::string(fields[column_of(c)].text)
                                          : std::to_string(c + 1));
    }
    found_.values.resize(columns_ * vertices());
  }

  const TextCursor& cursor_;
  const Graph& graph_;
  std::size_t columns_ = 0, vertex_column_ = 0;
  bool has_titles_ = false, any_ = false;
  VertexQuantities found_;
};

}  // namespace

std::vector<Vertex> read_vertices(const std::string& path, const Graph& graph,
                                  const ListReading& reading) {
  return of_file(hold_input(path, {}), path, reading,
                 [&](const Source& source) { return VertexRows(source, graph, reading).read(); });
}

std::vector<VertexPair> read_pairs(const std::string& path, const Graph& graph,
                                   const ListReading& reading) {
  HeldBytes held = hold_input(path, {});
  if (has_npy_magic(held.bytes)) {
    return pairs_of_npy(held.bytes, display_name(path), graph, reading.control);
  }
  return read_rows_of<VertexPair>(std::move(held), path, graph, reading, false,
                                  "one column: a pair is 'from to', or 'from,to'",
                                  [](Vertex from, Vertex to, auto&, auto&, auto&) {
                                    return VertexPair{from, to};
                                  });
}

std::vector<WeightChange> read_changes(const std::string& path, const Graph& graph,
                                       const ListReading& reading) {
  return read_rows_of<WeightChange>(
      hold_input(path, {}), path, graph, reading, true,
      "no weight: a row is 'from to weight', or 'from,to,weight'",
      [](Vertex from, Vertex to, const TextCursor& cursor, const TableFields& fields,
         const PairColumns& columns) {
        WeightChange change{from, to, field_weight(cursor, fields[columns.weight])};
        if (columns.old < fields.size() && !fields[columns.old].text.empty()) {
          change.old = field_number(cursor, fields[columns.old]);
        }
        return change;
      });
}

VertexQuantities read_quantities(const std::string& path, const Graph& graph,
                                 const ListReading& reading) {
  return of_file(hold_input(path, {}), path, reading, [&](const Source& source) {
    TextCursor cursor(source);
    QuantityRows rows(cursor, graph);
    for_each_row(cursor, [&](const TableFields& fields, const TableFields* next) {
      rows.take(fields, next != nullptr);
    });
    return std::move(rows).quantities();
  });
}

}  // namespace apsp::io
