#include "verifier/row_checks.hpp"

#include <fmt/format.h>

#include "base/control.hpp"
#include "base/value_types.hpp"
#include "graph/components.hpp"
#include "graph/negative_cycle.hpp"

namespace apsp::verifier {
namespace {

constexpr double kAlways = std::numeric_limits<double>::infinity();
constexpr double kMostRoundings = 4096;  // cap of the error of real paths, because roundings cancel
constexpr double kSumOfDoubles = 0x1p-51;        // error of reducing a weight here, per term
constexpr std::size_t kVerticesAPoll = 1 << 14;  // between two polls of the cancellation flag

}  // namespace

Claim::Claim(const Graph& graph_, Semiring semiring, ValueType type_,
             std::optional<double> tolerance)
    : graph(graph_),
      type(type_),
      additive(semiring == Semiring::min_plus || semiring == Semiring::max_plus),
      sign(semiring == Semiring::min_plus || semiring == Semiring::min_max ? 1 : -1),
      none(sign * no_path(semiring, type)),
      one(sign * empty_path(semiring, type)),
      mixed_signs(graph.weight_facts().least < 0 && graph.weight_facts().greatest > 0),
      component(strong_components(graph).of),
      given_tolerance_(tolerance),
      unweighted_(semiring == Semiring::or_and),
      exact_below_(kAlways) {
  if (!additive || (type != ValueType::f32 && type != ValueType::f64)) return;
  const double mantissa = type == ValueType::f32 ? 0x1p24 : 0x1p53;
  exact_below_ = graph.weight_facts().integral ? mantissa : 0;
  const auto n = static_cast<double>(graph.vertex_count());
  rounding_tolerance_ = 2 / mantissa * std::min(n, kMostRoundings);
  unit_roundoff_ = 1 / mantissa;
  // Normal weights of both signs may leave smaller sums. Weights that the type rounds do not count.
  const double least = type == ValueType::f64 ? std::numeric_limits<double>::denorm_min()
                       : graph.weight_facts().below_f32 > 0
                           ? 0
                           : static_cast<double>(std::numeric_limits<float>::denorm_min());
  underflow_ = least * std::min(n, kMostRoundings);
  if (mixed_signs && !tolerance) find_potentials();
}

void Claim::find_potentials() {
  const Potentials found = apsp::potentials(graph, sign);
  if (found.cycle) {
    on_cycle = found.cycle->vertices.front();
    return;
  }
  for (const base::DoubleDouble& h : found.h) {
    potentials.push_back(h.high);
    largest_potential_ = std::max(largest_potential_, std::abs(h.high));
  }
  const WeightFacts& facts = graph.weight_facts();
  const double largest = std::max(std::abs(facts.least), std::abs(facts.greatest));
  const double rounding = facts.integral ? 0 : kSumOfDoubles;
  forgiven = found.bias * largest + rounding * (largest + 2 * largest_potential_) + underflow_;
}

double Claim::tolerance_of_row(double magnitude) const {
  if (given_tolerance_) return *given_tolerance_;
  return rounding(magnitude);
}

void Tally::add(const Tally& other) {
  for (std::size_t i = 0; i < checks.size(); ++i) {
    CheckTally& mine = checks[i];
    const CheckTally& theirs = other.checks[i];
    if (theirs.failed > 0 && (mine.failed == 0 || theirs.first_source < mine.first_source)) {
      mine.first_source = theirs.first_source;
      mine.first_failure = theirs.first_failure;
    }
    mine.tested += theirs.tested;
    mine.failed += theirs.failed;
  }
  tolerance = std::max(tolerance, other.tolerance);
}

RowChecker::RowChecker(const Claim& claim, const Control& control)
    : claim_(&claim), control_(&control) {
  const auto n = static_cast<std::size_t>(claim.graph.vertex_count());
  claimed_.resize(n);
  noise_.resize(claim.potentials.size());
  tight_.resize(n);
  reachable_.resize(n);
  queue_.reserve(n);
}

void RowChecker::load(const ClaimedRow& row) {
  source_ = row.source;
  base::with_type(claim_->type, [&]<class T>() {
    const auto* const values = static_cast<const T*>(row.values);
    std::transform(values, values + claimed_.size(), claimed_.begin(),
                   [&](T value) { return claim_->sign * static_cast<double>(value); });
  });
  magnitude_ = 0;
  for (const double value : claimed_) {
    if (value != claim_->none && std::isfinite(value)) {
      magnitude_ = std::max(magnitude_, std::abs(value));
    }
  }
  tolerance_ = claim_->tolerance_of_row(magnitude_);
  row_ = claimed_;
  if (claim_->reduces()) compare_reduced();
}

void RowChecker::check(const ClaimedRow& row) {
  load(row);
  tally_.tolerance = std::max(tally_.tolerance, tolerance_);
  check_diagonal();
  check_edges();
  check_triangle();
  check_tightness();
  check_reachability();
}

void RowChecker::compare_reduced() {
  for (Vertex v = 0; v < row_.size(); ++v) {
    row_[v] = claim_->reduced(claimed_[v], source_, v);
    noise_[v] = claim_->noise(tolerance_, claimed_[v], source_, v);
  }
}

void RowChecker::check_diagonal() {
  tally_.count_tested(Check::diagonal, 1);
  const double value = claimed_[source_];
  // Exact, unless weights of both signs cancelled around a cycle of weight zero.
  double allowed = claim_->additive && claim_->mixed_signs ? tolerance_ * 2 * magnitude_ : 0;
  if (claim_->reduces()) {
    const auto n = static_cast<double>(row_.size());
    allowed = tolerance_ > 0 ? noise_[source_] + n * claim_->forgiven : 0;
  }
  if (value == claim_->one || std::abs(value - claim_->one) <= allowed) return;
  tally_.count_failure(Check::diagonal, source_, [&] {
    return fmt::format("distance from {} to itself is {}, not {}", name(source_), text(value),
                       text(claim_->one));
  });
}

void RowChecker::check_edges() {
  tally_.count_tested(Check::edges, static_cast<std::size_t>(claim_->graph.out_degree(source_)));
  claim_->graph.for_each_arc(source_, [&](Vertex v, double exact) {
    if (no_worse(source_, v, claim_->one, claim_->arc(source_, v, exact))) return;
    tally_.count_failure(Check::edges, source_, [&] {
      return fmt::format("{}, but the edge {} → {} has {}", distance_to(v), name(source_), name(v),
                         text(claim_->held(exact)));
    });
  });
}

void RowChecker::check_triangle() {
  if (claim_->on_cycle && is_path(*claim_->on_cycle)) {
    tally_.count_failure(Check::triangle, source_, [&] {
      return fmt::format("a negative cycle leads through {}, so there are no shortest distances",
                         name(*claim_->on_cycle));
    });
  }
  for (Vertex u = 0; u < row_.size(); ++u) {
    if (cancelled(u)) return;
    if (!is_path(u)) continue;
    const double path = row_[u];
    tally_.count_tested(Check::triangle, static_cast<std::size_t>(claim_->graph.out_degree(u)));
    claim_->graph.for_each_arc(u, [&](Vertex v, double exact) {
      if (no_worse(u, v, path, claim_->arc(u, v, exact))) return;
      tally_.count_failure(Check::triangle, source_, [&] {
        const std::string middle = name(u);
        const double weight = claim_->held(exact);
        return fmt::format("{}, but {} → {} ({}) and the edge {} → {} ({}) give {}", distance_to(v),
                           name(source_), middle, text(claimed_[u]), middle, name(v), text(weight),
                           text(claim_->join(claimed_[u], weight)));
      });
    });
  }
}

void RowChecker::check_tightness() {
  search(tight_, [&](Vertex u, Vertex v, double weight) {
    return is_path(v) && tight(u, v, claim_->arc(u, v, weight));
  });
  for (Vertex v = 0; v < row_.size(); ++v) {
    if (v == source_ || !is_path(v)) continue;
    tally_.count_tested(Check::tightness, 1);
    if (tight_[v] != 0) continue;
    tally_.count_failure(Check::tightness, source_,
                         [&] { return fmt::format("{}, but no path attains it", distance_to(v)); });
  }
}

void RowChecker::check_reachability() {
  if (reachable_from_ != claim_->component[source_]) {
    search(reachable_, [](Vertex, Vertex, double) { return true; });
    reachable_from_ = claim_->component[source_];
  }
  tally_.count_tested(Check::reachability, row_.size());
  for (Vertex v = 0; v < row_.size(); ++v) {
    const bool reachable = reachable_[v] != 0;
    if (reachable == is_path(v)) continue;
    tally_.count_failure(Check::reachability, source_, [&] {
      return fmt::format("{}, but there is {} path", distance_to(v), reachable ? "a" : "no");
    });
  }
}

// A row of predecessors must be a tree of paths of the stored lengths: rooted in the source, along
// arcs that are tight in the row of distances. A search from the source along tight arcs p(v) → v
// visits a tree, because every vertex has one predecessor. If it visits all vertices with a path,
// the way back from each of them ends at the source, along real arcs whose sum is the stored
// distance. The search never enters a cycle of predecessors. O(n + m).
void RowChecker::check_predecessors(std::span<const std::int32_t> predecessors) {
  search(tight_, [&](Vertex u, Vertex v, double weight) {
    return predecessors[v] == static_cast<std::int64_t>(u) && is_path(v) &&
           tight(u, v, claim_->arc(u, v, weight));
  });
  tally_.count_tested(Check::predecessors, row_.size());
  for (Vertex v = 0; v < row_.size(); ++v) {
    const bool none = v == source_ || !is_path(v);
    if (none ? predecessors[v] == -1 : tight_[v] != 0) continue;
    tally_.count_failure(Check::predecessors, source_,
                         [&] { return wrong_predecessor(v, predecessors[v]); });
  }
}

std::string RowChecker::wrong_predecessor(Vertex v, std::int32_t predecessor) const {
  if (predecessor < -1 || predecessor >= static_cast<std::int64_t>(row_.size())) {
    return fmt::format(
        "the predecessor of {} on the way from {} is number {}, which is not a vertex", name(v),
        name(source_), predecessor);
  }
  const std::string shown = predecessor == -1 ? "none" : name(static_cast<Vertex>(predecessor));
  const std::string claim =
      fmt::format("the predecessor of {} on the way from {} is {}", name(v), name(source_), shown);
  if (v == source_) return claim + ", but the empty path has none";
  if (!is_path(v)) return claim + ", but there is no path";
  return fmt::format("{}, but no path of length {} leads back along predecessors", claim,
                     text(claimed_[v]));
}

bool RowChecker::cancelled(std::size_t step) const {
  return step % kVerticesAPoll == 0 && base::cancelled(*control_);
}

std::string Claim::text(double value) const {
  return value == none ? "none" : fmt::format("{}", sign * value + 0.0);
}

std::string RowChecker::distance_to(Vertex v) const {
  return fmt::format("distance from {} to {} is {}", name(source_), name(v), text(claimed_[v]));
}

}  // namespace apsp::verifier
