#include "verifier/row_proofs.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/control.hpp"
#include "base/value_types.hpp"

namespace apsp::verifier {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kExact = 0x1p53;  // integers of smaller magnitude have exact sums
/// Tolerances between these leave no doubt which of two distances is smaller (`short_`).
constexpr double kLeastTolerance = 0x1p-51, kLargestTolerance = 0.25;
constexpr Vertex kVerticesOfAPoll = 1 << 12;

/// Doubles that every processor adds and compares at the same time.
using Doubles = double __attribute__((vector_size(16), aligned(8), may_alias));
using Masks = std::int64_t __attribute__((vector_size(16)));  // −1: true
constexpr std::size_t kLanesOfVector = sizeof(Doubles) / sizeof(double);
constexpr std::size_t kVectors = kProvenAtOnce / kLanesOfVector;
constexpr std::size_t kBlock = 256;  // vertices whose lanes stay in the cache

double limit(double sum, double tolerance) { return tolerance > 0 ? sum + tolerance * sum : sum; }

bool attains(double value, double sum, double tolerance) {
  return sum < kInfinity && std::abs(value - sum) <= (tolerance > 0 ? tolerance * sum : 0);
}

}  // namespace

RowProver::RowProver(const Claim& claim, const Control& control)
    : claim_(&claim), control_(&control) {
  applies_ = provable(claim.additive && claim.sign > 0, claim.graph.weight_facts().least < 0,
                      claim.graph.vertex_count());
}

/// Returns false after cancellation. `held(weight)`: as Claim::held.
template <class Held>
bool RowProver::relax(const Held& held) {
  const auto n = static_cast<Vertex>(attained_.size());
  double* const least = least_.data();
  const double shortest = short_;
  for (Vertex u = 0; u < n; ++u) {
    if (u % kVerticesOfAPoll == 0 && base::cancelled(*control_)) return false;
    Doubles path[kVectors];
    std::memcpy(&path, of(rows_, u), sizeof path);
    claim_->graph.for_each_arc(u, [=, this, &held](Vertex v, double exact) {
      const double weight = held(exact);
      if (weight <= shortest) return relax_short(u, v, weight);
      auto* const of_v = reinterpret_cast<Doubles*>(least + std::size_t{v} * kProvenAtOnce);
      for (std::size_t i = 0; i < kVectors; ++i) {
        const Doubles sum = path[i] + weight;
        of_v[i] = sum < of_v[i] ? sum : of_v[i];
      }
    });
  }
  return true;
}

std::uint32_t RowProver::prove(std::span<const ClaimedRow> rows, Tally& tally) {
  if (!applies_) return 0;
  const auto n = static_cast<std::size_t>(claim_->graph.vertex_count());
  rows_.resize(n * kProvenAtOnce);
  least_.assign(n * kProvenAtOnce, kInfinity);
  attained_.assign(n, 0);
  lanes_.fill({});
  short_ = 0;
  if (rows.size() < kProvenAtOnce) std::fill(rows_.begin(), rows_.end(), kInfinity);
  begin(rows);
  const WeightFacts& facts = claim_->graph.weight_facts();
  const bool rounds = claim_->type == ValueType::f32 && facts.below_f32 == 0 &&
                      facts.greatest <= std::numeric_limits<float>::max();
  const bool whole =
      rounds ? relax([](double weight) { return static_cast<double>(static_cast<float>(weight)); })
             : relax([&](double weight) { return claim_->held(weight); });
  if (!whole) return 0;
  judge();
  std::uint32_t proven = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Lane& lane = lanes_[i];
    if (!lane.right) continue;
    proven |= 1U << i;
    tally.tolerance = std::max(tally.tolerance, lane.tolerance);
    tally.count_tested(Check::diagonal, 1);
    tally.count_tested(Check::edges,
                       static_cast<std::size_t>(claim_->graph.out_degree(lane.source)));
    tally.count_tested(Check::triangle, static_cast<std::size_t>(lane.arcs));
    tally.count_tested(Check::tightness, static_cast<std::size_t>(lane.reached - 1));
    tally.count_tested(Check::reachability, n);
  }
  return proven;
}

