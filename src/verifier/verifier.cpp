// Selects the rows, reads them in batches and checks them on all threads.
#include "verifier/verifier.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <atomic>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/control.hpp"
#include "base/random.hpp"
#include "base/units.hpp"
#include "graph/arc_walk.hpp"
#include "system/machine.hpp"
#include "system/threads.hpp"
#include "verifier/pair_checks.hpp"
#include "verifier/row_proofs.hpp"
#include "verifier/row_verifier.hpp"
#include "verifier/statistics_checks.hpp"

namespace apsp::verifier {
namespace {

// Depth-first search for pairs that are parts of themselves, from pairs to their parts by via, each
// pair once; O(pairs reached).
enum class PairState : std::uint8_t { unseen, under_way, done };

struct Parts {
  std::array<Pair, 2> pairs{};
  std::size_t count = 0;
  void add(Pair pair) { pairs[count++] = pair; }
};

/// `state(pair)`: a stable reference; `circle(pair)`: a part of this pair is under way.
template <class State, class PartsOf, class Circle>
void follow(Pair start, std::vector<Pair>& stack, State&& state, PartsOf&& parts, Circle&& circle) {
  stack.assign(1, start);
  while (!stack.empty()) {
    const Pair pair = stack.back();
    PairState& own = state(pair);
    if (own == PairState::done) {
      stack.pop_back();
      continue;
    }
    const Parts next = parts(pair);
    own = PairState::under_way;
    bool waits = false;
    for (std::size_t i = 0; i < next.count && !waits; ++i) {
      const PairState part = state(next.pairs[i]);
      if (part == PairState::under_way) {
        circle(pair);
        break;
      }
      waits = part == PairState::unseen;
      if (waits) stack.push_back(next.pairs[i]);
    }
    if (waits) continue;
    own = PairState::done;
    stack.pop_back();
  }
}

Parts parts_through(Pair pair, std::int64_t via) {
  Parts parts;
  if (via < 0) return parts;
  const auto k = static_cast<Vertex>(via);
  parts.add({pair.from, k});
  parts.add({k, pair.to});
  return parts;
}

/// Searches all pairs for cycles, if every single pair is right. Memory: one byte per pair.
class Recursion {
 public:
  /// `falls`: no part has a larger measure than the whole, so that cycles consist of parts of equal
  /// measure, and only these are followed.
  Recursion(const PairClaim& pairs, bool falls)
      : pairs_(&pairs),
        falls_(falls),
        n_(static_cast<std::size_t>(pairs.claim.graph.vertex_count())),
        states_(n_ * n_) {}

  void search_row(Vertex s, PairChecker& checker) {
    for (Vertex t = 0; t < n_; ++t) {
      if (s == t) continue;
      follow(
          {s, t}, stack_,
          [this](Pair pair) -> PairState& { return states_[pair.from * n_ + pair.to]; },
          [this](Pair pair) { return parts_to_follow(pair); },
          [&](Pair pair) { checker.count_circle(s, pair); });
    }
  }

 private:
  Parts parts_to_follow(Pair pair) const {
    if (!pairs_->is_path(pair)) return {};
    const Parts all = parts_through(pair, pairs_->split(pair));
    if (!falls_) return all;
    Parts equal;
    const double measure = pairs_->measure(pair);
    for (std::size_t i = 0; i < all.count; ++i) {
      if (!(pairs_->measure(all.pairs[i]) < measure)) equal.add(all.pairs[i]);
    }
    return equal;
  }

  const PairClaim* pairs_;
  bool falls_;
  std::size_t n_;
  std::vector<PairState> states_;  // [n, n]
  std::vector<Pair> stack_;
};

/// Follows the paths from one source, down to their edges.
class Walks {
 public:
  explicit Walks(const PairClaim& pairs) : checker_(pairs) {}

