// Verification of near pairs and of nearest places (apsp/near.hpp), by properties that only the
// right result has (docs/verification.md).
//
// Near pairs of a source s: with D(s,s) = 0 and no distance for absent pairs, no arc u → v within
// the limit leads from D(s,u) to less than D(s,v), and tight arcs reach every pair from s. Weights
// are at least 0, so a vertex within the limit has a shortest path within the limit. Costs the arcs
// of the vertices found.
//
// Nearest places: a list of k places covers a place at a distance if it contains the place no
// farther away, or k places that precede it. The list at the end of every arc must cover the
// extended list of its begin. Costs O(k m).
#include <fmt/format.h>

#include <algorithm>
#include <apsp/near.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "base/control.hpp"
#include "base/refusal.hpp"
#include "graph/arc_walk.hpp"
#include "graph/derived_graphs.hpp"
#include "graph/weight_check.hpp"
#include "system/machine.hpp"
#include "system/threads.hpp"

namespace apsp {
namespace {

constexpr double kNoPath = std::numeric_limits<double>::infinity();

/// The tolerance for doubles of docs/verification.md.
double tolerance_for(const Graph& graph, const VerifyOptions& options) {
  constexpr double kMostSums = 4096;
  const WeightFacts& facts = graph.weight_facts();
  if (options.tolerance) {
    refuse_if(!(*options.tolerance >= 0 && std::isfinite(*options.tolerance)),
              "tolerance must be at least 0, not {}", *options.tolerance);
    return *options.tolerance;
  }
  if (facts.integral) return 0;
  return 0x1p-52 * std::min(static_cast<double>(graph.vertex_count()), kMostSums);
}

struct Outcome {
  std::int64_t tested = 0, failed = 0;
  std::int64_t first_row = 0;
  std::string first_failure;

  void expect(bool holds, std::int64_t row, const std::function<std::string()>& sentence) {
    ++tested;
    if (holds || failed++ > 0) return;
    first_row = row;
    first_failure = sentence();
  }
  void add(const Outcome& other) {
    const bool first = other.failed > 0 && (failed == 0 || other.first_row < first_row);
    if (first) {
      first_row = other.first_row;
      first_failure = other.first_failure;
    }
    tested += other.tested;
    failed += other.failed;
  }
};

VerifyReport report_of_near(std::vector<std::pair<const char*, Outcome>> outcomes, double tolerance,
                            std::int64_t checked, std::int64_t rows, const VerifyOptions& options) {
  VerifyReport report;
  report.passed = true;
  for (const auto& [name, outcome] : outcomes) {
    report.checks.push_back({name, outcome.tested, outcome.failed, outcome.first_failure});
    report.passed = report.passed && outcome.failed == 0;
  }
  report.sources_checked = checked;
  report.sources = rows;
  report.tolerance = tolerance;
  const char* const of_rows = checked < rows ? " for the sampled sources" : "";
  report.meaning =
      options.tolerance
          ? fmt::format("within the tolerance of {}{}", tolerance, of_rows)
          : fmt::format("proof{}{}", of_rows, tolerance > 0 ? ", within tolerance" : "");
  return report;
}

/// Checks rows of near pairs in one thread. Memory: 9 bytes per vertex.
class NearRowChecker {
 public:
  NearRowChecker(const Graph& graph, double limit, double tolerance)
      : graph_(&graph),
        limit_(limit),
        tolerance_(tolerance),
        distance_(static_cast<std::size_t>(graph.vertex_count()), kNoPath),
        seen_(distance_.size(), 0) {}

  void check(Vertex source, std::span<const Vertex> targets, std::span<const double> distances) {
    source_ = source;
    found_.assign(1, source);
    distance_[source] = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) take(targets[i], distances[i]);
    check_triangle();
    check_tightness();
    for (const Vertex v : found_) {
      distance_[v] = kNoPath;
      seen_[v] = 0;
    }
  }

  Outcome pairs, triangle, tightness;

