// Colours by how light they look, the ramp that stands for values, and values as classes of colour.
//
// Mixed in OKLCH (lightness, chroma, hue), where equal steps look equal, and brought to sRGB
// (Ottosson 2020). The ramp's lightness rises or falls steadily and its hue goes from blue to
// yellow, so it reads in print and by eyes that do not tell red from green.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace apsp::report {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
};

/// The sRGB colour of lightness 0 … 1, chroma from 0 (grey) and hue in degrees; chroma is lowered
/// where sRGB has no such colour.
Colour perceived(double lightness, double chroma, double hue);

/// A ramp's colour at `t` (0 … 1): lightness goes steadily from `first` to `last`; dark is blue,
/// light is yellow.
Colour ramp(double t, double first, double last);

/// "#1f77b4".
std::string hexadecimal(Colour colour);

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
