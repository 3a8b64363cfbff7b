#include "reference/row_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/control.hpp"

namespace apsp::reference {
namespace {

constexpr std::size_t kPollEvery = 1 << 14;  // vertices between two looks at the cancellation flag

std::span<const double> weights_of(const Claim& claim, Vertex u) {
  const auto first = static_cast<std::size_t>(claim.graph.offsets()[u]);
  return std::span(claim.weights).subspan(first, claim.graph.targets(u).size());
}

template <class T>
void read_values(const void* row, double sign, std::vector<double>& out) {
  const T* values = static_cast<const T*>(row);
  for (std::size_t v = 0; v < out.size(); ++v) out[v] = sign * static_cast<double>(values[v]);
}

void read_row(const void* row, ValueType type, double sign, std::vector<double>& out) {
  switch (type) {
    case ValueType::f32:
      return read_values<float>(row, sign, out);
    case ValueType::f64:
      return read_values<double>(row, sign, out);
    case ValueType::i32:
      return read_values<std::int32_t>(row, sign, out);
    case ValueType::u16:
      return read_values<std::uint16_t>(row, sign, out);
    case ValueType::boolean:
      return read_values<std::uint8_t>(row, sign, out);
  }
}

}  // namespace

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
  row_.resize(n);
  noise_.resize(claim.potentials.size());
  tight_.resize(n);
  reachable_.resize(n);
  queue_.reserve(n);
}

void RowChecker::check(Vertex source, const void* row) {
  source_ = source;
  read_row(row, claim_->type, claim_->sign, claimed_);
  row_ = claimed_;
  if (is_reduced()) reduce_row();
  magnitude_ = claim_->largest_potential;
  for (std::size_t v = 0; v < row_.size(); ++v) {
    if (row_[v] == claim_->none || !std::isfinite(row_[v])) continue;
    magnitude_ = std::max({magnitude_, std::abs(row_[v]), std::abs(claimed_[v])});
  }
  tolerance_ = claim_->tolerance_of_row(magnitude_);
  tally_.tolerance = std::max(tally_.tolerance, tolerance_);
  check_diagonal();
  check_edges();
  check_triangle();
  check_tightness();
  check_reachability();
}

/// A distance is rounded to its type once, and reducing it here takes two sums of doubles.
void RowChecker::reduce_row() {
  constexpr double kTwoSums = 0x1p-50;
  const std::vector<double>& h = claim_->potentials;
  for (std::size_t v = 0; v < row_.size(); ++v) {
    noise_[v] = 0;
    if (!is_path(static_cast<Vertex>(v)) || !std::isfinite(row_[v])) continue;
    const double terms = std::abs(row_[v]) + std::abs(h[source_]) + std::abs(h[v]);
    noise_[v] = claim_->unit_roundoff * std::abs(row_[v]) + kTwoSums * terms;
    row_[v] += h[source_] - h[v];
  }
}

void RowChecker::check_diagonal() {
  count_tested(Check::diagonal, 1);
  const double value = claimed_[source_];
  // Exact, unless weights of both signs cancelled around a cycle of weight zero.
  double allowed = claim_->additive && claim_->mixed_signs ? tolerance_ * 2 * magnitude_ : 0;
  if (is_reduced()) {
    const auto n = static_cast<double>(row_.size());
    allowed = tolerance_ > 0 ? noise_[source_] + n * claim_->forgiven : 0;
  }
  if (value == claim_->one || std::abs(value - claim_->one) <= allowed) return;
  count_failure(Check::diagonal, [&] {
    return fmt::format("distance from {} to itself is {}, not {}", name(source_), text(value),
                       text(claim_->one));
  });
}

void RowChecker::check_edges() {
  const std::span<const Vertex> targets = claim_->graph.targets(source_);
  const std::span<const double> weights = weights_of(*claim_, source_);
  count_tested(Check::edges, targets.size());
  for (std::size_t a = 0; a < targets.size(); ++a) {
    if (no_worse(source_, targets[a], claim_->one, weights[a])) continue;
    count_failure(Check::edges, [&] {
      return fmt::format("{}, but the edge {} → {} has {}", distance_to(targets[a]), name(source_),
                         name(targets[a]), weight_text(source_, a));
    });
  }
}