  void begin(Vertex source) {
    source_ = source;
    known_.clear();
  }
  void check_path_to(Vertex t) {
    const auto parts = [this](Pair pair) {
      PairEntry& own = entry(pair);
      if (!own.checked) own.via = checker_.check(source_, pair);
      own.checked = true;
      return parts_through(pair, own.via);
    };
    follow(
        {source_, t}, stack_, [this](Pair pair) -> PairState& { return entry(pair).state; }, parts,
        [this](Pair pair) { checker_.count_circle(source_, pair); });
  }
  Tally& tally() { return checker_.tally(); }
  std::int64_t pairs_checked() { return tally().of(Check::via).tested; }

 private:
  struct PairEntry {
    PairState state = PairState::unseen;
    std::int64_t via = -1;
    bool checked = false;
  };
  PairEntry& entry(Pair pair) { return known_[std::uint64_t{pair.from} << 32 | pair.to]; }

  PairChecker checker_;
  Vertex source_ = 0;
  std::unordered_map<std::uint64_t, PairEntry> known_;
  std::vector<Pair> stack_;
};

constexpr double kWorthThreads = 1e5;    // with less work, starting threads costs more
constexpr Vertex kPathsAPoll = 1 << 10;  // paths between two polls of the cancellation flag

int threads_for(double checks) { return checks < kWorthThreads ? 1 : system::thread_count(0); }

/// Calls work(i, thread) for 0 ≤ i < count, with progress; returns early after cancellation.
template <class F>
void for_each_source(std::int64_t count, int threads, const char* task, const Control& control,
                     F&& work) {
  base::ProgressTask progress(control, task, static_cast<double>(count), "row");
  system::parallel_for(count, threads, [&](std::int64_t i, int member) {
    if (base::cancelled(control)) return;
    work(i, static_cast<std::size_t>(member));
    progress.advance(1);
  });
  base::check_cancelled(control);
}

template <class Checker>
Tally total_of(std::vector<Checker>& checkers) {
  Tally total;
  for (Checker& checker : checkers) total.add(checker.tally());
  return total;
}

struct Fall {
  void look(const PairClaim& pairs, Pair pair, Vertex k) {
    const double whole = pairs.measure(pair);
    for (const Pair part : {Pair{pair.from, k}, Pair{k, pair.to}}) {
      const double measure = pairs.measure(part);
      if (measure < whole) continue;
      everywhere.store(false, std::memory_order_relaxed);
      if (!(measure == whole)) never_rises.store(false, std::memory_order_relaxed);
    }
  }

