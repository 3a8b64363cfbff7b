// One chunk of a .zarr as it rests in its file: [values, or a zstd frame of them] [crc32c].
//
// The checksum covers the bytes before it, as the codec "crc32c" of Zarr v3 wants it, so damage is
// found before anything is decompressed. No size that a file merely claims is ever allocated: plain
// chunks must have exactly the size of their shape, and a zstd frame cannot promise more than its
// length can hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "store/file_system.hpp"

namespace apsp::store {

inline constexpr std::int64_t kChecksumBytes = 4;

/// A buffer that is not zeroed before it is filled.
class Bytes {
 public:
  Bytes() = default;
  /// Throws `Error` (does_not_fit).
  explicit Bytes(std::int64_t size);

  std::byte* data() { return data_.get(); }
  const std::byte* data() const { return data_.get(); }
  std::int64_t size() const { return size_; }
  std::span<const std::byte> first(std::int64_t count) const {
    return {data_.get(), static_cast<std::size_t>(count)};
  }
  std::span<const std::byte> all() const { return first(size_); }
  std::span<std::byte> all() { return {data_.get(), static_cast<std::size_t>(size_)}; }
  void shrink(std::int64_t size) { size_ = size; }

 private:
  std::unique_ptr<std::byte[]> data_;
  std::int64_t size_ = 0;
};

/// Requires: the last `kChecksumBytes` of `values` are spare; they receive the checksum.
Bytes encode_chunk(Bytes values, bool compress);
/// The same where the values lie.
void seal_chunk(std::span<std::byte> values);
/// The same, compressed.
Bytes compressed_chunk(std::span<const std::byte> values);

/// Reads and checks the chunk in the file `path`. `size`: bytes of its values, where known.
/// Throws `Error`: input (missing, another size, damaged; names the file), input_output.
Bytes read_chunk(const ReadableFiles& files, const std::string& path,
                 std::optional<std::int64_t> size, bool compress);

}  // namespace apsp::store
