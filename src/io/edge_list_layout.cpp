#include "io/edge_list_layout.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <cctype>

#include "base/units.hpp"
#include "io/text_matrix.hpp"

namespace apsp::io {
namespace {

/// Whether titles are needed to find the columns: false for numbered columns.
bool needs_titles(const ReadOptions& options) {
  const auto is_title = [](const Column& column) { return !column.title.empty(); };
  const EdgeListColumns columns = options.columns.value_or(EdgeListColumns());
  return !options.weight.empty() || is_title(columns.from) || is_title(columns.to) ||
         is_title(columns.weight) || is_title(options.oneway) || is_title(options.reverse_cost);
}

TableColumns located_columns(const TextCursor& cursor, const char* at,
                             const std::vector<std::string>& titles) {
  return located(cursor, at, [&] { return choose_columns(titles, cursor.source().options); });
}

void take_columns(EdgeListLayout& layout, TableColumns&& columns,
                  const std::vector<std::string>& titles) {
  columns.remarks.insert(columns.remarks.begin(), layout.remarks.begin(), layout.remarks.end());
  layout.says_both_ways =
      columns.oneway >= 0 && says_both_ways(titles[static_cast<std::size_t>(columns.oneway)]);
  static_cast<TableColumns&>(layout) = std::move(columns);
}

void take_untitled(const TextCursor& cursor, const TableFields& fields, EdgeListLayout& layout) {
  const ReadOptions& options = cursor.source().options;
  const char* const at = fields.front().at;
  if (options.columns || !options.oneway.none() || !options.reverse_cost.none()) {
    std::vector<std::string> titles(fields.size());
    if (!options.columns)
      cursor.fail(at, "name the ends and the weight, too: `columns=FROM,TO,WEIGHT`");
    take_columns(layout, located_columns(cursor, at, titles), titles);
  } else if (layout.width == 3) {
    layout.weight = 2;
  } else if (layout.width == 4 && fields[0].text == "0" &&
             std::ranges::all_of(fields, is_number_like, &TableField::text)) {
    layout.counted = true;
    layout.from = 1;
    layout.to = 2;
    layout.weight = 3;
  } else if (layout.width != 2) {
    cursor.fail(at, "{}: an edge is 'from to' or 'from to weight'; {}",
                base::counted(layout.width, "column", "columns"),
                layout.width == 1
                    ? "tabs, semicolons, commas or blanks separate columns, and a list "
                      "of vertices has no edges"
                    : "with more, say which columns they are "
                      "(`columns=FROM,TO,WEIGHT`)");
  }
}

/// Rows "from to [weight [time]]". Right vertices are numbered after left ones.
void take_konect(const TextCursor& cursor, const EdgeListComments& comments,
                 EdgeListLayout& layout) {
  constexpr Vertex kBehindAllLeft = Vertex{1} << 31;
  const bool sides = comments.konect == EdgeListComments::Konect::bip;
  if (sides && cursor.source().options.columns) {
    throw Error(ErrorKind::usage,
                "`columns` is not for bipartite files of KONECT, whose first two columns are the "
                "ends: leave it out");
  }
  if (layout.width < 2)
    cursor.fail_here("one column: a row of KONECT is 'from to [weight [time]]'");
  layout.has_rest = layout.width > 3;
  layout.weight = layout.width > 2 ? 2 : -1;
  layout.width = std::min(layout.width, 3);
  if (!sides) return;
  const bool sized = comments.sizes.size() == 3 && comments.sizes[1] < kBehindAllLeft;
  layout.bipartite_offset = sized ? static_cast<Vertex>(comments.sizes[1]) : kBehindAllLeft;
}

/// Whether a number has a decimal comma: "12,5", but not "1,234" and "1,234.5".
bool has_decimal_comma(std::string_view text) {
  const std::size_t comma = text.rfind(',');
  return is_number_with_comma(text) && text.find('.', comma) == text.npos &&
         text.size() - comma != sizeof("234");
}

/// Whether a field is an arrow, bars or the like: "->", "|", "↔", "└──".
bool is_sign(std::string_view text) {
  constexpr std::string_view kSigns = "-+=<>|:~", kArrowsAndBoxes = "\x86\x87\x94\x95";
  while (!text.empty()) {
    const bool wide = text.size() > 2 && text[0] == '\xE2' && is_one_of(kArrowsAndBoxes, text[1]);
    if (!wide && !is_one_of(kSigns, text[0])) return false;
    text.remove_prefix(wide ? 3 : 1);
  }
  return true;
}

constexpr int kRowsLookedAt = 32;

class FirstRows {
 public:
  FirstRows(TextCursor& cursor, EdgeListComments& comments)
      : cursor_(cursor), comments_(comments), options_(cursor.source().options) {}

