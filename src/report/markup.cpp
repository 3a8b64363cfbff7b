#include "report/markup.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "base/numbers.hpp"
#include "base/units.hpp"

namespace apsp::report {
namespace {

/// Bytes of the character at the beginning of `text`; 0: it is no UTF-8, or none of XML.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  std::uint32_t code = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool control = code < 0xA0;  // of the second set
  if (code < kLeast[length] || code > 0x10FFFF || surrogate || control) return 0;
  return (code & 0xFFFE) == 0xFFFE ? 0 : length;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_bytes(text);
    if (length == 0) {
      result += "\xEF\xBF\xBD";  // U+FFFD
    } else if (text[0] == '&') {
      result += "&amp;";
    } else if (text[0] == '<') {
      result += "&lt;";
    } else if (text[0] == '>') {
      result += "&gt;";
    } else if (text[0] == '"') {
      result += "&quot;";
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

std::string shown_name(const Graph& graph, Vertex v) { return escaped(graph.name(v)); }

std::string number(double value, std::string_view id) {
  const std::string mark = id.empty() ? "" : fmt::format(" id=\"{}\"", id);
  return fmt::format("<data{} value=\"{}\">{}</data>", mark, value, base::format_value(value));
}

std::string count(std::int64_t value, std::string_view id) {
  const std::string mark = id.empty() ? "" : fmt::format(" id=\"{}\"", id);
  return fmt::format("<data{} value=\"{}\">{}</data>", mark, value, base::format_count(value));
}

std::string row(std::string_view title, std::string_view content) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(title), content);
}

std::string legend(const Scale& scale, std::string_view what) {
  if (scale.empty()) return {};
  std::string bar;
  for (int i = 0; i < kClasses; ++i) {
    bar += fmt::format("<rect class=\"f{}\" x=\"{}\" width=\"1.05\" height=\"1\"/>", i, i);
  }
  return fmt::format(
      "<p class=\"legend\">{}: <span>{}{}</span> <svg viewBox=\"0 0 {} 1\" "
      "preserveAspectRatio=\"none\" aria-hidden=\"true\">{}</svg> <span>{}{}</span></p>\n",
      escaped(what), scale.goes_below() ? "≤ " : "", base::format_value(scale.low()), kClasses, bar,
      scale.goes_above() ? "≥ " : "", base::format_value(scale.high()));
}

}  // namespace apsp::report
