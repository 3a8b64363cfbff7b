#include "io/vertex_lists.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/control.hpp"
#include "base/fail.hpp"
#include "base/units.hpp"
#include "graph/vertex_states.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"
#include "io/osm_streets.hpp"

namespace apsp::io {
namespace {

struct PairColumns {
  std::size_t from = 0, to = 1, weight = 2, old = 3;
};

PairColumns titled_pair_columns(const TextCursor& cursor, const TableFields& first, bool weighted) {
  std::vector<std::string> titles = texts_of(first);
  return located(cursor, first.front().at, [&]() -> PairColumns {
    if (!weighted) {
      const auto ends = find_end_titles(titles);
      return {ends->first, ends->second};
    }
    const auto old = std::ranges::find(titles, "old", lower_case);
    if (old != titles.end()) old->clear();  // no weight
    const TableColumns chosen = choose_columns(titles);
    if (chosen.weight < 0) cursor.fail(first.front().at, "no column is the weight");
    return {static_cast<std::size_t>(chosen.from), static_cast<std::size_t>(chosen.to),
            static_cast<std::size_t>(chosen.weight),
            static_cast<std::size_t>(old - titles.begin())};
  });
}

/// Returns make(from, to, cursor, fields, columns) for each row but titles. Fails with `too_few`
/// for a row with fewer columns.
template <class T, class Make>
std::vector<T> read_rows_of(HeldBytes held, const std::string& path, const Graph& graph,
                            const ListReading& reading, bool weighted, const char* too_few,
                            const Make& make) {
  return of_text(std::move(held), path, reading, [&](TextCursor& cursor) {
    std::vector<T> list;
    PairColumns columns;
    bool ends_titled = false, has_more = false;
    const auto is_vertex = [&](const TableField& field) {
      return graph.find(field.text).has_value();
    };
    const auto titled = [&](const TableFields& first, const TableFields&) {
      const bool pair = first.size() > 1 && is_vertex(first[0]) && is_vertex(first[1]);
      if (pair || !has_end_titles(texts_of(first))) return false;
      columns = titled_pair_columns(cursor, first, weighted);
      return ends_titled = true;
    };
    const auto is_row = [&](const TableFields& fields) {
      return fields.size() < 2 || std::ranges::any_of(fields, is_vertex);
    };
    const auto take = [&](const TableFields& fields) {
      const std::size_t last = std::max({columns.from, columns.to, weighted ? columns.weight : 0});
      if (fields.size() <= last) cursor.fail(fields.front().at, "{}", too_few);
      has_more = has_more || (!weighted && !ends_titled && fields.size() > last + 1);
      const Vertex from = field_vertex(cursor, fields[columns.from], graph);
      const Vertex to = field_vertex(cursor, fields[columns.to], graph);
      list.push_back(make(from, to, cursor, fields, columns));
    };
    read_list(cursor, &graph, titled, take, is_row, reading.remarks);
    if (has_more) {
      add_remark(reading.remarks, cursor,
                 "pairs are the first two columns; titles (from,to) choose others");
    }
    return list;
  });
}

}  // namespace

std::vector<Vertex> read_vertices(const std::string& path, const Graph& graph,
                                  const ListReading& reading) {
  return of_text(hold_input(path, {}), path, reading, [&](TextCursor& cursor) {
    std::vector<Vertex> vertices, repeated;
    std::vector<bool> listed(static_cast<std::size_t>(graph.vertex_count()));
    std::size_t column = 0;
    std::optional<std::size_t> name_column;
    bool has_titles = false, by_title = false, has_more = false;
    const auto titled = [&](const TableFields& first, const TableFields&) {
      const std::vector<std::string> titles = texts_of(first);
      const auto usual = find_vertex_title(titles);
      if (graph.find(titles[0]) || !(usual || is_vertex_title(titles[0]))) return false;
      has_titles = true;
      by_title = usual.has_value();
      column = usual.value_or(0);
      const auto name = find_title(titles, {"name"});
      if (reading.names != nullptr && name != column) name_column = name;
      return true;
    };
    const auto take = [&](const TableFields& fields) {
      if (fields.size() <= std::max(column, name_column.value_or(0))) {
        cursor.fail(fields.front().at, "{}, and the titles in the first row are more",
                    base::counted(std::ssize(fields), "column", "columns"));
      }
      const Vertex vertex = field_vertex(cursor, fields[column], graph);
      if (!has_titles && fields.size() > 1 && graph.find(fields[1].text)) {
        cursor.fail(fields[1].at,
                    "'{}' is a second vertex on its row, or another value of the first: a list has "
                    "one vertex on each row, and further columns have titles (vertex,…)",
                    fields[1].text);
      }
      has_more = has_more || fields.size() > 1;
      (listed[vertex] ? repeated : vertices).push_back(vertex);
      if (name_column && !listed[vertex]) reading.names->emplace_back(fields[*name_column].text);
      listed[vertex] = true;
    };
    const auto is_row = [&](const TableFields& fields) {
      const bool names_vertex = graph.find(fields[0].text).has_value();
      has_titles = has_titles || !names_vertex;
      return names_vertex;
    };
    read_list(cursor, &graph, titled, take, is_row, reading.remarks, true);
    if (vertices.empty()) cursor.fail_at_end("no vertex is listed");
    if (has_more && !by_title) {
      add_remark(reading.remarks, cursor,
                 "vertices are the first column; titles (vertex,…) choose others");
    }
    if (!repeated.empty()) {
      add_remark(reading.remarks, cursor,
                 "{} named a vertex that was listed before, such as '{}'; it counts once",
                 base::counted(std::ssize(repeated), "row", "rows"), graph.name(repeated.front()));
    }
    return vertices;
  });
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

namespace {

/// The columns of a vertex, of two ends, or of from, via and to: those with usual titles, else the
/// first ones, with a remark if the row is titles.
std::vector<std::size_t> end_columns(const TextCursor& cursor, const TableFields& first,
                                     std::size_t ends, bool titled, Remarks* remarks) {
  std::vector<std::size_t> columns(ends);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  if (!titled) return columns;
  const std::vector<std::string> titles = texts_of(first);
  const auto middle = ends == 1 ? find_vertex_title(titles)
                                : find_title(titles, {"via", "vianode", "node", "vertex"});
  const auto pair = located(cursor, first.front().at,
                            [&] { return ends == 1 ? std::nullopt : find_end_titles(titles); });
  if (ends == 1 && middle) return {*middle};
  if (ends == 2 && pair) return {pair->first, pair->second};
  if (pair && middle) return {pair->first, *middle, pair->second};
  if (pair) cursor.fail(first.front().at, "no column is titled via: a turn is from, via, to, cost");
  add_remark(remarks, cursor, "{} the first columns; usual titles choose others",
             ends == 1   ? "vertices are"
             : ends == 2 ? "from and to are"
                         : "from, via and to are");
  return columns;
}

/// Reads rows that name vertices and hold numbers. Calls take(cursor, vertices, column, field) for
/// each number, and returns the titles of these columns.
template <class Take>
std::vector<std::string> read_number_rows(const std::string& path, const Graph& graph, int count,
                                          const ListReading& reading, const Take& take) {
  return of_text(hold_input(path, {}), path, reading, [&](TextCursor& cursor) {
    const auto ends = static_cast<std::size_t>(count);
    std::vector<std::size_t> vertices, numbers;
    std::vector<std::string> titles;
    std::size_t width = 0;
    bool any = false, marked = false, all_may_be_marked = true;  // by points between thousands
    const auto titled = [&](const TableFields& first, const TableFields&) {
      width = first.size();
      if (width <= ends) {
        cursor.fail(first.front().at, "{}, and a row has {} and at least one number",
                    base::counted(std::ssize(first), "column", "columns"),
                    base::counted(count, "vertex", "vertices"));
      }
      const bool named = std::all_of(first.begin(), first.begin() + count, [&](const auto& field) {
        return graph.find(field.text).has_value();
      });
      const bool has_titles =
          !named && (!is_number_text(first[ends].text) || is_vertex_title(first[0].text));
      vertices = end_columns(cursor, first, ends, has_titles, reading.remarks);
      for (std::size_t c = 0; c < width; ++c) {
        if (std::ranges::count(vertices, c) > 0) continue;
        const std::string remark = has_titles ? remark_if_unused(first[c].text, c + 1) : "";
        if (!remark.empty()) {
          add_remark(reading.remarks, cursor, "{}", remark);
          continue;
        }
        numbers.push_back(c);
        titles.push_back(has_titles ? std::string(first[c].text) : std::to_string(numbers.size()));
      }
      if (numbers.empty()) cursor.fail(first.front().at, "no column holds numbers to use");
      return has_titles;
    };
    std::vector<Vertex> row(ends);
    const auto take_row = [&](const TableFields& fields) {
      if (fields.size() != width) {
        cursor.fail(fields.front().at, "{} columns, where the first row has {}", fields.size(),
                    width);
      }
      for (std::size_t i = 0; i < ends; ++i)
        row[i] = field_vertex(cursor, fields[vertices[i]], graph);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const TableField& field = fields[numbers[i]];
        take(cursor, row, i, field);
        marked = marked || field.text.find('.') != field.text.npos;
        all_may_be_marked = all_may_be_marked && may_have_thousands(field.text);
      }
      any = true;
    };
    const Separator separator = read_list(cursor, &graph, titled, take_row);
    if (!any) cursor.fail_at_end("no vertex is listed");
    if (marked && all_may_be_marked && separator == Separator::semicolon) {
      add_remark(reading.remarks, cursor,
                 "points of numbers are taken as decimal, not as marks between thousands");
    }
    return titles;
  });
}

}  // namespace

VertexQuantities read_quantities(const std::string& path, const Graph& graph,
                                 const ListReading& reading) {
  VertexQuantities found;
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  found.listed.resize(n);
  const auto add = [&](const TextCursor& cursor, const std::vector<Vertex>& row, std::size_t column,
                       const TableField& field) {
    found.listed[row[0]] = 1;
    if (found.values.size() <= column * n) found.values.resize((column + 1) * n);
    double& sum = found.values[column * n + row[0]];
    sum += field_number(cursor, field);
    if (std::isfinite(sum)) return;
    cursor.fail(field.at, "what the rows of '{}' add up to is too large", graph.name(row[0]));
  };
  found.titles = read_number_rows(path, graph, 1, reading, add);
  return found;
}

bool has_arc(const Graph& graph, Vertex from, Vertex to) {
  bool any = false;
  graph.for_each_arc_between(from, to, [&](double) { any = true; });
  return any;
}

VertexRows read_vertex_rows(const std::string& path, const Graph& graph, int ends,
                            const ListReading& reading) {
  VertexRows found;
  const auto add = [&](const TextCursor& cursor, const std::vector<Vertex>& row, std::size_t column,
                       const TableField& field) {
    if (column == 0) found.vertices.insert(found.vertices.end(), row.begin(), row.end());
    const double value = field_weight(cursor, field);
    if (value < 0)
      cursor.fail(field.at, "{} is negative: costs of turns and volumes of trips are not", value);
    for (std::size_t i = 1; ends == 3 && i < row.size(); ++i) {
      if (has_arc(graph, row[i - 1], row[i])) continue;
      cursor.fail(field.at, "the turn is over {} → {}, and the graph has no such arc",
                  graph.name(row[i - 1]), graph.name(row[i]));
    }
    found.values.push_back(value);
  };
  found.titles = read_number_rows(path, graph, ends, reading, add);
  return found;
}

std::vector<Turn> read_turns(const std::string& path, const Graph& graph,
                             const ListReading& reading) {
  const VertexRows rows = read_vertex_rows(path, graph, 3, reading);
  if (rows.titles.size() != 1) {
    base::fail(ErrorKind::input,
               "{}: a turn has one cost, and the table has {} further columns: {}", path,
               rows.titles.size(), listed(rows.titles));
  }
  std::vector<Turn> turns;
  for (std::size_t i = 0; i < rows.values.size(); ++i) {
    const Vertex* const v = &rows.vertices[3 * i];
    turns.push_back({v[0], v[1], v[2], rows.values[i]});
  }
  return turns;
}

namespace {

constexpr std::int64_t kBetweenLooks = std::int64_t{1} << 20;  // at a cancellation

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

std::vector<double> weights_of_npy(const NpyArray& array, const Control& control) {
  const NpyHeader& header = array.header();
  if (header.shape.size() != 1) {
    base::fail_input(array.name(),
                     "an array of shape {} is no list of weights, which has the shape (m,)",
                     array.shape());
  }
  if (header.kind == 'b') base::fail_input(array.name(), "truth values are no weights");
  std::vector<double> weights(static_cast<std::size_t>(array.size()));
  for (std::int64_t i = 0; i < array.size(); ++i) {
    if (i % kBetweenLooks == 0) base::check_cancelled(control);
    weights[static_cast<std::size_t>(i)] = array.number(i);
  }
  return weights;
}

}  // namespace

std::vector<VertexPair> pairs_of_npy(std::span<const char> bytes, const std::string& file,
                                     const Graph& graph, const Control& control) {
  const NpyArray array({bytes}, file);
  const NpyHeader& header = array.header();
  if (header.shape.size() != 2 || header.shape[1] != 2) {
    base::fail_input(file, "an array of shape {} is no list of pairs, which has the shape (k, 2)",
                     array.shape());
  }
  if (header.kind != 'i' && header.kind != 'u') {
    base::fail_input(file, "values of type {} name no vertices; integers do", type_name(header));
  }
  const std::int64_t rows = header.shape[0];
  const auto vertex = [&](std::int64_t row, std::int64_t column) {
    const std::int64_t at = header.fortran_order ? column * rows + row : 2 * row + column;
    return array.with_value(at, [&]<class T>(T number) {
      if constexpr (std::is_integral_v<T>) {
        if (const auto found = vertex_numbered(graph, number)) return *found;
        base::fail_input(file, "row {}: unknown vertex {} in a graph of {} vertices", row, number,
                         graph.vertex_count());
      }
      return Vertex{};
    });
  };
  std::vector<VertexPair> pairs;
  pairs.reserve(static_cast<std::size_t>(rows));
  for (std::int64_t row = 0; row < rows; ++row) {
    if (row % kBetweenLooks == 0) base::check_cancelled(control);
    const Vertex from = vertex(row, 0);
    pairs.push_back({from, vertex(row, 1)});
  }
  return pairs;
}

std::vector<double> read_weight_list(const std::string& path, const ListReading& reading) {
  HeldBytes held = hold_input(path, {});
  if (has_npy_magic(held.bytes)) {
    return weights_of_npy({std::move(held), display_name(path)}, reading.control);
  }
  return of_text(std::move(held), path, reading, [](TextCursor& cursor) {
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
    read_list(cursor, nullptr, titled, take);
    return weights;
  });
}

namespace {

constexpr double kMeanEarthRadius = 6371008.8;  // metres: IUGG mean radius R1

double radians(double degrees) { return degrees * (std::numbers::pi / 180); }

}  // namespace

double great_circle_length(const Coordinates& at, Vertex u, Vertex v) {
  const double south = radians(at.y[u]), north = radians(at.y[v]);
  const double half_height = std::sin((north - south) / 2);
  const double half_width = std::sin(radians(at.x[v] - at.x[u]) / 2);
  const double haversine =
      half_height * half_height + std::cos(south) * std::cos(north) * half_width * half_width;
  return 2 * kMeanEarthRadius * std::asin(std::sqrt(std::min(1.0, haversine)));
}

namespace {

Coordinates read_one_each(const Source& source, std::int64_t vertices) {
  Coordinates places = read_coordinate_array(source);
  const std::int64_t rows = std::ssize(places.x);
  if (rows == vertices) return places;
  base::fail_input(source.name, "{} for {}", base::counted(rows, "coordinate", "coordinates"),
                   base::counted(vertices, "vertex", "vertices"));
}

struct CoordinateColumns {
  std::size_t name = 0, x = 1, y = 2;
  bool degrees = false;
  bool latitude_first = false;  // titled y, then x: OSMnx, also for projected lengths
  /// Name, x and y of the other end in a table of arcs, where vertices come often.
  std::optional<std::array<std::size_t, 3>> other_end = {};

