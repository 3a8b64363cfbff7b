#include "report/colour.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace apsp::report {
namespace {

using Linear = std::array<double, 3>;  // red, green, blue, 0 … 1, before gamma

/// Converts OKLab to linear sRGB (matrices of Ottosson 2020).
Linear linear_light(double lightness, double a, double b) {
  const auto cubed = [](double root) { return root * root * root; };
  const double l = cubed(lightness + 0.3963377774 * a + 0.2158037573 * b);
  const double m = cubed(lightness - 0.1055613458 * a - 0.0638541728 * b);
  const double s = cubed(lightness - 0.0894841775 * a - 1.2914855480 * b);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

Linear linear_of(double lightness, double chroma, double hue) {
  const double angle = hue * std::numbers::pi / 180;
  return linear_light(lightness, chroma * std::cos(angle), chroma * std::sin(angle));
}

bool displayable(const Linear& light) {
  constexpr double kSlack = 1e-4;  // less than half a step of 255
  return std::all_of(light.begin(), light.end(),
                     [](double part) { return part >= -kSlack && part <= 1 + kSlack; });
}

std::uint8_t encoded(double linear) {
  const double part = std::clamp(linear, 0.0, 1.0);
  const double curved = part <= 0.0031308 ? 12.92 * part : 1.055 * std::pow(part, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * curved));
}

}  // namespace

Colour perceived(double lightness, double chroma, double hue) {
  double least = 0, most = chroma;
  if (!displayable(linear_of(lightness, chroma, hue))) {
    for (int halving = 0; halving < 20; ++halving) {
      const double middle = (least + most) / 2;
      (displayable(linear_of(lightness, middle, hue)) ? least : most) = middle;
    }
    most = least;
  }
  const Linear light = linear_of(lightness, most, hue);
  return {encoded(light[0]), encoded(light[1]), encoded(light[2])};
}

Colour ramp(double t, double first, double last) {
  constexpr double kDarkest = 0.25, kLightest = 0.95;  // lightness of all ramps; ends of the hues
  constexpr double kBlue = 285, kYellow = 100, kChroma = 0.16;
  const double lightness = first + std::clamp(t, 0.0, 1.0) * (last - first);
  const double light = std::clamp((lightness - kDarkest) / (kLightest - kDarkest), 0.0, 1.0);
  return perceived(lightness, kChroma, kBlue + light * (kYellow - kBlue));
}

std::string hexadecimal(Colour colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

Scale::Scale(std::span<const double> values, int classes) : classes_(classes) {
  constexpr std::size_t kMany = 200;
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
  const double span = high_ - low_;
  const double share = std::isfinite(span)
                           ? (value - low_) / span
                           : (value / 2 - low_ / 2) / (high_ / 2 - low_ / 2);  // avoids overflow
  return std::min(static_cast<int>(std::clamp(share, 0.0, 1.0) * classes_), classes_ - 1);
}

}  // namespace apsp::report
