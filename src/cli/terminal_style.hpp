// Abilities of an output stream: colour, Unicode, animation, width.
//
// Colour and animation require a terminal that is not dumb; NO_COLOR (no-color.org) turns colour
// off. Unicode depends only on the locale, so that a piped report looks as on the screen, and
// LC_ALL=C gives plain ASCII.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace apsp::cli {

struct TerminalStyle {
  bool unicode = false;
  bool colour = false;
  bool animated = false;
  std::size_t width = 80;

  std::string_view arrow() const { return unicode ? "→" : "->"; }
  std::string_view dash() const { return unicode ? "–" : "-"; }
  std::string_view ellipsis() const { return unicode ? "…" : "..."; }
  /// Replaces the signs beyond ASCII if the stream cannot show them.
  std::string spelled(std::string text) const;
  std::string rule(std::size_t columns) const;
  std::string bold(std::string_view text) const;
  std::string dim(std::string_view text) const;
  std::string good(std::string_view text) const;
  std::string bad(std::string_view text) const;
};

/// The style of an open file, from the environment and its terminal.
TerminalStyle look_of(int file_descriptor);

}  // namespace apsp::cli
