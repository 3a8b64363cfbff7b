// Chooses the rows, reads them in batches and checks each batch's rows on all threads.
#include "reference/verifier.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>

#include "base/control.hpp"
#include "base/machine.hpp"
#include "base/numbers.hpp"
#include "base/team.hpp"
#include "reference/pair_verifier.hpp"
#include "reference/row_verifier.hpp"

namespace apsp::reference {
namespace {

constexpr double kChecksWorthThreads = 1e5;  // arc checks, below which starting threads costs more
constexpr std::int64_t kBatchBytes = std::int64_t{256} << 20;

void validate(const Graph& graph, const store::Layout& layout, const VerifyOptions& options) {
  if (graph.vertex_count() != layout.n) {
    throw Error(ErrorKind::usage,
                fmt::format("the graph has {}, the matrix {}",
                            base::counted(graph.vertex_count(), "vertex", "vertices"),
                            base::counted(layout.n, "row", "rows")));
  }
  if (!layout.selection.targets.empty()) {
    throw Error(ErrorKind::usage,
                "a row is checked as a whole, and this result has the columns of some targets "
                "alone: solve for all targets to check it");
  }
  if (options.sources < 0) {
    throw Error(ErrorKind::usage, fmt::format("cannot check {} rows", options.sources));
  }
  if (options.tolerance && !(*options.tolerance >= 0 && std::isfinite(*options.tolerance))) {
    throw Error(ErrorKind::usage,
                fmt::format("tolerance must be at least 0, not {}", *options.tolerance));
  }
}

/// Bytes of a row.
std::int64_t row_size(const store::Layout& layout, store::Plane plane) {
  return layout.n * store::value_size(layout, plane);
}

/// How many rows are held at a time: what memory allows, whole tiles if it allows one.
std::size_t batch_rows(const store::Layout& layout) {
  const std::int64_t row = row_size(layout, store::Plane::distance);
  const std::int64_t rows = std::max<std::int64_t>(1, kBatchBytes / std::max<std::int64_t>(1, row));
  const std::int64_t tile = std::max<std::int64_t>(1, layout.tile);
  return static_cast<std::size_t>(rows < tile ? rows : rows - rows % tile);
}

/// Reads some rows, one below the other; neighbours in one call.
void read_rows(const store::Store& store, store::Plane plane, std::span<const Vertex> places,
               std::byte* out) {
  const std::int64_t n = store.layout().n;
  for (std::size_t first = 0, last = 0; first < places.size(); first = last) {
    last = first + 1;
    while (last < places.size() && places[last] == places[last - 1] + 1) ++last;
    const auto rows = static_cast<std::int64_t>(last - first);
    store.read(plane, {places[first], 0, rows, n}, out, n);
    out += rows * row_size(store.layout(), plane);
  }
}

/// Some rows of the planes that are checked row by row.
class CheckedRows {
 public:
  explicit CheckedRows(const store::Store& store)
      : store_(store), n_(static_cast<std::size_t>(store.layout().n)) {}

  void read(std::span<const Vertex> places) {
    distances_.resize(places.size() * distance_bytes());
    read_rows(store_, store::Plane::distance, places, distances_.data());
    if (!store_.holds(store::Plane::predecessor)) return;
    predecessors_.resize(places.size() * n_);
    read_rows(store_, store::Plane::predecessor, places,
              reinterpret_cast<std::byte*>(predecessors_.data()));
  }
  void check(std::size_t i, Vertex source, RowChecker& checker) const {
    checker.check(source, distances_.data() + i * distance_bytes());
    if (predecessors_.empty()) return;
    checker.check_predecessors(std::span(predecessors_).subspan(i * n_, n_));
  }

 private:
  std::size_t distance_bytes() const {
    return static_cast<std::size_t>(row_size(store_.layout(), store::Plane::distance));
  }

  const store::Store& store_;
  std::size_t n_;
  std::vector<std::byte> distances_;        // [rows, n]
  std::vector<std::int32_t> predecessors_;  // [rows, n]; empty where the store has none
};

/// `places`: which rows of the store.
Tally check_rows(const Claim& claim, const store::Store& store, std::span<const Vertex> places,
                 const Control& control) {
  const std::size_t batch = batch_rows(store.layout());
  const double arc_checks =
      static_cast<double>(places.size()) * static_cast<double>(claim.graph.arc_count());
  const int threads = arc_checks < kChecksWorthThreads ? 1 : base::thread_count(0);
  std::vector<RowChecker> checkers(static_cast<std::size_t>(threads), RowChecker(claim, control));
  CheckedRows rows(store);
  base::ProgressTask progress(control, "verify", static_cast<double>(places.size()), "row");
  while (!places.empty()) {
    const std::size_t taken = std::min(places.size(), batch);
    rows.read(places.first(taken));
    base::share_items(static_cast<std::int64_t>(taken), threads, [&](std::int64_t row, int member) {
      if (base::cancelled(control)) return;
      const auto i = static_cast<std::size_t>(row);
      rows.check(i, store.layout().source(places[i]), checkers[static_cast<std::size_t>(member)]);
      progress.advance(1);
    });
    base::check_cancelled(control);
    places = places.subspan(taken);
  }
  Tally total;
  for (const RowChecker& checker : checkers) total.add(checker.tally());
  return total;
}

/// Whether the check looks at something that the store holds.
bool applies(Check check, const store::Store& store) {
  if (check == Check::predecessors) return store.holds(store::Plane::predecessor);
  if (check == Check::via) return store.holds(store::Plane::via);
  return check != Check::hops || store.holds(store::Plane::hops);
}

}  // namespace

VerifyReport verify(const Graph& graph, const store::Store& store, const VerifyOptions& options) {
  const store::Layout& layout = store.layout();
  validate(graph, layout, options);
  const Claim claim(graph, layout.semiring, layout.type, options.tolerance);
  const std::vector<Vertex> places = choose_rows(graph, layout.rows(), options);
  PairOutcome planes;
  planes.tally = check_rows(claim, store, places, options.control);
  if (applies(Check::via, store) || applies(Check::hops, store)) {
    const Tally rows = planes.tally;
    planes = check_pairs(claim, store, places, default_limits(options.seed), options.control);
    planes.tally.add(rows);
  }

  VerifyReport report = report_of(
      planes.tally, [&](Check check) { return applies(check, store); }, std::ssize(places),
      layout.rows(), graph.vertex_count());
  if (planes.drawn) report.meaning += "; via for a sample of pairs";
  return report;
}

}  // namespace apsp::reference
