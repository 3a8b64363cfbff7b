#include "io/vertex_lists.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/control.hpp"
#include "base/fail.hpp"
#include "base/units.hpp"
#include "io/held_bytes.hpp"
#include "io/npy_header.hpp"
#include "io/npy_values.hpp"
#include "io/number.hpp"
#include "io/source.hpp"
#include "io/table_rows.hpp"
#include "io/titles.hpp"

namespace apsp::io {
namespace {

template <class F>
auto of_file(HeldBytes held, const std::string& path, const ListReading& reading, const F& of) {
  return with_text(std::move(held), display_name(path), reading.control, of, reading.encoding);
}

struct PairColumns {
  std::size_t from = 0, to = 1, weight = 2, old = 3;
};

PairColumns titled_pair_columns(const TextCursor& cursor, const TableFields& first, bool weighted) {
  std::vector<std::string> titles = texts_of(first);
  try {
    if (!weighted) {
      const auto ends = find_end_titles(titles);
      return {ends->first, ends->second};
    }
    const auto old = std::ranges::find(titles, "old", lower_case) - titles.begin();
    titles.resize(static_cast<std::size_t>(old));
    const TableColumns chosen = choose_columns(titles);
    if (chosen.weight < 0) cursor.fail(first.front().at, "no column is the weight");
    return {static_cast<std::size_t>(chosen.from), static_cast<std::size_t>(chosen.to),
            static_cast<std::size_t>(chosen.weight), titles.size()};
  } catch (const Error& error) {
    if (!error.location().file.empty()) throw;
    cursor.fail(first.front().at, "{}", error.what());
  }
}

/// Returns make(from, to, cursor, fields, columns) for each row but titles. Fails with `too_few`
/// for a row with fewer columns.
template <class T, class Make>
std::vector<T> read_rows_of(HeldBytes held, const std::string& path, const Graph& graph,
                            const ListReading& reading, bool weighted, const char* too_few,
                            const Make& make) {
  return of_file(std::move(held), path, reading, [&](const Source& source) {
    TextCursor cursor(source);
    std::vector<T> list;
    PairColumns columns;
    const auto is_vertex = [&](const TableField& field) {
      return graph.find(field.text).has_value();
    };
    const auto titled = [&](const TableFields& first, const TableFields&) {
      const bool pair = first.size() > 1 && is_vertex(first[0]) && is_vertex(first[1]);
      if (pair || !has_end_titles(texts_of(first))) return false;
      columns = titled_pair_columns(cursor, first, weighted);
      return true;
    };
    const auto is_row = [&](const TableFields& fields) {
      return fields.size() < 2 || std::ranges::any_of(fields, is_vertex);
    };
    const auto take = [&](const TableFields& fields) {
      const std::size_t last = std::max({columns.from, columns.to, weighted ? columns.weight : 0});
      if (fields.size() <= last) cursor.fail(fields.front().at, "{}", too_few);
      const Vertex from = field_vertex(cursor, fields[columns.from], graph);
      const Vertex to = field_vertex(cursor, fields[columns.to], graph);
      list.push_back(make(from, to, cursor, fields, columns));
    };
    read_list(cursor, nullptr, reading.remarks, titled, is_row, take);
    return list;
  });
}

class VertexRows {
 public:
  VertexRows(const Source& source, const Graph& graph, const ListReading& reading)
      : cursor_(source),
        graph_(graph),
        reading_(reading),
        listed_(static_cast<std::size_t>(graph.vertex_count())) {}

  std::vector<Vertex> read() {
    read_list(
        cursor_, &graph_, reading_.remarks,
        [&](const TableFields& first, const TableFields&) { return take_titles(first); },
        [&](const TableFields& fields) { return graph_.find(fields[0].text).has_value(); },
        [&](const TableFields& fields) { take(fields); });
    if (vertices_.empty()) cursor_.fail_at_end("no vertex is listed");
    if (merged_ > 0 && reading_.remarks != nullptr) {
      reading_.remarks->push_back(
          fmt::format("{}: {} named a vertex that was listed before, such as '{}'; it counts once",
                      cursor_.source().name, base::counted(merged_, "row", "rows"),
                      graph_.name(first_merged_)));
    }
    return std::move(vertices_);
  }

 private:
  bool take_titles(const TableFields& first) {
    const std::vector<std::string> titles = texts_of(first);
    const auto titled = find_vertex_title(titles);
    if (graph_.find(titles[0]) || !(titled || is_vertex_title(titles[0]))) return false;
    column_ = titled.value_or(0);
    const auto name = find_title(titles, {"name"});
    if (reading_.names != nullptr && name != column_) name_column_ = name;
    return true;
  }