  std::atomic<bool> everywhere{true};   // all parts are smaller than the whole
  std::atomic<bool> never_rises{true};  // no part is larger than the whole
};

Tally check_all(const PairClaim& pairs, const Control& control) {
  const std::int64_t n = pairs.claim.graph.vertex_count();
  const int threads = threads_for(static_cast<double>(n) * static_cast<double>(n));
  std::vector<PairChecker> checkers(static_cast<std::size_t>(threads), PairChecker(pairs));
  Fall fall;
  for_each_source(n, threads, "verify via", control, [&](std::int64_t i, std::size_t thread) {
    const auto s = static_cast<Vertex>(i);
    for (Vertex t = 0; t < static_cast<Vertex>(n); ++t) {
      const std::int64_t k = checkers[thread].check(s, {s, t});
      if (k >= 0) fall.look(pairs, {s, t}, static_cast<Vertex>(k));
    }
  });
  if (!fall.everywhere) {
    Recursion recursion(pairs, fall.never_rises);
    for_each_source(n, 1, "verify via", control, [&](std::int64_t s, std::size_t) {
      recursion.search_row(static_cast<Vertex>(s), checkers.front());
    });
  }
  return total_of(checkers);
}

Tally check_from(const PairClaim& pairs, std::span<const Vertex> sources, const Control& control) {
  const std::int64_t n = pairs.claim.graph.vertex_count();
  const int threads = threads_for(static_cast<double>(sources.size()) * static_cast<double>(n));
  std::vector<Walks> walks(static_cast<std::size_t>(threads), Walks(pairs));
  for_each_source(std::ssize(sources), threads, "verify via", control,
                  [&](std::int64_t i, std::size_t thread) {
                    walks[thread].begin(sources[static_cast<std::size_t>(i)]);
                    for (Vertex t = 0; t < static_cast<Vertex>(n); ++t) {
                      if (t % kPathsAPoll == 0 && base::cancelled(control)) return;
                      walks[thread].check_path_to(t);
                    }
                  });
  return total_of(walks);
}

/// Checks paths between random ends, until enough pairs were checked.
Tally check_drawn(const PairClaim& pairs, std::span<const Vertex> sources, const PairLimits& limits,
                  const Control& control) {
  const auto n = static_cast<std::uint64_t>(pairs.claim.graph.vertex_count());
  base::SplitMix64 random(limits.seed);
  base::ProgressTask progress(control, "verify via", static_cast<double>(limits.pairs), "pair");
  Walks walks(pairs);
  std::int64_t before = 0;
  while (walks.pairs_checked() < limits.pairs) {
    base::check_cancelled(control);
    walks.begin(sources[random.below(sources.size())]);
    walks.check_path_to(static_cast<Vertex>(random.below(n)));
    progress.advance(static_cast<double>(walks.pairs_checked() - before));
    before = walks.pairs_checked();
  }
  return walks.tally();
}

void measure_rows(PairClaim& pairs, std::span<const Vertex> rows, const Control& control) {
  const double n = static_cast<double>(pairs.magnitude.size());
  if (!pairs.claim.additive) return;
  for_each_source(
      std::ssize(rows), threads_for(static_cast<double>(rows.size()) * n), "verify via", control,
      [&](std::int64_t i, std::size_t) { pairs.measure_row(rows[static_cast<std::size_t>(i)]); });
}

}  // namespace

PairOutcome check_pairs(const Claim& claim, const store::Store& store,
                        std::span<const Vertex> sources, const PairLimits& limits,
                        const Control& control) {
  PairOutcome outcome;
  if (!store.holds(store::Plane::via)) {
    outcome.tally.count_tested(Check::hops, 1);
    outcome.tally.count_failure(Check::hops, 0, [] {
      return "hops count the edges of paths that via describes, and the plane via is missing";
    });
    return outcome;
  }
  if (sources.empty()) return outcome;
  const std::int64_t n = store.layout().n;
  // The states of the recursion are included.
  const bool fits = copied_bytes(store) + n * n <= limits.memory;
  const auto planes = fits ? planes_in_memory(store, control) : planes_in_store(store);
  PairClaim pairs{claim, *planes, store.holds(store::Plane::hops),
                  std::vector<double>(static_cast<std::size_t>(n))};
  if (!fits) {
    outcome.drawn = true;
    outcome.tally = check_drawn(pairs, sources, limits, control);
    return outcome;
  }
  measure_rows(pairs, graph::all_vertices(n), control);
  const bool all = std::ssize(sources) == n;
  outcome.tally = all ? check_all(pairs, control) : check_from(pairs, sources, control);
  return outcome;
}

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr std::int64_t kBatchBytes = std::int64_t{256} << 20;

void validate(const Graph& graph, const store::Layout& layout, const VerifyOptions& options) {
  if (graph.vertex_count() != layout.n) {
    throw Error(ErrorKind::usage,
                fmt::format("the graph has {}, the matrix {}",
                            base::counted(graph.vertex_count(), "vertex", "vertices"),
                            base::counted(layout.n, "row", "rows")));
  }
  if (!layout.selection.targets.is_all()) {
    throw Error(ErrorKind::usage,
                "a row is checked as a whole, and this result has only the columns of some "
                "targets: solve for all targets to check it");
  }
  if (options.sources < 0) {
    throw Error(ErrorKind::usage, fmt::format("cannot check {} rows", options.sources));
  }
  if (options.tolerance && !(*options.tolerance >= 0 && std::isfinite(*options.tolerance))) {
    throw Error(ErrorKind::usage,
                fmt::format("tolerance must be at least 0, not {}", *options.tolerance));
  }
}

std::int64_t row_size(const store::Layout& layout, store::Plane plane) {
  return layout.n * store::value_size(layout, plane);
}

/// Number of rows in memory at a time: as many as fit, in whole tiles if possible.
std::size_t batch_rows(const store::Layout& layout) {
  const std::int64_t row = row_size(layout, store::Plane::distance);
  const std::int64_t most = std::min(kBatchBytes, system::available_memory() / 4);
  const std::int64_t rows = std::max<std::int64_t>(1, most / std::max<std::int64_t>(1, row));
  const std::int64_t tile = std::max<std::int64_t>(1, layout.tile);
  return static_cast<std::size_t>(rows < tile ? rows : rows - rows % tile);
}

/// Reads some rows, adjacent ones in one call.
void read_rows(const store::Store& store, store::Plane plane, std::span<const Vertex> places,
               std::byte* out) {
  const std::int64_t n = store.layout().n;
  const auto apart = [](Vertex a, Vertex b) { return b != a + 1; };
  while (!places.empty()) {
    const auto last = std::adjacent_find(places.begin(), places.end(), apart);
    const std::int64_t rows = last == places.end() ? std::ssize(places) : last - places.begin() + 1;
    store.read(plane, {places.front(), 0, rows, n}, out, n);
    out += rows * row_size(store.layout(), plane);
    places = places.subspan(static_cast<std::size_t>(rows));
  }
}

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
  const void* row(std::size_t i) const { return distances_.data() + i * distance_bytes(); }
  /// Empty if the store has none.
  std::span<const std::int32_t> predecessors(std::size_t i) const {
    return predecessors_.empty() ? std::span<const std::int32_t>()
                                 : std::span(predecessors_).subspan(i * n_, n_);
  }

