// Proofs of several rows at a time, where weights are not negative and ⊗ is +.
//
// One relaxation of all arcs gives, for every vertex v, the least D(s,u) + w(u,v). A row whose
// every value is this least value, with zero at the source, is right: no arc shortens it, and from
// every vertex the arcs that attain it lead to smaller distances, down to the source. Any row that
// is not proven in this way is for RowChecker, which follows paths and words what is wrong.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "verifier/row_checks.hpp"

namespace apsp::verifier {

/// Memory for each vertex of a graph of at most `kMostProvable`: two rows of doubles for each row.
inline constexpr std::size_t kProvenAtOnce = 8;
inline constexpr std::int64_t kProofBytesAVertex = std::int64_t{kProvenAtOnce} * 2 * 8 + 1;
inline constexpr std::int64_t kMostProvable = std::int64_t{1} << 19;

/// Whether rows can be proven. `shortest`: they are of shortest paths. `negative`: there are
/// negative weights.
constexpr bool provable(bool shortest, bool negative, std::int64_t n) {
  return shortest && !negative && n <= kMostProvable;
}

class RowProver {
 public:
  RowProver(const Claim& claim, const Control& control);

  /// Whether rows of this claim can be proven; else `prove` proves none.
  bool applies() const { return applies_; }
  /// Returns a bit for each row that is right, and counts its checks in `tally`. Returns early
  /// after cancellation. Requires: at most `kProvenAtOnce` rows.
  std::uint32_t prove(std::span<const ClaimedRow> rows, Tally& tally);

 private:
  struct Lane {
    Vertex source = 0;
    double magnitude = 0, tolerance = 0;
    std::int64_t reached = 0, arcs = 0;
    bool right = false;
  };
  void begin(std::span<const ClaimedRow> rows);
  template <class T>
  void fill_lane(const T* values, std::size_t count, double* lane, double& magnitude) const;
  void begin_lane(std::size_t i, Vertex source);
  template <class Held>
  bool relax(const Held& held);
  void relax_short(Vertex u, Vertex v, double weight);
  void judge();
  void judge_lanes(std::size_t lane, std::size_t first, std::size_t end);
  double* of(std::vector<double>& values, std::size_t v) {
    return values.data() + v * kProvenAtOnce;
  }

  const Claim* claim_;
  const Control* control_;
  bool applies_;
  std::array<Lane, kProvenAtOnce> lanes_;
  double short_ = 0;           // arcs up to this weight may not lead to a larger distance
  std::vector<double> rows_;   // [n, kProvenAtOnce], infinite without a path
  std::vector<double> least_;  // [n, kProvenAtOnce] least D(s,u) + w of arcs that are not short
  std::vector<std::uint8_t> attained_;  // [n] a bit for each row of which v is the source, or a
                                        // short arc attains the value
};

/// Checks rows in one thread: proves those it can, and has the others checked one by one.
class RowsChecker {
 public:
  RowsChecker(const Claim& claim, const Control& control)
      : rows_(claim, control), prover_(claim, control) {}

  /// Returns early after cancellation. Requires: at most `kProvenAtOnce` rows.
  void check(std::span<const ClaimedRow> rows) {
    const std::uint32_t proven = prover_.prove(rows, rows_.tally());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if ((proven >> i & 1U) == 0) rows_.check(rows[i]);
    }
  }
  /// Rows that are best checked in one call.
  std::size_t rows_at_once() const { return prover_.applies() ? kProvenAtOnce : 1; }
  RowChecker& rows() { return rows_; }
  const Tally& tally() const { return rows_.tally(); }

 private:
  RowChecker rows_;
  RowProver prover_;
};

}  // namespace apsp::verifier
