#include "query/paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <atomic>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>

#include "base/aligned_memory.hpp"
#include "base/control.hpp"
#include "base/machine.hpp"
#include "base/team.hpp"
#include "query/slack_tree.hpp"
#include "query/tight_tree.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::query {
namespace {

/// The value of a row that stands for "no path", whatever the value type: ±infinity, or-and: 0.
double no_path_of_rows(Semiring semiring) {
  return semiring == Semiring::or_and ? 0 : no_path(semiring, ValueType::f64);
}

void convert_row(Semiring semiring, ValueType type, const void* values, std::span<double> row) {
  semiring::dispatch(semiring, type, [&]<class S>() {
    const double none = no_path_of_rows(semiring);
    const auto* const from = static_cast<const typename S::Value*>(values);
    for (std::size_t v = 0; v < row.size(); ++v) {
      row[v] = from[v] == S::zero() ? none : static_cast<double>(from[v]);
    }
  });
}

/// Integers hold the empty path of a bottleneck as their largest or smallest value: it is infinite.
double on_diagonal(Semiring semiring, ValueType type, double value) {
  const bool empty = value == empty_path(semiring, type);
  return empty && semiring != Semiring::or_and ? empty_path(semiring, ValueType::f64) : value;
}

/// Grows one tree after another over the same graph, keeping its memory. One a thread.
class TreeGrower {
 public:
  TreeGrower(const Graph& graph, Semiring semiring, ValueType type, graph::Pages pages)
      : graph_(graph), semiring_(semiring), type_(type), tight_(graph, semiring, type, pages) {
    const bool sums = semiring == Semiring::min_plus || semiring == Semiring::max_plus;
    const bool floats = type == ValueType::f32 || type == ValueType::f64;
    if (sums && floats) slack_.emplace(graph, semiring, type, pages);
  }

  /// `row`: [n], no path as `no_path_of_rows`; the source's value is set to the empty path.
  void grow(Vertex source, std::span<double> row, std::span<std::int64_t> predecessor) {
    row[source] = empty_path(semiring_, semiring_ == Semiring::or_and ? type_ : ValueType::f64);
    // Integers in floats are exact up to 2^24 or 2^53; beyond, tight arcs may not reach all.
    const bool exact = !slack_ || graph_.weight_facts().integral;
    if (exact && tight_.grow(source, row, predecessor)) return;
    if (slack_ && slack_->grow(source, row, predecessor)) return;
    throw Error(ErrorKind::input,
                fmt::format("the distances from vertex {} do not belong to this graph: no paths of "
                            "these lengths lead to all vertices; run `apsp verify`",
                            graph_.name(source)));
  }

 private:
  const Graph& graph_;
  Semiring semiring_;
  ValueType type_;
  TightTree tight_;
  std::optional<SlackTree> slack_;
};

void require_place(std::int64_t count, std::int64_t place) {
  if (place >= 0 && place < count) return;
  throw Error(ErrorKind::usage, fmt::format("there is no vertex {} among {}", place, count));
}

void require_vertex(std::size_t n, Vertex v) { require_place(static_cast<std::int64_t>(n), v); }

/// Remembers the error of the first row that failed, so that threads do not decide which is shown.
class FirstError {
 public:
  bool any() const { return failed_.load(std::memory_order_relaxed); }
  void note(std::int64_t row) {
    const std::lock_guard lock(mutex_);
    if (error_ != nullptr && row_ < row) return;
    row_ = row;
    error_ = std::current_exception();
    failed_.store(true, std::memory_order_relaxed);
  }
  void rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> failed_{false};
  std::int64_t row_ = 0;
  std::exception_ptr error_;
};

}  // namespace

std::vector<std::int64_t> predecessors(const Graph& graph, Semiring semiring, ValueType type,
                                       Vertex source, std::span<const double> row) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  require_vertex(n, source);
  if (row.size() != n) {
    throw Error(ErrorKind::usage,
                fmt::format("a row of {} distances for {} vertices", row.size(), n));
  }
  std::vector<double> distance(row.begin(), row.end());
  std::replace(distance.begin(), distance.end(), no_path(semiring, type),
               no_path_of_rows(semiring));
  std::vector<std::int64_t> result(n);
  TreeGrower(graph, semiring, type, graph::Pages::given_back).grow(source, distance, result);
  return result;
}

std::vector<Vertex> walk_back(std::span<const std::int64_t> predecessors, Vertex source,
                              Vertex target) {
  require_vertex(predecessors.size(), source);
  require_vertex(predecessors.size(), target);
  std::vector<Vertex> path = {target};
  while (path.back() != source) {
    const std::int64_t before = predecessors[path.back()];
    if (before < 0 && path.size() == 1) return {};
    if (before < 0 || before >= std::ssize(predecessors) || path.size() == predecessors.size()) {
      throw Error(ErrorKind::input, "the predecessors do not lead back to the source");
    }
    path.push_back(static_cast<Vertex>(before));
  }
  std::reverse(path.begin(), path.end());
  return path;
}