 private:
  std::size_t distance_bytes() const {
    return static_cast<std::size_t>(row_size(store_.layout(), store::Plane::distance));
  }

  const store::Store& store_;
  std::size_t n_;
  std::vector<std::byte> distances_;        // [rows, n]
  std::vector<std::int32_t> predecessors_;  // [rows, n]; empty if the store has none
};

struct FoundStatistics {
  FoundStatistics(const StatisticsClaim& claim, int threads)
      : rows(static_cast<std::size_t>(threads), RowStatistics(claim)), columns(claim) {}

  /// Adds the columns of some rows, in strips that one thread takes each.
  void add_columns(const CheckedRows& checked, std::span<const Vertex> places,
                   const store::Layout& layout, int threads) {
    constexpr std::int64_t kStripColumns = 512;
    const std::int64_t strips = (layout.n + kStripColumns - 1) / kStripColumns;
    system::parallel_for(strips, threads, [&](std::int64_t strip, int) {
      const std::int64_t begin = strip * kStripColumns;
      const std::int64_t end = std::min(begin + kStripColumns, layout.n);
      for (std::size_t i = 0; i < places.size(); ++i) {
        columns.add(layout.source(places[i]), checked.row(i), static_cast<std::size_t>(begin),
                    static_cast<std::size_t>(end));
      }
    });
  }
  Tally check_totals() {
    RowStatistics& all = rows.front();
    for (std::size_t i = 1; i < rows.size(); ++i) all.add(rows[i]);
    all.check_totals();
    columns.check_totals(all.tally());
    return all.tally();
  }

  std::vector<RowStatistics> rows;  // [threads]
  ColumnStatistics columns;
};

