// Text in columns: widths, padding, tables, headings, bars.
//
// Widths are in columns: East Asian wide characters and emoji take two, combining marks none, other
// characters one (Unicode's East Asian Width, in ranges). Each byte that is not UTF-8 counts as one
// column.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal_style.hpp"

namespace apsp::cli {

std::size_t display_width(std::string_view text);

enum class Align { left, right };

/// Pads with spaces to `width` columns; returns longer texts unchanged.
std::string pad(std::string_view text, std::size_t width, Align align = Align::left);

/// Shortens to `width` columns; a shortened text ends in `mark`.
std::string shorten(std::string_view text, std::size_t width, std::string_view mark);

/// Replaces a tab by a blank and other control characters by '?', so that labels from files cannot
/// move the cursor.
std::string printable(std::string_view text);

/// Columns of the widest cell in a table that shortens no text.
inline constexpr std::size_t kWidestTable = 200;

/// A table with a header over a rule and aligned columns. Cells are plain text.
class Table {
 public:
  /// `columns`: the alignment of each column. Rows may have fewer cells. Cells wider than `widest`
  /// columns are shortened.
  explicit Table(std::vector<Align> columns, std::size_t widest = 40)
      : columns_(std::move(columns)), widest_(widest) {}

  void header(std::vector<std::string> cells) { header_ = std::move(cells); }
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }

  /// The table, indented by two columns, without trailing spaces.
  std::string text(const TerminalStyle& look) const;

 private:
  std::vector<Align> columns_;
  std::size_t widest_;
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

/// A bar of `fraction` (0 … 1) of `columns`. Values above zero show at least a sliver.
std::string bar(double fraction, std::size_t columns, bool unicode);

std::string heading(const TerminalStyle& look, const std::string& title,
                    const std::string& remark = "");

}  // namespace apsp::cli