  std::optional<EdgeListLayout> layout() {
    std::optional<EdgeListLayout> found = columns();
    if (found && found->weight >= 0 && !found->matrix) require_decimals(cursor_, *found);
    return found;
  }

 private:
  std::optional<EdgeListLayout> columns() {
    const bool annotated = !comments_.annotations.empty();
    const bool konect = comments_.konect != EdgeListComments::Konect::none;
    EdgeListLayout layout;
    layout.separator =
        konect ? options_.separator.value_or(Separator::blank) : table_separator(cursor_);
    RowSplitter splitter(layout.separator), next_splitter(layout.separator);
    const TextCursor first_row = cursor_;
    TextCursor behind = cursor_;
    const TableFields& first = splitter.split(behind);
    layout.width = static_cast<int>(first.size());
    if (konect && (!options_.columns || comments_.konect == EdgeListComments::Konect::bip)) {
      take_konect(cursor_, comments_, layout);
      return layout;
    }
    const bool open = !annotated && !options_.columns && !options_.format;
    if (open && holds_matrix(cursor_, layout.separator)) {
      layout.matrix = true;
      return layout;
    }
    TextCursor ahead = behind;
    const bool has_next = find_list_row(ahead, layout.separator, nullptr);
    const TableFields& next = has_next ? next_splitter.split(ahead) : first;
    const std::vector<std::string> titles = texts_of(first);
    if (!annotated) require_row(first, next);
    const bool asked = needs_titles(options_);
    const bool above = asked ? std::ranges::any_of(titles, is_number_like) : !annotated;
    const bool here = !asked && !annotated && are_titles(first, next, ahead, layout.separator);
    if (above && !here) take_titles_above(first_row, layout, first);
    if (here || (asked && !from_comment_))
      return titled(std::move(layout), first_row, behind, titles);
    if (!from_comment_) take_untitled(cursor_, first, layout);
    if (!layout.counted && may_be_no_edge(first, next)) layout.first_ends = {titles[0], titles[1]};
    return layout;
  }

  /// Whether a first row of integers may be no edge. Titles above it, options, quotation marks, and
  /// a second row that begins with one of its ends show that it is an edge.
  bool may_be_no_edge(const TableFields& first, const TableFields& next) const {
    if (titles_above_ || options_.columns || options_.format) return false;
    if (!integer_of(first[0].text) || !integer_of(first[1].text)) return false;
    const std::string_view begin = next[0].text;
    const bool continues = begin == first[0].text || begin == first[1].text;
    return !(first.size() == next.size() && continues) && !(first[0].quoted && next[0].quoted);
  }

