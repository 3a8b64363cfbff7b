// Archives: gzip, zstd, xz and bzip2 by magic bytes, ZIP with one member, and Parquet tables, which
// become CSV. Several members in one file (bgzip, pzstd, pixz, pbzip2) are concatenated.
//
// ZIP archives (PKWARE's APPNOTE 6.3, §4.3; sizes of 64 bits as in §4.5.3): the directory is read,
// and files are written without being compressed.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/held_bytes.hpp"

namespace apsp::io {

class OutputFile;

inline constexpr std::string_view kZipMagic = "PK\x03\x04";

/// How the bytes of a member are packed; others are not read.
enum class ZipMethod : std::uint16_t { stored = 0, deflated = 8 };

struct ZipMember {
  std::string name;
  ZipMethod method = ZipMethod::stored;
  bool encrypted = false;
  std::uint32_t checksum = 0;  ///< CRC-32 of the unpacked bytes
  std::uint64_t size = 0;
  std::string_view packed;
};

/// The files of an archive, without folders. Throws `Error` (input) that names `name` for a damaged
/// directory.
std::vector<ZipMember> zip_members(std::string_view archive, const std::string& name);

/// The name in the first header of an archive; empty where there is none.
std::string_view first_zip_name(std::string_view archive);

struct StoredFile {
  std::string name, header;
  std::string_view values;
};
/// Writes an archive, which does not depend on the clock.
void put_zip(OutputFile& out, std::span<const StoredFile> files);

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