  std::size_t width() const {
    const std::size_t most = other_end ? std::ranges::max(*other_end) : 0;
    return std::max({name, x, y, most}) + 1;
  }
};

std::optional<CoordinateColumns> titles_of(const TableFields& fields) {
  CoordinateColumns columns;
  const std::vector<std::string> titles = texts_of(fields);
  const auto from = find_place_titles(titles, "from"), to = find_place_titles(titles, "to");
  const auto ends = has_end_titles(titles) ? find_end_titles(titles) : std::nullopt;
  if (ends && from && to && from->degrees && to->degrees) {
    return CoordinateColumns{.name = ends->first,
                             .x = from->x,
                             .y = from->y,
                             .degrees = true,
                             .other_end = {{ends->second, to->x, to->y}}};
  }
  const auto place = find_place_titles(titles);
  if (!place || fields.size() < 3) return std::nullopt;
  columns.x = place->x;
  columns.y = place->y;
  columns.degrees = place->degrees;
  columns.latitude_first = !columns.degrees && columns.y < columns.x;
  while (columns.name == columns.x || columns.name == columns.y) ++columns.name;
  columns.name = find_vertex_title(titles).value_or(columns.name);
  return columns;
}

bool are_degrees(const Coordinates& places) {
  const auto within = [](const std::vector<double>& values, double most) {
    return std::ranges::all_of(values, [most](double value) { return std::abs(value) <= most; });
  };
  return within(places.x, 180) && within(places.y, 90);
}

void require_all_placed(const TextCursor& cursor, const Graph& graph,
                        const std::vector<bool>& placed) {
  const auto missing = std::ranges::count(placed, false);
  if (missing == 0) return;
  const auto first = std::ranges::find(placed, false) - placed.begin();
  cursor.fail_at_end("the place is missing for {} of {}, such as '{}'", missing,
                     base::counted(std::ssize(placed), "vertex", "vertices"),
                     graph.name(static_cast<Vertex>(first)));
}

/// Places of the first `vertices` of the graph.
Coordinates read_table(TextCursor& cursor, const Graph& graph, std::int64_t vertices,
                       Remarks* remarks) {
  CoordinateColumns columns;
  std::vector<bool> placed(static_cast<std::size_t>(vertices));
  Coordinates places{std::vector<double>(placed.size()), std::vector<double>(placed.size())};
  const auto titled = [&](const TableFields& first, const TableFields&) {
    const auto titles = titles_of(first);
    columns = titles.value_or(columns);
    places.degrees = columns.degrees;
    if (!titles && first.size() > 1 && !graph.find(first[0].text) &&
        std::ranges::none_of(first, is_number_like, &TableField::text)) {
      cursor.fail(first[0].at,
                  "no titles of places are among {}: name,lon,lat are, in degrees, and name,x,y",
                  listed(texts_of(first)));
    }
    if (!titles) {
      add_remark(remarks, cursor,
                 "columns 2 and 3 are x and y, or longitude and latitude; titles (vertex,lon,lat) "
                 "choose others");
    }
    return titles.has_value();
  };
  const auto take = [&](const TableFields& fields) {
    if (fields.size() < columns.width()) {
      cursor.fail(fields.front().at, "{} of {} columns: a row is 'name x y', or 'name,x,y'",
                  fields.size(), columns.width());
    }
    const auto place = [&](std::size_t name, std::size_t x, std::size_t y) {
      const TableField& field = fields[name];
      const Vertex v = field_vertex(cursor, field, graph);
      if (v >= placed.size()) cursor.fail(field.at, "'{}' is a state of turns", graph.name(v));
      if (placed[v] && !columns.other_end) {
        cursor.fail(field.at, "the vertex '{}' comes twice", graph.name(v));
      }
      placed[v] = true;
      places.x[v] = field_number(cursor, fields[x]);
      places.y[v] = field_number(cursor, fields[y]);
      if (columns.degrees) require_degrees(cursor, fields[x], places.x[v], places.y[v]);
    };
    place(columns.name, columns.x, columns.y);
    if (const auto& other = columns.other_end) place((*other)[0], (*other)[1], (*other)[2]);
  };
  read_list(cursor, &graph, titled, take);
  require_all_placed(cursor, graph, placed);
  if (columns.latitude_first) places.degrees = are_degrees(places);
  return places;
}

/// Turn states are where their vertices are.
Coordinates coordinates_of(HeldBytes held, const std::string& path, const Graph& graph,
                           const ListReading& reading) {
  const graph::VertexStates states(graph);
  const std::int64_t n = states.vertices();
  Coordinates places = of_text(std::move(held), path, reading, [&](TextCursor& cursor) {
    const Source& source = cursor.source();
    if (is_osm_extract(text_of(source))) return places_in_extract(source, graph, n);
    return has_matrix_market_banner(text_of(source))
               ? read_one_each(source, n)
               : read_table(cursor, graph, n, reading.remarks);
  });
  for (auto v = static_cast<Vertex>(n); v < graph.vertex_count(); ++v) {
    places.x.push_back(places.x[states.vertex_of(v)]);
    places.y.push_back(places.y[states.vertex_of(v)]);
  }
  return places;
}

}  // namespace

Coordinates read_places(const std::string& path, const Graph& graph, const ListReading& reading) {
  return coordinates_of(hold_input(path, {}), path, graph, reading);
}

Graph with_great_circle_weights(const Graph& graph, const Source& places) {
  const Coordinates coordinates = read_one_each(places, graph.vertex_count());
  std::vector<double> lengths;
  lengths.reserve(static_cast<std::size_t>(graph.edge_count()));
  for_each_edge(graph, [&](Vertex u, Vertex v, double) {
    lengths.push_back(great_circle_length(coordinates, u, v));
  });
  Graph weighted = with_weights(graph, lengths);
  for (const std::string& remark : graph.remarks()) weighted = weighted.with_remark(remark);
  return weighted;
}
}  // namespace apsp::io

namespace apsp {

Coordinates read_coordinates(const std::string& path, const Graph& graph, const Control& control) {
  return io::coordinates_of(io::hold_input(path, {}), path, graph, {.control = control});
}

Coordinates parse_coordinates(std::span<const char> bytes, const std::string& name,
                              const Graph& graph, const Control& control) {
  return io::coordinates_of({bytes}, name, graph, {.control = control});
}

}  // namespace apsp
