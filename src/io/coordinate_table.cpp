// Where the vertices of a graph lie: a table of names and places, or a Matrix Market array in the
// vertices' own order.
#include <fmt/format.h>
#include <apsp/error.hpp>
#include <apsp/io.hpp>

#include <algorithm>
#include <array>
#include <optional>

#include "base/numbers.hpp"
#include "io/field_number.hpp"
#include "io/formats.hpp"
#include "io/lower_case.hpp"
#include "io/named_vertex.hpp"
#include "io/with_source.hpp"

namespace apsp::io {
namespace {

using Fields = std::vector<EdgeListField>;

/// Which columns, counted from 0, hold what.
struct CoordinateColumns {
  std::size_t name = 0, x = 1, y = 2;
  bool degrees = false;

  std::size_t width() const { return std::max({name, x, y}) + 1; }
};

template <std::size_t count>
std::optional<std::size_t> titled(const Fields& fields,
                                  const std::array<std::string_view, count>& titles) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string text = lower_case(fields[i].text);
    if (std::find(titles.begin(), titles.end(), text) != titles.end()) return i;
  }
  return std::nullopt;
}

/// What a first row says of the columns; empty: it is no row of titles.
std::optional<CoordinateColumns> titles_of(const Fields& fields) {
  constexpr std::array<std::string_view, 4> kLongitude = {"lon", "lng", "long", "longitude"};
  constexpr std::array<std::string_view, 3> kUpwards = {"y", "lat", "latitude"};
  CoordinateColumns columns;
  std::optional<std::size_t> x = titled(fields, kLongitude);
  columns.degrees = x.has_value();
  if (!x) x = titled(fields, std::array<std::string_view, 1>{"x"});
  const std::optional<std::size_t> y = titled(fields, kUpwards);
  if (!x || !y || fields.size() < 3) return std::nullopt;
  columns.x = *x;
  columns.y = *y;
  while (columns.name == *x || columns.name == *y) ++columns.name;
  return columns;
}

class CoordinateReader {
 public:
  CoordinateReader(const Source& source, const Graph& graph)
      : cursor_(source),
        graph_(graph),
        placed_(static_cast<std::size_t>(graph.vertex_count())),
        coordinates_{std::vector<double>(placed_.size()), std::vector<double>(placed_.size())} {}

  Coordinates read() {
    for (bool first = true; find_row(cursor_); first = false) take_row(first);
    require_all();
    return std::move(coordinates_);
  }

 private:
  void take_row(bool first) {
    if (first) {
      TextCursor ahead = cursor_;
      splitter_.emplace(separator_of(ahead.take_line()));
    }
    const Fields& fields = splitter_->split(cursor_);
    if (first) {
      if (const auto titles = titles_of(fields)) {
        columns_ = *titles;
        coordinates_.degrees = titles->degrees;
        return;
      }
    }
    if (fields.size() < columns_.width()) {
      cursor_.fail(fields.front().at,
                   fmt::format("{} of {} columns: a row is 'name x y', or 'name,x,y'",
                               fields.size(), columns_.width()));
    }
    const EdgeListField& field = fields[columns_.name];
    const Vertex v = named_vertex(cursor_, field.at, field.text, graph_);
    if (placed_[v]) {
      cursor_.fail(field.at, fmt::format("the vertex '{}' comes twice", graph_.name(v)));
    }
    placed_[v] = true;
    coordinates_.x[v] = field_number(cursor_, fields[columns_.x]);
    coordinates_.y[v] = field_number(cursor_, fields[columns_.y]);
  }

  void require_all() const {
    const auto missing = std::count(placed_.begin(), placed_.end(), false);
    if (missing == 0) return;
    const auto first = std::find(placed_.begin(), placed_.end(), false) - placed_.begin();
    cursor_.fail_at_end(fmt::format("there is no place for {} of {}, such as '{}'", missing,
                                    base::counted(std::ssize(placed_), "vertex", "vertices"),
                                    graph_.name(static_cast<Vertex>(first))));
  }

  TextCursor cursor_;
  const Graph& graph_;
  std::vector<bool> placed_;
  Coordinates coordinates_;
  CoordinateColumns columns_;
  std::optional<RowSplitter> splitter_;
};

Coordinates coordinates_of(const Source& source, const Graph& graph) {
  if (!has_matrix_market_banner({source.bytes.data(), source.bytes.size()})) {
    return CoordinateReader(source, graph).read();
  }
  CoordinateArray array = read_coordinates(source);
  require_one_each(array, graph, source.name);
  return {std::move(array.longitude), std::move(array.latitude), true};
}

Coordinates coordinates_held(HeldBytes held, const std::string& name, const Graph& graph,
                             const Control& control) {
  return with_text(std::move(held), name, control,
                   [&](const Source& source) { return coordinates_of(source, graph); });
}

}  // namespace
}  // namespace apsp::io

namespace apsp {

Coordinates read_coordinates(const std::string& path, const Graph& graph, const Control& control) {
  return io::coordinates_held(io::hold_input(path, {}), io::display_name(path), graph, control);
}

Coordinates parse_coordinates(std::span<const char> bytes, const std::string& name,
                              const Graph& graph, const Control& control) {
  return io::coordinates_held({bytes}, name, graph, control);
}

}  // namespace apsp
