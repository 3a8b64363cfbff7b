#include "rows.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "share.hpp"
#include "tree.hpp"

namespace apsp::python::csgraph {
namespace {

/// Seconds of one thread on a server of 2026: per vertex and arc of a search, per relaxation of
/// Floyd-Warshall in f64, and for the overhead of `solve` (threads, plan, order).
constexpr double kVertex = 60e-9, kArc = 2e-9, kRelaxation = 1 / 15e9, kPlan = 10e-3;
/// Arcs and vertices that take some hundred microseconds.
constexpr std::int64_t kBrief = 1 << 15;
/// A matrix with at least one arc in so many pairs is solved as a matrix.
constexpr std::int64_t kDense = 8;

/// Vertices of a matrix from which the library's predecessors take less time, its plan included.
constexpr std::int64_t kPlannedTrees = 300;

std::int64_t count(const RowsWanted& wanted) { return std::ssize(wanted.sources); }

bool is_dense(const Arcs& arcs) { return arcs.count() >= arcs.n * arcs.n / kDense; }

double seconds_of_searches(const Arcs& arcs, std::int64_t sources) {
  return static_cast<double>(sources) *
         (static_cast<double>(arcs.n) * kVertex + static_cast<double>(arcs.count()) * kArc);
}

double seconds_of_floyd_warshall(const Arcs& arcs) {
  const auto n = static_cast<double>(arcs.n);
  return n * n * n * kRelaxation;
}

Way choose(const Arcs& arcs, const RowsWanted& wanted) {
  // The library searches for negative cycles first and names them.
  if (arcs.negative) return Way::library;
  if (wanted.limit < kNone) return Way::searches;
  const bool matrix = is_dense(arcs);
  const double searching = seconds_of_searches(arcs, count(wanted));
  const bool closes = matrix && (wanted.predecessors == nullptr || arcs.n < kPlannedTrees);
  if (searching <= (closes ? seconds_of_floyd_warshall(arcs) : kPlan)) return Way::searches;
  return closes ? Way::floyd_warshall : Way::library;
}

template <class T>
void copy_predecessors(const T* from, std::int64_t n, const Row& row) {
  std::transform(from, from + n, row.predecessors,
                 [](T v) { return v < 0 ? kNoPredecessor : static_cast<std::int32_t>(v); });
}

void search_rows(const Arcs& arcs, const RowsWanted& wanted, int threads, const Control& control) {
  if (arcs.negative) throw Error(ErrorKind::usage, "searches take no negative weights");
  std::vector<Searches> workers(static_cast<std::size_t>(threads), Searches(arcs));
  share(count(wanted), threads, control, [&](std::int64_t i, int member) {
    workers[static_cast<std::size_t>(member)].search(wanted.sources[static_cast<std::size_t>(i)],
                                                     wanted.limit, wanted.row(i, arcs.n));
  });
}

/// Requires: known distances. `solved`: their result, or null, where
/// weights have both signs.
void grow_trees(const Arcs& arcs, const RowsWanted& wanted, const Result* solved, int threads,
                const Control& control) {
  std::vector<Tree> trees(static_cast<std::size_t>(threads), Tree(arcs));
  share(count(wanted), threads, control, [&](std::int64_t i, int member) {
    const Vertex source = wanted.sources[static_cast<std::size_t>(i)];
    const Row row = wanted.row(i, arcs.n);
    if (trees[static_cast<std::size_t>(member)].grow(source, row)) return;
    if (!arcs.negative) return Searches(arcs).search(source, kNone, row);
    if (solved == nullptr) throw Error(ErrorKind::defect, "distances of no path in this graph");
    const std::vector<std::int64_t> found = solved->predecessors(source);
    copy_predecessors(found.data(), arcs.n, row);
  });
}

void close_matrix(const Arcs& arcs, double* matrix, int threads, const Control& control) {
  const std::int64_t n = arcs.n;
  share(n, threads, control, [&](std::int64_t u, int) {
    double* const row = matrix + u * n;
    std::fill_n(row, n, kNone);
    row[u] = 0;
    arcs.for_each(static_cast<Vertex>(u), [&](Vertex v, double weight) { row[v] = weight; });
  });
  floyd_warshall<MinPlus>(MatrixView<double>(matrix, n, n),
                          {.threads = threads, .control = control});
}

void close_and_select(const Arcs& arcs, const RowsWanted& wanted, int threads,
                      const Control& control) {
  const std::int64_t n = arcs.n;
  std::vector<double> whole;
  double* matrix = wanted.distances;
  if (!wanted.all) {
    whole.resize(static_cast<std::size_t>(n * n));
    matrix = whole.data();
  }
  close_matrix(arcs, matrix, threads, control);
  for (std::int64_t i = 0; i < count(wanted) && !wanted.all; ++i) {
    const Vertex source = wanted.sources[static_cast<std::size_t>(i)];
    std::copy_n(matrix + source * n, n, wanted.distances + i * n);
  }
  if (wanted.predecessors == nullptr) return;
  grow_trees(arcs_on_paths(arcs, matrix), wanted, nullptr, threads, control);
}

/// The distinct ones of repeated sources.
class DistinctSources {
 public:
  DistinctSources(const Arcs& arcs, const RowsWanted& wanted)
      : place_(static_cast<std::size_t>(arcs.n), -1) {
    for (const Vertex source : wanted.sources) {
      if (place_[source] >= 0) continue;
      place_[source] = std::ssize(sources_);
      sources_.push_back(source);
    }
  }
  /// Sources in the order of their first occurrences.
  const std::vector<Vertex>& sources() const { return sources_; }

