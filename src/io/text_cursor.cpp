#include "io/text_cursor.hpp"

#include <apsp/error.hpp>

#include <algorithm>

namespace apsp::io {
namespace {

std::string quoted(std::string_view word) {
  constexpr std::size_t kMostShown = 40;
  std::string text = "'";
  for (const char c : word.substr(0, kMostShown)) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x20 || byte == 0x7F ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return text + (word.size() >= kMostShown ? "…'" : "'");
}

}  // namespace

std::vector<std::string_view> words_between(std::string_view separators, std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(separators, at)) != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

std::string_view TextCursor::take_line() {
  const char* const start = at_;
  skip_line();
  const char* stop = at_;
  if (stop != start && stop[-1] == '\n') --stop;
  if (stop != start && stop[-1] == '\r') --stop;
  return {start, static_cast<std::size_t>(stop - start)};
}

std::string_view TextCursor::take_word() {
  const char* const start = next();
  while (!at_word_end()) ++at_;
  return {start, static_cast<std::size_t>(at_ - start)};
}

std::int64_t TextCursor::expect_vertex_count() {
  const char* const start = next();
  const std::uint64_t n = expect_unsigned("the number of vertices");
  if (n > std::numeric_limits<Vertex>::max()) {
    fail(start, "{} vertices are too many: a graph has at most {}", quoted(word_at(start)),
         std::numeric_limits<Vertex>::max());
  }
  if (!source_.goes_on && !plausible_vertex_count(n, source_.bytes.size())) {
    fail(start, "the file announces {} vertices and has only {} bytes", n, source_.bytes.size());
  }
  return static_cast<std::int64_t>(n);
}

void TextCursor::report() {
  if (quiet_) return;
  source_.progress.reached(static_cast<std::size_t>(at_ - begin_));
  report_at_ = at_ + std::min<std::ptrdiff_t>(kProgressBytes, end_ - at_);
}

void TextCursor::fail_at(const char* where, const std::string& message) const {
  const auto line = 1 + std::count(begin_, where, '\n');
  const char* line_start = where;
  while (line_start != begin_ && line_start[-1] != '\n') --line_start;
  throw Error::malformed({source_.name, line, where - line_start + 1}, message);
}

std::string_view TextCursor::word_at(const char* where) const {
  const char* p = where;
  while (p != end_ && !is_blank(*p) && *p != '\n') ++p;
  return {where, static_cast<std::size_t>(p - where)};
}

void TextCursor::fail_expected(const char* where, const char* what) const {
  if (where == end_ || *where == '\n') fail(where, "expected {}, found the end of the line", what);
  fail(where, "expected {}, found {}", what, quoted(word_at(where)));
}

void TextCursor::fail_weight(const char* where, NumberFault fault) const {
  if (where == end_ || *where == '\n') fail_expected(where, "a weight");
  fail_number(where, word_at(where), fault, "the weight ");
}

void TextCursor::fail_number(const char* where, std::string_view word, NumberFault fault,
                             std::string_view what) const {
  fail(where, "{}{} {}", what, quoted(word), describe(word, fault));
}

void TextCursor::fail_vertex(const char* where, std::int64_t n) const {
  fail(where, "vertex {} is outside 1 to {}", quoted(word_at(where)), n);
}

void TextCursor::fail_line_end() const {
  fail_here("expected the end of the line, found {}", quoted(word_at(at_)));
}

const char* TextCursor::end_of_text() const {
  const char* last = end_;
  while (last != begin_ && (last[-1] == '\n' || is_blank(last[-1]))) --last;
  return last;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kMostShown = 80;
  std::size_t shown = std::min(text.size(), kMostShown);
  while (shown < text.size() && (text[shown] & 0xC0) == 0x80) --shown;
  return fmt::format("'{}{}'", text.substr(0, shown), shown < text.size() ? "…" : "");
}

}  // namespace apsp::io
