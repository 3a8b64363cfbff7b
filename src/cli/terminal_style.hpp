// What a stream can show: colour, Unicode, animation, and how wide it is.
//
// Colour and animation need a terminal that is not dumb; NO_COLOR (no-color.org) turns colour off.
// Unicode follows the locale's name, not isatty, so that a report piped into a file or a pager
// looks as on the screen, and LC_ALL=C gives plain ASCII.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace apsp::cli {

struct TerminalStyle {
  bool unicode = false;
  bool colour = false;
  bool animated = false;
  std::size_t width = 80;  ///< columns

  std::string_view arrow() const { return unicode ? "→" : "->"; }
  std::string_view dash() const { return unicode ? "–" : "-"; }
  std::string_view ellipsis() const { return unicode ? "…" : "..."; }
  /// A text of the library, its few signs beyond ASCII replaced where they cannot be shown.
  std::string spelled(std::string text) const;
  std::string rule(std::size_t columns) const;
  std::string bold(std::string_view text) const;
  std::string dim(std::string_view text) const;
  std::string good(std::string_view text) const;
  std::string bad(std::string_view text) const;
};

/// The look of an open file, from the environment and the terminal behind it.
TerminalStyle look_of(int file_descriptor);

}  // namespace apsp::cli
