#include "cli/terminal_style.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "cluster/launch.hpp"

namespace apsp::cli {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Uses the first of these variables that is set (POSIX, locale environment variables).
bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value = environment(name);
    if (value.empty()) continue;
    std::transform(value.begin(), value.end(), value.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

std::size_t terminal_width(int file_descriptor) {
  winsize size{};
  constexpr std::size_t kLeast = 20;
  if (ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return std::max<std::size_t>(size.ws_col, kLeast);
  }
  return 80;
}

std::string painted(bool colour, std::string_view code, std::string_view text) {
  if (!colour) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace

std::string TerminalStyle::spelled(std::string text) const {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kSigns = {
      {{"→", "->"}, {"…", "..."}, {"×", "x"}, {"µ", "u"}, {"–", "-"}, {"−", "-"}}};
  if (unicode) return text;
  for (const auto& [sign, plain] : kSigns) {
    for (std::size_t at = 0; (at = text.find(sign, at)) != text.npos; at += plain.size()) {
      text.replace(at, sign.size(), plain);
    }
  }
  return text;
}

std::string TerminalStyle::rule(std::size_t columns) const {
  std::string line;
  for (std::size_t i = 0; i < columns; ++i) line += unicode ? "─" : "-";
  return dim(line);
}

std::string TerminalStyle::bold(std::string_view text) const { return painted(colour, "1", text); }
std::string TerminalStyle::dim(std::string_view text) const { return painted(colour, "2", text); }
std::string TerminalStyle::good(std::string_view text) const { return painted(colour, "32", text); }
std::string TerminalStyle::bad(std::string_view text) const { return painted(colour, "31", text); }

TerminalStyle look_of(int file_descriptor) {
  const std::string term = environment("TERM");
  TerminalStyle look;
  look.unicode = locale_is_utf8();
  // Open MPI's launcher gives its processes a terminal whatever their final output is.
  const bool terminal = isatty(file_descriptor) == 1 && cluster::launched_processes() == 1 &&
                        std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr;
  look.animated = terminal && !term.empty() && term != "dumb";
  look.colour = look.animated && environment("NO_COLOR").empty();
  look.width = terminal_width(file_descriptor);
  return look;
}

}  // namespace apsp::cli
