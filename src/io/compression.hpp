// Archives: gzip, zstd, xz and bzip2, recognised by their magic bytes, ZIP with one member, and
// tables in Parquet, which become CSV. They are unpacked into one stream of bytes. Files of several
// members (as bgzip, pzstd, pixz and pbzip2 write) are their members' texts in a row.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "io/held_bytes.hpp"

namespace apsp::io {

struct ZipMember;

/// Those after zstd are only read.
enum class Compression { none, gzip, zstd, xz, bzip2, zip, parquet };

/// `zip`: not of an archive of arrays, which is a format of its own (.npz).
Compression compression_of(std::span<const char> bytes);
/// The name without ".gz" and the like, and the archive that these ask for.
std::string_view without_compression(std::string_view name);
Compression compression_of_suffix(std::string_view name);

/// An archive that unpacks to at most so many bytes is never taken for a bomb.
inline constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 30;

/// Returns the name of what was unpacked: `name`, or "name/member" of a ZIP. Throws `Error`: input
/// (truncated or corrupt, a ZIP with more than one file, or a text that is more than 1100 times as
/// large as the archive and larger than `free_bytes`; the message begins with `name`),
/// does_not_fit, interrupted. Requires: compression_of(bytes) != none.
std::string decompress(std::span<const char> bytes, const std::string& name, const Control& control,
                       StreamedBytes& out, std::uint64_t free_bytes = kFreeBytes);

/// All bytes of a member, whose size and checksum are checked. Throws as `decompress`.
HeldBytes unpacked_member(const ZipMember& member, const std::string& name, const Control& control);

/// Fills `out`; false if the archive, of gzip or zstd, is damaged or holds another number of bytes.
bool unpack_exactly(Compression compression, std::string_view packed, std::span<char> out);

/// For output, as a stream: text goes in by pieces, compressed bytes come out by pieces. `last`:
/// the stream ends with this piece.
using Sink = std::function<void(std::span<const char>)>;
using Compressor = std::function<void(std::span<const char> piece, bool last, const Sink& sink)>;

/// Empty for `Compression::none`. Throws `Error` (usage) for archives that are only read.
Compressor make_compressor(Compression compression);

}  // namespace apsp::io
