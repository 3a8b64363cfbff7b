// gzip and zstd for output, as a stream: text goes in by pieces, compressed bytes come out by
// pieces.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "io/decompress.hpp"

namespace apsp::io {

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
