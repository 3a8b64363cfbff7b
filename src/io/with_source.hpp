// Makes a `Source` of a file's bytes: unpacks them and skips a byte order mark.
#pragma once

#include <apsp/error.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "io/decompress.hpp"
#include "io/source.hpp"

namespace apsp::io {

inline std::span<const char> without_byte_order_mark(std::span<const char> bytes) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const std::string_view text(bytes.data(), bytes.size());
  return text.substr(0, kByteOrderMark.size()) == kByteOrderMark
             ? bytes.subspan(kByteOrderMark.size())
             : bytes;
}

/// "stdin" for "-", else the path.
inline std::string display_name(const std::string& path) { return path == "-" ? "stdin" : path; }

/// read(source) with the uncompressed bytes. `look` sees the first of them where they are packed.
/// Throws `Error`: input (an empty file, a damaged archive), what `read` throws.
template <class Read>
auto with_source(HeldBytes held, const std::string& name, const ReadOptions& options,
                 const FirstLook& look, const Read& read) {
  if (compression_of(held.bytes) != Compression::none) {
    StreamedBytes unpacked(look);
    decompress(held.bytes, name, options.control, unpacked);
    held = unpacked.finish();
  }
  const std::span<const char> bytes = without_byte_order_mark(held.bytes);
  if (bytes.empty()) throw Error::malformed({name, 0, 0}, "the file is empty");
  ReadProgress progress(options.control, bytes.size());
  const Source source{bytes, name, options, progress, std::move(held)};
  return read(source);
}

/// The same for a text that is no graph.
template <class Read>
auto with_text(HeldBytes held, const std::string& name, const Control& control, const Read& read) {
  const ReadOptions options{.control = control};
  return with_source(std::move(held), name, options, {}, read);
}

}  // namespace apsp::io
