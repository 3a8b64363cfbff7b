// Archives: gzip, zstd, xz and bzip2, recognised by their magic bytes, ZIP with one member, and
// tables in Parquet, which become CSV. They are unpacked into one stream of bytes. Files of several
// members (as bgzip, pzstd, pixz and pbzip2 write) are their members' texts in a row.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "io/held_bytes.hpp"

namespace apsp::io {

/// Those after zstd are only read.
enum class Compression { none, gzip, zstd, xz, bzip2, zip, parquet };

/// `zip`: not of an archive of arrays, which is a format of its own (.npz).
Compression compression_of(std::span<const char> bytes);

/// An archive that unpacks to at most so many bytes is never taken for a bomb.
inline constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 30;

/// Returns the name of what was unpacked: `name`, or "name/member" of a ZIP. Throws `Error`: input
/// (truncated or corrupt, a ZIP with more than one file, or a text that is more than 1100 times as
/// large as the archive and larger than `free_bytes`; the message begins with `name`),
/// does_not_fit, interrupted. Requires: compression_of(bytes) != none.
std::string decompress(std::span<const char> bytes, const std::string& name, const Control& control,
                       StreamedBytes& out, std::uint64_t free_bytes = kFreeBytes);

/// For output, as a stream: text goes in by pieces, compressed bytes come out by pieces.
class Compressor {
 public:
  using Sink = std::function<void(std::span<const char>)>;
  virtual ~Compressor() = default;
  /// `last`: the stream ends with this piece.
  virtual void write(std::span<const char> piece, bool last, const Sink& sink) = 0;
};

/// Null for `Compression::none`. Throws `Error` (usage) for what is only read.
std::unique_ptr<Compressor> make_compressor(Compression compression);

}  // namespace apsp::io
