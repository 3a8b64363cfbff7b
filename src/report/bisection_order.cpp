#include "report/bisection_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace apsp::report {
namespace {

using Positions = std::span<std::size_t>;

class Bisection {
 public:
  Bisection(std::span<const double> distances, std::size_t count)
      : distances_(distances), count_(count) {}

  std::vector<std::size_t> order() {
    std::vector<std::size_t> all(count_);
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (Positions rest(all); !rest.empty();) {
      const std::size_t part = gather_part(rest);
      halve(rest.first(part), rest.front());
      rest = rest.subspan(part);
    }
    return all;
  }

 private:
  /// The shorter way; infinity without one.
  double between(std::size_t a, std::size_t b) const {
    const double there = distances_[a * count_ + b], back = distances_[b * count_ + a];
    const bool finite_there = std::isfinite(there), finite_back = std::isfinite(back);
    if (finite_there && finite_back) return std::min(there, back);
    if (finite_there) return there;
    return finite_back ? back : std::numeric_limits<double>::infinity();
  }

  /// Moves all that ways join to the first position to the front; how many they are.
  std::size_t gather_part(Positions rest) const {
    std::size_t found = 1;
    for (std::size_t at = 0; at < found; ++at) {
      for (std::size_t i = found; i < rest.size(); ++i) {
        if (std::isfinite(between(rest[at], rest[i]))) std::swap(rest[found++], rest[i]);
      }
    }
    return found;
  }

  std::size_t furthest_from(std::size_t from, Positions part) const {
    std::size_t furthest = part.front();
    double most = -1;
    for (const std::size_t i : part) {
      const double far = capped(from, i);
      if (far <= most) continue;
      most = far;
      furthest = i;
    }
    return furthest;
  }

  double capped(std::size_t a, std::size_t b) const {
    constexpr double kNoWay = 1e300;  // further than any, and differences of it are numbers
    return std::min(between(a, b), kNoWay);
  }

  /// Orders a part so that it begins at the end that is nearer to `before`.
  void halve(Positions part, std::size_t before) const {
    if (part.size() < 3) {
      std::sort(part.begin(), part.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(capped(before, a), a) < std::pair(capped(before, b), b);
      });
      return;
    }
    std::size_t first = furthest_from(furthest_from(part.front(), part), part);
    std::size_t last = furthest_from(first, part);
    if (capped(before, last) < capped(before, first)) std::swap(first, last);
    std::vector<std::pair<double, std::size_t>> keyed;
    for (const std::size_t i : part) keyed.emplace_back(capped(first, i) - capped(last, i), i);
    std::sort(keyed.begin(), keyed.end());
    for (std::size_t i = 0; i < part.size(); ++i) part[i] = keyed[i].second;
    const std::size_t half = part.size() / 2;
    halve(part.first(half), first);
    halve(part.subspan(half), part[half - 1]);
  }

  std::span<const double> distances_;
  std::size_t count_;
};

}  // namespace

std::vector<std::size_t> bisection_order(std::span<const double> distances, std::size_t count) {
  return Bisection(distances, count).order();
}

}  // namespace apsp::report
