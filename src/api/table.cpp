// Tables of distances (apsp/report.hpp). A block of rows is written while the next is computed.
#include <fmt/format.h>

#include <algorithm>
#include <apsp/near.hpp>
#include <apsp/report.hpp>
#include <cstring>
#include <future>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "api/caller_rows.hpp"
#include "api/result.hpp"
#include "api/solve.hpp"
#include "api/stored_result.hpp"
#include "base/control.hpp"
#include "base/refusal.hpp"
#include "engine/row_producer.hpp"
#include "engine/solve_graph.hpp"
#include "flow/row_sink.hpp"
#include "io/column_table.hpp"
#include "io/npy.hpp"
#include "paths/path_lengths.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan_line.hpp"
#include "planner/value_type.hpp"
#include "rates/measured_rates.hpp"
#include "sparse/factor_rows.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"
#include "system/threads.hpp"

namespace apsp {
namespace {

using Layout = TableOptions::Layout;

/// Rows of distances in the order of a list of sources, from a result or a plan.
class OrderedRows {
 public:
  virtual ~OrderedRows() = default;
  virtual Semiring semiring() const = 0;
  virtual ValueType type() const = 0;
  virtual std::int64_t block() const = 0;
  /// Pushes the rows of distinct sources and finishes the sink. Throws its errors, and interrupted.
  virtual void give(std::span<const Vertex> sources, flow::RowSink& sink) = 0;
};

/// The caller shows the progress of all parts.
Control without_progress(const Control& control) { return {nullptr, control.cancellation}; }

class MatrixRows final : public OrderedRows {
 public:
  MatrixRows(const Result::State& state, const store::VertexList& targets, int threads,
             const Control& control)
      : state_(state),
        threads_(system::thread_count(threads)),
        control_(without_progress(control)) {
    for (std::int64_t i = 0; i < targets.size(state.graph.vertex_count()); ++i) {
      columns_.push_back(state.column_of(targets.at(i)));
    }
  }
  Semiring semiring() const override { return state_.layout.semiring; }
  ValueType type() const override { return state_.layout.type; }
  std::int64_t block() const override { return 1; }

  void give(std::span<const Vertex> sources, flow::RowSink& sink) override {
    std::vector<std::pair<std::int64_t, Vertex>> rows;  // adjacent rows share chunks of a file
    for (const Vertex source : sources) rows.emplace_back(state_.row_of(source), source);
    std::sort(rows.begin(), rows.end());
    system::parallel_for(std::ssize(rows), threads_, [&](std::int64_t item) {
      base::check_cancelled(control_);
      const auto& [row, source] = rows[static_cast<std::size_t>(item)];
      give_row(row, source, sink);
    });
    sink.finish();
  }

 private:
  void give_row(std::int64_t row, const Vertex& source, flow::RowSink& sink) const {
    const store::Store& store = state_.matrix();
    const std::int64_t columns = state_.columns->count();
    const auto bytes = static_cast<std::size_t>(size_of(type()));
    std::vector<std::byte> whole(static_cast<std::size_t>(columns) * bytes);
    std::vector<std::byte> wanted(columns_.size() * bytes);
    store.read(store::Plane::distance, {row, 0, 1, columns}, whole.data(), columns);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      std::memcpy(wanted.data() + i * bytes,
                  whole.data() + static_cast<std::size_t>(columns_[i]) * bytes, bytes);
    }
    sink.take({{&source, 1}, wanted.data(), std::ssize(columns_), type()});
  }

  const Result::State& state_;
  int threads_;
  Control control_;
  std::vector<std::int64_t> columns_;
};

class ComputedRows : public OrderedRows {
 public:
  void give(std::span<const Vertex> sources, flow::RowSink& sink) override {
    flow::RowSink* const only = &sink;
    producer().rows(sources, {&only, 1}, nullptr);
    sink.finish();
  }

 private:
  virtual engine::RowProducer& producer() = 0;
};

class RowsOfFactor final : public ComputedRows {
 public:
  RowsOfFactor(const Result::State& state, const store::VertexList& targets, int threads,
               const Control& control)
      : control_(without_progress(control)),
        threads_(system::thread_count(threads)),
        rows_(state.rows_to(targets)),
        producer_(engine::rows_on_host(*rows_, threads_, control_)) {}
  Semiring semiring() const override { return rows_->semiring(); }
  ValueType type() const override { return rows_->type(); }
  std::int64_t block() const override { return rows_->block_rows() * threads_; }

 private:
  engine::RowProducer& producer() override { return *producer_; }

  Control control_;
  int threads_;
  std::unique_ptr<flow::RowSource> rows_;
  std::unique_ptr<engine::RowProducer> producer_;
};

class RowsOfPlan final : public ComputedRows {
 public:
  RowsOfPlan(const Graph& graph, const planner::Plan& plan, const Control& control)
      : plan_(plan), control_(without_progress(control)) {
    engine::require_defined(graph, plan, control);
    rows_ = engine::planned_rows(graph, plan, plan.on_device ? control_ : control);
    if (!plan.on_device) {
      rows_.producer = engine::rows_on_host(*rows_.source, plan.threads, control_);
    }
  }
  Semiring semiring() const override { return plan_.semiring; }
  ValueType type() const override { return plan_.type; }
  std::int64_t block() const override {
    const std::int64_t rows = rows_.producer->block_rows(plan_.sources(), 1);
    return plan_.on_device ? rows : rows * plan_.threads;
  }