  /// The row of the distinct source that is source i of `wanted`.
  std::int64_t row(const RowsWanted& wanted, std::int64_t i) const {
    return place_[wanted.sources[static_cast<std::size_t>(i)]];
  }
  /// Copies rows of distinct sources to rows of all requested ones.
  void spread(const Arcs& arcs, const RowsWanted& wanted) const {
    // Rows only move down, so that descending order overwrites no row that is still needed.
    for (std::int64_t i = count(wanted) - 1; i >= 0; --i) move(arcs, wanted, i);
  }

 private:
  void move(const Arcs& arcs, const RowsWanted& wanted, std::int64_t i) const {
    const std::int64_t from = row(wanted, i);
    if (from == i) return;
    std::copy_n(wanted.distances + from * arcs.n, arcs.n, wanted.distances + i * arcs.n);
  }

  std::vector<std::int64_t> place_;  // [n] index in `sources_`, or −1
  std::vector<Vertex> sources_;
};

void solve_by_library(const std::shared_ptr<const Arcs>& arcs, const RowsWanted& wanted,
                      int threads, const Control& control) {
  const std::int64_t n = arcs->n;
  const DistinctSources distinct(*arcs, wanted);
  const bool trees = wanted.predecessors != nullptr;
  const bool signed_reals = arcs->negative && !arcs->integral;
  SolveOptions options;
  options.machine.device = Device::cpu;
  // Integers are exact in every type that holds them; reals are requested in f64.
  if (!arcs->integral) options.method.value_type = ValueType::f64;
  options.machine.threads = threads;
  options.question.statistics = false;
  options.question.predecessors = trees && is_dense(*arcs);
  const bool keeps = options.question.predecessors || (trees && signed_reals);
  options.storage.keep = keeps ? Keep::matrix : Keep::statistics;
  if (!wanted.all) options.question.sources = distinct.sources();
  options.consumer.into = {wanted.distances, n};
  options.control = control;
  const Result result = solve(graph_of(arcs), options);
  distinct.spread(*arcs, wanted);
  if (!trees) return;
  if (!options.question.predecessors) return grow_trees(*arcs, wanted, &result, threads, control);
  const RowBlock solved = *result.matrix();
  share(count(wanted), threads, control, [&](std::int64_t i, int) {
    copy_predecessors(solved.predecessors + distinct.row(wanted, i) * solved.stride, n,
                      wanted.row(i, n));
  });
}

void cut_at_limit(const Arcs& arcs, const RowsWanted& wanted) {
  for (std::int64_t i = 0; i < count(wanted) * arcs.n; ++i) {
    if (!(wanted.distances[i] > wanted.limit)) continue;
    wanted.distances[i] = kNone;
    if (wanted.predecessors != nullptr) wanted.predecessors[i] = kNoPredecessor;
  }
}

}  // namespace

Way parse_way(std::string_view name) {
  if (name == "automatic") return Way::automatic;
  if (name == "searches") return Way::searches;
  if (name == "floyd_warshall") return Way::floyd_warshall;
  if (name == "library") return Way::library;
  throw Error(ErrorKind::usage, "there is no way '" + std::string(name) +
                                    "': automatic, searches, floyd_warshall, library");
}

bool is_brief(const Arcs& arcs, std::int64_t sources) {
  return !arcs.negative && sources * (arcs.n + arcs.count()) <= kBrief;
}

void solve_rows(const std::shared_ptr<const Arcs>& arcs, const RowsWanted& wanted, Way way,
                int threads, const Control& control) {
  if (wanted.sources.empty()) return;
  if (way == Way::automatic) way = choose(*arcs, wanted);
  switch (way) {
    case Way::floyd_warshall:
      close_and_select(*arcs, wanted, threads, control);
      break;
    case Way::library:
      solve_by_library(arcs, wanted, threads, control);
      break;
    default:
      return search_rows(*arcs, wanted, threads, control);
  }
  if (wanted.limit < kNone) cut_at_limit(*arcs, wanted);
}

}  // namespace apsp::python::csgraph
