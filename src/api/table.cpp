// Tables of distances (apsp/table.hpp). A block of rows is written while the next is computed.
#include <fmt/format.h>

#include <algorithm>
#include <apsp/table.hpp>
#include <future>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "api/caller_rows.hpp"
#include "api/ordered_rows.hpp"
#include "api/result.hpp"
#include "api/solve.hpp"
#include "api/stored_result.hpp"
#include "base/control.hpp"
#include "base/refusal.hpp"
#include "base/units.hpp"
#include "graph/vertex_states.hpp"
#include "io/column_table.hpp"
#include "io/npy.hpp"
#include "near/places.hpp"
#include "paths/path_lengths.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan_line.hpp"
#include "planner/value_type.hpp"
#include "rates/measured_rates.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"
#include "system/threads.hpp"

namespace apsp {
namespace {

using Layout = TableOptions::Layout;
using api::OrderedRows;
using api::rows_of;

/// Bytes of the two blocks of rows.
constexpr std::int64_t kTableBytes = std::int64_t{256} << 20;

/// Vertices or points as rows or columns of a table.
class Side {
 public:
  Side(std::vector<Vertex> vertices) : vertices_(std::move(vertices)) {}
  /// `parts_of`: the ways from a place, or to it. `points` outlive this.
  template <class PartsOf>
  Side(const PlacedPoints& points, const PartsOf& parts_of) : points_(&points) {
    for (const Place& place : points.places) {
      parts_.push_back(parts_of(place));
      for (const near::PartOfArc& part : parts_.back()) vertices_.push_back(part.vertex);
    }
    std::ranges::sort(vertices_);
    vertices_.erase(std::unique(vertices_.begin(), vertices_.end()), vertices_.end());
  }

  bool has_points() const { return points_ != nullptr; }
  std::size_t size() const { return has_points() ? parts_.size() : vertices_.size(); }
  /// The vertices whose distances are needed, distinct; sorted if there are points.
  const std::vector<Vertex>& vertices() const { return vertices_; }
  const std::vector<near::PartOfArc>& parts(std::size_t i) const { return parts_[i]; }
  const Place& place(std::size_t i) const { return points_->places[i]; }
  std::string name(std::size_t i, const Graph& graph) const {
    return has_points() ? points_->points.names[i] : graph.name(vertices_[i]);
  }

  io::TableColumn column(const std::string& title) const {
    return {title, has_points() ? io::ColumnKind::text : io::ColumnKind::vertex};
  }
  io::ColumnValues names(std::size_t i, std::int64_t step = 1) const {
    if (has_points()) return io::Stepped<std::string>{&points_->points.names[i], step};
    return io::Stepped<Vertex>{&vertices_[i], step};
  }
  /// The columns that a table of pairs also has: the walk, and all that the points' table had.
  void add_columns(const std::string& end, std::vector<io::TableColumn>& columns) const {
    if (!has_points()) return;
    columns.push_back({end + "_walk", io::ColumnKind::real});
    for (const PointColumn& of : points_->points.columns) {
      columns.push_back({fmt::format("{}_{}", end, of.title),
                         of.texts.empty() ? io::ColumnKind::real : io::ColumnKind::text});
    }
  }
  void add_values(std::size_t i, std::int64_t step, std::vector<io::ColumnValues>& values) const {
    if (!has_points()) return;
    static_assert(sizeof(Place) % sizeof(double) == 0);
    constexpr auto kPlace = static_cast<std::int64_t>(sizeof(Place) / sizeof(double));
    values.push_back(io::Stepped<double>{&points_->places[i].walk, step * kPlace});
    for (const PointColumn& of : points_->points.columns) {
      if (of.texts.empty()) {
        values.push_back(io::Stepped<double>{&of.numbers[i], step});
      } else {
        values.push_back(io::Stepped<std::string>{&of.texts[i], step});
      }
    }
  }

