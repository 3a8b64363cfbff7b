#include "report/scale.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace apsp::report {

Scale::Scale(std::span<const double> values, int classes) : classes_(classes) {
  constexpr std::size_t kMany = 200;  // a hundredth of fewer is one value or none
  std::vector<double> finite;
  for (const double value : values) {
    if (std::isfinite(value)) finite.push_back(value);
  }
  if (finite.empty()) return;
  empty_ = false;
  const auto ranked = [&](std::size_t rank) {
    const auto at = finite.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(finite.begin(), at, finite.end());
    return *at;
  };
  const std::size_t outside = finite.size() >= kMany ? finite.size() / 100 : 0;
  least_ = ranked(0);
  greatest_ = ranked(finite.size() - 1);
  low_ = ranked(outside);
  high_ = ranked(finite.size() - 1 - outside);
  if (low_ < high_) return;
  low_ = least_;
  high_ = greatest_;
}

int Scale::class_of(double value) const {
  if (empty_ || !std::isfinite(value)) return -1;
  if (!(low_ < high_)) return classes_ / 2;
  const double share = (value - low_) / (high_ - low_);
  return std::clamp(static_cast<int>(share * classes_), 0, classes_ - 1);
}

}  // namespace apsp::report
