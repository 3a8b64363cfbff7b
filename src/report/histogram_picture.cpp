#include "report/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.hpp"
#include "report/markup.hpp"
#include "statistics/histogram_bins.hpp"

namespace apsp::report {
namespace {

// Units of the picture; texts are 17 units high, 25 on small screens.
constexpr double kWidth = 800, kHeight = 280, kLeft = 10, kRight = 790, kTop = 58, kBottom = 240;

class Axis {
 public:
  Axis(double low, double high) : low_(low), high_(high) {}
  double at(double value) const {
    if (!(low_ < high_)) return (kLeft + kRight) / 2;
    return kLeft + (kRight - kLeft) * (value - low_) / (high_ - low_);
  }

 private:
  double low_, high_;
};

std::string bars(const std::vector<HistogramBin>& bins, const Axis& axis, std::int64_t total) {
  std::int64_t most = 1;
  for (const HistogramBin& bin : bins) most = std::max(most, bin.pairs);
  std::string text;
  for (const HistogramBin& bin : bins) {
    constexpr double kLeastWidth = 3, kLeastHeight = 1;
    if (bin.pairs == 0) continue;
    const double left = axis.at(bin.low);
    const double width = std::max(kLeastWidth, axis.at(bin.high) - left - 2);
    const double share = static_cast<double>(bin.pairs) / static_cast<double>(most);
    const double height = std::max(kLeastHeight, share * (kBottom - kTop));
    text += fmt::format(
        "<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
        "<title>{} to {}: {}, {}</title></rect>\n",
        left, kBottom - height, width, height, base::format_value(bin.low),
        base::format_value(bin.high), base::counted(bin.pairs, "pair", "pairs"),
        escaped(base::format_share(bin.pairs, total)));
  }
  return text;
}

/// A line down to the axis with its name, to the left or right of it where there is room.
std::string mark(const Axis& axis, double value, std::string_view name, double text_at,
                 bool leftwards) {
  constexpr double kRoom = 170;
  const double x = axis.at(value);
  leftwards = leftwards ? x > kRoom : x > kWidth - kRoom;
  return fmt::format(
      "<path class=\"mark\" d=\"M{0:.1f} {1}V{2}\"/><text x=\"{3:.1f}\" y=\"{4}\"{5}>{6} {7}"
      "</text>\n",
      x, text_at - 13, kBottom, x + (leftwards ? -5 : 5), text_at,
      leftwards ? " text-anchor=\"end\"" : "", name, base::format_value(value));
}

std::string ticks(const Axis& axis, double low, double high) {
  constexpr int kMost = 6;
  const std::vector<double> values =
      low < high ? round_numbers(low, high, kMost) : std::vector<double>{low};
  std::string text =
      fmt::format("<path class=\"axis\" d=\"M{} {}H{}\"/>\n", kLeft, kBottom, kRight);
  for (const double value : values) {
    const double x = axis.at(value);
    const char* const anchor = x < kLeft + 30 ? "start" : x > kRight - 30 ? "end" : "middle";
    text += fmt::format(
        "<path class=\"axis\" d=\"M{0:.1f} {1}v5\"/><text x=\"{0:.1f}\" y=\"{2}\" "
        "text-anchor=\"{3}\">{4}</text>\n",
        x, kBottom, kBottom + 28, anchor, base::format_value(value));
  }
  return text;
}

}  // namespace

std::vector<double> round_numbers(double low, double high, int most) {
  const double exponent = std::floor(std::log10((high - low) / most));
  std::vector<double> numbers;
  for (const double factor : {1.0, 2.0, 5.0, 10.0, 20.0}) {
    const double step = factor * std::pow(10, exponent);
    numbers.clear();
    for (double multiple = std::ceil(low / step); multiple * step <= high; multiple += 1) {
      numbers.push_back(multiple * step + 0.0);
      if (numbers.size() > static_cast<std::size_t>(most)) break;
    }
    if (numbers.size() <= static_cast<std::size_t>(most)) break;
  }
  if (numbers.empty()) numbers.push_back(low);
  return numbers;
}

std::string histogram_picture(const Statistics& statistics, std::string_view measure) {
  if (!statistics.least || !statistics.greatest || statistics.histogram.empty()) return {};
  const auto bins =
      statistics::clipped(statistics.histogram, *statistics.least, *statistics.greatest);
  const double low = bins.front().low, high = bins.back().high;
  const Axis axis(low, high);
  std::string text = fmt::format(
      "<svg class=\"histogram\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"how many ordered "
      "pairs have which {}\">\n",
      kWidth, kHeight, measure);
  text += bars(bins, axis, statistics.reachable_pairs) + ticks(axis, low, high);
  const bool mean_first = statistics.mean < statistics.median;  // names stand away from each other
  if (statistics.mean) text += mark(axis, *statistics.mean, "mean", 20, mean_first);
  if (statistics.median) text += mark(axis, *statistics.median, "median", 47, !mean_first);
  return text + "</svg>\n";
}

}  // namespace apsp::report
