// The check of stored statistics against the rows that are checked anyway. Serial and simple, it
// shares no code with the statistics of a solve. docs/verification.md says what a pass proves.
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
#include "reference/row_checks.hpp"

namespace apsp::reference {

/// Where the rows come from that claimed statistics are compared with.
enum class ClaimedRows {
  stored,      ///< the statistics were counted from these very values
  recomputed,  ///< from a factor, whose sums may be rounded in another order
};

/// Statistics that a result claims, and what its rows have in common.
struct StatisticsClaim {
  /// `claim` and `claimed` outlive this. `all_rows`: no row of the result is left out.
  StatisticsClaim(const Claim& claim, const Statistics& claimed, bool all_rows, ClaimedRows rows);

  bool within(Vertex v) const { return claim.component[v] == largest; }
  /// Whether centralities are claimed that all rows together prove.
  bool checks_columns() const {
    return all_rows && !(claimed.closeness.empty() && claimed.harmonic.empty());
  }
  /// Whether a distance is the claimed one, up to `slack`.
  bool is_same(double claimed_value, double found) const {
    return claimed_value == found || std::abs(claimed_value - found) <= slack * std::abs(found);
  }

  /// The greatest magnitude of a distance, as claimed.
  double scale() const {
    return std::max(std::abs(claimed.least.value_or(0)), std::abs(claimed.greatest.value_or(0)));
  }

  const Claim& claim;
  const Statistics& claimed;
  bool all_rows;
  double slack;                 // relative, of a distance; 0: values are equal
  std::int64_t components = 0;  // strong
  std::int64_t largest = 0;     // the largest one of them, of equal ones that of the least vertex
  std::int64_t vertices = 0;    // of the largest one
  double median_from = 0, median_to = 0;  // the range in which the median is claimed to be
};

/// A greatest distance, and the first pair that attains it.
struct RowExtent {
  double value = 0;
  VertexPair pair{};
};

/// Of some rows' greatest distances the greatest and the least; of equal ones the first row's.
struct RowExtents {
  std::optional<RowExtent> greatest, least;

  void add(const RowExtent& row);
  void add(const RowExtents& other);
};

/// What one thread found in its rows.
class RowStatistics {
 public:
  explicit RowStatistics(const StatisticsClaim& statistics);

  /// `distances`: [n] of a row, sign applied (`Claim::sign`). Checks the eccentricity.
  void add(Vertex source, std::span<const double> distances);
  void add(const RowStatistics& other);
  /// Compares what all rows together tell. Once, after the last `add`.
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
  /// `distance`: of the claimed pair, where its row came.
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
  std::vector<std::int64_t> bars_;
  std::vector<std::int64_t> at_ends_;  // [bars + 1] distances that rounding may move across the end
  double least_, greatest_;
  long double sum_ = 0, sum_within_ = 0;
  RowExtents extents_, extents_within_;
  std::optional<double> of_diameter_, of_radius_, of_component_;  // distances of the claimed pairs
};

/// Sums over all rows for each vertex: 40 bytes each, once for all threads.
class ColumnStatistics {
 public:
  explicit ColumnStatistics(const StatisticsClaim& statistics);

  /// Adds columns [begin, end) of a row as it is stored, each column by one thread at a time.
  void add(Vertex source, const void* row, std::size_t begin, std::size_t end);
  /// Compares closeness and harmonic centrality. Once, after the last `add`.
  void check_totals(Tally& tally) const;

 private:
  struct Column {
    base::DoubleDouble sum, reciprocals;
    std::int64_t reached = 0;
  };

  const StatisticsClaim* statistics_;
  std::vector<Column> columns_;  // [n]; empty where they are not checked
};

}  // namespace apsp::reference