 private:
  std::vector<Vertex> vertices_;
  std::vector<std::vector<near::PartOfArc>> parts_{};
  const PlacedPoints* points_ = nullptr;
};

struct Question {
  const Graph& graph;
  near::Streets streets;
  Side sources, targets;  // resolved: never "all"
  std::span<const Graph> second;
  std::string title;                // of the distances
  std::vector<std::string> titles;  // of the second weights
  std::string path;
  bool wide;
  Control control;

  std::int64_t planes() const { return 1 + std::ssize(second); }
};

/// Consecutive rows of a table.
struct Rows {
  std::size_t first = 0, count = 0;
  std::vector<double> distances{};  // [count, targets]
  std::vector<double> lengths{};    // [count, targets, second]
};

class TableFile {
 public:
  virtual ~TableFile() = default;
  virtual void put(const Rows& rows) = 0;
  virtual void commit() = 0;
};

/// One row per pair.
class TallFile final : public TableFile {
 public:
  TallFile(const Question& of, io::ColumnKind kind)
      : of_(of), file_(of.path, columns(of, kind), of.graph, of.control) {}

  void put(const Rows& rows) override {
    const std::size_t width = of_.targets.size(), second = of_.second.size();
    if (width == 0) return;
    for (std::size_t i = 0; i < rows.count; ++i) {
      const std::size_t at = i * width;
      std::vector<io::ColumnValues> values = {of_.sources.names(rows.first + i, 0),
                                              of_.targets.names(0),
                                              io::Stepped<double>{rows.distances.data() + at}};
      for (std::size_t k = 0; k < second; ++k) {
        values.push_back(io::Stepped<double>{rows.lengths.data() + at * second + k,
                                             static_cast<std::int64_t>(second)});
      }
      of_.sources.add_values(rows.first + i, 0, values);
      of_.targets.add_values(0, 1, values);
      file_.put(static_cast<std::int64_t>(width), values);
    }
  }
  void commit() override { file_.commit(); }

 private:
  static std::vector<io::TableColumn> columns(const Question& of, io::ColumnKind kind) {
    std::vector<io::TableColumn> columns = {
        of.sources.column("from"), of.targets.column("to"), {of.title, kind}};
    for (const std::string& title : of.titles) columns.push_back({title, io::ColumnKind::real});
    of.sources.add_columns("from", columns);
    of.targets.add_columns("to", columns);
    return columns;
  }

  const Question& of_;
  io::ColumnTable file_;
};

/// One row per source.
class WideFile final : public TableFile {
 public:
  WideFile(const Question& of, io::ColumnKind kind)
      : of_(of),
        width_(static_cast<std::int64_t>(of.targets.size())),
        file_(of.path, columns(of, kind), of.graph, of.control) {}

  void put(const Rows& rows) override {
    std::vector<io::ColumnValues> values = {of_.sources.names(rows.first)};
    for (std::int64_t i = 0; i < width_; ++i) {
      values.push_back(io::Stepped<double>{rows.distances.data() + i, width_});
    }
    file_.put(static_cast<std::int64_t>(rows.count), values);
  }
  void commit() override { file_.commit(); }

 private:
  static std::vector<io::TableColumn> columns(const Question& of, io::ColumnKind kind) {
    std::vector<io::TableColumn> columns = {of.sources.column(title_of_sources(of))};
    const graph::VertexStates states(of.graph);
    for (std::size_t i = 0; i < of.targets.size(); ++i) {
      columns.push_back({of.targets.has_points()
                             ? of.targets.name(i, of.graph)
                             : of.graph.name(states.vertex_of(of.targets.vertices()[i])),
                         kind});
    }
    return columns;
  }

  /// "from", with underscores appended until no target has this name.
  static std::string title_of_sources(const Question& of) {
    std::string title = "from";
    const auto is_taken = [&] {
      for (std::size_t i = 0; i < of.targets.size(); ++i) {
        if (of.targets.name(i, of.graph) == title) return true;
      }
      return false;
    };
    while (is_taken()) title += '_';
    return title;
  }