  /// Adds a remark if all weights of the first rows look like 1.500, which may be 1500. Throws
  /// `Error` (input) if numbers there that are not ends have decimal commas.
  void require_decimals(TextCursor rows, EdgeListLayout& layout) const {
    const auto weight = static_cast<std::size_t>(layout.weight);
    RowSplitter splitter(layout.separator);
    std::string marked, comma;
    for (int row = 0; row < kRowsLookedAt && find_list_row(rows, layout.separator, nullptr);
         ++row) {
      const TableFields& fields = splitter.split(rows);
      if (weight >= fields.size() || !may_have_thousands(fields[weight].text)) return;
      if (fields[weight].text.find('.') != std::string::npos) marked = fields[weight].text;
      for (std::size_t column = 0; column < fields.size(); ++column) {
        const bool is_end = static_cast<int>(column) == layout.from ||
                            static_cast<int>(column) == layout.to;  // "2,0" may be a name
        if (!is_end && has_decimal_comma(fields[column].text)) comma = fields[column].text;
      }
    }
    if (marked.empty()) return;
    if (!comma.empty()) {
      cursor_.fail_here(
          "the weight {0} may be a decimal number, or an integer with a mark between thousands, as "
          "the comma of {1} is decimal: write decimal points, and no marks between thousands",
          marked, comma);
    }
    if (layout.separator == Separator::semicolon) {
      layout.remarks.push_back(
          fmt::format("the point of weights such as {} is taken as decimal, not as a mark between "
                      "thousands",
                      marked));
    }
  }

  /// Throws `Error` (input) for a first row that may be a comment, or either an edge or titles.
  void require_row(const TableFields& first, const TableFields& next) const {
    const TableField& begin = first.front();
    for (const char* const mark : {"//", "--", "!", "/*", "<!"}) {
      if (begin.quoted || !begin.text.starts_with(mark)) continue;
      cursor_.fail(begin.at,
                   "a row that begins with '{0}' may be a comment; comments begin with # or %, and "
                   "names that begin with '{0}' are in quotation marks",
                   mark);
    }
    for (const TableField& field : first) {
      if (options_.columns || needs_titles(options_)) break;
      const std::string_view text = field.text;
      const bool open = (text.starts_with('(') && text.find(')') == text.npos) ||
                        (text.starts_with('[') && text.find(']') == text.npos);
      const bool other = text == "-" && first.size() > 3;  // a missing value that is not used
      const bool colon = &field == &begin && text.ends_with(':');  // "1: 2 3"
      if (field.quoted || text.empty() || other ||
          !(open || colon || is_sign(text) || text.find("->") != text.npos)) {
        continue;
      }
      cursor_.fail(
          field.at,
          "'{}' is no vertex: a row is 'from to' or 'from to weight', between blanks, "
          "tabs, commas or semicolons, without brackets, arrows and colons; names that have such "
          "signs are in quotation marks",
          text);
    }
    if (needs_titles(options_) || &first == &next || first.size() != next.size()) return;
    const bool above = has_end_titles(texts_of(first)), below = has_end_titles(texts_of(next));
    const auto stem = [](std::string_view text) {
      return text.substr(0, text.find_last_not_of("0123456789") + 1);
    };
    for (std::size_t i = 0; i < first.size() && (above || below); ++i) {
      const std::string_view title = stem(first[i].text);
      if (title.empty() || title == first[i].text || stem(next[i].text) != title) continue;
      if (!above) return;
      cursor_.fail(first[i].at,
                   "'{}' may be a title or a vertex, as '{}' below it is; say which columns are "
                   "meant (`columns={},{}`), or write titles above the first edge (source,target)",
                   first[i].text, next[i].text, first[0].text, first[1].text);
    }
    if (above || !below) return;
    cursor_.fail(next.front().at,
                 "this row looks like titles, which are in the first row; begin lines above them "
                 "with #, or say which columns are meant (`columns=FROM,TO,WEIGHT`)");
  }

  static bool are_titles(const TableFields& first, const TableFields& next,
                         const TextCursor& behind_next, Separator separator) {
    return std::ranges::none_of(first, is_number_like, &TableField::text) &&
           (has_end_titles(texts_of(first)) ||
            (is_above_numbers(first, next) &&
             stays_above_numbers(first, next, behind_next, separator)));
  }

