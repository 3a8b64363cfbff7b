#include "io/titles.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <array>

#include "io/source.hpp"
#include "io/text_cursor.hpp"

namespace apsp::io {
namespace {

using Word = std::string_view;

constexpr std::pair<Word, Word> kEnds[] = {{"source", "target"}, {"source", "destination"},
                                           {"source", "dest"},   {"from", "to"},
                                           {"src", "dst"},       {"src", "dest"},
                                           {"u", "v"},           {"origin", "destination"},
                                           {"orig", "dest"},     {"o", "d"},
                                           {"start", "end"},     {"node1", "node2"},
                                           {"nodea", "nodeb"},   {"vertex1", "vertex2"},
                                           {"id1", "id2"}};
constexpr Word kWeights[] = {
    "weight",  "weights", "w",       "wt",         "distance",  "dist",      "length",   "len",
    "cost",    "costs",   "time",    "traveltime", "minutes",   "seconds",   "hours",    "metres",
    "meters",  "metre",   "meter",   "km",         "miles",     "m",         "duration", "delay",
    "latency", "price",   "lengthm", "lengthkm",   "distancem", "distancekm"};
constexpr Word kCounters[] = {"id", "index", "edgeid", "rowid", "fid", "gid", "unnamed:0"};

template <class Words>
bool is_one_of(const Words& words, Word word) {
  return std::ranges::find(words, word) != std::end(words);
}

/// Lower case without separators of words: "From Node_ID" becomes "fromnodeid".
std::string joined_lower(Word title) {
  std::string word = lower_case(title);
  std::erase_if(word, [](char c) { return c == ' ' || c == '_' || c == '-' || c == '.'; });
  return word;
}

/// The same without a suffix such as "id" or "node": "from".
std::string end_word(Word title) {
  std::string word = joined_lower(title);
  for (const Word ending : {"nodeid", "vertexid", "node", "vertex", "id", "name"}) {
    if (word.size() > ending.size() && word.ends_with(ending)) {
      return word.substr(0, word.size() - ending.size());
    }
  }
  return word;
}

[[noreturn]] void refuse_titles(std::string message) {
  throw Error(ErrorKind::input, std::move(message));
}

constexpr Word kChoose =
    "`columns=FROM,TO,WEIGHT` names the columns, `columns=FROM,TO` those of "
    "edges without weights";

std::size_t position(const Column& column, std::span<const std::string> titles) {
  if (column.title.empty()) {
    if (column.number <= std::ssize(titles)) return static_cast<std::size_t>(column.number - 1);
    refuse_titles(
        fmt::format("column {} is asked for, but there are {}", column.number, titles.size()));
  }
  const auto named = std::ranges::count(titles, column.title);
  if (named == 0) {
    refuse_titles(
        fmt::format("no column is called '{}'; the titles are {}", column.title, listed(titles)));
  }
  if (named > 1) {
    refuse_titles(
        fmt::format("{} columns are called '{}'; choose one by its number, counted from 1", named,
                    column.title));
  }
  return static_cast<std::size_t>(std::ranges::find(titles, column.title) - titles.begin());
}

int optional_position(const Column& column, std::span<const std::string> titles) {
  return column.none() ? -1 : static_cast<int>(position(column, titles));
}

void require_usable(const EdgeListColumns& columns) {
  const auto is_wrong = [](const Column& column) { return column.number < 0; };
  if (columns.from.none() || columns.to.none() || is_wrong(columns.from) || is_wrong(columns.to) ||
      is_wrong(columns.weight)) {
    throw Error(ErrorKind::usage,
                "the columns of an edge list are titles, or numbers counted from 1 (weight: 0 for "
                "none)");
  }
}

class ColumnChoice {
 public:
  ColumnChoice(std::span<const std::string> titles, const ReadOptions& options)
      : titles_(titles), options_(options) {}

  TableColumns choose() {
    chosen_.oneway = optional_position(options_.oneway, titles_);
    chosen_.reverse_cost = optional_position(options_.reverse_cost, titles_);
    if (options_.columns) {
      take_asked(*options_.columns);
    } else {
      choose_ends();
      if (options_.weight.empty()) {
        choose_weight();
      } else if (options_.weight != kNoWeight) {
        chosen_.weight = static_cast<int>(position(Column(options_.weight), titles_));
      }
    }
    require_different();
    remark_on_directions();
    return std::move(chosen_);
  }

