#include "report/markup.hpp"

#include <fmt/format.h>
#include <zlib.h>
#include <apsp/error.hpp>

#include "base/units.hpp"

namespace apsp::report {
namespace {

/// Bytes of the first character; 0 if it is not UTF-8 or not a character of XML.
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
  const bool control = code < 0xA0;  // the C1 controls
  if (code < kLeast[length] || code > 0x10FFFF || surrogate || control) return 0;
  return (code & 0xFFFE) == 0xFFFE ? 0 : length;
}

void put_number(std::string& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFF);
}

void put_chunk(std::string& png, std::string_view type, std::string_view content) {
  put_number(png, static_cast<std::uint32_t>(content.size()));
  std::string checked(type);
  checked += content;
  const auto* const first = reinterpret_cast<const Bytef*>(checked.data());
  png += checked;
  put_number(png, static_cast<std::uint32_t>(crc32(0, first, static_cast<uInt>(checked.size()))));
}

std::string deflated(std::string_view plain) {
  uLongf length = compressBound(static_cast<uLong>(plain.size()));
  std::string packed(length, '\0');
  const int outcome = compress2(reinterpret_cast<Bytef*>(packed.data()), &length,
                                reinterpret_cast<const Bytef*>(plain.data()),
                                static_cast<uLong>(plain.size()), Z_BEST_COMPRESSION);
  if (outcome != Z_OK) throw Error(ErrorKind::does_not_fit, "no memory to pack a picture");
  packed.resize(length);
  return packed;
}

template <class T>
std::string data(std::string_view id, T value, const std::string& shown) {
  const std::string mark = id.empty() ? "" : fmt::format(" id=\"{}\"", id);
  return fmt::format("<data{} value=\"{}\">{}</data>", mark, value, shown);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_bytes(text);
    const char sign = text[0];
    result += length == 0   ? "\xEF\xBF\xBD"
              : sign == '&' ? "&amp;"
              : sign == '<' ? "&lt;"
              : sign == '>' ? "&gt;"
              : sign == '"' ? "&quot;"
                            : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

std::string shown_name(const Graph& graph, Vertex v) { return escaped(graph.name(v)); }

std::string number(double value, std::string_view id) {
  return data(id, value, base::format_value(value));
}

std::string count(std::int64_t value, std::string_view id) {
  return data(id, value, base::format_count(value));
}

std::string row(std::string_view title, std::string_view content) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(title), content);
}

std::string figure(std::string_view picture, std::string_view caption) {
  return fmt::format("<figure>\n{}<figcaption>{}</figcaption></figure>\n", picture, caption);
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

std::string png(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height,
                std::span<const Colour> palette) {
  std::string bytes = "\x89PNG\r\n\x1a\n";
  std::string header;
  put_number(header, width);
  put_number(header, height);
  header += std::string("\x08\x03\x00\x00\x00", 5);
  put_chunk(bytes, "IHDR", header);
  std::string colours;
  for (const Colour& colour : palette) {
    for (const std::uint8_t part : {colour.red, colour.green, colour.blue}) {
      colours += static_cast<char>(part);
    }
  }
  put_chunk(bytes, "PLTE", colours);
  put_chunk(bytes, "tRNS", std::string_view("\0", 1));
  std::string rows;
  for (std::uint32_t y = 0; y < height; ++y) {
    rows += '\0';
    for (const std::uint8_t pixel : pixels.subspan(std::size_t{y} * width, width)) {
      rows += static_cast<char>(pixel);
    }
  }
  put_chunk(bytes, "IDAT", deflated(rows));
  put_chunk(bytes, "IEND", {});
  return bytes;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const auto byte = [&](std::size_t i) {
      return at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U;
    };
    const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (std::size_t digit = 0; digit < 4; ++digit) {
      const bool filled = at + digit <= bytes.size();
      text += filled ? kDigits[group >> (18 - 6 * digit) & 63] : '=';
    }
  }
  return text;
}

}  // namespace apsp::report
