// What unpacks one kind of archive, piece by piece.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/compression.hpp"
#include "io/zip.hpp"

namespace apsp::io {

class Decoder {
 public:
  struct Step {
    std::size_t taken = 0, made = 0;  ///< bytes of the archive, and of the text
    bool ended = false;               ///< the archive's member is complete
  };
  virtual ~Decoder() = default;

  /// Throws `Error`: input (corrupt), does_not_fit.
  virtual Step step(std::string_view in, std::span<char> room) = 0;
  /// Before another member.
  virtual void restart() = 0;
};

/// `name` begins the messages, and outlives the decoder. Throws `Error`: does_not_fit, input (this
/// build lacks the library). Requires: gzip, zstd, xz or bzip2.
std::unique_ptr<Decoder> make_decoder(Compression compression, const std::string& name);

/// Checks size and checksum, too. Throws `Error`: does_not_fit, input (encrypted, another method).
std::unique_ptr<Decoder> make_decoder(const ZipMember& member, const std::string& name);

/// All bytes of a member in memory. Throws as `decompress`.
HeldBytes unpacked_member(const ZipMember& member, const std::string& name, const Control& control);

}  // namespace apsp::io