 private:
  Word title(int column) const { return titles_[static_cast<std::size_t>(column)]; }
  int count() const { return static_cast<int>(titles_.size()); }
  bool is_direction(int i) const {
    return i == chosen_.oneway || i == chosen_.reverse_cost || is_oneway(i) || is_reverse_cost(i);
  }
  bool is_oneway(int i) const { return joined_lower(title(i)) == "oneway"; }
  bool is_reverse_cost(int i) const {
    const std::string word = joined_lower(title(i));
    return word == "reversecost" || word == "rcost";
  }

  void take_asked(const EdgeListColumns& columns) {
    require_usable(columns);
    chosen_.from = optional_position(columns.from, titles_);
    chosen_.to = optional_position(columns.to, titles_);
    chosen_.weight = optional_position(columns.weight, titles_);
  }

  /// Only columns with a title may be ends.
  void choose_ends() {
    if (const auto ends = find_end_titles(titles_)) {
      chosen_.from = static_cast<int>(ends->first);
      chosen_.to = static_cast<int>(ends->second);
      return;
    }
    std::vector<int> titled;
    for (int i = 0; i < count(); ++i) {
      if (!titles_[static_cast<std::size_t>(i)].empty()) titled.push_back(i);
    }
    if (titled.size() < 2)
      refuse_titles(fmt::format("an edge has two ends; the titles are {}", listed(titles_)));
    if (std::ssize(titled) < count()) {
      refuse_titles(
          fmt::format("a column has no title, and no two of {} are usual titles of ends; {}",
                      listed(titles_), kChoose));
    }
    chosen_.from = titled[0];
    chosen_.to = titled[1];
    chosen_.remarks.push_back(fmt::format("columns 1 and 2, '{}' and '{}', are taken as the ends",
                                          title(chosen_.from), title(chosen_.to)));
  }

  void choose_weight() {
    std::vector<int> left;
    for (int i = 0; i < count(); ++i) {
      if (i == chosen_.from || i == chosen_.to || is_direction(i)) continue;
      const std::string word = joined_lower(title(i));
      if (word == "weight") {
        chosen_.weight = i;
        return;
      }
      if (word.empty() || is_one_of(kCounters, word)) {
        chosen_.remarks.push_back(word.empty()
                                      ? fmt::format("column {} has no title and is not used", i + 1)
                                      : fmt::format("the column '{}' is not used", title(i)));
      } else {
        left.push_back(i);
      }
    }
    if (left.size() > 1) {
      refuse_titles(fmt::format("the weight may be any of several columns; the titles are {}; {}",
                                listed(titles_), kChoose));
    }
    if (left.empty()) return;
    const std::string word = joined_lower(title(left[0]));
    if (word == "key") {
      chosen_.remarks.push_back("the column 'key' is not used, and every weight is 1");
      return;
    }
    chosen_.weight = left[0];
    if (!is_one_of(kWeights, word)) {
      chosen_.remarks.push_back(
          fmt::format("the column '{}' is taken as the weight", title(left[0])));
    }
  }

  void require_different() const {
    std::array used = {chosen_.from, chosen_.to, chosen_.weight, chosen_.oneway,
                       chosen_.reverse_cost};
    std::ranges::sort(used);
    for (std::size_t i = 1; i < used.size(); ++i) {
      if (used[i] < 0 || used[i] != used[i - 1]) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("column {} is asked for twice: ends, weight and direction are "
                              "different columns",
                              used[i] + 1));
    }
  }

  /// A column of directions is never ignored without a remark.
  void remark_on_directions() {
    for (int i = 0; i < count(); ++i) {
      if (i == chosen_.from || i == chosen_.to || i == chosen_.weight || i == chosen_.oneway ||
          i == chosen_.reverse_cost) {
        continue;
      }
      if (is_oneway(i)) {
        chosen_.remarks.push_back(fmt::format(
            "the column '{0}' is not used; `oneway={0}` makes edges of one direction", title(i)));
      } else if (is_reverse_cost(i)) {
        chosen_.remarks.push_back(fmt::format(
            "the column '{0}' is not used; `reverse_cost={0}` makes edges of the way back",
            title(i)));
      }
    }
  }

