#include "store/zarr_chunk.hpp"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "base/fail.hpp"
#include "base/units.hpp"
#include "store/crc32c.hpp"

namespace apsp::store {
namespace {

constexpr int kZstdLevel = 1;  // matches the array's metadata

Bytes decompressed(const Bytes& chunk, std::optional<std::int64_t> size, const std::string& path) {
  const auto length = static_cast<std::size_t>(chunk.size() - kChecksumBytes);
  const unsigned long long promised = ZSTD_getFrameContentSize(chunk.data(), length);
  if (promised == ZSTD_CONTENTSIZE_ERROR || promised == ZSTD_CONTENTSIZE_UNKNOWN) {
    base::fail_input(path, "not a zstd frame of known size");
  }
  // A block of a frame holds at most 128 KiB and takes at least 4 bytes (RFC 8878, 3.1.1.2).
  constexpr unsigned long long kMostOfBlock = 128ull * 1024;
  if (promised / kMostOfBlock > length / 4)
    base::fail_input(path, "a zstd frame that promises too much");
  if (!size && promised > static_cast<unsigned long long>(most_bytes_of_names(chunk.size()))) {
    base::fail_input(path, "{} bytes of names from {} bytes are more than names can be", promised,
                     length);
  }
  if (size && promised != static_cast<unsigned long long>(*size)) {
    base::fail_input(path, "holds {} bytes of values instead of {}", promised, *size);
  }
  Bytes values(static_cast<std::int64_t>(promised));
  const std::size_t done =
      ZSTD_decompress(values.data(), static_cast<std::size_t>(values.size()), chunk.data(), length);
  if (ZSTD_isError(done) != 0) base::fail_input(path, "zstd: {}", ZSTD_getErrorName(done));
  if (done != promised) base::fail_input(path, "the zstd frame ends early");
  return values;
}

}  // namespace

Bytes::Bytes(std::int64_t size) : size_(size) {
  try {
    data_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(size));
  } catch (const std::bad_alloc&) {
    base::fail(ErrorKind::does_not_fit, "no memory for a chunk of {}", base::format_bytes(size));
  }
}

void seal_chunk(std::span<std::byte> values) {
  const std::uint32_t crc = crc32c(values.first(values.size() - kChecksumBytes));
  std::memcpy(values.data() + values.size() - kChecksumBytes, &crc, sizeof(crc));
}

Bytes compressed_chunk(std::span<const std::byte> values) {
  const std::size_t size = values.size() - kChecksumBytes;
  Bytes frame(static_cast<std::int64_t>(ZSTD_compressBound(size)) + kChecksumBytes);
  const std::size_t length =
      ZSTD_compress(frame.data(), static_cast<std::size_t>(frame.size() - kChecksumBytes),
                    values.data(), size, kZstdLevel);
  if (ZSTD_isError(length) != 0) {
    base::fail(ErrorKind::does_not_fit, "zstd cannot compress a chunk: {}",
               ZSTD_getErrorName(length));
  }
  frame.shrink(static_cast<std::int64_t>(length) + kChecksumBytes);
  seal_chunk(frame.all());
  return frame;
}

Bytes encode_chunk(Bytes values, bool compress) {
  if (compress) return compressed_chunk(values.all());
  seal_chunk(values.all());
  return values;
}

std::int64_t most_bytes_of_names(std::int64_t length) {
  constexpr std::int64_t kAlwaysGranted = std::int64_t{64} << 20, kMostGrowth = 1100;
  return std::max(kAlwaysGranted, kMostGrowth * length);
}

std::uint32_t checksum_of(const Bytes& chunk) {
  std::uint32_t stored = 0;
  std::memcpy(&stored, chunk.data() + chunk.size() - kChecksumBytes, sizeof(stored));
  return stored;
}

Bytes read_chunk(const ReadableFiles& files, const std::string& path,
                 std::optional<std::int64_t> size, bool compress,
                 std::optional<std::uint32_t> checksum) {
  if (files.kind(path) != FileKind::file) base::fail_input(path, "this chunk is missing");
  const std::unique_ptr<ReadableFile> file = files.open(path);
  const std::int64_t length = file->size();
  if (length < kChecksumBytes) base::fail_input(path, "truncated to {} bytes", length);
  if (size && !compress && length != *size + kChecksumBytes) {
    base::fail_input(path, "has {} bytes instead of {}", length, *size + kChecksumBytes);
  }
  if (size && compress &&
      static_cast<std::size_t>(length - kChecksumBytes) >
          ZSTD_compressBound(static_cast<std::size_t>(*size))) {
    base::fail_input(path, "has {} bytes, more than {} bytes of values can need", length, *size);
  }
  Bytes chunk(length);
  file->read(0, {chunk.data(), static_cast<std::size_t>(length)});
  const std::uint32_t stored = checksum_of(chunk);
  const std::uint32_t computed = crc32c(chunk.first(length - kChecksumBytes));
  if (stored != computed) {
    base::fail_input(path,
                     "checksum does not match (stored {:08x}, computed {:08x}): the chunk "
                     "is damaged",
                     stored, computed);
  }
  if (checksum && *checksum != computed) {
    base::fail_input(path,
                     "has the checksum {:08x}, but the result's zarr.json names {:08x}: a chunk of "
                     "another result",
                     computed, *checksum);
  }
  if (compress) return decompressed(chunk, size, path);
  chunk.shrink(length - kChecksumBytes);
  return chunk;
}

}  // namespace apsp::store
