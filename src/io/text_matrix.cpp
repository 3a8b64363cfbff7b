#include "io/text_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/units.hpp"
#include "io/formats.hpp"
#include "io/vertex_numbers.hpp"

namespace apsp::io {
namespace {

constexpr double kNoEdge = std::numeric_limits<double>::infinity();

bool is_entry(std::string_view text) { return is_number_like(text) || is_missing_value(text); }

/// Whether the names of the first row are exactly those of the following rows.
bool holds_names_twice(TextCursor cursor, Separator separator) {
  RowSplitter splitter(separator);
  std::vector<std::string> titles = texts_of(splitter.split(cursor));
  std::vector<std::string> names;
  while (find_row(cursor)) {
    const TableFields& fields = splitter.split(cursor);
    if (names.empty() && fields.size() == titles.size()) {
      if (!titles[0].empty() && is_entry(titles[0])) return false;
      titles.erase(titles.begin());
    }
    if (titles.size() < 2) return false;
    if (names.size() == titles.size() || fields.size() != titles.size() + 1) return false;
    names.emplace_back(fields[0].text);
  }
  return std::ranges::is_permutation(names, titles);
}

struct Square {
  std::size_t side = 0;
  bool zeros_on_diagonal = true;
  bool ones_elsewhere = true;
  bool first_counts = true;
  bool last_is_empty = true;  ///< a separator may end each row
};

std::optional<Square> square_of_numbers(TextCursor cursor, Separator separator) {
  RowSplitter splitter(separator);
  Square square;
  std::size_t rows = 0;
  for (; find_row(cursor); ++rows) {
    const TableFields& fields = splitter.split(cursor);
    if (rows == 0) square.side = fields.size();
    if (rows == square.side || fields.size() != square.side) return std::nullopt;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::string_view text = fields[i].text;
      if (!is_entry(text)) return std::nullopt;
      const bool zero = text == "0" || text == "0.0";
      if (i == rows && !zero) square.zeros_on_diagonal = false;
      if (i != rows && text != "1") square.ones_elsewhere = false;
    }
    if (fields[0].text != fmt::format_int(rows).c_str()) square.first_counts = false;
    if (!fields.back().text.empty()) square.last_is_empty = false;
  }
  return rows == square.side ? std::optional(square) : std::nullopt;
}

/// Whether titles are 0, 1, 2, … or 1, 2, 3, …, at least three.
bool count_columns(std::span<const std::string> titles) {
  std::int64_t next = titles[0] == "0" ? 0 : 1;
  const auto counts = [&](const std::string& title) { return integer_of(title) == next++; };
  return titles.size() > 2 && std::ranges::all_of(titles, counts);
}

/// The numbers below titles, if there are as many rows and columns as titles.
std::optional<Square> square_below(std::span<const std::string> titles, const TextCursor& below,
                                   Separator separator) {
  if (std::ranges::any_of(titles, is_number_like) && !count_columns(titles)) return std::nullopt;
  const auto square = square_of_numbers(below, separator);
  return square && square->side == titles.size() ? square : std::nullopt;
}

class MatrixRows {
 public:
  explicit MatrixRows(const Source& source) : source_(source), cursor_(source) {}

  Graph read() {
    if (!find_row(cursor_)) cursor_.fail_at_end("the matrix has no rows");
    separator_ = table_separator(cursor_);
    splitter_.emplace(separator_);
    take_first_row();
    place_of_.assign(static_cast<std::size_t>(side_), -1);
    while (find_row(cursor_)) take_row(splitter_->split(cursor_));
    if (rows_ != side_) {
      cursor_.fail_at_end("{}, but the first row has {}; a matrix has a row for each column",
                          base::counted(rows_, "row", "rows"),
                          base::counted(side_, "column", "columns"));
    }
    return build();
  }

