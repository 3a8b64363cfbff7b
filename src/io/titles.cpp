#include "io/titles.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <array>

#include "io/number.hpp"
#include "io/text_table.hpp"

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
                                           {"id1", "id2"},       {"parent", "child"},
                                           {"citing", "cited"},  {"caller", "callee"},
                                           {"ego", "alter"}};
constexpr Word kWeights[] = {
    "weight",  "weights", "w",       "wt",         "distance",  "dist",      "length",   "len",
    "cost",    "costs",   "time",    "traveltime", "minutes",   "seconds",   "hours",    "metres",
    "meters",  "metre",   "meter",   "km",         "miles",     "m",         "duration", "delay",
    "latency", "price",   "lengthm", "lengthkm",   "distancem", "distancekm"};
constexpr Word kUnused[] = {"id",   "index", "edgeid", "linkid",  "edge",    "link",
                            "fid",  "gid",   "rowid",  "oid",     "unnamed", "objectid",
                            "geom", "wkt",   "type",   "geometry"};

/// Lower case without separators of words: "From Node_ID" becomes "fromnodeid".
/// Types and units after a title do not count, such as Neo4j's ":START_ID(Place)".
std::string joined_lower(Word title) {
  std::string word = lower_case(title.substr(0, title.find_first_of(":(", 1)));
  std::erase_if(word, [](char c) { return Word(" _-.:").find(c) != Word::npos; });
  return word;
}

/// The same without a suffix such as "id" or "node": "from".
std::string end_word(Word title) {
  std::string word = joined_lower(title);
  for (const Word ending : {"nodeid", "vertexid", "stopid", "node", "vertex", "id", "name"}) {
    if (word.size() > ending.size() && word.ends_with(ending)) {
      return word.substr(0, word.size() - ending.size());
    }
  }
  return word;
}

[[noreturn]] void refuse_titles(const std::string& message) {
  throw Error(ErrorKind::input, message);
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
  const auto& [from, to, weight] = columns;
  if (from.none() || to.none() || std::min({from.number, to.number, weight.number}) < 0) {
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
  std::array<int, 5> columns() const {
    return {chosen_.from, chosen_.to, chosen_.weight, chosen_.oneway, chosen_.reverse_cost};
  }
  bool is_direction(int i) const {
    return i == chosen_.oneway || i == chosen_.reverse_cost || is_oneway(i) || is_reverse_cost(i);
  }
  bool is_oneway(int i) const {
    const std::string word = joined_lower(title(i));
    return word == "oneway" || word == "directed" || says_both_ways(title(i));
  }
  bool is_reverse_cost(int i) const { return joined_lower(title(i)) == "reversecost"; }

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
    const auto may_be_end = [](const std::string& text) {
      const std::string word = joined_lower(text);
      return !word.empty() && !is_number_like(text) &&
             (word == "type" || !is_one_of(kUnused, word));
    };
    const auto is_weight = [](const std::string& text) {
      return is_one_of(kWeights, joined_lower(text));
    };
    if (count() < 2 || count() > 3 || !std::ranges::all_of(titles_, may_be_end) ||
        std::ranges::any_of(titles_.first(2), is_weight)) {
      refuse_titles(fmt::format(
          "no two of {} are usual titles of ends, and a list of vertices has no edges; {}",
          listed(titles_), kChoose));
    }
    chosen_.from = 0;
    chosen_.to = 1;
    chosen_.remarks.push_back(fmt::format("columns 1 and 2, '{}' and '{}', are taken as the ends",
                                          title(chosen_.from), title(chosen_.to)));
  }

  void choose_weight() {
    std::vector<int> left;
    for (int i = 0; i < count(); ++i) {
      if (i == chosen_.from || i == chosen_.to || is_direction(i)) continue;
      const std::string word = joined_lower(title(i));
      if (word == "weight") {
        if (chosen_.weight >= 0) refuse_weights();
        chosen_.weight = i;
        continue;
      }
      std::string remark = remark_if_unused(title(i), static_cast<std::size_t>(i) + 1);
      remark.empty() ? left.push_back(i) : chosen_.remarks.push_back(std::move(remark));
    }
    if (chosen_.weight >= 0 || left.empty()) return;
    if (left.size() > 1) refuse_weights();
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

  [[noreturn]] void refuse_weights() const {
    refuse_titles(fmt::format("the weight may be any of several columns; the titles are {}; {}",
                              listed(titles_), kChoose));
  }

  void require_different() const {
    std::array used = columns();
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
      if (std::ranges::count(columns(), i) > 0) continue;
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

constexpr std::ptrdiff_t kNone = -1, kSeveral = -2;

/// The column of an end: the only one with this word, or with this word as the whole title.
std::ptrdiff_t place_of(std::span<const std::string> titles, const std::vector<std::string>& words,
                        Word wanted) {
  std::ptrdiff_t found = kNone, whole = kNone;
  const auto note = [](std::ptrdiff_t& place, std::size_t i) {
    place = place == kNone ? static_cast<std::ptrdiff_t>(i) : kSeveral;
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == wanted) note(found, i);
    if (words[i] == wanted && joined_lower(titles[i]) == wanted) note(whole, i);
  }
  return whole == kNone ? found : whole;
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
                                      std::initializer_list<Word> words, Word begin) {
  for (std::size_t i = 0; i < titles.size(); ++i) {
    const std::string title = joined_lower(titles[i]);
    if (title.starts_with(begin) && is_one_of(words, Word(title).substr(begin.size()))) return i;
  }
  return std::nullopt;
}

std::optional<std::pair<std::size_t, std::size_t>> find_end_titles(
    std::span<const std::string> titles) {
  std::vector<std::string> words;
  for (const std::string& title : titles) words.push_back(end_word(title));
  std::pair<std::ptrdiff_t, std::ptrdiff_t> found = {-1, -1};
  for (const auto& [from, to] : kEnds) {
    const std::pair columns(place_of(titles, words, from), place_of(titles, words, to));
    if (columns.first == kNone || columns.second == kNone) continue;
    if (found.first >= 0 || columns.first == kSeveral || columns.second == kSeveral) {
      refuse_titles(fmt::format("more than two columns may be the ends; the titles are {}; {}",
                                listed(titles), kChoose));
    }
    found = columns;
  }
  if (found.first < 0) {
    const std::ptrdiff_t tail = place_of(titles, words, "tail"),
                         head = place_of(titles, words, "head");
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

std::optional<PlaceColumns> find_place_titles(std::span<const std::string> titles, Word end) {
  const auto degrees = find_title(titles, {"lon", "lng", "long", "longitude", "stoplon"}, end);
  const auto x = degrees ? degrees : find_title(titles, {"x"}, end);
  const auto y = degrees ? find_title(titles, {"lat", "latitude", "stoplat"}, end)
                         : find_title(titles, {"y"}, end);
  if (!x || !y) return std::nullopt;
  return PlaceColumns{*x, *y, degrees.has_value()};
}

bool has_end_titles(std::span<const std::string> titles) {
  try {
    return find_end_titles(titles).has_value();
  } catch (const Error&) {
    return true;
  }
}

std::string remark_if_unused(std::string_view title, std::size_t number) {
  const std::string word = joined_lower(title);
  if (word.empty()) return fmt::format("column {} has no title and is not used", number);
  return is_one_of(kUnused, word) ? fmt::format("the column '{}' is not used", title) : "";
}

bool says_both_ways(std::string_view title) {
  return joined_lower(title).ends_with("bidirectional");
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

}  // namespace apsp
