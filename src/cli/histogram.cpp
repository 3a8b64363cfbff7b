#include "cli/histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/numbers.hpp"
#include "base/units.hpp"
#include "cli/table.hpp"

namespace apsp::cli {
namespace {

constexpr std::size_t kMostRows = 16;
constexpr std::size_t kBarColumns = 32;

/// Four digits, and no fewer than stand before the point.
std::string end_text(double end) {
  constexpr double kFour = 1e4;
  return std::abs(end) < kFour ? fmt::format("{:.4g}", end) : base::format_value(std::round(end));
}

std::string range_text(const HistogramBin& bin, bool last, bool whole, const Look& look) {
  if (!whole && bin.low < bin.high) {
    return fmt::format("{} {} {}", end_text(bin.low), look.dash(), end_text(bin.high));
  }
  if (!whole) return base::format_value(bin.low);
  const double least = std::ceil(bin.low);
  const double greatest = last ? std::floor(bin.high) : std::ceil(bin.high) - 1;
  if (least >= greatest) return base::format_value(least);
  return fmt::format("{} {} {}", base::format_value(least), look.dash(),
                     base::format_value(greatest));
}

}  // namespace

std::string bar(double fraction, std::size_t columns, bool unicode) {
  if (!(fraction > 0)) return {};
  const double full = std::min(fraction, 1.0) * static_cast<double>(columns);
  if (!unicode) {
    return std::string(std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(full))), '#');
  }
  constexpr std::array<std::string_view, 8> kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(full * 8)));
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  return text += kEighths[eighths % 8];
}

std::vector<HistogramBin> joined(std::span<const HistogramBin> bins, std::size_t most) {
  const std::size_t together = (bins.size() + most - 1) / most;
  std::vector<HistogramBin> result;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (i % together == 0) {
      result.push_back(bins[i]);
    } else {
      result.back().high = bins[i].high;
      result.back().pairs += bins[i].pairs;
    }
  }
  return result;
}

std::string histogram_text(std::span<const HistogramBin> bins, bool whole, const Look& look) {
  std::int64_t total = 0, most = 0;
  const std::vector<HistogramBin> rows = joined(bins, kMostRows);
  for (const HistogramBin& bin : rows) {
    total += bin.pairs;
    most = std::max(most, bin.pairs);
  }
  if (total == 0) return {};
  Table table({Align::right, Align::left, Align::right, Align::right});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double fraction = static_cast<double>(rows[i].pairs) / static_cast<double>(most);
    table.row({range_text(rows[i], i + 1 == rows.size(), whole, look),
               bar(fraction, kBarColumns, look.unicode), base::format_count(rows[i].pairs),
               base::format_share(rows[i].pairs, total)});
  }
  return table.text(look);
}

}  // namespace apsp::cli
