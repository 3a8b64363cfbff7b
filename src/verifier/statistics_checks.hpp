// The check of stored statistics against the rows that are verified anyway (docs/verification.md).
// Serial, and independent of the statistics of a solve.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <apsp/statistics.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/double_double.hpp"
#include "verifier/row_checks.hpp"

namespace apsp::verifier {

enum class ClaimedRows {
  stored,      ///< the statistics were counted from these values
  recomputed,  ///< from a factor, with sums maybe rounded in another order
};

struct StatisticsClaim {
  /// `claim` and `claimed` outlive this. `all_rows`: no row of the result is left out.
  StatisticsClaim(const Claim& claim, const Statistics& claimed, bool all_rows, ClaimedRows rows);

  bool within(Vertex v) const { return claim.component[v] == largest; }
  /// Whether centralities are claimed, which only all rows can prove.
  bool checks_columns() const {
    return all_rows && !(claimed.closeness.empty() && claimed.harmonic.empty());
  }
  /// Whether a distance equals the claimed one, up to `slack`.
  bool is_same(double claimed_value, double found) const {
    return claimed_value == found || std::abs(claimed_value - found) <= slack * std::abs(found);
  }

  double scale() const {
    return std::max(std::abs(claimed.least.value_or(0)), std::abs(claimed.greatest.value_or(0)));
  }

  const Claim& claim;
  const Statistics& claimed;
  bool all_rows;
  double slack;                 // relative error of a distance; 0: exact
  std::int64_t components = 0;  // strong
  // Number of the largest one; among equal ones, that of the least vertex.
  std::int64_t largest = 0;
  std::int64_t vertices = 0;                    // of the largest one
  double median_from = 0, median_to = 0;        // range of the claimed median
  double effective_from = 0, effective_to = 0;  // range of the claimed effective diameter
};

/// A greatest distance, and the first pair that attains it.
struct RowExtent {
  double value = 0;
  VertexPair pair{};
};

/// The greatest and the least of rows' greatest distances; of equal ones that of the first row.
struct RowExtents {
  std::optional<RowExtent> greatest, least;

  void add(const RowExtent& row);
  void add(const RowExtents& other);
};

class RowStatistics {
 public:
  explicit RowStatistics(const StatisticsClaim& statistics);

  /// `distances`: [n] of a row, sign applied (`Claim::sign`). Checks the eccentricity.
  void add(Vertex source, std::span<const double> distances);
  void add(const RowStatistics& other);
  /// Compares the totals of all rows, once after the last `add`.
  void check_totals();

  Tally& tally() { return tally_; }

 private:
  void count(double distance);
  void check_eccentricity(Vertex source, double found);
  void check_sample();
  void check_counts();
  void check_distribution();
  void check_extents();
  void check_component();
  /// Figures that the claim lacks, as results of earlier versions do, are not checked.
  void check_figures();
  /// `distance`: of the claimed pair, if its row was checked.
  void check_pair(const char* what, const std::optional<VertexPair>& claimed,
                  const std::optional<RowExtent>& found, const std::optional<double>& distance);
  void check_value(const char* what, const std::optional<double>& claimed,
                   const std::optional<double>& found);
  template <class T>
  void check_equal(const char* what, const T& claimed, const T& found);
  void check_near(const char* what, const std::optional<double>& claimed, long double sum,
                  std::int64_t pairs);
  void check_that(bool holds, std::string sentence);

  const StatisticsClaim* statistics_;
  Tally tally_;
  std::int64_t rows_ = 0, pairs_ = 0, in_no_bar_ = 0;
  std::int64_t below_median_ = 0, up_to_median_ = 0;
  std::int64_t below_effective_ = 0, up_to_effective_ = 0;
  std::vector<std::int64_t> bars_;
  std::vector<std::int64_t> at_ends_;  // [bars + 1] distances that rounding may move across the end
  double least_, greatest_;
  long double sum_ = 0, sum_within_ = 0;
  RowExtents extents_, extents_within_;
  std::optional<double> of_diameter_, of_radius_, of_component_;  // distances of the claimed pairs
};

/// Sums over all rows for each vertex: 40 bytes each, shared by all threads.
class ColumnStatistics {
 public:
  explicit ColumnStatistics(const StatisticsClaim& statistics);

  /// Adds columns [begin, end) of a stored row. A column is added by one thread at a time.
  void add(Vertex source, const void* row, std::size_t begin, std::size_t end);
  /// Compares closeness and harmonic centrality, once after the last `add`.
  void check_totals(Tally& tally) const;

 private:
  struct Column {
    base::DoubleDouble sum, reciprocals;
    std::int64_t reached = 0;
  };

  const StatisticsClaim* statistics_;
  std::vector<Column> columns_;  // [n]; empty if not checked
};

}  // namespace apsp::verifier
