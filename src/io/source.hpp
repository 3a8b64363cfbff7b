// The input of a format's reader: bytes, unpacked and in UTF-8, with name, options and progress.
// Formats that are known and not read are refused here, with a command that converts the file.
#pragma once

#include <apsp/error.hpp>
#include <apsp/io.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/control.hpp"
#include "io/compression.hpp"
#include "io/held_bytes.hpp"

namespace apsp::io {

/// Returns the text as UTF-8 with "\n" or "\r\n" line ends. `encoding`: an iconv name; empty:
/// UTF-16 or UTF-32 if there is such a byte order mark, else UTF-8, which is copied only if the
/// first line ends in "\r". Throws `Error`: input (invalid bytes), usage (an unknown encoding, or
/// one for an .npy).
HeldBytes as_utf8(HeldBytes held, const std::string& name, const std::string& encoding);

/// The text after blanks, line breaks, and comments of XML and C.
std::string_view first_word(std::string_view text);

/// Throws `Error` (input) that begins with `name` if `text` is in such a format.
void refuse_foreign(std::string_view text, std::string_view name);

/// The same for a ZIP archive with a member of this name: spreadsheets are such archives.
void refuse_foreign_member(std::string_view member, std::string_view name);

/// The value of `ReadOptions::weight` for edges of weight 1.
inline constexpr std::string_view kNoWeight = "none";

/// Progress in bytes. Reading a part again does not count twice.
class ReadProgress {
 public:
  ReadProgress(const Control& control, std::size_t total)
      : control_(control), task_(control, "read", static_cast<double>(total), "byte") {}

  void reached(std::size_t position) {
    base::check_cancelled(control_);
    if (position <= furthest_) return;
    task_.advance(static_cast<double>(position - furthest_));
    furthest_ = position;
  }

 private:
  const Control& control_;
  base::ProgressTask task_;
  std::size_t furthest_ = 0;
};

/// Bytes between two calls of `ReadProgress::reached`.
inline constexpr std::size_t kProgressBytes = std::size_t{4} << 20;

struct Source {
  std::span<const char> bytes;  ///< uncompressed, without a byte order mark
  const std::string& name;
  const ReadOptions& options;
  ReadProgress& progress;
  HeldBytes held = {};   ///< owns the memory or mapping of `bytes`
  bool goes_on = false;  ///< `bytes` are the beginning of a text of unknown size
};

/// Whether a file of this size may have `vertices`: up to a million (8 MB), beyond that at most 64
/// per byte.
inline bool plausible_vertex_count(std::uint64_t vertices, std::size_t bytes) {
  constexpr std::uint64_t kAlwaysGranted = std::uint64_t{1} << 20;
  return vertices <= kAlwaysGranted || vertices / 64 <= bytes;
}

inline std::span<const char> without_byte_order_mark(std::span<const char> bytes) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  while (std::string_view(bytes.data(), bytes.size()).starts_with(kByteOrderMark)) {
    bytes = bytes.subspan(kByteOrderMark.size());  // joined files may have several
  }
  return bytes;
}

inline std::string display_name(const std::string& path) { return path == "-" ? "stdin" : path; }

/// Returns read(source) for the bytes of a file, unpacked, as UTF-8, without byte order mark.
/// `look` sees the first unpacked bytes. Throws `Error`: input (an empty file, a damaged archive),
/// and the exceptions of `read`.
template <class Read>
auto with_source(HeldBytes held, const std::string& name, const ReadOptions& options,
                 const FirstLook& look, const Read& read) {
  std::string text_name = name;
  if (compression_of(held.bytes) != Compression::none) {
    StreamedBytes unpacked(look);
    text_name = decompress(held.bytes, name, options.control, unpacked);
    held = unpacked.finish();
  }
  held = as_utf8(std::move(held), name, options.encoding);
  const std::span<const char> bytes = without_byte_order_mark(held.bytes);
  if (bytes.empty()) throw Error::malformed({name}, "the file is empty");
  ReadProgress progress(options.control, bytes.size());
  const Source source{bytes, text_name, options, progress, std::move(held)};
  return read(source);
}

}  // namespace apsp::io