/// `places`: rows of the store. `statistics`: null if none are claimed.
Tally check_rows(const Claim& claim, const store::Store& store, std::span<const Vertex> places,
                 const StatisticsClaim* statistics, const Control& control) {
  const std::size_t batch = batch_rows(store.layout());
  const int threads = threads_for(static_cast<double>(places.size()) *
                                  static_cast<double>(claim.graph.arc_count()));
  std::vector<RowsChecker> checkers(static_cast<std::size_t>(threads), RowsChecker(claim, control));
  std::optional<FoundStatistics> found;
  if (statistics != nullptr) found.emplace(*statistics, threads);
  CheckedRows rows(store);
  base::ProgressTask progress(control, "verify", static_cast<double>(places.size()), "row");
  while (!places.empty()) {
    const std::size_t taken = std::min(places.size(), batch);
    rows.read(places.first(taken));
    // Few rows are shared by all threads, even if fewer are then proven together.
    const auto shares = static_cast<std::size_t>(threads);
    const std::size_t at_once =
        std::min(checkers.front().rows_at_once(), (taken + shares - 1) / shares);
    const auto groups = static_cast<std::int64_t>((taken + at_once - 1) / at_once);
    system::parallel_for(groups, threads, [&](std::int64_t group, int member) {
      if (base::cancelled(control)) return;
      const std::size_t begin = static_cast<std::size_t>(group) * at_once;
      std::vector<ClaimedRow> claimed;
      for (std::size_t i = begin; i < std::min(begin + at_once, taken); ++i) {
        claimed.push_back({store.layout().source(places[i]), rows.row(i)});
      }
      RowsChecker& checker = checkers[static_cast<std::size_t>(member)];
      checker.check(claimed);
      for (std::size_t i = 0; i < claimed.size(); ++i) {
        if (!found && rows.predecessors(begin + i).empty()) break;
        checker.rows().load(claimed[i]);
        if (const auto of_row = rows.predecessors(begin + i); !of_row.empty()) {
          checker.rows().check_predecessors(of_row);
        }
        if (!found) continue;
        found->rows[static_cast<std::size_t>(member)].add(claimed[i].source,
                                                          checker.rows().distances());
      }
      progress.advance(static_cast<double>(claimed.size()));
    });
    base::check_cancelled(control);
    if (found) found->add_columns(rows, places.first(taken), store.layout(), threads);
    places = places.subspan(taken);
  }
  Tally total = total_of(checkers);
  if (found) total.add(found->check_totals());
  return total;
}

/// Whether the store has what the check is about.
bool applies(Check check, const store::Store& store, const Statistics* claimed) {
  if (check == Check::statistics) return claimed != nullptr;
  if (check == Check::predecessors) return store.holds(store::Plane::predecessor);
  if (check == Check::via) return store.holds(store::Plane::via);
  return check != Check::hops || store.holds(store::Plane::hops);
}

}  // namespace

VerifyReport verify(const Graph& graph, const store::Store& store, const VerifyOptions& options,
                    const Statistics* claimed, ClaimedRows claimed_rows) {
  const store::Layout& layout = store.layout();
  validate(graph, layout, options);
  const Claim claim(graph, layout.semiring, layout.type, options.tolerance);
  const std::vector<Vertex> places = choose_rows(graph, layout.rows(), options);
  const bool all_rows = std::ssize(places) == layout.rows();
  std::optional<StatisticsClaim> statistics;
  const bool cancels = claim.mixed_signs && claim.rounding(kUnbounded) > 0;
  if (claimed_rows == ClaimedRows::recomputed && cancels) claimed = nullptr;
  if (claimed != nullptr) statistics.emplace(claim, *claimed, all_rows, claimed_rows);
  PairOutcome planes;
  planes.tally =
      check_rows(claim, store, places, statistics ? &*statistics : nullptr, options.control);
  if (store.holds(store::Plane::via) || store.holds(store::Plane::hops)) {
    const Tally rows = planes.tally;
    planes = check_pairs(claim, store, places,
                         {.memory = system::available_memory() / 2, .seed = options.seed},
                         options.control);
    planes.tally.add(rows);
  }

  VerifyReport report = report_of(
      planes.tally, [&](Check check) { return applies(check, store, claimed); }, std::ssize(places),
      layout.rows(), graph.vertex_count(), options.tolerance);
  if (claimed != nullptr && !all_rows) report.meaning += "; statistics as far as these rows tell";
  if (planes.drawn) report.meaning += "; via for a sample of pairs";
  return report;
}

}  // namespace apsp::verifier