 private:
  engine::RowProducer& producer() override { return *rows_.producer; }

  const planner::Plan& plan_;
  Control control_;
  engine::PlannedRows rows_;
};

/// `state` must outlive the result. `targets`: the columns. Throws `Error` (usage) for a missing
/// column.
std::unique_ptr<OrderedRows> rows_of(const Result::State& state, const store::VertexList& targets,
                                     int threads, const Control& control) {
  state.matrix();
  if (state.factor == nullptr) {
    return std::make_unique<MatrixRows>(state, targets, threads, control);
  }
  return std::make_unique<RowsOfFactor>(state, targets, threads, control);
}

/// `graph` and `plan` (by rows) must outlive the result. Throws as `engine::planned_rows`.
std::unique_ptr<OrderedRows> rows_of(const Graph& graph, const planner::Plan& plan,
                                     const Control& control) {
  return std::make_unique<RowsOfPlan>(graph, plan, control);
}

/// Bytes of the two blocks of rows.
constexpr std::int64_t kTableBytes = std::int64_t{256} << 20;

struct Question {
  const Graph& graph;
  std::vector<Vertex> sources, targets;  // resolved: never "all"
  const Graph* second;                   // null: only distances
  std::string path;
  bool wide;
  Control control;
};

/// Consecutive rows of a table: [sources, targets].
struct Rows {
  std::span<const Vertex> sources{};
  std::vector<double> distances{}, lengths{};
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
      : targets_(of.targets), file_(of.path, columns(of, kind), of.graph, of.control) {}

  void put(const Rows& rows) override {
    const auto width = static_cast<std::int64_t>(targets_.size());
    for (std::size_t i = 0; i < rows.sources.size(); ++i) {
      const std::size_t at = i * targets_.size();
      std::vector<io::ColumnValues> values = {io::Stepped<Vertex>{&rows.sources[i], 0},
                                              io::Stepped<Vertex>{targets_.data()},
                                              io::Stepped<double>{rows.distances.data() + at}};
      if (!rows.lengths.empty()) values.push_back(io::Stepped<double>{rows.lengths.data() + at});
      file_.put(width, values);
    }
  }
  void commit() override { file_.commit(); }

 private:
  static std::vector<io::TableColumn> columns(const Question& of, io::ColumnKind kind) {
    std::vector<io::TableColumn> columns = {
        {"from", io::ColumnKind::vertex}, {"to", io::ColumnKind::vertex}, {"distance", kind}};
    if (of.second != nullptr) columns.push_back({"second", io::ColumnKind::real});
    return columns;
  }

  std::span<const Vertex> targets_;
  io::ColumnTable file_;
};

/// One row per source.
class WideFile final : public TableFile {
 public:
  WideFile(const Question& of, io::ColumnKind kind)
      : width_(std::ssize(of.targets)), file_(of.path, columns(of, kind), of.graph, of.control) {}

  void put(const Rows& rows) override {
    std::vector<io::ColumnValues> values = {io::Stepped<Vertex>{rows.sources.data()}};
    for (std::int64_t i = 0; i < width_; ++i) {
      values.push_back(io::Stepped<double>{rows.distances.data() + i, width_});
    }
    file_.put(std::ssize(rows.sources), values);
  }
  void commit() override { file_.commit(); }

 private:
  static std::vector<io::TableColumn> columns(const Question& of, io::ColumnKind kind) {
    std::vector<io::TableColumn> columns = {{title_of_sources(of), io::ColumnKind::vertex}};
    const auto states = TurnStates::of(of.graph);
    for (const Vertex target : of.targets) {
      columns.push_back({of.graph.name(states ? states->place(target) : target), kind});
    }
    return columns;
  }

  /// "from", with underscores appended until no target has this name.
  static std::string title_of_sources(const Question& of) {
    std::string title = "from";
    const auto is_taken = [&](Vertex v) { return of.graph.name(v) == title; };
    while (std::ranges::any_of(of.targets, is_taken)) title += '_';
    return title;
  }

  std::int64_t width_;
  io::ColumnTable file_;
};

class ArrayFile final : public TableFile {
 public:
  ArrayFile(const Question& of, bool narrow)
      : narrow_(narrow), file_(of.path, io::Compression::none, of.control) {
    const std::string planes = of.second != nullptr ? ", 2" : "";
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
        if (!rows.lengths.empty()) values.push_back(static_cast<T>(rows.lengths[i]));
      }
      file_.put(std::string_view(reinterpret_cast<const char*>(values.data()),
                                 values.size() * sizeof(T)));
    }
  }

  bool narrow_;
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
    // The second weights may need f8.
    const bool narrow = of.second == nullptr && fits_f4(of.graph, semiring, type, of.control);
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

