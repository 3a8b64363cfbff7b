#include "report/picture_data.hpp"

#include <zlib.h>
#include <apsp/error.hpp>

#include <string_view>

namespace apsp::report {
namespace {

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

}  // namespace

std::string png(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height,
                std::span<const Colour> palette) {
  std::string bytes = "\x89PNG\r\n\x1a\n";
  std::string header;
  put_number(header, width);
  put_number(header, height);
  header += std::string("\x08\x03\x00\x00\x00", 5);  // 8 bits that name colours, no interlacing
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
    rows += '\0';  // no filter
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