  const Question& of_;
  std::int64_t width_;
  io::ColumnTable file_;
};

class ArrayFile final : public TableFile {
 public:
  ArrayFile(const Question& of, bool narrow)
      : narrow_(narrow),
        second_(of.second.size()),
        file_(of.path, io::Compression::none, of.control) {
    const std::string planes = second_ > 0 ? fmt::format(", {}", of.planes()) : "";
    file_.put(io::format_npy_header(
        narrow ? "<f4" : "<f8",
        fmt::format("({}, {}{})", of.sources.size(), of.targets.size(), planes)));
  }

  void put(const Rows& rows) override { narrow_ ? put_as<float>(rows) : put_as<double>(rows); }
  void commit() override { file_.commit(); }

 private:
  template <class T>
  void put_as(const Rows& rows) {
    constexpr std::size_t kAtOnce = 4096;
    std::vector<T> values;
    for (std::size_t first = 0; first < rows.distances.size(); first += kAtOnce) {
      values.clear();
      for (std::size_t i = first; i < std::min(first + kAtOnce, rows.distances.size()); ++i) {
        values.push_back(static_cast<T>(rows.distances[i]));
        for (std::size_t k = 0; k < second_; ++k) {
          values.push_back(static_cast<T>(rows.lengths[i * second_ + k]));
        }
      }
      file_.put(std::string_view(reinterpret_cast<const char*>(values.data()),
                                 values.size() * sizeof(T)));
    }
  }

  bool narrow_;
  std::size_t second_;
  io::OutputFile file_;
};

bool is_array(const std::string& path) { return path.ends_with(".npy"); }

/// Whether f4 holds every distance exactly.
bool fits_f4(const Graph& graph, Semiring semiring, ValueType type, const Control& control) {
  constexpr double kExact = 1 << 24;
  if (type == ValueType::f64) return false;
  if (type != ValueType::i32) return true;
  return planner::choose_value_type(graph, semiring, {}, system::thread_count(0), control)
             .distance_bound < kExact;
}

std::unique_ptr<TableFile> open_file(const Question& of, Semiring semiring, ValueType type) {
  if (is_array(of.path)) {
    // Second weights and parts of arcs may need f8.
    const bool points = of.sources.has_points() || of.targets.has_points();
    const bool narrow =
        of.second.empty() && !points && fits_f4(of.graph, semiring, type, of.control);
    return std::make_unique<ArrayFile>(of, narrow);
  }
  const io::ColumnKind kind =
      type == ValueType::f32 ? io::ColumnKind::real32 : io::ColumnKind::real;
  if (of.wide) return std::make_unique<WideFile>(of, kind);
  return std::make_unique<TallFile>(of, kind);
}

/// Whether two graphs have the same vertex names and numbers.
bool agree(const Graph& one, const Graph& other) {
  return one.vertex_count() == other.vertex_count() &&
         std::ranges::equal(one.labels(), other.labels()) &&
         (!one.labels().empty() || one.first_id() == other.first_id());
}

template <class PartsOf>
Side side(const Graph& graph, const std::vector<Vertex>& listed,
          const std::optional<PlacedPoints>& points, const char* what, const PartsOf& parts_of) {
  const store::VertexList vertices(listed);
  store::require_distinct(vertices, graph.vertex_count(), what);
  if (!points) return {vertices.of(graph.vertex_count())};
  refuse_if(!listed.empty(), "{} are vertices or points, not both", what);
  refuse_if(points->places.empty() || points->points.names.size() != points->places.size(),
            "{}: {} with {}", what, base::counted(std::ssize(points->places), "place", "places"),
            base::counted(std::ssize(points->points.names), "name", "names"));
  return {*points, parts_of};
}

std::vector<std::string> second_titles(const TableOptions& options) {
  std::vector<std::string> titles = options.second_titles;
  for (std::size_t k = titles.size(); k < options.second.size(); ++k) {
    titles.push_back(k == 0 ? "second" : fmt::format("second_{}", k + 1));
  }
  return titles;
}

Question question(const Graph& graph, const std::string& path, const TableOptions& options,
                  const Control& control) {
  const bool array = is_array(path), wide = array || options.layout == Layout::wide;
  refuse_if(!array && path != "-" && !io::names_column_table(path),
            "{} is not a table: name a .csv, .csv.gz, .csv.zst, .parquet or .npy", path);
  refuse_if(array && options.layout == Layout::tall,
            "an .npy is wide: name a .csv or a .parquet for a long table");
  refuse_if(!options.second.empty() && wide && !array,
            "a wide table has no place for second lengths: take a long one, or an .npy");
  for (const Graph& second : options.second) {
    refuse_if(!agree(graph, second),
              "the second weights are not of the same vertices: both files must name the same "
              "ones, in the same order");
  }
  near::Streets streets(graph);
  Side sources = side(graph, options.sources, options.source_points, "sources",
                      [&](const Place& place) { return streets.exits_of(place); });
  Side targets = side(graph, options.targets, options.target_points, "targets",
                      [&](const Place& place) { return streets.entries_of(place); });
  return {graph,
          std::move(streets),
          std::move(sources),
          std::move(targets),
          options.second,
          with_unit("distance", Unit{options.unit}),
          second_titles(options),
          path,
          wide,
          control};
}

/// The columns that rows must have.
store::VertexList columns_for(const Question& of, const TableOptions& options) {
  if (!of.second.empty()) return {};
  if (options.target_points) return {of.targets.vertices()};
  return {options.targets};
}

/// Throws `Error` (usage) for places on streets with a semiring other than that of sums.
void require_sums(const Question& of, Semiring semiring) {
  refuse_if((of.sources.has_points() || of.targets.has_points()) && semiring != Semiring::min_plus,
            "points are for shortest paths: leave out the semiring, or name vertices");
}

/// The rows and columns of points from those of the vertices at the ends of their streets.
class PointRows {
 public:
  PointRows(const Question& of, const paths::PathLengths* second) : of_(of), second_(second) {}

