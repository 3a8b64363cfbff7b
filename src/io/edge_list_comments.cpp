// What the comments of an edge list say: annotations, and the headers of SNAP and KONECT.
#include <algorithm>
#include <cctype>

#include "io/edge_list.hpp"
#include "io/text_cursor.hpp"

namespace apsp::io {
namespace {

using Words = std::vector<std::string>;

/// The words of a comment, in lower case.
Words words_of(std::string_view comment) {
  Words words;
  bool within = false;
  for (const char c : lower_case(comment)) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (letter && !within) words.emplace_back();
    if (letter) words.back() += c;
    within = letter;
  }
  return words;
}

template <class List>
bool is_among(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != std::end(list);
}

/// What a comment says of the direction.
struct Direction {
  std::optional<bool> stated;
  bool mentioned = false;  ///< the word is there, and says nothing of the whole graph
};

/// A statement is a comment that begins with the word, "directed graph", "not directed", or
/// "directed: false".
Direction direction_in(const Words& words) {
  constexpr std::string_view kWords[] = {"directed", "undirected", "nondirected", "isdirected"};
  const auto found =
      std::ranges::find_if(words, [&](auto& word) { return is_among(kWords, word); });
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
  const bool negated = at > 0 && is_among(kNots, word(at - (article ? 2 : 1)));
  const bool refuted = is_among(kFalse, word(at + 1));
  if (negated != refuted) directed = !directed;
  const bool stated = negated || refuted || at == 0 || is_among(kTrue, word(at + 1)) ||
                      is_among(kGraphs, word(at + 1));
  return {stated ? std::optional(directed) : std::nullopt, !stated};
}

/// The number after "Nodes:", perhaps with commas between thousands.
std::optional<std::uint64_t> nodes_in_words(std::string_view comment) {
  constexpr std::string_view kMark = "Nodes:";
  const std::size_t found = comment.find(kMark);
  if (found == comment.npos) return std::nullopt;
  const char* at = comment.data() + found + kMark.size();
  const char* const end = comment.data() + comment.size();
  skip_blanks(at, end);
  std::string digits;
  const auto count = [&](const char* from) { return std::find_if_not(from, end, is_digit) - from; };
  digits.assign(at, static_cast<std::size_t>(count(at)));
  for (at += digits.size(); at != end && *at == ',' && count(at + 1) == 3; at += 4) {
    digits.append(at + 1, 3);
  }
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
  if (words.size() != 2 || !is_among(kWeights, words[1])) return none;
  return words[0] == "asym" ? asym : words[0] == "sym" ? sym : words[0] == "bip" ? bip : none;
}

/// Nothing but numbers; else none.
std::vector<std::uint64_t> numbers_in(const Words& words) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& word : words) {
    const char* at = word.data();
    std::uint64_t number = 0;
    if (!read_unsigned(at, at + word.size(), number) || at != word.data() + word.size()) return {};
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

bool EdgeListComments::find_row(TextCursor& cursor) {
  while (!cursor.at_end() && !at_row(cursor)) {
    if (cursor.peek() == '\n') {
      cursor.skip_line();
    } else {
      take_comment(cursor);
    }
  }
  return !cursor.at_end();
}

void EdgeListComments::take_comment(TextCursor& cursor) {
  const bool by_percent = *cursor.at() == '%';
  cursor.move_to(cursor.at() + 1);
  TextCursor ahead = cursor;
  ahead.skip_blanks();
  if (ahead.take('a') && ahead.take('p') && ahead.take('s') && ahead.take('p') && ahead.take(':')) {
    annotations.read_comment(cursor);
    return;
  }
  last = cursor.take_line();
  const Words words = words_of(last);
  if (first_ && by_percent) konect = konect_in(words);
  if (first_ && konect != Konect::none) directed = konect == Konect::asym;
  if (!first_ && konect != Konect::none && sizes.empty()) sizes = numbers_in(words);
  first_ = false;
  const Direction direction = direction_in(words);
  if (!directed) directed = direction.stated;
  if (direction.mentioned && unclear.empty()) unclear = without_blanks(last);
  if (!nodes) nodes = nodes_in_words(last);
}

}  // namespace apsp::io
