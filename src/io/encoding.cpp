#include "io/encoding.hpp"

#include <iconv.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include "base/fail.hpp"
#include "io/npy_header.hpp"

namespace apsp::io {
namespace {

std::string_view text_in(const HeldBytes& held) { return {held.bytes.data(), held.bytes.size()}; }

struct Mark {
  std::string_view bytes;
  const char* encoding;
};

/// Byte order marks other than that of UTF-8, longer ones before their prefixes.
constexpr Mark kMarks[] = {{{"\xFF\xFE\0\0", 4}, "UTF-32LE"},
                           {{"\0\0\xFE\xFF", 4}, "UTF-32BE"},
                           {{"\xFF\xFE", 2}, "UTF-16LE"},
                           {{"\xFE\xFF", 2}, "UTF-16BE"}};

class Converter {
 public:
  explicit Converter(const std::string& encoding)
      : encoding_(encoding), converter_(iconv_open("UTF-8", encoding.c_str())) {
    if (converter_ == reinterpret_cast<iconv_t>(-1)) {
      base::fail(ErrorKind::usage,
                 "no encoding is called '{}' here; iconv -l lists those there are", encoding);
    }
  }
  ~Converter() { iconv_close(converter_); }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  HeldBytes convert(std::string_view text, const std::string& name) {
    constexpr std::size_t kRoom = std::size_t{1} << 16;
    StreamedBytes converted;
    char* in = const_cast<char*>(text.data());
    std::size_t left = text.size();
    while (left > 0) {
      const std::span<char> room = converted.spare(kRoom);
      char* out = room.data();
      std::size_t free = room.size();
      const bool failed =
          iconv(converter_, &in, &left, &out, &free) == static_cast<std::size_t>(-1);
      const int reason = errno;
      lines_ += std::count(room.data(), out, '\n');
      converted.added(room.size() - free);
      if (failed && reason != E2BIG) {
        base::fail_input(name, "line {} is not {}", lines_ + 1, encoding_);
      }
    }
    return converted.finish();
  }

 private:
  std::string encoding_;
  iconv_t converter_;
  std::ptrdiff_t lines_ = 0;
};

bool ends_in_carriage_return(std::string_view text) {
  constexpr std::size_t kSample = 4096;
  if (text.substr(0, kSample).find('\0') != text.npos) return false;
  const std::size_t newline = text.find('\n');
  const std::size_t end = text.substr(0, newline).find('\r');
  return end != text.npos && end + 1 != newline;
}

HeldBytes with_newlines(std::string_view text) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  StreamedBytes lines;
  for (std::size_t first = 0; first < text.size(); first += kPiece) {
    const std::string_view piece = text.substr(first, kPiece);
    const std::span<char> room = lines.spare(piece.size());
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const std::size_t next = first + i + 1;
      const bool ends_line = piece[i] == '\r' && (next == text.size() || text[next] != '\n');
      room[i] = ends_line ? '\n' : piece[i];
    }
    lines.added(piece.size());
  }
  return lines.finish();
}

}  // namespace

HeldBytes as_utf8(HeldBytes held, const std::string& name, const std::string& encoding) {
  if (!encoding.empty()) {
    if (has_npy_magic(held.bytes)) {
      base::fail(ErrorKind::usage, "`encoding` is for texts, and {} is an .npy: leave it out",
                 name);
    }
    held = Converter(encoding).convert(text_in(held), name);
  } else {
    for (const Mark& mark : kMarks) {
      if (!text_in(held).starts_with(mark.bytes)) continue;
      held = Converter(mark.encoding).convert(text_in(held).substr(mark.bytes.size()), name);
      break;
    }
  }
  return ends_in_carriage_return(text_in(held)) ? with_newlines(text_in(held)) : std::move(held);
}

}  // namespace apsp::io
