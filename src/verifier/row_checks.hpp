// The checks of one row of a distance matrix: serial, and independent of its computation
// (docs/verification.md).
//
// If all values and weights are negated, max-plus is min-plus, max-min is min-max, and or-and is
// the min-max of weights −1; so "better" always means smaller, and ⊗ is + or max.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apsp::verifier {

enum class Check {
  diagonal,
  edges,
  triangle,
  tightness,
  reachability,
  predecessors,
  via,
  hops,
  statistics
};
constexpr std::array<const char*, 9> kCheckNames = {"diagonal",  "edges",        "triangle",
                                                    "tightness", "reachability", "predecessors",
                                                    "via",       "hops",         "statistics"};

/// Properties shared by the rows of one matrix.
///
/// Rounded sums of weights of both signs may cancel, so their error is not bounded relative to a
/// distance. They are compared as reduced lengths, D(s,v) + h(s) − h(v), with potentials h of the
/// graph: these sums have one sign and a relative error bound, apart from the rounding of the
/// distance.
struct Claim {
  /// `tolerance`: relative; empty: the rule of docs/verification.md.
  Claim(const Graph& graph, Semiring semiring, ValueType type, std::optional<double> tolerance);

  double join(double path, double weight) const {
    return additive ? path + weight : std::max(path, weight);
  }
  /// Exact comparisons of `value` with the value of a path extended by an arc: at most, equal.
  bool at_most(double value, double path, double weight) const {
    const double joined = join(path, weight);
    return value < joined || (value == joined && lost(path, weight) >= 0);
  }
  bool equals(double value, double path, double weight) const {
    return value == join(path, weight) && lost(path, weight) == 0;
  }
  /// A weight of the graph in the value type, sign applied. Bottlenecks are weights of the graph,
  /// so they are exact after this rounding. Integer types hold integral weights; fractions are not
  /// truncated here, nor weights rounded that are below the normal values of f32.
  double held(double weight) const {
    if (unweighted_) return sign;
    const double magnitude = std::abs(weight);
    const bool rounds = type == ValueType::f32 && magnitude <= std::numeric_limits<float>::max() &&
                        magnitude >= std::numeric_limits<float>::min();
    return sign * (rounds ? static_cast<double>(static_cast<float>(weight)) : weight);
  }
  /// Accepted relative error in a row with this largest finite magnitude.
  double tolerance_of_row(double magnitude) const;
  /// Relative difference between two right results; 0 if sums are exact.
  double rounding(double magnitude) const {
    return magnitude + 2 * largest_potential_ < exact_below_ ? 0 : rounding_tolerance_;
  }
  /// Permitted difference from `path` ⊗ `weight` in a row of this tolerance and magnitude.
  double slack(double tolerance, double magnitude, double path, double weight) const {
    if (tolerance == 0) return 0;
    if (!additive) return tolerance * std::abs(join(path, weight));
    const double scale = std::abs(path) + std::abs(weight);
    if (reduces()) return tolerance * scale + forgiven;
    return tolerance * (mixed_signs ? 2 * magnitude : scale);
  }
  bool reduces() const { return !potentials.empty(); }
  /// D(s,t), sign applied, in the form in which it is compared.
  double reduced(double distance, Vertex s, Vertex t) const {
    const bool number = distance != none && std::isfinite(distance);
    return reduces() && number ? distance + (potentials[s] - potentials[t]) : distance;
  }
  /// Bound of the rounding of D(s,t) to its type and of its reduction, added to every slack.
  double noise(double tolerance, double distance, Vertex s, Vertex t) const {
    constexpr double kTwoSums = 0x1p-50;
    if (tolerance == 0 || !reduces() || distance == none || !std::isfinite(distance)) return 0;
    const double terms = std::abs(distance) + std::abs(potentials[s]) + std::abs(potentials[t]);
    return unit_roundoff_ * std::abs(distance) + kTwoSums * terms + underflow_;
  }
  /// The weight of an arc u → v as it is compared. Like the solver, reduces the original weight.
  double arc(Vertex u, Vertex v, double weight) const {
    return reduces() ? sign * weight + (potentials[u] - potentials[v]) : held(weight);
  }
  std::string text(double value) const;

  const Graph& graph;
  ValueType type;
  bool additive;                        // ⊗ is +, else max
  double sign;                          // −1: values and weights are negated
  double none;                          // no path, sign applied
  double one;                           // the empty path, sign applied
  bool mixed_signs;                     // weights of both signs: sums may cancel
  std::vector<std::int64_t> component;  // [n] strong component
  std::vector<double> potentials;       // [n], sign applied; empty: nothing is reduced
  double forgiven = 0;                  // error of arcs (graph/negative_cycle.hpp)
  std::optional<Vertex> on_cycle;       // a vertex of a negative cycle

 private:
  void find_potentials();
  /// The rounding error of path + weight (Knuth 1969).
  double lost(double path, double weight) const {
    if (!additive) return 0;
    const double sum = path + weight, added = sum - path;
    return (path - (sum - added)) + (weight - added);
  }