Question question(const Graph& graph, const std::string& path, const TableOptions& options,
                  const Control& control) {
  const bool array = is_array(path), wide = array || options.layout == Layout::wide;
  refuse_if(!array && path != "-" && !io::names_column_table(path),
            "{} is not a table: name a .csv, .csv.gz, .csv.zst, .parquet or .npy", path);
  refuse_if(array && options.layout == Layout::tall,
            "an .npy is wide: name a .csv or a .parquet for a long table");
  refuse_if(options.second && wide && !array,
            "a wide table has no place for second lengths: take a long one, or an .npy");
  refuse_if(options.second && !agree(graph, *options.second),
            "the second weights are not of the same vertices: both files must name the same ones, "
            "in the same order");
  const std::int64_t n = graph.vertex_count();
  const store::VertexList sources(options.sources), targets(options.targets);
  store::require_distinct(sources, n, "sources");
  store::require_distinct(targets, n, "targets");
  return {graph, sources.of(n), targets.of(n), options.second ? &*options.second : nullptr,
          path,  wide,          control};
}

store::VertexList columns_for(const TableOptions& options) {
  return options.second ? store::VertexList() : store::VertexList(options.targets);
}

class TableRun {
 public:
  TableRun(const Question& of, const store::VertexList& columns, OrderedRows& rows,
           std::int64_t bytes)
      : of_(of), columns_(columns), rows_(rows), at_once_(rows_at_once(bytes)), lengths_([this] {
          return std::make_unique<paths::PathLengths>(of_.graph, *of_.second, rows_.semiring(),
                                                      rows_.type());
        }) {}

  void run() {
    const std::unique_ptr<TableFile> file = open_file(of_, rows_.semiring(), rows_.type());
    base::ProgressTask progress(of_.control, "table", static_cast<double>(of_.sources.size()),
                                "row");
    Rows parts[2];
    std::future<void> writing;  // the previous block; ends before `parts`
    const std::span<const Vertex> sources(of_.sources);
    for (std::size_t first = 0, part = 0; first < sources.size(); first += at_once_, part ^= 1) {
      Rows& rows = parts[part];
      rows.sources = sources.subspan(first, std::min(at_once_, sources.size() - first));
      compute(rows);
      if (writing.valid()) writing.get();
      const system::BlockedSignals blocked;
      writing = std::async(std::launch::async, [&file, &rows] { file->put(rows); });
      progress.advance(static_cast<double>(rows.sources.size()));
    }
    if (writing.valid()) writing.get();
    file->commit();
  }

 private:
  std::size_t rows_at_once(std::int64_t bytes) const {
    const std::int64_t planes = of_.second != nullptr ? 2 : 1;
    const std::int64_t row =
        std::max<std::int64_t>(1, std::ssize(of_.targets)) * planes * std::int64_t{sizeof(double)};
    const std::int64_t most = std::max<std::int64_t>(1, bytes / 2 / row), block = rows_.block();
    return static_cast<std::size_t>(most > block ? most - most % block : most);
  }

  void compute(Rows& rows) {
    const store::Selection selection{store::VertexList({rows.sources.begin(), rows.sources.end()}),
                                     columns_};
    const std::int64_t n = of_.graph.vertex_count();
    rows.distances.resize(rows.sources.size() * of_.targets.size());
    if (of_.second == nullptr) {
      api::CallerRows sink(n, rows_.type(), rows_.semiring(), selection,
                           {.values = rows.distances.data()});
      return rows_.give(rows.sources, sink);
    }
    rows.lengths.resize(rows.distances.size());
    paths::PathLengthRows sink(n, rows_.type(), rows_.semiring(), selection, lengths_,
                               {of_.targets, rows.distances.data(), rows.lengths.data()});
    rows_.give(rows.sources, sink);
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
  const double planes = of.second != nullptr ? 2 : 1;
  const double all = static_cast<double>(of.sources.size()) *
                     static_cast<double>(of.targets.size()) * planes * sizeof(double);
  return std::min(static_cast<double>(bytes), all) + std::min(kWriter, 4 * all + (1 << 20));
}

}  // namespace

void write_table(const Result& result, const std::string& path, const TableOptions& options,
                 const PairsOptions& asking) {
  const Question of = question(result.graph(), path, options, asking.control);
  if (options.second) result.state().require_whole_rows("the length of a path");
  const store::VertexList columns = columns_for(options);
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
  SolveOptions asked = solving;
  asked.question.sources = options.sources;
  asked.question.targets = columns_for(options).listed();
  asked.storage.output.clear();
  asked.storage.keep = Keep::statistics;
  asked.storage.stored = Keep::automatic;
  asked.question.predecessors = asked.question.via = asked.question.hops =
      asked.question.statistics = asked.question.verify = false;
  asked.consumer.into = {};
  asked.question.pairs = 0;
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
  system::plan_memory_in_all(plan.bytes + beside, "the table",
                             "take fewer targets, or more memory");
  if (asked.on_plan) {
    PlanReport report = planner::plan_report(plan);
    report.bytes += beside;
    asked.on_plan(report);
  }
  const auto rows = rows_of(graph, plan, solving.control);
  TableRun(of, columns_for(options), *rows, bytes).run();
}

}  // namespace apsp
