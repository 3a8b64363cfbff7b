#include "io/geometry.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace apsp::io {
namespace {

enum WkbType : std::uint32_t { kPoint = 1, kLine = 2, kLines = 5 };

bool is_point(const Geometry& geometry) {
  return !geometry.several && geometry.lines.front().size() == 1;
}

const char* type_of(const Geometry& geometry) {
  return geometry.several ? "MultiLineString" : is_point(geometry) ? "Point" : "LineString";
}

/// "[[24.9, 60.1], [24.91, 60.2]], [[…" with the given forms of positions and brackets of lines.
std::string text_of(const Geometry& geometry, std::string_view position,
                    std::string_view brackets) {
  std::string text;
  for (const std::vector<MapPoint>& line : geometry.lines) {
    text += text.empty() ? "" : ", ";
    text += brackets[0];
    for (std::size_t i = 0; i < line.size(); ++i) {
      text += i == 0 ? "" : ", ";
      text += fmt::format(fmt::runtime(position), line[i].first, line[i].second);
    }
    text += brackets[1];
  }
  return text;
}

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

void append_head(std::string& bytes, WkbType type) {
  bytes += '\1';  // little-endian
  append(bytes, std::uint32_t{type});
}

}  // namespace

std::string geojson_of(const Geometry& geometry) {
  const std::string lines = text_of(geometry, "[{}, {}]", "[]");
  return fmt::format(R"({{"type": "{}", "coordinates": {}}})", type_of(geometry),
                     geometry.several     ? "[" + lines + "]"
                     : is_point(geometry) ? lines.substr(1, lines.size() - 2)
                                          : lines);
}

std::string wkt_of(const Geometry& geometry) {
  const std::string lines = text_of(geometry, "{} {}", "()");
  std::string type = type_of(geometry);
  std::ranges::transform(type, type.begin(), [](char c) { return static_cast<char>(c & ~0x20); });
  return type + ' ' + (!geometry.several ? lines : lines.empty() ? "EMPTY" : "(" + lines + ")");
}

std::string wkb_of(const Geometry& geometry) {
  std::string bytes;
  if (geometry.several) {
    append_head(bytes, kLines);
    append(bytes, static_cast<std::uint32_t>(geometry.lines.size()));
  }
  for (const std::vector<MapPoint>& line : geometry.lines) {
    append_head(bytes, is_point(geometry) ? kPoint : kLine);
    if (!is_point(geometry)) append(bytes, static_cast<std::uint32_t>(line.size()));
    for (const auto& [x, y] : line) {
      append(bytes, x);
      append(bytes, y);
    }
  }
  return bytes;
}

std::optional<std::vector<MapPoint>> line_of_wkt(std::string_view text) {
  const std::size_t open = text.find('('), close = text.rfind(')');
  constexpr std::string_view kWord = "LINESTRING";
  const bool named = text.size() > kWord.size() &&
                     std::ranges::equal(text.substr(0, kWord.size()), kWord, {},
                                        [](char c) { return static_cast<char>(c & ~0x20); });
  if (!named || open == std::string_view::npos || close == std::string_view::npos) {
    return std::nullopt;
  }
  std::vector<MapPoint> line;
  const char* at = text.data() + open + 1;
  const char* const end = text.data() + close;
  while (at < end) {
    const char* const stop = std::find(at, end, ',');
    double values[2];
    for (double& value : values) {
      while (at < stop && *at == ' ') ++at;
      const auto [next, failure] = std::from_chars(at, stop, value);
      if (failure != std::errc() || !std::isfinite(value)) return std::nullopt;
      at = next;
    }
    line.emplace_back(values[0], values[1]);
    at = stop + (stop < end ? 1 : 0);
  }
  return line.size() < 2 ? std::nullopt : std::optional(std::move(line));
}

std::optional<Geometry> geometry_of_wkb(std::string_view bytes) {
  if (bytes.empty() || (bytes[0] != 0 && bytes[0] != 1)) return std::nullopt;
  const bool swapped = bytes[0] == 0;
  std::size_t at = 1;
  const auto take = [&]<class T>(T value) {
    char raw[sizeof(T)] = {};
    bytes.substr(std::min(at, bytes.size())).copy(raw, sizeof(T));
    if (swapped) std::ranges::reverse(raw);
    std::memcpy(&value, raw, sizeof(T));
    at += sizeof(T);
    return value;
  };
  const auto type = take(std::uint32_t{});
  if (type >= 4000 || (type % 1000 != kPoint && type % 1000 != kLine)) return std::nullopt;
  const std::uint32_t count = type % 1000 == kPoint ? 1 : take(std::uint32_t{});
  const std::size_t numbers = type < 1000 ? 2 : type < 3000 ? 3 : 4;
  if (count == 0 || bytes.size() != at + count * numbers * sizeof(double)) return std::nullopt;
  Geometry found{{{}}};
  for (std::uint32_t i = 0; i < count; ++i, at += (numbers - 2) * sizeof(double)) {
    const double x = take(double{}), y = take(double{});
    found.lines[0].emplace_back(x, y);
  }
  return found;
}

}  // namespace apsp::io
