// The checks of one row of a distance matrix: short, serial, and knowing nothing of how the row
// was computed. docs/verification.md proves what they prove.
//
// All semirings are two here. With every value and weight negated, max-plus is min-plus, max-min is
// min-max, and or-and is the min-max of weights −1; so "better" always means smaller, and ⊗ is
// either + or max.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apsp::reference {

enum class Check { diagonal, edges, triangle, tightness, reachability };
constexpr std::array<const char*, 5> kCheckNames = {"diagonal", "edges", "triangle", "tightness",
                                                    "reachability"};

/// What the rows of one matrix have in common.
///
/// Rounded sums of weights of both signs may cancel, so no share of a distance bounds its error.
/// They are compared as reduced lengths, D(s,v) + h(s) − h(v), of reduced weights, with potentials
/// h found from the graph: the sums are then of one sign, and a share of them bounds the error, but
/// for the rounding of the distance itself.
struct Claim {
  /// `tolerance`: relative; empty: by the rule of docs/verification.md.
  Claim(const Graph& graph, Semiring semiring, ValueType type, std::optional<double> tolerance);

  /// The value of a path that is continued by an arc.
  double join(double path, double weight) const {
    return additive ? path + weight : std::max(path, weight);
  }
  /// Relative error that is let pass in a row whose largest finite magnitude is `magnitude`.
  double tolerance_of_row(double magnitude) const;

  const Graph& graph;
  ValueType type;
  bool additive;                   // ⊗ is +, else max
  double sign;                     // −1: values and weights are negated
  double none;                     // no path, sign applied
  double one;                      // the empty path, sign applied
  std::vector<double> weights;     // [arcs] as the value type holds them, sign applied; reduced
  bool mixed_signs;                // weights of both signs: sums may cancel
  std::vector<double> potentials;  // [n], sign applied; empty: nothing is reduced
  double largest_potential = 0;    // magnitude
  double forgiven = 0;             // what a cycle's arc may lack (graph/negative_cycle.hpp)
  std::optional<Vertex> on_cycle;  // a vertex of a negative cycle
  std::vector<std::int64_t> component;  // [n] strong: who shares one reaches the same vertices

  double unit_roundoff = 0;  // of the value type, where sums are rounded

 private:
  void reduce(double weight_sign);

  std::optional<double> given_tolerance_;
  double rounding_tolerance_ = 0;  // where sums are rounded
  double exact_below_;             // rows of smaller magnitude hold no rounded sums
};

/// Outcome of one check over some rows.
struct CheckTally {
  std::int64_t tested = 0;
  std::int64_t failed = 0;
  Vertex first_source = 0;    // the row of the first failure
  std::string first_failure;  // a sentence; empty without failures
};

struct Tally {
  std::array<CheckTally, kCheckNames.size()> checks;
  double tolerance = 0;  // largest over the rows

  /// Requires: no row is in both.
  void add(const Tally& other);
};

/// One thread's checker. Memory: about 20 bytes a vertex.
class RowChecker {
 public:
  RowChecker(const Claim& claim, const Control& control);

  /// `row`: [n] values of the claim's type. Ends early, with a useless tally, once cancelled.
  void check(Vertex source, const void* row);
  const Tally& tally() const { return tally_; }

 private:
  void reduce_row();
  void check_diagonal();
  void check_edges();
  void check_triangle();
  void check_tightness();
  void check_reachability();

  /// Marks what a breadth-first search from the source sees, following arcs that `follow(u, a, v)`
  /// allows.
  template <class Follow>
  void search(std::vector<std::uint8_t>& marks, Follow&& follow);
  bool cancelled(std::size_t step) const;

  bool is_path(Vertex v) const { return row_[v] != claim_->none; }
  bool is_reduced() const { return !claim_->potentials.empty(); }
  /// How far D(s,v) may lie from D(s,u) ⊗ w.
  double slack(Vertex u, Vertex v, double weight) const {
    if (tolerance_ == 0) return 0;
    const double path = row_[u];
    if (!claim_->additive) return tolerance_ * std::abs(claim_->join(path, weight));
    const double scale = std::abs(path) + std::abs(weight);
    if (is_reduced()) return tolerance_ * scale + noise_[u] + noise_[v] + claim_->forgiven;
    return tolerance_ * (claim_->mixed_signs ? 2 * magnitude_ : scale);
  }
  /// D(s,v) is at least as good as D(s,u) ⊗ w. NaN never is.
  bool no_worse(Vertex u, Vertex v, double path, double weight) const {
    return is_path(v) && row_[v] <= claim_->join(path, weight) + slack(u, v, weight);
  }
  bool tight(Vertex u, Vertex v, double weight) const {
    return std::abs(row_[v] - claim_->join(row_[u], weight)) <= slack(u, v, weight);
  }

  void count_tested(Check check, std::size_t comparisons);
  template <class Sentence>
  void count_failure(Check check, Sentence&& sentence);
  std::string name(Vertex v) const { return claim_->graph.name(v); }
  std::string text(double value) const;
  /// The weight of an arc as the graph has it.
  std::string weight_text(Vertex u, std::size_t arc) const;
  std::string distance_to(Vertex v) const;

  const Claim* claim_;
  const Control* control_;
  Tally tally_;
  Vertex source_ = 0;
  double tolerance_ = 0;                 // of this row
  double magnitude_ = 0;                 // largest finite one of this row
  std::vector<double> claimed_;          // [n] sign applied
  std::vector<double> row_;              // [n] the same, or its reduced lengths
  std::vector<double> noise_;            // [n] what rounding D(s,v), and reducing it, may err by
  std::vector<std::uint8_t> tight_;      // [n] seen along tight arcs
  std::vector<std::uint8_t> reachable_;  // [n] seen along any arcs
  std::int64_t reachable_from_ = -1;     // the component whose vertices see them
  std::vector<Vertex> queue_;
};

}  // namespace apsp::reference
