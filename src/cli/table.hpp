// Aligned tables: a title over a light rule, then rows whose columns line up whatever alphabet
// their cells are in. Cells are plain text; a title may be painted afterwards by the look.
#pragma once

#include <string>
#include <vector>

#include "cli/look.hpp"
#include "cli/text_width.hpp"

namespace apsp::cli {

class Table {
 public:
  /// One alignment a column. Rows may have fewer cells; the rest is empty. Cells wider than
  /// `widest` columns are shortened.
  explicit Table(std::vector<Align> columns, std::size_t widest = 40)
      : columns_(std::move(columns)), widest_(widest) {}

  /// Names of the columns, with a rule below them.
  void header(std::vector<std::string> cells) { header_ = std::move(cells); }
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }

  /// Indented by two columns; no trailing spaces.
  std::string text(const Look& look) const;

 private:
  std::vector<Align> columns_;
  std::size_t widest_;
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

/// "Title   remark" over a rule.
std::string heading(const Look& look, const std::string& title, const std::string& remark = "");

}  // namespace apsp::cli
