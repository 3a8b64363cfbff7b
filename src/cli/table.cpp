#include "cli/table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/utf8.hpp"

namespace apsp::cli {
namespace {

struct CodePoints {
  std::uint32_t first;
  std::uint32_t last;
};

constexpr std::array<CodePoints, 5> kCombining = {
    {{0x300, 0x36F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}}};
constexpr std::array<CodePoints, 9> kWide = {{{0x1100, 0x115F},
                                              {0x2E80, 0xA4CF},
                                              {0xAC00, 0xD7A3},
                                              {0xF900, 0xFAFF},
                                              {0xFE30, 0xFE6F},
                                              {0xFF00, 0xFF60},
                                              {0xFFE0, 0xFFE6},
                                              {0x1F300, 0x1FAFF},
                                              {0x20000, 0x3FFFD}}};

template <std::size_t N>
bool within(const std::array<CodePoints, N>& ranges, std::uint32_t code) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [code](CodePoints r) { return code >= r.first && code <= r.last; });
}

using base::Character;

/// A byte that begins no character counts as one. Requires: text not empty.
Character first_character(std::string_view text) {
  const Character found = base::first_character(text);
  return {found.code, std::max<std::size_t>(found.bytes, 1)};
}

std::size_t columns(Character character) {
  if (within(kCombining, character.code)) return 0;
  return within(kWide, character.code) ? 2 : 1;
}

constexpr std::size_t kGap = 2;

/// Width of a ruled block; reports fit 80 columns.
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

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    width += columns(character);
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::string pad(std::string_view text, std::size_t width, Align align) {
  const std::size_t taken = display_width(text);
  const std::string fill(width > taken ? width - taken : 0, ' ');
  return align == Align::left ? std::string(text) + fill : fill + std::string(text);
}

std::string shorten(std::string_view text, std::size_t width, std::string_view mark) {
  if (display_width(text) <= width) return std::string(text);
  const std::size_t mark_width = display_width(mark);
  if (mark_width > width) return {};
  std::size_t taken = 0;
  std::string result;
  while (!text.empty()) {
    const Character character = first_character(text);
    if (taken + columns(character) + mark_width > width) break;
    taken += columns(character);
    result += text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
  }
  return result + std::string(mark);
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool control = character.code < 0x20 || character.code == 0x7F ||
                         (character.bytes == 2 && character.code < 0xA0);
    const std::string_view shown = character.code == '\t' ? " " : "?";
    result += control ? shown : text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
  }
  return result;
}

std::string Table::text(const TerminalStyle& look) const {
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

std::string heading(const TerminalStyle& look, const std::string& title,
                    const std::string& remark) {
  std::string line = look.bold(title);
  if (!remark.empty()) line += std::string(kGap, ' ') + remark;
  return line + "\n" + look.rule(kRule) + "\n";
}

}  // namespace apsp::cli