 private:
  void take_first_row() {
    TextCursor behind = cursor_;
    const TableFields& first = splitter_->split(behind);
    const bool titled = !std::ranges::all_of(first, is_entry, &TableField::text) ||
                        holds_names_twice(cursor_, separator_) ||
                        square_below(texts_of(first), behind, separator_);
    side_ = std::ssize(first);
    if (!titled) return;
    names_ = texts_of(first);
    rows_are_named_ = !square_below(names_, behind, separator_);
    RowSplitter next = *splitter_;
    TextCursor ahead = behind;
    const bool corner =
        rows_are_named_ && (!find_row(ahead) || std::ssize(next.split(ahead)) == side_);
    if (corner) names_.erase(names_.begin());
    side_ = std::ssize(names_);
    for (std::int64_t i = 0; i < side_; ++i) {
      const bool fresh = places_.emplace(names_[static_cast<std::size_t>(i)], i).second;
      if (!fresh) {
        cursor_.fail(first.front().at,
                     "two columns are called '{}'; entries that are no edges are empty, NA or inf",
                     names_[static_cast<std::size_t>(i)]);
      }
    }
    cursor_.move_to(behind.at());
  }

  void take_row(const TableFields& fields) {
    const std::int64_t named = rows_are_named_ ? 1 : 0;
    if (std::ssize(fields) != side_ + named) {
      cursor_.fail(fields.front().at, "{}, but the matrix has {}",
                   base::counted(std::ssize(fields) - named, "value", "values"),
                   base::counted(side_, "column", "columns"));
    }
    std::int64_t row = rows_;
    if (row == side_) cursor_.fail(fields.front().at, "more rows than columns");
    if (named == 1) {
      const auto found = places_.find(std::string(fields[0].text));
      if (found == places_.end()) {
        cursor_.fail(fields[0].at, "no column is called '{}', as this row is", fields[0].text);
      }
      row = found->second;
    }
    std::int64_t& place = place_of_[static_cast<std::size_t>(row)];
    if (place >= 0) cursor_.fail(fields[0].at, "a second row is called '{}'", fields[0].text);
    place = rows_++;
    for (std::int64_t column = 0; column < side_; ++column) {
      values_.push_back(value_of(fields[static_cast<std::size_t>(column + named)]));
      if (values_.back() == kNoEdge && row != column) ++left_out_;
    }
  }

  double value_of(const TableField& field) {
    if (is_missing_value(field.text)) return kNoEdge;
    const double value = field_weight(cursor_, field);
    return value == 0 && !source_.options.zero_is_edge.value_or(false) ? kNoEdge : value;
  }

  double at(std::int64_t row, std::int64_t column) const {
    const std::int64_t place = place_of_[static_cast<std::size_t>(row)];
    return values_[static_cast<std::size_t>(place * side_ + column)];
  }

  Graph build() const {
    std::int64_t below = 0, above = 0;
    bool symmetric = true;
    for (std::int64_t row = 0; row < side_; ++row) {
      for (std::int64_t column = 0; column < row; ++column) {
        below += at(row, column) != kNoEdge ? 1 : 0;
        above += at(column, row) != kNoEdge ? 1 : 0;
        symmetric = symmetric && at(row, column) == at(column, row);
      }
    }
    // Entries on one side of the diagonal, if the other side has none.
    const std::int64_t half = below == 0 || above == 0 ? below + above : 0;
    if (side_ > 2 && half == side_ * (side_ - 1) / 2 && !source_.options.directed) {
      cursor_.fail_at_end(
          "one side of the diagonal is full and the other empty: half of a symmetric matrix "
          "(`directed=false`), or edges of one direction (`directed=true`)");
    }
    const bool directed = source_.options.directed.value_or(!symmetric);
    if (!directed && !symmetric && half == 0) {
      cursor_.fail_at_end("the matrix is not symmetric, so its graph cannot be undirected");
    }
    GraphBuilder builder(side_, directed);
    builder.set_threads(source_.options.threads);
    for (std::int64_t row = 0; row < side_; ++row) {
      for (std::int64_t column = directed ? 0 : row; column < side_; ++column) {
        const double value =
            !directed && half > 0 ? std::min(at(row, column), at(column, row)) : at(row, column);
        if (value == kNoEdge || (row == column && value >= 0)) continue;
        builder.add_edge(static_cast<Vertex>(row), static_cast<Vertex>(column), value);
      }
    }
    name_vertices(builder, std::vector(names_));
    return std::move(builder).build().with_remark(remark(directed && half > 0));
  }

