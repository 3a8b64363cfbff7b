// The input of a format's reader: bytes, name, options and progress.
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
#include "io/encoding.hpp"
#include "io/foreign.hpp"
#include "io/held_bytes.hpp"

namespace apsp::io {

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
  const bool marked = std::string_view(bytes.data(), bytes.size()).starts_with(kByteOrderMark);
  return marked ? bytes.subspan(kByteOrderMark.size()) : bytes;
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

/// The same for a text that is not a graph. `encoding`: as in `ReadOptions`.
template <class Read>
auto with_text(HeldBytes held, const std::string& name, const Control& control, const Read& read,
               const std::string& encoding = {}) {
  const ReadOptions options{.control = control, .encoding = encoding};
  return with_source(std::move(held), name, options, {}, [&](const Source& source) {
    refuse_foreign({source.bytes.data(), source.bytes.size()}, source.name);
    return read(source);
  });
}

}  // namespace apsp::io
