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

/// Rejects surrogates, overlong forms, and characters beyond U+10FFFF.
inline bool is_utf8(std::string_view text) {
  if (is_ascii(text)) return true;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (size > 1 && (lead < 0xC2 || lead > 0xF4 || text.size() - at < size)) return false;
    for (std::size_t i = 1; i < size; ++i) {
      const auto next = static_cast<unsigned char>(text[at + i]);
      // The range of the second byte depends on some first bytes.
      const int least = i > 1 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
      const int most = i > 1 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
      if (next < least || next > most) return false;
    }
    at += size;
  }
  return true;
}

}  // namespace apsp::base
