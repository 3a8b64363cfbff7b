// One chunk of a .zarr as it is stored: [values, or a zstd frame of them] [crc32c].
//
// The checksum covers the bytes before it (Zarr v3) and is verified before decompression. No size
// that a file claims is allocated unchecked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "store/file_system.hpp"
#include "store/store.hpp"
#include "system/machine.hpp"

namespace apsp::store {

inline constexpr std::int64_t kChecksumBytes = 4;

class Bytes {
 public:
  Bytes() = default;
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

/// Requires: the last `kChecksumBytes` of `values` are reserved for the checksum, here and below.
Bytes encode_chunk(Bytes values, bool compress);
void seal_chunk(std::span<std::byte> values);
Bytes compressed_chunk(std::span<const std::byte> values);

/// Bounds a chunk whose file has this length. Names are distinct, so zstd hardly shrinks them to a
/// thousandth.
std::int64_t most_bytes_of_names(std::int64_t length);

std::uint32_t checksum_of(const Bytes& chunk);

/// Reads and verifies a chunk. `size`: bytes of its values, if known. `checksum`: the expected one,
/// if known. Throws `Error` (input) that names the file.
Bytes read_chunk(const ReadableFiles& files, const std::string& path,
                 std::optional<std::int64_t> size, bool compress,
                 std::optional<std::uint32_t> checksum = std::nullopt);

/// Recently decoded chunks, so that reading single rows does not decode a chunk once for each row.
/// Thread-safe.
class ChunkCache {
 public:
  static std::int64_t most_bytes() { return std::min(kCapacity, system::available_memory() / 4); }

  using Key = std::tuple<Plane, std::int64_t, std::int64_t>;
  using Chunk = std::shared_ptr<const Bytes>;

  Chunk find(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto at = index_.find(key);
    if (at == index_.end()) return nullptr;
    recent_.splice(recent_.begin(), recent_, at->second);
    return at->second->second;
  }

  void insert(const Key& key, Chunk chunk) {
    const std::lock_guard lock(mutex_);
    if (chunk->size() > capacity_ || index_.contains(key)) return;
    bytes_ += chunk->size();
    recent_.emplace_front(key, std::move(chunk));
    index_[key] = recent_.begin();
    while (bytes_ > capacity_) {
      bytes_ -= recent_.back().second->size();
      index_.erase(recent_.back().first);
      recent_.pop_back();
    }
  }

  void forget(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto at = index_.find(key);
    if (at == index_.end()) return;
    bytes_ -= at->second->second->size();
    recent_.erase(at->second);
    index_.erase(at);
  }

 private:
  /// A row of 64 chunks of 1024 × 1024 f32.
  static constexpr std::int64_t kCapacity = std::int64_t{256} << 20;  // bytes
  using Entry = std::pair<Key, Chunk>;

  std::mutex mutex_;
  const std::int64_t capacity_ = most_bytes();
  std::int64_t bytes_ = 0;
  std::list<Entry> recent_;
  std::map<Key, std::list<Entry>::iterator> index_;
};

}  // namespace apsp::store
