#include "io/text_cursor.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <limits>

namespace apsp::io {

std::string_view TextCursor::take_line() {
  const char* const start = at_;
  skip_line();
  const char* stop = at_;
  if (stop != start && stop[-1] == '\n') --stop;
  if (stop != start && stop[-1] == '\r') --stop;
  return {start, static_cast<std::size_t>(stop - start)};
}

std::string_view TextCursor::take_word() {
  skip_blanks();
  const char* const start = at_;
  while (!at_word_end()) ++at_;
  return {start, static_cast<std::size_t>(at_ - start)};
}

std::int64_t TextCursor::expect_vertex_count() {
  skip_blanks();
  const char* const start = at_;
  const std::uint64_t n = expect_unsigned("the number of vertices");
  if (n > std::numeric_limits<Vertex>::max()) {
    fail(start, fmt::format("{} vertices; a graph here has at most {}", quoted_word(start),
                            std::numeric_limits<Vertex>::max()));
  }
  if (!source_.goes_on && !plausible_vertex_count(n, source_.bytes.size())) {
    fail(start,
         fmt::format("{} vertices are promised by a file of {} bytes", n, source_.bytes.size()));
  }
  return static_cast<std::int64_t>(n);
}

void TextCursor::report() {
  source_.progress.reached(static_cast<std::size_t>(at_ - begin_));
  report_at_ = at_ + std::min<std::ptrdiff_t>(kProgressBytes, end_ - at_);
}

void TextCursor::fail(const char* where, const std::string& message) const {
  const auto line = 1 + std::count(begin_, where, '\n');
  const char* line_start = where;
  while (line_start != begin_ && line_start[-1] != '\n') --line_start;
  throw Error::malformed({source_.name, line, where - line_start + 1}, message);
}

std::string TextCursor::quoted_word(const char* where) const {
  constexpr std::ptrdiff_t kMostShown = 40;
  std::string word = "'";
  const char* p = where;
  for (; p != end_ && !is_blank(*p) && *p != '\n' && p - where < kMostShown; ++p) {
    const auto byte = static_cast<unsigned char>(*p);
    word += byte < 0x20 || byte == 0x7F ? fmt::format("\\x{:02x}", byte) : std::string(1, *p);
  }
  return word + (p - where == kMostShown ? "…'" : "'");
}

void TextCursor::fail_expected(const char* where, const char* what) const {
  if (where == end_ || *where == '\n') {
    fail(where, fmt::format("expected {}, found the end of the line", what));
  }
  fail(where, fmt::format("expected {}, found {}", what, quoted_word(where)));
}

void TextCursor::fail_number(const char* where, NumberFault fault) const {
  if (where == end_ || *where == '\n') fail_expected(where, "a weight");
  if (fault == NumberFault::none) fault = NumberFault::not_a_number;
  fail(where, fmt::format("the weight {} {}", quoted_word(where), describe(fault)));
}

void TextCursor::fail_vertex(const char* where, std::int64_t n) const {
  fail(where, fmt::format("vertex {} is outside 1 to {}", quoted_word(where), n));
}

void TextCursor::fail_line_end() const {
  fail(fmt::format("expected the end of the line, found {}", quoted_word(at_)));
}

void TextCursor::fail_at_end(const std::string& message) const {
  const char* last = end_;
  while (last != begin_ && (last[-1] == '\n' || is_blank(last[-1]))) --last;
  fail(last, message);
}

}  // namespace apsp::io
