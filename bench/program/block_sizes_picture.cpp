#include "program/block_sizes_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/units.hpp"
#include "report/markup.hpp"
#include "report/pictures.hpp"

namespace apsp::report {
namespace {

using bench::BlockSizeReport;
using bench::BlockSizeRow;

constexpr double kPlotWidth = 800, kPlotHeight = 420, kPlotLeft = 70, kPlotRight = 690,
                 kPlotTop = 50, kPlotBottom = 360;
/// Lines in turn: colours that are told apart without colour sight, and on both pages.
constexpr const char* kColours[] = {"#3f6fb0", "#c2571a", "#1b8a5a", "#8f4fa8", "#a8830f"};

constexpr const char* kStyle =
    "<style>svg{background:#fff;color:#1c2430;font:15px "
    "system-ui,sans-serif}text{fill:currentColor}"
    ".rule{stroke:#d5dae1;fill:none}.line{fill:none;stroke-width:2}"
    "@media(prefers-color-scheme:dark){svg{background:#14181f;color:#e6eaf0}"
    ".rule{stroke:#37404d}}</style>\n";

class Frame {
 public:
  explicit Frame(const BlockSizeReport& report) {
    for (const BlockSizeRow& row : report.rows) {
      least_ = std::min(least_, std::log2(static_cast<double>(row.tile)));
      greatest_ = std::max(greatest_, std::log2(static_cast<double>(row.tile)));
      most_ = std::max(most_, rate(row) * 1e-9);
    }
  }
  double x(std::int64_t tile) const {
    if (!(least_ < greatest_)) return (kPlotLeft + kPlotRight) / 2;
    const double at = std::log2(static_cast<double>(tile));
    return kPlotLeft + (kPlotRight - kPlotLeft) * (at - least_) / (greatest_ - least_);
  }
  double y(double billions) const {
    return kPlotBottom - (kPlotBottom - kPlotTop) * billions / most_;
  }
  double most() const { return most_; }

 private:
  double least_ = 64, greatest_ = 0, most_ = 0;
};

std::string axes(const BlockSizeReport& report, const Frame& frame) {
  std::string text;
  constexpr int kMost = 6;
  for (const double value : round_numbers(0, frame.most(), kMost)) {
    const double y = frame.y(value);
    text += fmt::format(
        "<path class=\"rule\" d=\"M{} {:.1f}H{}\"/><text x=\"{}\" y=\"{:.1f}\" "
        "text-anchor=\"end\">{}</text>\n",
        kPlotLeft, y, kPlotRight, kPlotLeft - 8, y + 5, value);
  }
  std::set<std::int64_t> tiles;
  for (const BlockSizeRow& row : report.rows) tiles.insert(row.tile);
  double last = -kPlotWidth;
  for (const std::int64_t tile : tiles) {
    constexpr double kApart = 45;  // of two texts
    if (frame.x(tile) - last < kApart) continue;
    last = frame.x(tile);
    text += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", last,
                        kPlotBottom + 24, base::format_count(tile));
  }
  return text +
         fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">side of a tile</text>\n",
                     (kPlotLeft + kPlotRight) / 2, kPlotBottom + 48);
}

std::string line(const BlockSizeReport& report, const Frame& frame, std::int64_t n,
                 const char* colour) {
  std::string path, dots;
  double x = 0, y = 0;
  for (const BlockSizeRow& row : report.rows) {
    if (row.n != n) continue;
    x = frame.x(row.tile);
    y = frame.y(rate(row) * 1e-9);
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
    dots += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" stroke=\"{}\">"
        "<title>{} vertices, tiles of {}: {:.1f} G/s</title></circle>\n",
        x, y, row.chosen ? 5 : 3, row.chosen ? colour : "none", colour, base::format_count(n),
        row.tile, rate(row) * 1e-9);
  }
  return fmt::format(
      "<path class=\"line\" stroke=\"{}\" d=\"{}\"/>\n{}<text x=\"{:.1f}\" "
      "y=\"{:.1f}\">{}</text>\n",
      colour, path, dots, x + 10, y + 5, base::format_count(n));
}

}  // namespace

std::string block_sizes_picture(const BlockSizeReport& report) {
  const Frame frame(report);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" "
      "aria-label=\"Floyd-Warshall by the side of its tiles\">\n{}<text x=\"{}\" y=\"24\">"
      "Floyd-Warshall, f32, 10⁹ relaxations a second: {}</text>\n",
      kPlotWidth, kPlotHeight, kStyle, kPlotLeft, escaped(report.where));
  text += axes(report, frame);
  std::set<std::int64_t> sizes;
  for (const BlockSizeRow& row : report.rows) sizes.insert(row.n);
  std::size_t turn = 0;
  for (const std::int64_t n : sizes) {
    text += line(report, frame, n, kColours[turn++ % std::size(kColours)]);
  }
  return text + "</svg>\n";
}

}  // namespace apsp::report