  std::span<const std::string> titles_;
  const ReadOptions& options_;
  TableColumns chosen_;
};

std::ptrdiff_t place_of(const std::vector<std::string>& words, Word wanted) {
  const auto found = std::ranges::find(words, wanted);
  return found == words.end() ? -1 : found - words.begin();
}

/// The only column with a usual title for this end; −1: none or several.
template <class Member>
std::ptrdiff_t only_column(const std::vector<std::string>& words, Member member) {
  const auto is_end = [&](const std::string& word) {
    return std::ranges::find(kEnds, Word(word), member) != std::end(kEnds);
  };
  if (std::ranges::count_if(words, is_end) != 1) return -1;
  return std::ranges::find_if(words, is_end) - words.begin();
}

}  // namespace

std::string listed(std::span<const std::string> words) {
  constexpr std::size_t kMostShown = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), kMostShown); ++i) {
    const bool last = i + 1 == words.size();
    text += i == 0 ? "" : last ? " and " : ", ";
    text += words[i].empty() ? "(no title)" : fmt::format("'{}'", words[i]);
  }
  return words.size() > kMostShown ? text + ", …" : text;
}

std::optional<std::size_t> find_title(std::span<const std::string> titles,
                                      std::initializer_list<std::string_view> words) {
  for (std::size_t i = 0; i < titles.size(); ++i) {
    if (is_one_of(words, joined_lower(titles[i]))) return i;
  }
  return std::nullopt;
}

std::optional<std::pair<std::size_t, std::size_t>> find_end_titles(
    std::span<const std::string> titles) {
  std::vector<std::string> words;
  for (const std::string& title : titles) words.push_back(end_word(title));
  std::pair<std::ptrdiff_t, std::ptrdiff_t> found = {-1, -1};
  for (const auto& [from, to] : kEnds) {
    const std::pair columns(place_of(words, from), place_of(words, to));
    if (columns.first < 0 || columns.second < 0) continue;
    if (found.first >= 0) {
      refuse_titles(fmt::format("two pairs of columns may be the ends; the titles are {}; {}",
                                listed(titles), kChoose));
    }
    found = columns;
  }
  if (found.first < 0) {
    const std::ptrdiff_t tail = place_of(words, "tail"), head = place_of(words, "head");
    if (tail >= 0 && head >= 0) {
      refuse_titles(fmt::format(
          "head and tail of an edge are used in both directions: `columns={0},{1}` "
          "goes from '{0}' to '{1}', `columns={1},{0}` the other way",
          titles[static_cast<std::size_t>(tail)], titles[static_cast<std::size_t>(head)]));
    }
    found = {only_column(words, &std::pair<Word, Word>::first),
             only_column(words, &std::pair<Word, Word>::second)};
  }
  if (found.first < 0 || found.second < 0) return std::nullopt;
  return std::pair<std::size_t, std::size_t>(found);
}

bool has_end_titles(std::span<const std::string> titles) {
  try {
    return find_end_titles(titles).has_value();
  } catch (const Error&) {
    return true;
  }
}

std::optional<std::size_t> find_vertex_title(std::span<const std::string> titles) {
  auto found = find_title(titles, {"vertex", "node", "vertexid", "nodeid"});
  if (!found) found = find_title(titles, {"id", "osmid"});
  return found ? found : find_title(titles, {"name"});
}

bool is_vertex_title(std::string_view text) {
  const std::string whole = joined_lower(text), word = end_word(text);
  constexpr Word kNames[] = {"node", "nodes", "vertex", "vertices", "name", "id", "head", "tail"};
  if (is_one_of(kNames, whole)) return true;
  return std::ranges::any_of(
      kEnds, [&](const auto& pair) { return pair.first == word || pair.second == word; });
}

}  // namespace apsp::io

namespace apsp {

TableColumns choose_columns(std::span<const std::string> titles, const ReadOptions& options) {
  return io::ColumnChoice(titles, options).choose();
}

bool is_missing_value(std::string_view text) {
  constexpr std::array kMarks = {"",     "NA",   "N/A",  "NaN",  "nan", "null",
                                 "NULL", "None", "<NA>", "#N/A", "NaT", "n/a"};
  return std::ranges::find(kMarks, text) != kMarks.end();
}

}  // namespace apsp