  /// `vertices`: sorted, with their rows in `raw`.
  void combine(std::span<const Vertex> vertices, const Rows& raw, Rows& rows) const {
    const std::size_t width = of_.targets.size(), planes = of_.second.size();
    rows.distances.resize(rows.count * width);
    rows.lengths.resize(rows.count * width * planes);
    for (std::size_t i = 0; i < rows.count; ++i) {
      for (std::size_t j = 0; j < width; ++j) {
        const std::size_t at = i * width + j;
        find(vertices, raw, rows.first + i, j, rows.distances[at],
             std::span(rows.lengths).subspan(at * planes, planes));
      }
    }
  }

 private:
  static std::size_t place_of(std::span<const Vertex> sorted, Vertex vertex) {
    return static_cast<std::size_t>(std::ranges::lower_bound(sorted, vertex) - sorted.begin());
  }

  void find(std::span<const Vertex> vertices, const Rows& raw, std::size_t i, std::size_t j,
            double& distance, std::span<double> lengths) const {
    const Side &from = of_.sources, &to = of_.targets;
    const near::PartOfArc whole = {.weight = 0};
    distance = std::numeric_limits<double>::infinity();
    std::ranges::fill(lengths, distance);
    if (from.has_points() && to.has_points()) {
      const near::PartOfArc way = of_.streets.direct_part(from.place(i), to.place(j));
      if (way.weight < distance) {
        distance = way.weight;
        std::ranges::fill(lengths, 0);
        add(way, lengths);
      }
    }
    const auto through = [&](const near::PartOfArc& exit, std::size_t row,
                             const near::PartOfArc& entry, std::size_t column) {
      const std::size_t at = row * to.vertices().size() + column;
      const double found = exit.weight + raw.distances[at] + entry.weight;
      if (!(found < distance)) return;
      distance = found;
      std::ranges::copy(std::span(raw.lengths).subspan(at * lengths.size(), lengths.size()),
                        lengths.begin());
      add(exit, lengths);
      add(entry, lengths);
    };
    const auto to_all = [&](const near::PartOfArc& exit, std::size_t row) {
      if (!to.has_points()) return through(exit, row, whole, j);
      for (const near::PartOfArc& entry : to.parts(j)) {
        through(exit, row, entry, place_of(to.vertices(), entry.vertex));
      }
    };
    if (!from.has_points()) return to_all(whole, i - raw.first);
    for (const near::PartOfArc& exit : from.parts(i)) to_all(exit, place_of(vertices, exit.vertex));
  }