double as_double(Semiring semiring, ValueType type, const void* value, bool to_itself) {
  double found = 0;
  convert_row(semiring, type, value, {&found, 1});
  return to_itself ? on_diagonal(semiring, type, found) : found;
}

std::vector<double> read_row(const store::Store& store, std::int64_t row) {
  const store::Layout& layout = store.layout();
  require_place(layout.rows(), row);
  std::vector<std::byte> bytes(static_cast<std::size_t>(layout.cols() * size_of(layout.type)));
  store.read(store::Plane::distance, {row, 0, 1, layout.cols()}, bytes.data(), layout.cols());
  std::vector<double> values(static_cast<std::size_t>(layout.cols()));
  convert_row(layout.semiring, layout.type, bytes.data(), values);
  const Vertex source = layout.source(row);
  for (std::size_t col = 0; col < values.size(); ++col) {
    if (layout.target(static_cast<std::int64_t>(col)) != source) continue;
    values[col] = on_diagonal(layout.semiring, layout.type, values[col]);
    break;
  }
  return values;
}

double read_value(const store::Store& store, std::int64_t row, std::int64_t col) {
  const store::Layout& layout = store.layout();
  require_place(layout.rows(), row);
  require_place(layout.cols(), col);
  std::array<std::byte, sizeof(double)> bytes{};
  store.read(store::Plane::distance, {row, col, 1, 1}, bytes.data(), 1);
  const bool diagonal = layout.source(row) == layout.target(col);
  return as_double(layout.semiring, layout.type, bytes.data(), diagonal);
}

struct PredecessorTree::State {
  State(const Graph& graph, const store::Layout& layout)
      : semiring(layout.semiring),
        type(layout.type),
        grower(graph, layout.semiring, layout.type, graph::Pages::kept),
        row(static_cast<std::size_t>(layout.n)),
        predecessor(static_cast<std::size_t>(layout.n)) {}

  Semiring semiring;
  ValueType type;
  TreeGrower grower;
  std::vector<double> row;                // [n]
  std::vector<std::int64_t> predecessor;  // [n]
};

PredecessorTree::PredecessorTree(const Graph& graph, const store::Layout& layout)
    : state_(std::make_unique<State>(graph, layout)) {}

PredecessorTree::~PredecessorTree() = default;

void PredecessorTree::write(Vertex source, const void* distances, std::int32_t* out) {
  convert_row(state_->semiring, state_->type, distances, state_->row);
  state_->grower.grow(source, state_->row, state_->predecessor);
  std::transform(state_->predecessor.begin(), state_->predecessor.end(), out,
                 [](std::int64_t v) { return static_cast<std::int32_t>(v); });
}

void write_predecessors(const Graph& graph, const store::Store& from, store::Store& into,
                        int threads, const Control& control) {
  const store::Layout& layout = from.layout();
  const std::int64_t n = layout.n;
  if (n != graph.vertex_count() || n != into.layout().n) {
    throw Error(ErrorKind::input, "matrix and graph differ in their number of vertices");
  }
  const int used = base::thread_count(threads);
  std::vector<std::unique_ptr<PredecessorTree>> workers;
  workers.reserve(static_cast<std::size_t>(used));
  for (int i = 0; i < used; ++i) {
    workers.push_back(std::make_unique<PredecessorTree>(graph, layout));
  }
  const std::int64_t row_bytes = n * size_of(layout.type);
  const std::int64_t band = std::min(into.layout().tile, n);
  base::AlignedMemory distances(band * row_bytes);                                  // [band, n]
  base::AlignedMemory predecessors(band * n * std::int64_t{sizeof(std::int32_t)});  // [band, n]
  base::ProgressTask task(control, "predecessors", static_cast<double>(n), "row");
  for (std::int64_t first = 0; first < n; first += band) {
    base::check_cancelled(control);
    const std::int64_t rows = std::min(band, n - first);
    from.read(store::Plane::distance, {first, 0, rows, n}, distances.data(), n);
    FirstError error;
    base::share_items(rows, used, [&](std::int64_t i, int member) {
      if (error.any() || base::cancelled(control)) return;
      try {
        workers[static_cast<std::size_t>(member)]->write(static_cast<Vertex>(first + i),
                                                         distances.data() + i * row_bytes,
                                                         predecessors.as<std::int32_t>() + i * n);
        task.advance(1);
      } catch (...) {
        error.note(first + i);
      }
    });
    error.rethrow();
    base::check_cancelled(control);
    into.write(store::Plane::predecessor, {first, 0, rows, n}, predecessors.data(), n);
  }
}

}  // namespace apsp::query