 private:
  void take(Vertex target, double distance) {
    const bool known = target < distance_.size() && distance_[target] != kNoPath;
    pairs.expect(target < distance_.size() && !known && distance >= 0 && distance <= limit_,
                 source_, [&] {
                   return fmt::format(
                       "the pair {} → {} has the distance {}: it is there twice, or "
                       "no distance within {}",
                       graph_->name(source_), name(target), distance, limit_);
                 });
    if (target >= distance_.size() || known || std::isnan(distance)) return;
    distance_[target] = distance;
    found_.push_back(target);
  }
  double slack(double path, double weight) const { return tolerance_ * (path + weight); }

  void check_triangle() {
    for (const Vertex u : found_) {
      graph_->for_each_arc(u, [&](Vertex v, double weight) {
        const double reach = distance_[u] + weight, slack_here = slack(distance_[u], weight);
        const bool asked = reach + slack_here <= limit_ || distance_[v] != kNoPath;
        triangle.expect(!asked || distance_[v] <= reach + slack_here, source_, [&] {
          return fmt::format("{} → {} is {}, but by way of {} it is {}", name(source_), name(v),
                             distance_[v] == kNoPath ? "missing" : fmt::format("{}", distance_[v]),
                             name(u), reach);
        });
      });
    }
  }
  void check_tightness() {
    queue_.assign(1, source_);
    seen_[source_] = 1;
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const Vertex u = queue_[next];
      graph_->for_each_arc(u, [&](Vertex v, double weight) {
        const double apart = std::abs(distance_[v] - (distance_[u] + weight));
        if (seen_[v] != 0 || !(apart <= slack(distance_[u], weight))) return;
        seen_[v] = 1;
        queue_.push_back(v);
      });
    }
    for (const Vertex v : found_) {
      tightness.expect(seen_[v] != 0, source_, [&] {
        return fmt::format("{} → {} is {}, but no path attains it", name(source_), name(v),
                           distance_[v]);
      });
    }
  }
  std::string name(Vertex v) const {
    return v < distance_.size() ? graph_->name(v) : fmt::format("number {}", v);
  }

  const Graph* graph_;
  double limit_, tolerance_;
  std::vector<double> distance_;    // [n] of the present row
  std::vector<std::uint8_t> seen_;  // [n]
  std::vector<Vertex> found_, queue_;
  Vertex source_ = 0;
};

std::vector<Vertex> rows_to_check(std::int64_t rows, const VerifyOptions& options) {
  refuse_if(options.sources < 0, "cannot check {} rows", options.sources);
  if (options.sources == 0 || options.sources >= rows) return graph::all_vertices(rows);
  return graph::drawn_vertices(rows, options.sources, options.seed);
}

void require_fitting(const SparseDistances& pairs, const Graph& graph,
                     std::span<const Vertex> sources) {
  const std::int64_t rows = sources.empty() ? graph.vertex_count() : std::ssize(sources);
  const auto& begins = pairs.row_begin;
  const bool fits = pairs.vertices == graph.vertex_count() && std::ssize(begins) == rows + 1 &&
                    begins.front() == 0 && std::ranges::is_sorted(begins) &&
                    begins.back() == std::ssize(pairs.targets) &&
                    pairs.targets.size() == pairs.distances.size();
  refuse_if(!fits, "the pairs are not those of {} sources and {} vertices", rows,
            graph.vertex_count());
  refuse_if(std::ranges::any_of(sources, [&](Vertex v) { return v >= graph.vertex_count(); }),
            "a source is no vertex of the graph");
}

}  // namespace

