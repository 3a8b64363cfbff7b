// The chunks of a .zarr that were decoded last, so that reading row after row does not decode a
// chunk once for each of its rows. Holds up to 256 MiB; the least recently used go first.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>

#include "store/store.hpp"
#include "store/zarr_chunk.hpp"

namespace apsp::store {

class ChunkCache {
 public:
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
    if (chunk->size() > kCapacity || index_.contains(key)) return;
    bytes_ += chunk->size();
    recent_.emplace_front(key, std::move(chunk));
    index_[key] = recent_.begin();
    while (bytes_ > kCapacity) {
      bytes_ -= recent_.back().second->size();
      index_.erase(recent_.back().first);
      recent_.pop_back();
    }
  }

  /// A tile was written anew.
  void forget(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto at = index_.find(key);
    if (at == index_.end()) return;
    bytes_ -= at->second->second->size();
    recent_.erase(at->second);
    index_.erase(at);
  }

 private:
  /// A row of 64 chunks of 1024 × 1024 f32: what single rows of 64 thousand vertices need.
  static constexpr std::int64_t kCapacity = std::int64_t{256} << 20;  // bytes
  using Entry = std::pair<Key, Chunk>;

  std::mutex mutex_;
  std::int64_t bytes_ = 0;
  std::list<Entry> recent_;  // most recently used first
  std::map<Key, std::list<Entry>::iterator> index_;
};

}  // namespace apsp::store
