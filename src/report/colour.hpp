// Colours by how light they look, and the ramp that stands for values.
//
// Mixed in OKLCH (lightness, chroma, hue), where equal steps look equal, and brought to sRGB
// (Ottosson 2020). The ramp's lightness rises or falls steadily and its hue goes from blue to
// yellow, so it reads in print and by eyes that do not tell red from green.
#pragma once

#include <cstdint>
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

}  // namespace apsp::report
