// How long work of order n³ takes, by a few sizes that were measured.
//
// Seconds over n³ are the cost of one relaxation, and that is linear in 1/n wherever the time is
// a·n³ + b·n²: a full-speed product, and panels, copies and pages around it. So between two sizes
// that were measured the cost is interpolated in 1/n. Beyond the last one it goes half of the way
// that the last two point to: a larger matrix leaves caches behind and takes larger tiles, and of
// the gain that small sizes promise about half has come true (tests/machines). Below the first one
// time falls with n².
//
// A measured cost can only be too high, by whatever else the machine did, and a relaxation of a
// larger matrix never costs more than one of a smaller: of both costs the lower one counts.
//
// Each machine, kind of value, shape and number of threads has a curve of its own
// (calibration/measure_rates.hpp).
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
  /// In any order; what is not positive is dropped, of equal sizes the shortest time stays. A point
  /// that costs more a relaxation than the one before is lowered to that one's cost.
  explicit RateCurve(std::vector<CurvePoint> points);

  bool empty() const { return points_.empty(); }
  /// Ascending in n.
  const std::vector<CurvePoint>& points() const { return points_; }
  /// Seconds of size n; 0 for an empty curve, and for n ≤ 0.
  double seconds(double n) const;
  /// The limit of n³ / seconds for large n; 0 of an empty curve.
  double limit() const;

 private:
  double cost(double inverse) const;  // seconds / n³ at n = 1 / inverse, beyond the first point

  std::vector<CurvePoint> points_;
};

}  // namespace apsp::planner
