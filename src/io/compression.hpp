// gzip and zstd, recognised by their magic bytes and unpacked into one stream of bytes.
// Files of several members (as bgzip and pzstd write) are their members' texts in a row.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "io/held_bytes.hpp"

namespace apsp::io {

enum class Compression { none, gzip, zstd };

Compression compression_of(std::span<const char> bytes);

/// Of so many bytes nobody asks how small their archive is.
inline constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 30;

/// Throws `Error`: input (truncated or corrupt, or more than 1100 times as large as the archive and
/// than `free_bytes`, naming `name`), does_not_fit, interrupted.
/// Requires: compression_of(bytes) != none.
void decompress(std::span<const char> bytes, const std::string& name, const Control& control,
                StreamedBytes& out, std::uint64_t free_bytes = kFreeBytes);

/// For output, as a stream: text goes in by pieces, compressed bytes come out by pieces.
class Compressor {
 public:
  using Sink = std::function<void(std::span<const char>)>;
  virtual ~Compressor() = default;
  /// `last`: the stream ends with this piece.
  virtual void write(std::span<const char> piece, bool last, const Sink& sink) = 0;
};

/// Null for `Compression::none`.
std::unique_ptr<Compressor> make_compressor(Compression compression);

}  // namespace apsp::io