  /// Whether a column that begins with a word has only numbers below in the first rows; names are
  /// not all numbers.
  static bool stays_above_numbers(const TableFields& first, const TableFields& next,
                                  TextCursor rows, Separator separator) {
    const auto is_number = [](const TableFields& fields, std::size_t i) {
      return i < fields.size() &&
             (is_number_text(fields[i].text) || is_missing_value(fields[i].text));
    };
    std::vector<bool> holds(first.size());
    for (std::size_t i = 0; i < holds.size(); ++i) {
      holds[i] =
          !is_missing_value(first[i].text) && i < next.size() && is_number_text(next[i].text);
    }
    RowSplitter splitter(separator);
    for (int row = 0; row < kRowsLookedAt && find_list_row(rows, separator, nullptr); ++row) {
      const TableFields& fields = splitter.split(rows);
      for (std::size_t i = 0; i < holds.size(); ++i) holds[i] = holds[i] && is_number(fields, i);
    }
    return std::ranges::find(holds, true) != holds.end();
  }

  /// Whether two or more rows begin with their numbers 0, 1, … or 1, 2, …, which R writes without a
  /// title. Quotation marks around a number, or ends that are no integers, show that it is none.
  bool are_counted(TextCursor rows, const TextCursor& first_row,
                   const std::vector<std::string>& titles, Separator separator) const {
    RowSplitter splitter(separator);
    std::int64_t begin = 0, row = 0;
    bool shown = false;
    for (; row < kRowsLookedAt && find_list_row(rows, separator, nullptr); ++row) {
      const TableFields& fields = splitter.split(rows);
      if (row == 0 && fields[0].text == "1") begin = 1;
      if (fields.size() != titles.size() || fields.back().text.empty() ||
          integer_of(fields[0].text) != begin + row)
        return false;
      const TableColumns columns = located_columns(cursor_, first_row.at(), titles);
      const auto is_name = [&](int end) {
        return !integer_of(fields[static_cast<std::size_t>(end)].text);
      };
      shown = shown || fields[0].quoted || is_name(columns.from) || is_name(columns.to);
    }
    return row > 1 && shown;
  }

  std::optional<EdgeListLayout> titled(EdgeListLayout layout, const TextCursor& first_row,
                                       const TextCursor& behind, std::vector<std::string> titles) {
    TextCursor line = first_row;
    layout.remarks.push_back("the first row is taken as titles: " + shortened(line.take_line()));
    std::vector<std::string> counted = titles;
    counted.insert(counted.begin(), "");
    if (are_counted(behind, first_row, counted, layout.separator)) {
      titles = std::move(counted);
      ++layout.width;
    }
    take_columns(layout, located_columns(cursor_, first_row.at(), titles), titles);
    layout.end_titles = {titles[static_cast<std::size_t>(layout.from)],
                         titles[static_cast<std::size_t>(layout.to)]};
    cursor_.move_to(behind.at());
    if (!comments_.find_row(cursor_, layout.separator)) return std::nullopt;
    if (!layout.has_directions() && !options_.directed) take_type(layout, titles);
    return layout;
  }

  /// Gephi's column "Type" holds "Directed" or "Undirected".
  void take_type(EdgeListLayout& layout, const std::vector<std::string>& titles) {
    const auto column = find_title(titles, {"type"});
    if (!column) return;
    TextCursor rows = cursor_;
    RowSplitter splitter(layout.separator);
    std::optional<std::string> first;
    bool gephi = false, mixed = false;
    for (int row = 0;
         (gephi || row < kRowsLookedAt) && find_list_row(rows, layout.separator, nullptr); ++row) {
      const TableFields& fields = splitter.split(rows);
      const std::string word = *column < fields.size() ? lower_case(fields[*column].text) : "";
      gephi = gephi || word == "directed" || word == "undirected";
      if (!first) first = word;
      mixed = mixed || word != *first;
    }
    if (!gephi) return;
    if (mixed) layout.oneway = static_cast<int>(*column);
    comments_.directed = first == "directed";
    std::erase(layout.remarks, remark_if_unused(titles[*column], *column + 1));
    layout.remarks.push_back(
        fmt::format("the column '{}' says which edges are directed", titles[*column]));
  }

