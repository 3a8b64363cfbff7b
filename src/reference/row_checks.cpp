#include "reference/row_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/control.hpp"

namespace apsp::reference {
namespace {

constexpr std::size_t kVerticesAPoll =
    1 << 14;  // vertices between two looks at the cancellation flag

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
  magnitude_ = 0;
  for (const double value : claimed_) {
    if (value != claim_->none && std::isfinite(value)) {
      magnitude_ = std::max(magnitude_, std::abs(value));
    }
  }
  tolerance_ = claim_->tolerance_of_row(magnitude_);
  tally_.tolerance = std::max(tally_.tolerance, tolerance_);
  row_ = claimed_;
  if (claim_->reduces()) compare_reduced();
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
  count_tested(Check::diagonal, 1);
  const double value = claimed_[source_];
  // Exact, unless weights of both signs cancelled around a cycle of weight zero.
  double allowed = claim_->additive && claim_->mixed_signs ? tolerance_ * 2 * magnitude_ : 0;
  if (claim_->reduces()) {
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
  count_tested(Check::edges, static_cast<std::size_t>(claim_->graph.out_degree(source_)));
  claim_->graph.for_each_arc(source_, [&](Vertex v, double exact) {
    if (no_worse(source_, v, claim_->one, claim_->arc(source_, v, exact))) return;
    count_failure(Check::edges, [&] {
      return fmt::format("{}, but the edge {} → {} has {}", distance_to(v), name(source_), name(v),
                         text(claim_->held(exact)));
    });
  });
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
    count_tested(Check::triangle, static_cast<std::size_t>(claim_->graph.out_degree(u)));
    claim_->graph.for_each_arc(u, [&](Vertex v, double exact) {
      if (no_worse(u, v, path, claim_->arc(u, v, exact))) return;
      count_failure(Check::triangle, [&] {
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
    count_tested(Check::tightness, 1);
    if (tight_[v] != 0) continue;
    count_failure(Check::tightness,
                  [&] { return fmt::format("{}, but no path attains it", distance_to(v)); });
  }
}

void RowChecker::check_reachability() {
  if (reachable_from_ != claim_->component[source_]) {
    search(reachable_, [](Vertex, Vertex, double) { return true; });
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

bool RowChecker::cancelled(std::size_t step) const {
  return step % kVerticesAPoll == 0 && base::cancelled(*control_);
}

std::string Claim::text(double value) const {
  return value == none ? "none" : fmt::format("{}", sign * value + 0.0);
}

std::string RowChecker::distance_to(Vertex v) const {
  return fmt::format("distance from {} to {} is {}", name(source_), name(v), text(claimed_[v]));
}

}  // namespace apsp::reference
