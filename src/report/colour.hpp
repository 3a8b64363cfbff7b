// Perceptual colours, colour ramps, and classes of values.
//
// Colours are mixed in OKLCH (lightness, chroma, hue), where equal steps look equal, and converted
// to sRGB (Ottosson 2020). A ramp's lightness is monotonic and its hue goes from blue to yellow, so
// that it can be read in print and without telling red from green.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace apsp::report {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
};

/// The sRGB colour of lightness 0 … 1, chroma from 0 (grey) and hue in degrees; chroma is lowered
/// if sRGB lacks the colour.
Colour perceived(double lightness, double chroma, double hue);

/// The colour of a ramp at `t` (0 … 1): lightness goes linearly from `first` to `last`; dark is
/// blue, light is yellow.
Colour ramp(double t, double first, double last);

std::string hexadecimal(Colour colour);

/// Classes of equal width from the least to the greatest value. If there are many values, the
/// outermost classes also take the extreme hundredth at each end, so that outliers do not use up
/// the colours.
class Scale {
 public:
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