void RowProver::begin(std::span<const ClaimedRow> rows) {
  const std::size_t n = attained_.size();
  for (std::size_t first = 0; first < n; first += kBlock) {
    const std::size_t count = std::min(kBlock, n - first);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      base::with_type(claim_->type, [&]<class T>() {
        fill_lane(static_cast<const T*>(rows[i].values) + first, count, of(rows_, first) + i,
                  lanes_[i].magnitude);
      });
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) begin_lane(i, rows[i].source);
}

template <class T>
void RowProver::fill_lane(const T* values, std::size_t count, double* lane,
                          double& magnitude) const {
  const double none = claim_->none;
  double largest = magnitude;
  for (std::size_t v = 0; v < count; ++v) {
    const auto value = static_cast<double>(values[v]);
    const bool path = value != none;
    lane[v * kProvenAtOnce] = path ? value : kInfinity;
    const double size = path ? std::abs(value) : 0;
    largest = largest < size ? size : largest;
  }
  magnitude = largest;
}

void RowProver::begin_lane(std::size_t i, Vertex source) {
  Lane& lane = lanes_[i];
  lane.source = source;
  lane.tolerance = claim_->tolerance_of_row(lane.magnitude);
  const WeightFacts& facts = claim_->graph.weight_facts();
  lane.right = of(rows_, source)[i] == 0 &&
               (lane.tolerance == 0
                    ? facts.integral && lane.magnitude + facts.greatest < kExact
                    : lane.tolerance >= kLeastTolerance && lane.tolerance <= kLargestTolerance &&
                          std::isfinite(lane.magnitude));
  // D(s,v) ≥ (1 − tolerance)(D(s,u) + w) is larger than D(s,u) if w is larger than this.
  if (lane.right) short_ = std::max(short_, 2 * lane.tolerance * lane.magnitude);
  attained_[source] = static_cast<std::uint8_t>(attained_[source] | 1U << i);
}

void RowProver::relax_short(Vertex u, Vertex v, double weight) {
  for (std::size_t i = 0; i < kProvenAtOnce; ++i) {
    Lane& lane = lanes_[i];
    const double path = of(rows_, u)[i], value = of(rows_, v)[i], sum = path + weight;
    if (!(value <= limit(sum, lane.tolerance))) lane.right = false;
    if (path < value && attains(value, sum, lane.tolerance)) {
      attained_[v] = static_cast<std::uint8_t>(attained_[v] | 1U << i);
    }
  }
}

void RowProver::judge() {
  for (std::size_t first = 0; first < attained_.size(); first += kBlock) {
    const std::size_t end = std::min(first + kBlock, attained_.size());
    for (std::size_t j = 0; j < kVectors; ++j) judge_lanes(j * kLanesOfVector, first, end);
  }
}

/// Judges vertices [first, end) of the lanes of one vector.
void RowProver::judge_lanes(std::size_t lane, std::size_t first, std::size_t end) {
  Doubles tolerance{};
  for (std::size_t i = 0; i < kLanesOfVector; ++i) tolerance[i] = lanes_[lane + i].tolerance;
  Masks wrong{}, reached{}, arcs{};
  for (std::size_t v = first; v < end; ++v) {
    const Doubles value = *reinterpret_cast<const Doubles*>(of(rows_, v) + lane);
    const Doubles sum = *reinterpret_cast<const Doubles*>(of(least_, v) + lane);
    const Doubles slack = tolerance > 0 ? tolerance * sum : Doubles{};
    const Doubles apart = value < sum ? sum - value : value - sum;
    Masks attained = (sum < kInfinity) & (apart <= slack);
    for (std::size_t i = 0; attained_[v] != 0 && i < kLanesOfVector; ++i) {
      if ((attained_[v] >> (lane + i) & 1U) != 0) attained[i] = -1;
    }
    const Masks path = value < kInfinity;
    wrong |= ~(value <= sum + slack) | (path & ~attained);
    reached -= path;
    arcs += path & claim_->graph.out_degree(static_cast<Vertex>(v));
  }
  for (std::size_t i = 0; i < kLanesOfVector; ++i) {
    Lane& of_row = lanes_[lane + i];
    if (wrong[i] != 0) of_row.right = false;
    of_row.reached += reached[i];
    of_row.arcs += arcs[i];
  }
}

}  // namespace apsp::verifier