  void take_titles_above(const TextCursor& first_row, EdgeListLayout& layout,
                         const TableFields& first) {
    const std::string_view comment = comments_.last;
    const char* const behind = comment.data() + comment.size();
    if (comment.empty() || std::find_if_not(behind, first_row.at(), [](char c) {
                             return is_blank(c) || c == '\n';
                           }) != first_row.at()) {
      return;
    }
    for (const Separator separator : {layout.separator, Separator::blank}) {
      const std::vector<std::string> titles = split_titles(without_blanks(comment), separator);
      const bool by_ends = has_end_titles(titles);
      if (titles.size() != first.size()) continue;
      if (!by_ends &&
          (separator == Separator::blank || std::ranges::any_of(titles, is_number_like)))
        continue;
      titles_above_ = true;
      TableColumns columns = located_columns(cursor_, comment.data(), titles);
      const bool usual = by_ends && columns.from == 0 && columns.to == 1 && titles.size() < 4 &&
                         columns.weight == (titles.size() == 3 ? 2 : -1);
      if (usual && !options_.columns && !needs_titles(options_)) return;
      take_columns(layout, std::move(columns), titles);
      layout.remarks.push_back("the comment above the first row is taken as titles: " +
                               shortened(comment));
      from_comment_ = true;
      return;
    }
  }

  TextCursor& cursor_;
  EdgeListComments& comments_;
  const ReadOptions& options_;
  bool titles_above_ = false;  // in a comment
  bool from_comment_ = false;  // the columns are found by these titles
};

}  // namespace

std::optional<EdgeListLayout> find_layout(TextCursor& cursor, EdgeListComments& comments) {
  if (!comments.find_row(cursor)) return std::nullopt;
  return FirstRows(cursor, comments).layout();
}

namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view comment) {
  std::string text = lower_case(comment);
  for (char& c : text) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : ' ';
  const std::vector<std::string_view> words = words_between(" ", text);
  return {words.begin(), words.end()};
}

struct Direction {
  std::optional<bool> stated;
  bool mentioned = false;  ///< the word occurs without a statement about the whole graph
};

/// A statement is a comment that begins with the word, "directed graph", "not directed", or
/// "directed: false".
Direction direction_in(const Words& words) {
  constexpr std::string_view kWords[] = {"directed", "undirected", "nondirected", "isdirected"};
  const auto found =
      std::ranges::find_if(words, [&](auto& word) { return is_one_of(kWords, word); });
  if (found == words.end()) return {};
  const auto at = static_cast<std::size_t>(found - words.begin());
  const auto word = [&](std::size_t i) {
    return i < words.size() ? std::string_view(words[i]) : std::string_view();
  };
  const bool article = at >= 2 && (word(at - 1) == "a" || word(at - 1) == "an");
  constexpr std::string_view kNots[] = {"not", "non", "no", "isn", "t"};
  constexpr std::string_view kFalse[] = {"false", "no", "0"}, kTrue[] = {"true", "yes", "1"};
  constexpr std::string_view kGraphs[] = {"graph", "network",  "edges",     "links",
                                          "edge",  "weighted", "unweighted"};
  bool directed = *found == "directed" || *found == "isdirected";
  const bool negated = at > 0 && is_one_of(kNots, word(at - (article ? 2 : 1)));
  const bool refuted = is_one_of(kFalse, word(at + 1));
  if (negated != refuted) directed = !directed;
  const bool stated = negated || refuted || at == 0 || is_one_of(kTrue, word(at + 1)) ||
                      is_one_of(kGraphs, word(at + 1));
  return {stated ? std::optional(directed) : std::nullopt, !stated};
}

