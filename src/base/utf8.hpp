#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace apsp::base {

inline bool is_ascii(std::string_view text) {
  const auto bits_at = [&]<class Word>(std::size_t at, Word word) -> std::uint64_t {
    std::memcpy(&word, text.data() + at, sizeof(word));
    return word;
  };
  const std::size_t size = text.size();
  std::uint64_t bits = 0;
  if (size >= 8) {
    for (std::size_t at = 0; at + 8 <= size; at += 8) bits |= bits_at(at, std::uint64_t{});
    bits |= bits_at(size - 8, std::uint64_t{});
  } else if (size >= 4) {
    bits = bits_at(0, std::uint32_t{}) | bits_at(size - 4, std::uint32_t{});
  } else {
    for (const char c : text) bits |= static_cast<unsigned char>(c);
  }
  return (bits & 0x8080808080808080u) == 0;
}

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;
};

/// Returns the first character of a text, or its first byte with 0 bytes if the text does not begin
/// with a character. Rejects surrogates, overlong forms, and characters beyond U+10FFFF. Requires:
/// not empty.
inline Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return static_cast<unsigned char>(text[i]);
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return {lead, 0};
  std::uint32_t code = lead & 0x7Fu >> size;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {lead, 0};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLeast[size] || code > 0x10FFFF || surrogate) return {lead, 0};
  return {code, size};
}

inline bool is_utf8(std::string_view text) {
  if (is_ascii(text)) return true;
  while (!text.empty()) {
    const std::size_t bytes = first_character(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace apsp::base