VerifyReport verify(const SparseDistances& pairs, const Graph& graph, double limit,
                    std::span<const Vertex> sources, const VerifyOptions& options) {
  graph::require_non_negative(graph, "near pairs need", "correct it");
  require_fitting(pairs, graph, sources);
  const double tolerance = tolerance_for(graph, options);
  const std::int64_t rows = std::ssize(pairs.row_begin) - 1;
  const std::vector<Vertex> chosen = rows_to_check(rows, options);
  constexpr std::int64_t kWorthThreads = 1 << 16;
  const int threads = std::ssize(pairs.targets) < kWorthThreads ? 1 : system::thread_count(0);
  std::vector<NearRowChecker> checkers(static_cast<std::size_t>(threads),
                                       NearRowChecker(graph, limit, tolerance));
  base::ProgressTask progress(options.control, "verify", static_cast<double>(chosen.size()), "row");
  system::parallel_for(std::ssize(chosen), threads, [&](std::int64_t i, int member) {
    if (base::cancelled(options.control)) return;
    const std::size_t row = chosen[static_cast<std::size_t>(i)];
    const auto begin = static_cast<std::size_t>(pairs.row_begin[row]);
    const std::size_t count = static_cast<std::size_t>(pairs.row_begin[row + 1]) - begin;
    checkers[static_cast<std::size_t>(member)].check(
        sources.empty() ? static_cast<Vertex>(row) : sources[row],
        std::span(pairs.targets).subspan(begin, count),
        std::span(pairs.distances).subspan(begin, count));
    progress.advance(1);
  });
  base::check_cancelled(options.control);
  NearRowChecker& all = checkers.front();
  for (std::size_t i = 1; i < checkers.size(); ++i) {
    all.pairs.add(checkers[i].pairs);
    all.triangle.add(checkers[i].triangle);
    all.tightness.add(checkers[i].tightness);
  }
  return report_of_near(
      {{"pairs", all.pairs}, {"triangle", all.triangle}, {"tightness", all.tightness}}, tolerance,
      std::ssize(chosen), rows, options);
}

namespace {

/// Checks the lists of all vertices. `along` has an arc from each list to those that it extends to.
class PlaceListChecker {
 public:
  PlaceListChecker(const NearestPlaces& found, const Graph& along, std::span<const Vertex> places,
                   double tolerance, const Graph& named)
      : found_(found),
        along_(along),
        places_(places),
        tolerance_(tolerance),
        named_(named),
        k_(static_cast<std::size_t>(found.count)),
        seen_(found.places.size(), 0) {}

  void check() {
    for (Vertex v = 0; v < along_.vertex_count(); ++v) check_order(v);
    if (lists.failed > 0) return;  // lists with invalid places cannot be followed
    for (std::size_t i = 0; i < places_.size(); ++i) {
      triangle.expect(covers(places_[i], 0, static_cast<std::int64_t>(i), 0), places_[i], [&] {
        return fmt::format("{} is a place, but its list does not begin with it",
                           named_.name(places_[i]));
      });
    }
    along_.visit_all([&](Vertex from, Vertex to, double weight) { check_arc(from, to, weight); });
    check_tightness();
  }

  Outcome lists, triangle, tightness;

 private:
  std::int64_t place(Vertex v, std::size_t rank) const { return found_.places[v * k_ + rank]; }
  double distance(Vertex v, std::size_t rank) const { return found_.distances[v * k_ + rank]; }
  bool known(Vertex v, std::size_t rank) const { return place(v, rank) != NearestPlaces::kNone; }
  /// Returns the position of the place in the list of v, or k.
  std::size_t rank_of(Vertex v, std::int64_t of) const {
    std::size_t rank = 0;
    while (rank < k_ && place(v, rank) != of) ++rank;
    return rank;
  }