  void add(const near::PartOfArc& part, std::span<double> lengths) const {
    if (part.from == part.to || lengths.empty()) return;
    std::vector<double> weights(lengths.size());
    second_->of_arc(part.from, part.to, weights.data());
    for (std::size_t k = 0; k < lengths.size(); ++k) lengths[k] += part.share * weights[k];
  }

  const Question& of_;
  const paths::PathLengths* second_;  // null without second weights
};

/// Values of a row and of the rows of vertices that it comes from.
std::int64_t cells_of_row(const Question& of) {
  const auto vertices = std::ssize(of.targets.vertices());
  const auto targets = static_cast<std::int64_t>(of.targets.size());
  if (!of.sources.has_points() && !of.targets.has_points()) return targets;
  return targets + (of.sources.has_points() ? 2 : 1) * vertices;
}

class TableRun {
 public:
  TableRun(const Question& of, const store::VertexList& columns, OrderedRows& rows,
           std::int64_t bytes)
      : of_(of), columns_(columns), rows_(rows), at_once_(rows_at_once(bytes)), lengths_([this] {
          return std::make_unique<paths::PathLengths>(of_.graph, of_.second, rows_.semiring(),
                                                      rows_.type());
        }) {
    require_sums(of, rows.semiring());
  }

  void run() {
    const std::unique_ptr<TableFile> file = open_file(of_, rows_.semiring(), rows_.type());
    base::ProgressTask progress(of_.control, "table", static_cast<double>(of_.sources.size()),
                                "row");
    Rows parts[2];
    std::future<void> writing;  // the previous block; ends before `parts`
    for (std::size_t first = 0, part = 0; first < of_.sources.size();
         first += at_once_, part ^= 1) {
      Rows& rows = parts[part];
      rows.first = first;
      rows.count = std::min(at_once_, of_.sources.size() - first);
      compute(rows);
      if (writing.valid()) writing.get();
      const system::BlockedSignals blocked;
      writing = std::async(std::launch::async, [&file, &rows] { file->put(rows); });
      progress.advance(static_cast<double>(rows.count));
    }
    if (writing.valid()) writing.get();
    file->commit();
  }

 private:
  std::size_t rows_at_once(std::int64_t bytes) const {
    const std::int64_t row =
        std::max<std::int64_t>(1, cells_of_row(of_)) * of_.planes() * std::int64_t{sizeof(double)};
    const std::int64_t most = std::max<std::int64_t>(1, bytes / 2 / row), block = rows_.block();
    return static_cast<std::size_t>(most > block ? most - most % block : most);
  }

  void compute(Rows& rows) {
    if (!of_.sources.has_points() && !of_.targets.has_points()) {
      return fill(std::span(of_.sources.vertices()).subspan(rows.first, rows.count), rows);
    }
    std::vector<Vertex> vertices;
    for (std::size_t i = rows.first; i < rows.first + rows.count; ++i) {
      if (!of_.sources.has_points()) {
        vertices.push_back(of_.sources.vertices()[i]);
        continue;
      }
      for (const near::PartOfArc& part : of_.sources.parts(i)) vertices.push_back(part.vertex);
    }
    if (of_.sources.has_points()) {
      std::ranges::sort(vertices);
      vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    }
    Rows raw{.first = rows.first};
    fill(vertices, raw);
    if (of_.second.empty()) return PointRows(of_, nullptr).combine(vertices, raw, rows);
    lengths_.use([&](const paths::PathLengths& second) {
      PointRows(of_, &second).combine(vertices, raw, rows);
    });
  }

