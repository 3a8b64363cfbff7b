// A position in a text that moves forward by tokens. Lines and columns are counted only for errors.
// A carriage return counts as a blank, so lines may end in "\r\n".
#pragma once

#include <fmt/format.h>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "io/number.hpp"
#include "io/source.hpp"

namespace apsp::io {

/// Leaves letters beyond ASCII unchanged.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// The words of a text that is cut at these characters.
std::vector<std::string_view> words_between(std::string_view separators, std::string_view text);

class TextCursor {
 public:
  explicit TextCursor(const Source& source)
      : source_(source),
        begin_(source.bytes.data()),
        at_(begin_),
        end_(begin_ + source.bytes.size()),
        report_at_(begin_) {}

  const Source& source() const { return source_; }
  bool at_word_end() const { return at_ == end_ || is_blank(*at_) || *at_ == '\n'; }
  const char* at() const { return at_; }
  const char* end() const { return end_; }
  bool at_end() const { return at_ == end_; }
  /// A cursor at `where` in the same text, which reports no progress. Its failures throw `Quiet`.
  TextCursor quiet_at(const char* where) const {
    TextCursor quiet = *this;
    quiet.at_ = where;
    quiet.report_at_ = end_;
    quiet.quiet_ = true;
    return quiet;
  }
  struct Quiet {};

  /// Requires: `where` is in this text.
  void move_to(const char* where) { at_ = where; }

  void skip_blanks() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
  }
  /// Skips blanks. Returns the position of the next word or line end.
  const char* next() {
    skip_blanks();
    return at_;
  }
  char peek() { return next() == end_ ? '\n' : *at_; }
  bool take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  /// Returns the remaining text of the line without its end, and moves to the next line.
  std::string_view take_line();
  void skip_line() {
    const void* newline = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
    at_ = newline == nullptr ? end_ : static_cast<const char*>(newline) + 1;
    tick();
  }
  void expect_line_end() {
    skip_blanks();
    if (at_ != end_) {
      if (*at_ != '\n') fail_line_end();
      ++at_;
    }
    tick();
  }

  /// Reports progress every few megabytes.
  void tick() {
    if (at_ >= report_at_) report();
  }

  std::string_view take_word();

  /// `what` names the token in an error: "a vertex".
  std::uint64_t expect_unsigned(const char* what) {
    const char* const start = next();
    std::uint64_t value = 0;
    if (!read_unsigned(at_, end_, value) || !at_word_end()) fail_expected(start, what);
    return value;
  }
  /// Reads a number below 2^63, such as a count of arcs.
  std::uint64_t expect_count(const char* what) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    const char* const start = next();
    const std::uint64_t count = expect_unsigned(what);
    if (count > kMost) fail(start, "{} is above {}, the most that can be counted", what, kMost);
    return count;
  }
  /// Reads a number of vertices that is plausible for the size of the file and fits `Vertex`.
  std::int64_t expect_vertex_count();
  /// Reads a vertex, counted from 1; the result counts from 0. Requires: n ≤ 2^32.
  Vertex expect_vertex(std::int64_t n) {
    const char* const start = next();
    std::uint64_t id = 0;
    if (!read_unsigned(at_, end_, id) || !at_word_end()) fail_expected(start, "a vertex");
    if (id - 1 >= static_cast<std::uint64_t>(n)) fail_vertex(start, n);
    return static_cast<Vertex>(id - 1);
  }
  double expect_weight() {
    const char* const start = next();
    if (end_ - at_ > kDigitRun) {  // a short integer is read at once
      const DigitRun run = digit_run(at_);
      if (run.count > 0 && (is_blank(at_[run.count]) || at_[run.count] == '\n')) {
        at_ += run.count;
        return static_cast<double>(run.value);
      }
    }
    double value = 0;
    const NumberFault fault = read_number(at_, end_, value);
    if (fault != NumberFault::none || !at_word_end()) fail_weight(start, fault);
    return value;
  }

  /// Throws `Error` (input) with line, column and the formatted message.
  template <class... Args>
  [[noreturn]] void fail(const char* where, fmt::format_string<Args...> message,
                         Args&&... args) const {
    if (quiet_) throw Quiet();
    fail_at(where, fmt::format(message, std::forward<Args>(args)...));
  }
  template <class... Args>
  [[noreturn]] void fail_here(fmt::format_string<Args...> message, Args&&... args) const {
    fail(at_, message, std::forward<Args>(args)...);
  }
  /// The same at the end of the last line that is not blank.
  template <class... Args>
  [[noreturn]] void fail_at_end(fmt::format_string<Args...> message, Args&&... args) const {
    fail_at(end_of_text(), fmt::format(message, std::forward<Args>(args)...));
  }
  [[noreturn]] void fail_expected(const char* where, const char* what) const;
  /// `what`: a word before the number, such as "the weight ".
  [[noreturn]] void fail_number(const char* where, std::string_view word, NumberFault fault,
                                std::string_view what) const;

 private:
  void report();
  [[noreturn]] void fail_at(const char* where, const std::string& message) const;
  const char* end_of_text() const;
  [[noreturn]] void fail_vertex(const char* where, std::int64_t n) const;
  [[noreturn]] void fail_line_end() const;
  [[noreturn]] void fail_weight(const char* where, NumberFault fault) const;
  std::string_view word_at(const char* where) const;

  const Source& source_;
  const char* begin_;
  const char* at_;
  const char* end_;
  const char* report_at_;
  bool quiet_ = false;
};

/// The beginning of a text in whole characters, in quotation marks.
std::string shortened(std::string_view text);

}  // namespace apsp::io