void RowChecker::check_triangle() {
  if (claim_->on_cycle && is_path(*claim_->on_cycle)) {
    count_failure(Check::triangle, [&] {
      return fmt::format("a negative cycle leads through {}, so there are no shortest distances",
                         name(*claim_->on_cycle));
    });
  }
  for (Vertex u = 0; u < row_.size(); ++u) {
    if (cancelled(u)) return;
    if (!is_path(u)) continue;
    const double path = row_[u];
    const std::span<const Vertex> targets = claim_->graph.targets(u);
    const std::span<const double> weights = weights_of(*claim_, u);
    count_tested(Check::triangle, targets.size());
    for (std::size_t a = 0; a < targets.size(); ++a) {
      if (no_worse(u, targets[a], path, weights[a])) continue;
      count_failure(Check::triangle, [&] {
        const std::string middle = name(u);
        double sum = claim_->join(path, weights[a]);
        if (is_reduced()) sum += claim_->potentials[targets[a]] - claim_->potentials[source_];
        return fmt::format("{}, but {} → {} ({}) and the edge {} → {} ({}) give {}",
                           distance_to(targets[a]), name(source_), middle, text(claimed_[u]),
                           middle, name(targets[a]), weight_text(u, a), text(sum));
      });
    }
  }
}

void RowChecker::check_tightness() {
  search(tight_, [&](Vertex u, std::size_t a, Vertex v) {
    return is_path(v) && tight(u, v, weights_of(*claim_, u)[a]);
  });
  for (Vertex v = 0; v < row_.size(); ++v) {
    if (v == source_ || !is_path(v)) continue;
    count_tested(Check::tightness, 1);
    if (tight_[v] != 0) continue;
    count_failure(Check::tightness,
                  [&] { return fmt::format("{}, but no path attains it", distance_to(v)); });
  }
}

void RowChecker::check_reachability() {
  if (reachable_from_ != claim_->component[source_]) {
    search(reachable_, [](Vertex, std::size_t, Vertex) { return true; });
    reachable_from_ = claim_->component[source_];
  }
  count_tested(Check::reachability, row_.size());
  for (Vertex v = 0; v < row_.size(); ++v) {
    const bool reachable = reachable_[v] != 0;
    if (reachable == is_path(v)) continue;
    count_failure(Check::reachability, [&] {
      return fmt::format("{}, but there is {} path", distance_to(v), reachable ? "a" : "no");
    });
  }
}

template <class Follow>
void RowChecker::search(std::vector<std::uint8_t>& marks, Follow&& follow) {
  std::fill(marks.begin(), marks.end(), std::uint8_t{0});
  queue_.assign(1, source_);
  marks[source_] = 1;
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    if (cancelled(head)) return;
    const Vertex u = queue_[head];
    const std::span<const Vertex> targets = claim_->graph.targets(u);
    for (std::size_t a = 0; a < targets.size(); ++a) {
      const Vertex v = targets[a];
      if (marks[v] != 0 || !follow(u, a, v)) continue;
      marks[v] = 1;
      queue_.push_back(v);
    }
  }
}

bool RowChecker::cancelled(std::size_t step) const {
  return step % kPollEvery == 0 && base::cancelled(*control_);
}

void RowChecker::count_tested(Check check, std::size_t comparisons) {
  tally_.checks[static_cast<std::size_t>(check)].tested += static_cast<std::int64_t>(comparisons);
}

template <class Sentence>
void RowChecker::count_failure(Check check, Sentence&& sentence) {
  CheckTally& tally = tally_.checks[static_cast<std::size_t>(check)];
  if (tally.failed++ > 0) return;
  tally.first_source = source_;
  tally.first_failure = sentence();
}

std::string RowChecker::text(double value) const {
  return value == claim_->none ? "none" : fmt::format("{}", claim_->sign * value + 0.0);
}

std::string RowChecker::weight_text(Vertex u, std::size_t arc) const {
  if (!is_reduced()) return text(weights_of(*claim_, u)[arc]);
  return fmt::format("{}", claim_->graph.weights(u)[arc]);
}

std::string RowChecker::distance_to(Vertex v) const {
  return fmt::format("distance from {} to {} is {}", name(source_), name(v), text(claimed_[v]));
}

}  // namespace apsp::reference