  std::optional<double> given_tolerance_;
  bool unweighted_;                // every arc counts 1
  double rounding_tolerance_ = 0;  // if sums are rounded
  double unit_roundoff_ = 0;       // of the value type, if sums are rounded
  double largest_potential_ = 0;   // magnitude
  double underflow_ = 0;           // absolute error of roundings near the least values
  double exact_below_;             // rows of smaller magnitude have exact sums
};

struct CheckTally {
  std::int64_t tested = 0, failed = 0;
  Vertex first_source = 0;    // row of the first failure
  std::string first_failure;  // a sentence, or empty
};

struct Tally {
  std::array<CheckTally, kCheckNames.size()> checks;
  double tolerance = 0;  // largest over the rows

  void count_tested(Check check, std::size_t comparisons) {
    of(check).tested += static_cast<std::int64_t>(comparisons);
  }
  /// `sentence()` describes the failure; the first one of the smallest source is kept.
  template <class Sentence>
  void count_failure(Check check, Vertex source, Sentence&& sentence) {
    if (of(check).failed++ > 0 && source >= of(check).first_source) return;
    of(check).first_source = source;
    of(check).first_failure = sentence();
  }
  CheckTally& of(Check check) { return checks[static_cast<std::size_t>(check)]; }
  /// Requires: no row is in both.
  void add(const Tally& other);
};

/// A row as it was computed or stored.
struct ClaimedRow {
  Vertex source = 0;
  const void* values = nullptr;  ///< [n] of the claim's type
};

/// Checks rows in one thread. Memory: about 20 bytes per vertex.
class RowChecker {
 public:
  RowChecker(const Claim& claim, const Control& control);

  /// Returns early after cancellation.
  void check(const ClaimedRow& row);
  /// Makes a row the last one without checking it.
  void load(const ClaimedRow& row);
  /// Checks the predecessors [n] of the last row.
  void check_predecessors(std::span<const std::int32_t> predecessors);
  Tally& tally() { return tally_; }
  const Tally& tally() const { return tally_; }
  /// [n] distances of the last row, sign applied.
  std::span<const double> distances() const { return claimed_; }

 private:
  void compare_reduced();
  void check_diagonal();
  void check_edges();
  void check_triangle();
  void check_tightness();
  void check_reachability();

  /// Marks the vertices of a breadth-first search from the source along arcs allowed by `follow`.
  template <class Follow>
  void search(std::vector<std::uint8_t>& marks, Follow&& follow);
  bool cancelled(std::size_t step) const;
  std::string wrong_predecessor(Vertex v, std::int32_t predecessor) const;

  bool is_path(Vertex v) const { return row_[v] != claim_->none; }
  /// Permitted difference of D(s,v) from D(s,u) ⊗ w.
  double slack(Vertex u, Vertex v, double path, double weight) const {
    const double slack = claim_->slack(tolerance_, magnitude_, path, weight);
    return claim_->reduces() ? slack + noise_[u] + noise_[v] : slack;
  }
  /// Whether D(s,v) is at least as good as D(s,u) ⊗ w, as they are compared; false for NaN.
  bool no_worse(Vertex u, Vertex v, double path, double weight) const {
    if (!is_path(v)) return false;
    if (tolerance_ == 0) return claim_->at_most(row_[v], path, weight);
    return row_[v] <= claim_->join(path, weight) + slack(u, v, path, weight);
  }
  bool tight(Vertex u, Vertex v, double weight) const {
    if (tolerance_ == 0) return claim_->equals(row_[v], row_[u], weight);
    return std::abs(row_[v] - claim_->join(row_[u], weight)) <= slack(u, v, row_[u], weight);
  }

  std::string name(Vertex v) const { return claim_->graph.name(v); }
  std::string text(double value) const { return claim_->text(value); }
  std::string distance_to(Vertex v) const;

  const Claim* claim_;
  const Control* control_;
  Tally tally_;
  Vertex source_ = 0;
  double tolerance_ = 0;                 // of this row
  double magnitude_ = 0;                 // largest finite magnitude of this row
  std::vector<double> claimed_;          // [n] sign applied
  std::vector<double> row_;              // [n] in the form in which they are compared
  std::vector<double> noise_;            // [n] `noise` of the distances, if they are reduced
  std::vector<std::uint8_t> tight_;      // [n] reached along tight arcs
  std::vector<std::uint8_t> reachable_;  // [n] reached along any arcs
  std::int64_t reachable_from_ = -1;     // the component that `reachable_` is about
  std::vector<Vertex> queue_;
};

template <class Follow>
void RowChecker::search(std::vector<std::uint8_t>& marks, Follow&& follow) {
  std::fill(marks.begin(), marks.end(), std::uint8_t{0});
  queue_.assign(1, source_);
  marks[source_] = 1;
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    if (cancelled(head)) return;
    const Vertex u = queue_[head];
    claim_->graph.for_each_arc(u, [&](Vertex v, double weight) {
      if (marks[v] != 0 || !follow(u, v, weight)) return;
      marks[v] = 1;
      queue_.push_back(v);
    });
  }
}

}  // namespace apsp::verifier
