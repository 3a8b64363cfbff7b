// Values as classes of colour.
#pragma once

#include <span>

namespace apsp::report {

/// Classes of equal width from the least to the greatest value. Of many values a hundredth at each
/// end shares the outermost class, so that one far vertex does not take all colours.
class Scale {
 public:
  /// Values that are not finite have no class.
  Scale(std::span<const double> values, int classes);

  bool empty() const { return empty_; }
  double low() const { return low_; }
  double high() const { return high_; }
  bool goes_below() const { return least_ < low_; }
  bool goes_above() const { return greatest_ > high_; }
  /// 0 … classes − 1; −1: none.
  int class_of(double value) const;

 private:
  int classes_;
  bool empty_ = true;
  double least_ = 0, low_ = 0, high_ = 0, greatest_ = 0;
};

}  // namespace apsp::report