  /// A remark on entries of −1 if no others are negative. Throws `Error` (input) unless the file
  /// was said to be a matrix.
  std::string minus_ones() const {
    const auto is_other = [](double value) { return value < 0 && value != -1; };
    const std::int64_t count = std::ranges::count(values_, -1.0);
    if (count == 0 || std::ranges::any_of(values_, is_other)) return {};
    if (!source_.options.format) {
      cursor_.fail_at_end(
          "entries of -1 ({}) are no edges, or edges of weight -1: leave them empty in the first "
          "case; `format=matrix` takes them as weights",
          count);
    }
    return fmt::format("; entries of -1 ({}) are edges of that weight", count);
  }

  /// A remark on a greatest entry that comes twice and is a usual mark of no edge, or comes three
  /// times, which one pair of a symmetric matrix does not, and is ten times the next.
  std::string suspicion() const {
    constexpr double kMarks[] = {999, 9999, 99999, 999999, 32767, 65535, 2147483647};
    double greatest = 0, next = 0;
    for (const double value : values_) greatest = std::max(greatest, value == kNoEdge ? 0 : value);
    for (const double value : values_) next = std::max(next, value < greatest ? value : 0);
    const std::int64_t count = std::ranges::count(values_, greatest);
    const bool far = count > 2 && greatest >= 10 * next;
    if (next == 0 || !(far || (count > 1 && is_one_of(kMarks, greatest)))) return {};
    return fmt::format(
        "; entries of {} ({}) are edges of that weight: leave them empty if they mean no edge",
        greatest, count);
  }

  std::string remark(bool one_sided) const {
    std::string text =
        fmt::format("read as a matrix of {}{}{}{}", base::counted(side_, "vertex", "vertices"),
                    suspicion(), minus_ones(),
                    one_sided && !source_.options.directed
                        ? "; all edges are on one side of the diagonal, and lead one "
                          "way (`directed=false`: both ways)"
                        : "");
    if (left_out_ == 0) return text;
    const bool zeros = source_.options.zero_is_edge.value_or(false);
    return text +
           (zeros ? fmt::format("; empty and infinite entries ({}) are no edges", left_out_)
                  : fmt::format("; 0, empty and infinite entries ({}) are no edges (`zero=edge` "
                                "takes 0 as an edge of length 0)",
                                left_out_));
  }

  const Source& source_;
  TextCursor cursor_;
  Separator separator_ = Separator::blank;
  std::optional<RowSplitter> splitter_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int64_t> places_;
  std::vector<std::int64_t> place_of_;  // [side] position among the rows read; −1: none
  std::vector<double> values_;          // [rows, side] in file order
  std::int64_t side_ = 0;
  std::int64_t rows_ = 0;
  std::int64_t left_out_ = 0;
  bool rows_are_named_ = false;
};

/// Throws `Error` (input) if the square may as well be edges.
bool is_matrix(const TextCursor& cursor, const Square& square) {
  if (square.side < 2) return false;
  if (square.last_is_empty && square.side > 3) {
    cursor.fail_here(
        "the last of {0} columns is empty: {0} rows are a matrix, or edges whose rows end in a "
        "separator; say which (`format=matrix`, or `columns=FROM,TO,WEIGHT`)",
        square.side);
  }
  const bool may_be_edges = square.side < 4 || (square.side == 4 && square.first_counts);
  if (!may_be_edges) return true;
  const bool same_either_way = square.side == 2 && square.ones_elsewhere;
  if (square.zeros_on_diagonal && !same_either_way) {
    cursor.fail_here(
        "{0} rows of {0} numbers are a matrix of {0} vertices, or {0} edges; say which "
        "(`format=matrix` or `format=edge-list`)",
        square.side);
  }
  return false;
}

}  // namespace

bool holds_matrix(const TextCursor& cursor, Separator separator) {
  if (holds_names_twice(cursor, separator)) return true;
  if (const auto square = square_of_numbers(cursor, separator)) return is_matrix(cursor, *square);
  TextCursor below = cursor;
  RowSplitter splitter(separator);
  const std::vector<std::string> titles = texts_of(splitter.split(below));
  const auto square = square_below(titles, below, separator);
  return square && square->zeros_on_diagonal && !has_end_titles(titles) &&
         is_matrix(cursor, *square);
}

Graph read_matrix(const Source& source) { return MatrixRows(source).read(); }

extern const Format matrix_format = {.name = "matrix", .read = read_matrix};

}  // namespace apsp::io
