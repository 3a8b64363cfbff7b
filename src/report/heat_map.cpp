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
    const auto way = [&](std::size_t from, std::size_t to) {
      const double distance = distances_[from * count_ + to];
      return std::isfinite(distance) ? distance : std::numeric_limits<double>::infinity();
    };
    return std::min(way(a, b), way(b, a));
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

/// Of the ramp's lightness: the same on light and dark pages, whose colours it stands out from.
constexpr double kNear = 0.30, kFar = 0.93;

std::vector<Vertex> held(std::span<const Vertex> chosen, std::int64_t n) {
  if (!chosen.empty()) return {chosen.begin(), chosen.end()};
  std::vector<Vertex> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Vertex{0});
  return all;
}

/// One of each of `most` stretches of equal length, at random.
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
  std::array<Colour, kClasses * 4 + 1> colours;  // the first stands for no path
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

std::string heat_map(const DistanceSample& sample, Semiring semiring) {
  const bool reachability = semiring == Semiring::or_and;
  const auto colours = palette();
  std::vector<double> shown;  // the diagonal tells nothing
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
  const std::string what(semiring::words_of(semiring).measure);
  const std::string picture = png(pixels, static_cast<std::uint32_t>(sample.targets.size()),
                                  static_cast<std::uint32_t>(sample.sources.size()), colours);
  std::string text = fmt::format(
      "<img class=\"matrix\" alt=\"{} between {} and {}, a pixel a pair\" "
      "width=\"{}\" height=\"{}\" src=\"data:image/png;base64,{}\"/>\n",
      what, base::counted(std::ssize(sample.sources), "source", "sources"),
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
