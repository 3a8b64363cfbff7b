// Seconds of work of order n³, interpolated from a few measured sizes.
//
// Seconds over n³, the cost of a relaxation, are linear in 1/n if the time is a·n³ + b·n²: a
// full-speed product, and panels, copies and pages around it. So the cost is interpolated in 1/n.
// Beyond the last size it follows half of the last slope: a larger matrix exceeds caches and takes
// larger tiles, and about half of the gain that small sizes promise has come true (tests/machines).
// Below the first size, time falls with n². Interference only raises a measured cost, and
// relaxations of a larger matrix never cost more, so of two costs the lower one counts.
//
// Each machine, kind of value, shape and number of threads has a curve
// (rates/measure_rates.hpp).
#pragma once

#include <vector>

namespace apsp::planner {

struct CurvePoint {
  double n = 0;
  double seconds = 0;
};

class RateCurve {
 public:
  RateCurve() = default;
  /// Takes points in any order. Non-positive ones are dropped; of equal sizes the shortest time
  /// counts. A cost above the previous point's is lowered to it.
  explicit RateCurve(std::vector<CurvePoint> points);

  bool empty() const { return points_.empty(); }
  /// Ascending in n.
  const std::vector<CurvePoint>& points() const { return points_; }
  /// Seconds of size n; 0 for an empty curve, and for n ≤ 0.
  double seconds(double n) const;
  /// The limit of n³ / seconds for large n; 0 for an empty curve.
  double limit() const;

 private:
  double cost(double inverse) const;  // seconds / n³ at n = 1 / inverse, beyond the first point

  std::vector<CurvePoint> points_;
};

}  // namespace apsp::planner