  void take(const TableFields& fields) {
    if (fields.size() <= std::max(column_, name_column_.value_or(0))) {
      cursor_.fail(fields.front().at, "{}, and the titles in the first row are more",
                   base::counted(std::ssize(fields), "column", "columns"));
    }
    const Vertex vertex = field_vertex(cursor_, fields[column_], graph_);
    if (listed_[vertex]) {
      if (merged_++ == 0) first_merged_ = vertex;
      return;
    }
    listed_[vertex] = true;
    vertices_.push_back(vertex);
    if (name_column_) reading_.names->emplace_back(fields[*name_column_].text);
  }

  TextCursor cursor_;
  const Graph& graph_;
  const ListReading& reading_;
  std::vector<bool> listed_;
  std::vector<Vertex> vertices_;
  std::size_t column_ = 0;
  std::optional<std::size_t> name_column_;
  std::int64_t merged_ = 0;
  Vertex first_merged_ = 0;
};

class QuantityRows {
 public:
  QuantityRows(const Source& source, const Graph& graph) : cursor_(source), graph_(graph) {}

  VertexQuantities read() {
    read_list(
        cursor_, nullptr, nullptr,
        [&](const TableFields& first, const TableFields&) { return take_titles(first); },
        [](const TableFields&) { return true; }, [&](const TableFields& fields) { take(fields); });
    if (!any_) cursor_.fail_at_end("no vertex is listed");
    return std::move(found_);
  }

 private:
  std::size_t vertices() const { return static_cast<std::size_t>(graph_.vertex_count()); }
  std::size_t column_of(std::size_t c) const { return c < vertex_column_ ? c : c + 1; }

  bool take_titles(const TableFields& first) {
    if (first.size() < 2) {
      cursor_.fail(first.front().at, "no quantity: a row is 'vertex,quantity'");
    }
    columns_ = first.size() - 1;
    const bool titled = !graph_.find(first[0].text) && !is_number_text(first[1].text);
    if (titled) vertex_column_ = find_vertex_title(texts_of(first)).value_or(0);
    for (std::size_t c = 0; c < columns_; ++c) {
      found_.titles.push_back(titled ? std::string(first[column_of(c)].text)
                                     : std::to_string(c + 1));
    }
    found_.values.resize(columns_ * vertices());
    return titled;
  }

