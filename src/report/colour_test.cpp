#include "report/colour.hpp"

#include "support/test.hpp"

namespace apsp::report::colour_test {
namespace {

/// Relative luminance, 0 … 1 (IEC 61966-2-1): what a picture in greys keeps.
double luminance(Colour colour) {
  const auto linear = [](std::uint8_t part) {
    const double share = part / 255.0;
    return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

TEST(Colour, OfKnownLightnessChromaAndHueIsTheOneOfSrgb) {
  EXPECT_EQ(hexadecimal(perceived(0, 0, 0)), "#000000");
  EXPECT_EQ(hexadecimal(perceived(1, 0, 0)), "#ffffff");
  EXPECT_EQ(hexadecimal(perceived(0.62796, 0.25768, 29.234)), "#ff0000");
  EXPECT_EQ(hexadecimal(perceived(0.45201, 0.31321, 264.052)), "#0000ff");
}

TEST(Colour, OutsideOfSrgbLosesChromaAlone) {
  const Colour grey = perceived(0.95, 0, 285), lilac = perceived(0.95, 0.3, 285);
  EXPECT_NEAR(luminance(lilac), luminance(grey), 0.04);
  EXPECT_GT(lilac.blue, lilac.green);
}

TEST(Ramp, GrowsLighterStepByStepFromBlueToYellow) {
  for (const auto& [first, last] : {std::pair(0.25, 0.95), std::pair(0.30, 0.87)}) {
    double before = -1;
    for (int i = 0; i < 16; ++i) {
      const double now = luminance(ramp(i / 15.0, first, last));
      EXPECT_GT(now, before) << i;
      before = now;
    }
  }
  const Colour dark = ramp(0, 0.3, 0.9), light = ramp(1, 0.3, 0.9);
  EXPECT_GT(dark.blue, dark.red);
  EXPECT_LT(light.blue, light.red);
  EXPECT_EQ(hexadecimal(ramp(0, 0.9, 0.3)), hexadecimal(light));
}

}  // namespace
}  // namespace apsp::report::colour_test