/// The number after "Nodes:" or "Edges:". Empty for one that goes on ("1.5M"), and where another
/// word comes first, as in "Duplicate Edges: 0".
std::optional<std::uint64_t> count_after(std::string_view mark, std::string_view comment) {
  const std::size_t found = comment.find(mark);
  if (found == comment.npos) return std::nullopt;
  const std::size_t before = comment.substr(0, found).find_last_not_of(" \t");
  if (before != comment.npos && std::isalpha(static_cast<unsigned char>(comment[before])) != 0) {
    constexpr std::string_view kWords[] = {"of", "total", "graph", "network"};
    if (before + 1 == found || !is_one_of(kWords, words_of(comment.substr(0, found)).back()))
      return std::nullopt;
  }
  const char* at = comment.data() + found + mark.size();
  const char* const end = comment.data() + comment.size();
  skip_blanks(at, end);
  const auto count = [&](const char* from) { return std::find_if_not(from, end, is_digit) - from; };
  std::string digits(at, static_cast<std::size_t>(count(at)));
  for (at += digits.size(); at != end && *at == ',' && count(at + 1) == 3; at += 4) {
    digits.append(at + 1, 3);
  }
  if (at != end &&
      (std::isalpha(static_cast<unsigned char>(*at)) != 0 || (*at == '.' && count(at + 1) > 0)))
    return std::nullopt;
  const char* text = digits.data();
  std::uint64_t nodes = 0;
  if (!read_unsigned(text, text + digits.size(), nodes)) return std::nullopt;
  return nodes;
}

EdgeListComments::Konect konect_in(const Words& words) {
  using enum EdgeListComments::Konect;
  constexpr std::string_view kWeights[] = {"unweighted",    "positive",    "posweighted",
                                           "signed",        "multisigned", "weighted",
                                           "multiweighted", "dynamic",     "multiposweighted"};
  if (words.size() != 2 || !is_one_of(kWeights, words[1])) return none;
  return words[0] == "asym" ? asym : words[0] == "sym" ? sym : words[0] == "bip" ? bip : none;
}

std::vector<std::uint64_t> numbers_in(const Words& words) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& word : words) {
    const auto number = integer_of(word);
    if (!number) return {};
    numbers.push_back(static_cast<std::uint64_t>(*number));
  }
  return numbers;
}

}  // namespace

bool EdgeListComments::find_row(TextCursor& cursor, std::optional<Separator> separator) {
  while (!cursor.at_end() && !at_filled_row(cursor, separator)) {
    begins_comment(cursor.peek()) ? take_comment(cursor) : cursor.skip_line();
  }
  return !cursor.at_end();
}

void EdgeListComments::take_comment(TextCursor& cursor) {
  const bool by_percent = *cursor.at() == '%';
  cursor.move_to(cursor.at() + 1);
  if (annotations.take(cursor)) return;
  last = cursor.take_line();
  if (last.find('\r') != last.npos)
    cursor.fail(last.data(),
                "a line ends here by a carriage return alone, unlike the first line: use one kind "
                "of line ends");
  if (!last.empty() && !is_blank(last.front()))
    dense.emplace_back(last.data() - 1, last.size() + 1);
  const Words words = words_of(last);
  if (first_ && by_percent) konect = konect_in(words);
  if (first_ && konect != Konect::none) directed = konect == Konect::asym;
  if (!first_ && konect != Konect::none && sizes.empty()) sizes = numbers_in(words);
  first_ = false;
  const Direction direction = direction_in(words);
  if (!directed) directed = direction.stated;
  if (direction.mentioned && unclear.empty()) unclear = without_blanks(last);
  if (!nodes) nodes = count_after("Nodes:", last);
  if (!edges) edges = count_after("Edges:", last);
}

}  // namespace apsp::io