  void take(const TableFields& fields) {
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

  TextCursor cursor_;
  const Graph& graph_;
  std::size_t columns_ = 0, vertex_column_ = 0;
  bool any_ = false;
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
  return of_file(hold_input(path, {}), path, reading,
                 [&](const Source& source) { return QuantityRows(source, graph).read(); });
}

namespace {

template <class T>
std::optional<Vertex> vertex_numbered(const Graph& graph, T number) {
  if (!graph.labels().empty()) return graph.find(fmt::format("{}", number));
  if constexpr (std::is_signed_v<T>) {
    if (number < 0) return std::nullopt;
  }
  const auto from_first = static_cast<std::uint64_t>(number) - graph.first_id();
  if (from_first >= static_cast<std::uint64_t>(graph.vertex_count())) return std::nullopt;
  return static_cast<Vertex>(from_first);
}

}  // namespace

std::vector<VertexPair> pairs_of_npy(std::span<const char> bytes, const std::string& file,
                                     const Graph& graph, const Control& control) {
  const NpyHeader header = parse_npy_header(bytes, file);
  if (header.shape.size() != 2 || header.shape[1] != 2) {
    base::fail_input(file, "an array of shape ({}) is no list of pairs, which has the shape (k, 2)",
                     fmt::join(header.shape, ", "));
  }
  const std::int64_t rows = header.shape[0], size = header.item_size;
  const std::uint64_t present = bytes.size() - header.data_offset;
  if (header.kind != 'i' && header.kind != 'u') {
    base::fail_input(file, "values of type {} name no vertices; integers do", type_name(header));
  }
  const auto pair = static_cast<std::uint64_t>(2 * size);
  if (static_cast<std::uint64_t>(rows) != present / pair || present % pair != 0) {
    base::fail_input(file, "{} bytes of values do not make {} pairs of {}-byte values", present,
                     rows, size);
  }
  const char* const values = bytes.data() + header.data_offset;
  const std::int64_t row_step = header.fortran_order ? size : 2 * size;
  const std::int64_t column_step = header.fortran_order ? rows * size : size;
  return with_npy_type(header, file, [&]<class T>(T) {
    constexpr std::int64_t kBetweenLooks = std::int64_t{1} << 20;
    std::vector<VertexPair> pairs;
    pairs.reserve(static_cast<std::size_t>(rows));
    const auto vertex = [&](std::int64_t row, std::int64_t column) {
      const T number = npy_value<T>(values + row * row_step + column * column_step, header.swapped);
      if constexpr (std::is_integral_v<T>) {
        if (const auto found = vertex_numbered(graph, number)) return *found;
        base::fail_input(file, "row {}: unknown vertex {} in a graph of {} vertices", row, number,
                         graph.vertex_count());
      }
      return Vertex{};
    };
    for (std::int64_t row = 0; row < rows; ++row) {
      if (row % kBetweenLooks == 0) base::check_cancelled(control);
      const Vertex from = vertex(row, 0);
      pairs.push_back({from, vertex(row, 1)});
    }
    return pairs;
  });
}

namespace {

/// The value of f4, f8 or an integer type with the bytes `bits`, in native order. Throws `Error`
/// (input) for an integer beyond 2^53. `i`: its position.
double npy_real(std::uint64_t bits, char kind, int size, const std::string& file, std::int64_t i) {
  if (kind == 'f' && size == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (kind == 'f') return std::bit_cast<double>(bits);
  const int unused = 64 - 8 * size;
  const auto value = static_cast<std::int64_t>(bits << unused) >> unused;
  const bool negative = kind == 'i' && value < 0;
  const std::uint64_t magnitude = negative ? 0 - static_cast<std::uint64_t>(value) : bits;
  if (magnitude > std::uint64_t{1} << 53) {
    base::fail_input(file, "weight {}: {}{} is no exact double", i, negative ? "-" : "", magnitude);
  }
  return negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
}

std::vector<double> weights_of_npy(std::span<const char> bytes, const std::string& file,
                                   const Control& control) {
  const NpyHeader header = parse_npy_header(bytes, file);
  if (header.shape.size() != 1) {
    base::fail_input(file, "an array of shape ({}) is no list of weights, which has the shape (m,)",
                     fmt::join(header.shape, ", "));
  }
  const std::int64_t count = header.shape[0], size = header.item_size;
  const char kind = header.kind;
  const bool real = kind == 'f' ? size == 4 || size == 8 : kind == 'i' || kind == 'u';
  if (!real || size > 8) {
    base::fail_input(file, "values of type {}{} are no weights; integers, f4 and f8 are", kind,
                     size);
  }
  const std::uint64_t present = bytes.size() - header.data_offset;
  if (present != static_cast<std::uint64_t>(count * size)) {
    base::fail_input(file, "{} bytes of values do not make {} values of {} bytes", present, count,
                     size);
  }
  std::vector<double> weights(static_cast<std::size_t>(count));
  const char* at = bytes.data() + header.data_offset;
  for (std::int64_t i = 0; i < count; ++i, at += size) {
    if (i % (1 << 20) == 0) base::check_cancelled(control);
    char item[8] = {};
    std::copy_n(at, size, item);
    if (header.swapped) std::reverse(item, item + size);
    double& weight = weights[static_cast<std::size_t>(i)];
    weight = npy_real(std::bit_cast<std::uint64_t>(item), kind, header.item_size, file, i);
    if (std::isnan(weight)) {
      base::fail_input(file, "weight {}: nan is no number; inf means no edge", i);
    }
  }
  return weights;
}

}  // namespace

std::vector<double> read_weight_list(const std::string& path, const ListReading& reading) {
  HeldBytes held = hold_input(path, {});
  if (has_npy_magic(held.bytes))
    return weights_of_npy(held.bytes, display_name(path), reading.control);
  const auto read = [](const Source& source) {
    TextCursor cursor(source);
    std::vector<double> weights;
    const auto titled = [](const TableFields& first, const TableFields& next) {
      return is_above_numbers(first, next) || (next.empty() && first[0].text == "weight");
    };
    const auto take = [&](const TableFields& fields) {
      if (fields.size() != 1) {
        cursor.fail(fields.front().at,
                    "{} columns: a list of weights has one weight on each row, in the order of the "
                    "graph",
                    fields.size());
      }
      weights.push_back(field_weight(cursor, fields[0]));
    };
    read_list(
        cursor, nullptr, nullptr, titled, [](const TableFields&) { return true; }, take);
    return weights;
  };
  return with_text(std::move(held), display_name(path), reading.control, read, reading.encoding);
}

}  // namespace apsp::io
