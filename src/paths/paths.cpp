#include "paths/paths.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <deque>
#include <exception>
#include <optional>

#include "base/control.hpp"
#include "paths/essential_arcs.hpp"
#include "paths/path_trees.hpp"
#include "semiring/dispatch.hpp"
#include "system/aligned_memory.hpp"
#include "system/machine.hpp"
#include "system/threads.hpp"

namespace apsp::paths {

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

namespace {

/// Integer types hold the empty path of a bottleneck as an extreme value; rows use infinity.
double on_diagonal(Semiring semiring, ValueType type, double value) {
  const bool empty = value == empty_path(semiring, type);
  return empty && semiring != Semiring::or_and ? empty_path(semiring, ValueType::f64) : value;
}

/// A path's value from the value before its last edge; meaningless for or-and.
double extended(Semiring semiring, double so_far, double edge) {
  if (semiring == Semiring::max_min) return std::min(so_far, edge);
  if (semiring == Semiring::min_max) return std::max(so_far, edge);
  return so_far + edge;
}

double best_weight(const Graph& graph, Semiring semiring, Vertex from, Vertex to) {
  const bool larger = semiring == Semiring::max_min || semiring == Semiring::max_plus;
  std::optional<double> best;
  graph.for_each_arc_between(from, to, [&](double weight) {
    if (!best || (larger ? weight > *best : weight < *best)) best = weight;
  });
  if (!best) {
    throw Error(ErrorKind::input, fmt::format("the graph has no edge {} to {}: it is not the graph "
                                              "that was solved",
                                              graph.name(from), graph.name(to)));
  }
  return *best;
}

}  // namespace

void require_place(std::int64_t count, std::int64_t place) {
  if (place >= 0 && place < count) return;
  throw Error(ErrorKind::usage,
              fmt::format("vertex number {} is outside a graph of {}", place, count));
}

std::vector<std::int64_t> predecessors(const Graph& graph, Semiring semiring, ValueType type,
                                       Vertex source, std::span<const double> row) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  require_place(graph.vertex_count(), source);
  if (row.size() != n) {
    throw Error(ErrorKind::usage,
                fmt::format("a row of {} distances for {} vertices", row.size(), n));
  }
  std::vector<double> distance(row.begin(), row.end());
  std::replace(distance.begin(), distance.end(), no_path(semiring, type),
               no_path_of_rows(semiring));
  std::vector<std::int64_t> result(n);
  PredecessorTree(graph, semiring, type, graph::Pages::given_back).grow(source, distance, result);
  return result;
}

std::vector<Vertex> walk_back(std::span<const std::int64_t> predecessors, Vertex source,
                              Vertex target) {
  for (const Vertex v : {source, target}) require_place(std::ssize(predecessors), v);
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
  for (std::int64_t col = 0; double& value : values) {
    if (layout.target(col++) == source) value = on_diagonal(layout.semiring, layout.type, value);
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

void write_predecessors(const Graph& graph, const store::Store& from, store::Store& into,
                        int threads, const Control& control) {
  const store::Layout& layout = into.layout();
  const std::int64_t n = from.layout().n;
  if (n != graph.vertex_count() || n != into.layout().n) {
    throw Error(ErrorKind::input, "matrix and graph differ in their number of vertices");
  }
  const int used = system::thread_count(threads);
  const EssentialArcs essential(graph, from, used, control);
  std::deque<PredecessorTree> trees;  // one a thread
  for (int i = 0; i < used; ++i) {
    trees.emplace_back(graph, layout.semiring, layout.type, graph::Pages::kept, &essential);
  }
  const std::int64_t row_bytes = n * size_of(layout.type);
  const std::int64_t band = std::min(layout.tile, layout.rows());
  const bool selects = from.layout().selection.all() && !layout.selection.all();
  system::AlignedMemory distances(band * row_bytes);                                  // [band, n]
  system::AlignedMemory predecessors(band * n * std::int64_t{sizeof(std::int32_t)});  // [band, n]
  base::ProgressTask task(control, "predecessors", static_cast<double>(layout.rows()), "row");
  for (std::int64_t first = 0; first < layout.rows(); first += band) {
    base::check_cancelled(control);
    const std::int64_t rows = std::min(band, layout.rows() - first);
    if (!selects) from.read(store::Plane::distance, {first, 0, rows, n}, distances.data(), n);
    std::vector<std::exception_ptr> errors(static_cast<std::size_t>(rows));
    system::parallel_for(rows, used, [&](std::int64_t i, int member) {
      if (base::cancelled(control)) return;
      try {
        const Vertex source = layout.source(first + i);
        std::byte* const row = distances.data() + i * row_bytes;
        if (selects) from.read(store::Plane::distance, {source, 0, 1, n}, row, n);
        const auto found = trees[static_cast<std::size_t>(member)].of(source, row);
        std::copy(found.begin(), found.end(), predecessors.as<std::int32_t>() + i * n);
        task.advance(1);
      } catch (...) {
        errors[static_cast<std::size_t>(i)] = std::current_exception();
      }
    });
    // The first row's error, so that the result does not depend on threads.
    for (const std::exception_ptr& error : errors) {
      if (error != nullptr) std::rethrow_exception(error);
    }
    base::check_cancelled(control);
    into.write(store::Plane::predecessor, {first, 0, rows, n}, predecessors.data(), n);
  }
}

std::vector<Hop> hops(const Graph& graph, Semiring semiring, ValueType type,
                      std::span<const Vertex> path) {
  double so_far = empty_path(semiring, type);
  std::vector<Hop> list;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const double weight = best_weight(graph, semiring, path[i - 1], path[i]);
    so_far = extended(semiring, so_far, weight);
    list.push_back({path[i - 1], path[i], weight, so_far});
  }
  return list;
}

}  // namespace apsp::paths
