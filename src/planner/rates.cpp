#include "planner/rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace apsp::planner {

std::string title(const KernelKind& kind, dense::Shape shape) {
  return fmt::format("{} {}{} {}{}", name(kind.semiring), name(kind.type),
                     kind.sign == kernels::Sign::non_negative ? " non-negative" : "",
                     shape == dense::Shape::full ? "full" : "symmetric",
                     kind.tracks_via ? " via" : "");
}

namespace {

/// The share of the extrapolation beyond the last size that is believed.
constexpr double kTrusted = 0.5;

double cube(double n) { return n * n * n; }
double cost_of(const CurvePoint& point) { return point.seconds / cube(point.n); }

double between(const CurvePoint& a, const CurvePoint& b, double inverse) {
  const double share = (inverse - 1 / a.n) / (1 / b.n - 1 / a.n);
  return cost_of(a) + share * (cost_of(b) - cost_of(a));
}

}  // namespace

RateCurve::RateCurve(std::vector<CurvePoint> points) : points_(std::move(points)) {
  std::erase_if(points_, [](const CurvePoint& p) {
    return !(p.n > 0) || !(p.seconds > 0) || !std::isfinite(p.n) || !std::isfinite(p.seconds);
  });
  std::ranges::sort(points_, {}, [](const CurvePoint& p) { return std::pair(p.n, p.seconds); });
  const auto same_size = [](const CurvePoint& a, const CurvePoint& b) { return a.n == b.n; };
  points_.erase(std::unique(points_.begin(), points_.end(), same_size), points_.end());
  for (std::size_t i = 1; i < points_.size(); ++i) {
    const double at_most = cost_of(points_[i - 1]) * cube(points_[i].n);
    points_[i].seconds = std::min(points_[i].seconds, at_most);
  }
}

double RateCurve::cost(double inverse) const {
  const CurvePoint& last = points_.back();
  if (points_.size() == 1) return cost_of(last);
  if (inverse < 1 / last.n) {
    const double pointed = between(points_[points_.size() - 2], last, inverse);
    return cost_of(last) + kTrusted * (std::max(pointed, 0.0) - cost_of(last));
  }
  std::size_t at = 1;
  while (1 / points_[at].n > inverse) ++at;
  return between(points_[at - 1], points_[at], inverse);
}

double RateCurve::seconds(double n) const {
  if (points_.empty() || !(n > 0)) return 0;
  const CurvePoint& first = points_.front();
  if (n <= first.n) return first.seconds * (n / first.n) * (n / first.n);
  return cube(n) * cost(1 / n);
}

double RateCurve::limit() const { return points_.empty() ? 0 : 1 / cost(0); }

}  // namespace apsp::planner
