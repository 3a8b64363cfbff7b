#include "cli/table.hpp"

#include <algorithm>

namespace apsp::cli {
namespace {

constexpr std::size_t kGap = 2;  // columns between cells, and before the first

/// How wide a ruled block is; reports stay readable on 80 columns.
constexpr std::size_t kRule = 64;

std::string line_of(const std::vector<std::string>& cells, const std::vector<Align>& columns,
                    const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    line += std::string(kGap, ' ') + pad(cells[c], widths[c], columns[c]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string Table::text(const Look& look) const {
  std::vector<std::vector<std::string>> lines = rows_;
  if (!header_.empty()) lines.insert(lines.begin(), header_);
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (auto& cells : lines) {
    cells.resize(std::min(cells.size(), columns_.size()));
    for (std::size_t c = 0; c < cells.size(); ++c) {
      cells[c] = shorten(cells[c], widest_, look.ellipsis());
      widths[c] = std::max(widths[c], display_width(cells[c]));
    }
  }
  std::size_t total = 0;
  for (const std::size_t width : widths) total += width + kGap;
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += line_of(lines[i], columns_, widths);
    if (i == 0 && !header_.empty()) {
      text += std::string(kGap, ' ') + look.rule(total - kGap) + "\n";
    }
  }
  return text;
}

std::string heading(const Look& look, const std::string& title, const std::string& remark) {
  std::string line = look.bold(title);
  if (!remark.empty()) line += std::string(kGap, ' ') + remark;
  return line + "\n" + look.rule(kRule) + "\n";
}

}  // namespace apsp::cli