  /// Distances, and lengths, from some vertices to those of the targets.
  void fill(std::span<const Vertex> sources, Rows& rows) {
    const store::Selection selection{store::VertexList({sources.begin(), sources.end()}), columns_};
    const std::int64_t n = of_.graph.vertex_count();
    const std::vector<Vertex>& targets = of_.targets.vertices();
    rows.distances.resize(sources.size() * targets.size());
    if (sources.empty()) return;
    if (of_.second.empty()) {
      api::CallerRows sink(n, rows_.type(), rows_.semiring(), selection,
                           {.values = rows.distances.data()});
      return rows_.give(sources, sink);
    }
    rows.lengths.resize(rows.distances.size() * of_.second.size());
    paths::PathLengthRows sink(
        n, rows_.type(), rows_.semiring(), selection, lengths_,
        {targets, rows.distances.data(), rows.lengths.data(), std::ssize(of_.second)});
    rows_.give(sources, sink);
  }

  const Question& of_;
  store::VertexList columns_;
  OrderedRows& rows_;
  std::size_t at_once_;
  system::Pool<paths::PathLengths> lengths_;
};

/// `memory` less `bytes`; 0: unlimited.
std::int64_t less(std::int64_t memory, std::int64_t bytes) {
  return memory == 0 ? 0 : std::max<std::int64_t>(1, memory - bytes);
}

/// `memory`: limit of the process; 0: the available memory.
std::int64_t bytes_of_table(std::int64_t memory) {
  return std::min(kTableBytes, (memory == 0 ? system::available_memory() : memory) / 4);
}

double table_bytes(const Question& of, std::int64_t bytes) {
  constexpr double kWriter = 24 << 20;
  const double all = static_cast<double>(of.sources.size()) *
                     static_cast<double>(cells_of_row(of) * of.planes()) * sizeof(double);
  return std::min(static_cast<double>(bytes), all) + std::min(kWriter, 4 * all + (1 << 20));
}

}  // namespace

void write_table(const Result& result, const std::string& path, const TableOptions& options,
                 const PairsOptions& asking) {
  const Question of = question(result.graph(), path, options, asking.control);
  if (!options.second.empty()) result.state().require_whole_rows("the length of a path");
  const store::VertexList columns = columns_for(of, options);
  const std::int64_t bytes = bytes_of_table(asking.memory);
  const int threads = system::thread_count(asking.threads);
  system::plan_memory(table_bytes(of, bytes) + api::reading_bytes(result, threads), "the table",
                      "take fewer targets, or more memory");
  const auto rows = rows_of(result.state(), columns, asking.threads, asking.control);
  TableRun(of, columns, *rows, bytes).run();
}

void write_table(const Graph& graph, const std::string& path, const TableOptions& options,
                 const SolveOptions& solving) {
  const Question of = question(graph, path, options, solving.control);
  const std::int64_t bytes = bytes_of_table(solving.machine.memory);
  SolveOptions asked = api::for_answers(solving, Keep::statistics);
  const store::VertexList columns = columns_for(of, options);
  asked.question.sources = options.source_points ? of.sources.vertices() : options.sources;
  asked.question.targets = columns.listed();
  asked.machine.memory =
      less(solving.machine.memory, static_cast<std::int64_t>(table_bytes(of, bytes)));
  asked.consumer.on_rows = [](const RowBlock&) {};
  rates::MeasuredRates measured(
      rates::rate_policy(solving.control.cancellation, solving.machine.memory));
  const planner::Plan plan = planner::make_plan(graph, asked, measured.find(), measured.source());
  if (!plan.rows()) {
    asked.storage.keep = Keep::matrix;
    asked.consumer.on_rows = {};
    const Result result = api::solve_among(measured.find(), graph, asked, measured.source());
    return write_table(
        result, path, options,
        {.memory = 4 * bytes, .threads = solving.machine.threads, .control = solving.control});
  }
  const auto beside = static_cast<std::int64_t>(table_bytes(of, bytes));
  const std::int64_t planned = std::max(plan.bytes + beside, system::kept_by_measuring());
  system::plan_memory_in_all(planned, "the table", "take fewer targets, or more memory");
  if (asked.on_plan) {
    PlanReport report = planner::plan_report(plan);
    report.bytes = planned;
    asked.on_plan(report);
  }
  const auto rows = rows_of(graph, plan, solving.control);
  TableRun(of, columns, *rows, bytes).run();
}

}  // namespace apsp
