// Text in columns: widths, padding, aligned tables, headings, bars.
//
// Widths are counted in columns: most characters take one, East Asian wide characters and emoji
// two, combining marks none (after Unicode's East Asian Width, in ranges). Bytes that are not UTF-8
// count as one column each, so that labels in any encoding keep a table aligned.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal_style.hpp"

namespace apsp::cli {

std::size_t display_width(std::string_view text);

enum class Align { left, right };

/// Filled with spaces to `width` columns; a longer text stays as it is.
std::string pad(std::string_view text, std::size_t width, Align align = Align::left);

/// At most `width` columns; a shortened text ends in `mark`.
std::string shorten(std::string_view text, std::size_t width, std::string_view mark);

/// Control characters (of labels read from files) replaced by '?': no text can move the cursor.
std::string printable(std::string_view text);

/// Characters of a cell in a table whose texts stay whole.
inline constexpr std::size_t kWidestTable = 200;

/// A title over a light rule, then rows whose columns line up whatever alphabet their cells are in.
/// Cells are plain text; a title may be painted afterwards by the look.
class Table {
 public:
  /// One alignment a column. Rows may have fewer cells. Cells wider than
  /// `widest` columns are shortened.
  explicit Table(std::vector<Align> columns, std::size_t widest = 40)
      : columns_(std::move(columns)), widest_(widest) {}

  /// Names of the columns, with a rule below them.
  void header(std::vector<std::string> cells) { header_ = std::move(cells); }
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }

  /// Indented by two columns; no trailing spaces.
  std::string text(const TerminalStyle& look) const;

 private:
  std::vector<Align> columns_;
  std::size_t widest_;
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

/// A bar of `fraction` (0 … 1) of `columns`. Anything above zero shows at least a sliver.
std::string bar(double fraction, std::size_t columns, bool unicode);

/// "Title   remark" over a rule.
std::string heading(const TerminalStyle& look, const std::string& title,
                    const std::string& remark = "");

}  // namespace apsp::cli
