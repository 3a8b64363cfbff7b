#include "report/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "base/refusal.hpp"
#include "base/units.hpp"
#include "report/markup.hpp"
#include "semiring/semiring_words.hpp"
#include "statistics/histogram_bins.hpp"

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
  double between(std::size_t a, std::size_t b) const {
    const auto way = [&](std::size_t from, std::size_t to) {
      const double distance = distances_[from * count_ + to];
      return std::isfinite(distance) ? distance : std::numeric_limits<double>::infinity();
    };
    return std::min(way(a, b), way(b, a));
  }

  /// Moves all positions connected with the first to the front and returns their number.
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
    constexpr double kNoWay = 1e300;  // longer than any distance, with finite differences
    return std::min(between(a, b), kNoWay);
  }

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

/// Lightness at the ends of the ramp, visible on light and dark pages.
constexpr double kNear = 0.30, kFar = 0.93;

std::vector<Vertex> held(std::span<const Vertex> chosen, std::int64_t n) {
  if (!chosen.empty()) return {chosen.begin(), chosen.end()};
  std::vector<Vertex> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Vertex{0});
  return all;
}

std::vector<Vertex> drawn(const std::vector<Vertex>& from, std::size_t most) {
  if (from.size() <= most) return from;
  base::SplitMix64 random(1);
  std::vector<Vertex> list;
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t first = i * from.size() / most, last = (i + 1) * from.size() / most;
    list.push_back(from[first + random.below(last - first)]);
  }
  return list;
}

void reorder(DistanceSample& sample) {
  const std::size_t count = sample.sources.size();
  const std::vector<std::size_t> order = bisection_order(sample.distances, count);
  DistanceSample result;
  for (const std::size_t i : order) {
    result.sources.push_back(sample.sources[i]);
    for (const std::size_t j : order) result.distances.push_back(sample.distances[i * count + j]);
  }
  result.targets = result.sources;
  result.ordered = true;
  sample = std::move(result);
}

std::array<Colour, kClasses * 4 + 1> palette() {
  std::array<Colour, kClasses * 4 + 1> colours;  // the first means no path
  for (std::size_t i = 1; i < colours.size(); ++i) {
    const double t = static_cast<double>(i - 1) / static_cast<double>(colours.size() - 2);
    colours[i] = ramp(t, kNear, kFar);
  }
  return colours;
}

std::string heat_legend(const Scale& scale, std::string_view what, std::string_view none) {
  std::string stops;
  for (int i = 0; i <= 8; ++i) {
    stops += fmt::format("{}{}", i == 0 ? "" : ",", hexadecimal(ramp(i / 8.0, kNear, kFar)));
  }
  const auto end = [](double value, bool beyond, const char* sign) {
    return (beyond ? sign : std::string()) + number(value);
  };
  const std::string missing =
      none.empty() ? "" : fmt::format(" <span class=\"swatch\"></span> {}", escaped(none));
  if (scale.empty()) return fmt::format("<p class=\"legend\">{}</p>\n", missing);
  return fmt::format(
      "<p class=\"legend\">{}: <span>{}</span> <span class=\"bar\" "
      "style=\"background:linear-gradient(to right,{})\"></span> <span>{}</span>{}</p>\n",
      escaped(what), end(scale.low(), scale.goes_below(), "≤ "), stops,
      end(scale.high(), scale.goes_above(), "≥ "), missing);
}

DistanceSample sampled(const Result& result, std::size_t most, const Control& control) {
  DistanceSample sample;
  sample.sources = drawn(held(result.sources(), result.vertex_count()), most);
  sample.targets = drawn(held(result.targets(), result.vertex_count()), most);
  std::vector<VertexPair> pairs;
  for (const Vertex from : sample.sources) {
    for (const Vertex to : sample.targets) pairs.push_back({from, to});
  }
  sample.distances = result.distances(pairs, control);
  if (result.semiring() == Semiring::or_and) {
    for (double& value : sample.distances) {
      if (value == 0) value = no_path(Semiring::min_plus, ValueType::f64);
    }
  }
  if (sample.sources == sample.targets) reorder(sample);
  return sample;
}

}  // namespace

std::vector<std::size_t> bisection_order(std::span<const double> distances, std::size_t count) {
  return Bisection(distances, count).order();
}

std::string heat_map(const DistanceSample& sample, Semiring semiring, std::string_view what) {
  const bool reachability = semiring == Semiring::or_and;
  const auto colours = palette();
  std::vector<double> shown;  // without the diagonal, which has no information
  for (std::size_t i = 0; i < sample.distances.size(); ++i) {
    if (!sample.on_diagonal(i)) shown.push_back(sample.distances[i]);
  }
  if (std::none_of(shown.begin(), shown.end(), [](double d) { return std::isfinite(d); })) {
    shown = sample.distances;
  }
  const Scale scale(shown, static_cast<int>(colours.size()) - 1);
  std::vector<std::uint8_t> pixels;
  bool gaps = false;
  for (std::size_t i = 0; i < sample.distances.size(); ++i) {
    double value = sample.distances[i];
    const bool diagonal = sample.on_diagonal(i);
    if (diagonal && !std::isfinite(value)) {  // the empty path of a bottleneck semiring
      value = semiring == Semiring::max_min ? scale.high() : scale.low();
    }
    pixels.push_back(static_cast<std::uint8_t>(scale.class_of(value) + 1));
    gaps = gaps || pixels.back() == 0;
  }
  const std::string picture = png(pixels, static_cast<std::uint32_t>(sample.targets.size()),
                                  static_cast<std::uint32_t>(sample.sources.size()), colours);
  std::string text = fmt::format(
      "<img class=\"matrix\" alt=\"{} between {} and {}, a pixel a pair\" "
      "width=\"{}\" height=\"{}\" src=\"data:image/png;base64,{}\"/>\n",
      escaped(what), base::counted(std::ssize(sample.sources), "source", "sources"),
      base::counted(std::ssize(sample.targets), "target", "targets"), sample.targets.size(),
      sample.sources.size(), base64(picture));
  if (reachability) return text + heat_legend(Scale({}, 1), "", gaps ? "not reachable" : "");
  return text + heat_legend(scale, what, gaps ? "no path" : "");
}

}  // namespace apsp::report

namespace apsp {

DistanceSample sample_distances(const Result& result, std::size_t most, const Control& control) {
  refuse_if(result.kept() == Keep::statistics,
            "a picture of distances needs a result that holds them: keep the matrix or the "
            "factor");
  return report::sampled(result, most, control);
}

}  // namespace apsp

namespace apsp::report {
namespace {

// Units of the picture; text is 17 units high, 25 on small screens.
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
  const bool mean_first = statistics.mean < statistics.median;
  if (statistics.mean) text += mark(axis, *statistics.mean, "mean", 20, mean_first);
  if (statistics.median) text += mark(axis, *statistics.median, "median", 47, !mean_first);
  return text + "</svg>\n";
}

}  // namespace apsp::report
