#include "reference/pair_verifier.hpp"

#include <algorithm>
#include <atomic>

#include "base/control.hpp"
#include "base/machine.hpp"
#include "base/random.hpp"
#include "base/team.hpp"
#include "reference/pair_checks.hpp"
#include "reference/recursion.hpp"

namespace apsp::reference {
namespace {

constexpr double kPairsWorthThreads = 1e5;  // pairs, below which starting threads costs more
constexpr Vertex kPathsAPoll = 1 << 10;     // paths between two looks at the cancellation flag

int threads_for(double pairs) { return pairs < kPairsWorthThreads ? 1 : base::thread_count(0); }

/// work(i, thread) for 0 ≤ i < count, with progress; ends early once cancelled.
template <class F>
void for_each_source(std::int64_t count, int threads, const char* task, const Control& control,
                     F&& work) {
  base::ProgressTask progress(control, task, static_cast<double>(count), "row");
  base::share_items(count, threads, [&](std::int64_t i, int member) {
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

/// Compares the measure of a pair with that of its parts.
class Fall {
 public:
  void look(const PairClaim& pairs, Pair pair, Vertex k) {
    const double whole = pairs.measure(pair);
    for (const Pair part : {Pair{pair.from, k}, Pair{k, pair.to}}) {
      const double measure = pairs.measure(part);
      if (measure < whole) continue;
      everywhere_.store(false, std::memory_order_relaxed);
      if (!(measure == whole)) never_rises_.store(false, std::memory_order_relaxed);
    }
  }
  bool everywhere() const { return everywhere_; }    ///< no part is as large as the whole
  bool never_rises() const { return never_rises_; }  ///< or larger

 private:
  std::atomic<bool> everywhere_{true};
  std::atomic<bool> never_rises_{true};
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
  if (!fall.everywhere()) {
    Recursion recursion(pairs, fall.never_rises());
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

/// Paths between ends drawn at random, until as many pairs were looked at.
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

std::vector<Vertex> all_rows(std::int64_t n) {
  std::vector<Vertex> rows(static_cast<std::size_t>(n));
  for (std::size_t v = 0; v < rows.size(); ++v) rows[v] = static_cast<Vertex>(v);
  return rows;
}

}  // namespace

PairLimits default_limits(std::uint64_t seed) {
  return {.memory = base::available_memory() / 2, .seed = seed};
}

PairOutcome check_pairs(const Claim& claim, const store::Store& store,
                        std::span<const Vertex> sources, const PairLimits& limits,
                        const Control& control) {
  PairOutcome outcome;
  if (!store.holds(store::Plane::via)) {
    outcome.tally.count_tested(Check::hops, 1);
    outcome.tally.count_failure(Check::hops, 0, [] {
      return "hops count the edges of paths that via describes, and there is no plane of via";
    });
    return outcome;
  }
  if (sources.empty()) return outcome;
  const std::int64_t n = store.layout().n;
  const bool fits = copied_bytes(store) + n * n <= limits.memory;  // and the recursion's states
  const auto planes = fits ? planes_in_memory(store, control) : planes_in_store(store);
  PairClaim pairs{claim, *planes, store.holds(store::Plane::hops),
                  std::vector<double>(static_cast<std::size_t>(n))};
  if (!fits) {
    outcome.drawn = true;
    outcome.tally = check_drawn(pairs, sources, limits, control);
    return outcome;
  }
  measure_rows(pairs, all_rows(n), control);
  const bool all = std::ssize(sources) == n;
  outcome.tally = all ? check_all(pairs, control) : check_from(pairs, sources, control);
  return outcome;
}

}  // namespace apsp::reference