  void check_order(Vertex v) {
    for (std::size_t rank = 0; rank < k_; ++rank) {
      const double here = distance(v, rank);
      bool holds = known(v, rank)
                       ? place(v, rank) >= 0 && place(v, rank) < std::ssize(places_) && here >= 0 &&
                             here < kNoPath && rank_of(v, place(v, rank)) == rank
                       : here == kNoPath;
      if (rank > 0 && known(v, rank)) {
        const double before = distance(v, rank - 1);
        holds = holds && known(v, rank - 1) &&
                (before < here || (before == here && place(v, rank - 1) < place(v, rank)));
      }
      lists.expect(holds, v, [&] {
        return fmt::format("the list of {} has no place in order at rank {}", named_.name(v),
                           rank + 1);
      });
    }
  }
  bool covers(Vertex v, double at, std::int64_t of, double slack) const {
    const std::size_t rank = rank_of(v, of);
    if (rank < k_) return distance(v, rank) <= at + slack;
    if (!known(v, k_ - 1)) return false;
    const double last = distance(v, k_ - 1);
    return last < at || (last == at && place(v, k_ - 1) < of) || (slack > 0 && last <= at + slack);
  }
  void check_arc(Vertex from, Vertex to, double weight) {
    for (std::size_t rank = 0; rank < k_ && known(from, rank); ++rank) {
      const double at = distance(from, rank) + weight;
      triangle.expect(covers(to, at, place(from, rank), tolerance_ * at), to, [&] {
        return fmt::format("place {} is {} away from {} by way of {}, but its list lacks that",
                           named_.name(places_[static_cast<std::size_t>(place(from, rank))]), at,
                           named_.name(to), named_.name(from));
      });
    }
  }
  /// Searches from each place along tight arcs between entries of the same place.
  void check_tightness() {
    std::vector<std::size_t> queue;
    const auto see = [&](Vertex v, std::size_t rank) {
      if (rank == k_ || seen_[v * k_ + rank] != 0) return;
      seen_[v * k_ + rank] = 1;
      queue.push_back(v * k_ + rank);
    };
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const std::size_t rank = rank_of(places_[i], static_cast<std::int64_t>(i));
      if (rank < k_ && distance(places_[i], rank) == 0) see(places_[i], rank);
    }
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const auto from = static_cast<Vertex>(queue[next] / k_);
      const std::size_t rank = queue[next] % k_;
      along_.for_each_arc(from, [&](Vertex to, double weight) {
        const std::size_t there = rank_of(to, place(from, rank));
        const double at = distance(from, rank) + weight;
        if (there < k_ && std::abs(distance(to, there) - at) <= tolerance_ * at) see(to, there);
      });
    }
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const auto v = static_cast<Vertex>(i / k_);
      if (!known(v, i % k_)) continue;
      tightness.expect(seen_[i] != 0, v, [&] {
        return fmt::format("place {} is {} away from {}, but no path attains it",
                           named_.name(places_[static_cast<std::size_t>(place(v, i % k_))]),
                           distance(v, i % k_), named_.name(v));
      });
    }
  }

  const NearestPlaces& found_;
  const Graph& along_;
  std::span<const Vertex> places_;
  double tolerance_;
  const Graph& named_;
  std::size_t k_;
  std::vector<std::uint8_t> seen_;  // [n, k]
};

}  // namespace

VerifyReport verify(const NearestPlaces& found, const Graph& graph, std::span<const Vertex> places,
                    Towards towards, const VerifyOptions& options) {
  graph::require_non_negative(graph, "nearest places need", "correct it");
  const std::int64_t n = graph.vertex_count();
  refuse_if(found.count < 1 || std::ssize(found.places) != n * found.count ||
                found.places.size() != found.distances.size(),
            "the places are not {} for each of {} vertices", found.count, n);
  refuse_if(std::ranges::any_of(places, [&](Vertex v) { return v >= n; }),
            "a place is no vertex of the graph");
  const double tolerance = tolerance_for(graph, options);
  const bool against = towards == Towards::places && !graph.symmetric();
  const Graph along = against ? graph::reversed(graph) : graph;
  PlaceListChecker checker(found, along, places, tolerance, graph);
  checker.check();
  base::check_cancelled(options.control);
  return report_of_near(
      {{"places", checker.lists}, {"triangle", checker.triangle}, {"tightness", checker.tightness}},
      tolerance, n, n, options);
}

}  // namespace apsp
