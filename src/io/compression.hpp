// Archives: gzip, zstd, xz and bzip2 by magic bytes, ZIP with one member, and Parquet tables, which
// become CSV. Several members in one file (bgzip, pzstd, pixz, pbzip2) are concatenated.
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

/// Compressions after zstd are only read.
enum class Compression { none, gzip, zstd, xz, bzip2, zip, parquet };

/// `zip` excludes archives of arrays (.npz), which are a graph format.
Compression compression_of(std::span<const char> bytes);
/// The name without a suffix such as ".gz", and the compression of that suffix.
std::string_view without_compression(std::string_view name);
Compression compression_of_suffix(std::string_view name);

/// Archives that unpack to at most this size are always accepted.
inline constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 30;

/// Returns the name of the unpacked text: `name`, or "name/member" for a ZIP. Throws `Error`: input
/// (truncated, corrupt, a ZIP of several files, or a text of more than `free_bytes` and 1100 times
/// the archive; messages begin with `name`), does_not_fit, interrupted. Requires:
/// compression_of(bytes) != none.
std::string decompress(std::span<const char> bytes, const std::string& name, const Control& control,
                       StreamedBytes& out, std::uint64_t free_bytes = kFreeBytes);

/// Unpacks a member and checks its size and checksum. Throws as `decompress`.
HeldBytes unpacked_member(const ZipMember& member, const std::string& name, const Control& control);

/// Fills `out`. Returns false if the gzip or zstd archive is damaged or has another size.
bool unpack_exactly(Compression compression, std::string_view packed, std::span<char> out);

/// A streaming compressor: takes pieces of text and emits compressed bytes. `last`: the stream ends
/// with this piece.
using Sink = std::function<void(std::span<const char>)>;
using Compressor = std::function<void(std::span<const char> piece, bool last, const Sink& sink)>;

/// Empty for `Compression::none`. Throws `Error` (usage) for read-only compressions.
Compressor make_compressor(Compression compression);

}  // namespace apsp::io
