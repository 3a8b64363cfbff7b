// A factor in a file, opened without reading it: the first few pairs are answered from the parts of
// it that they need.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/statistics.hpp>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "elimination/stored_factor.hpp"
#include "store/store.hpp"

namespace apsp::api {

/// May be used by several threads.
class OpenedFactor {
 public:
  /// Requires: `StoredPaths::reads`.
  OpenedFactor(std::unique_ptr<store::Store> stored, std::string path)
      : stored_(std::move(stored)), path_(std::move(path)) {}

  const store::Store& stored() const { return *stored_; }
  const std::string& path() const { return path_; }
  /// Whether all of it was read.
  bool is_whole() const { return whole_.load(std::memory_order_acquire); }
  /// Calls read() once, which reads all of it; again where it threw.
  template <class Read>
  void read_whole(Read&& read) {
    if (is_whole()) return;
    const std::lock_guard lock(mutex_);
    if (is_whole()) return;
    read();
    paths_.reset();
    whole_.store(true, std::memory_order_release);
  }

  /// [pairs] as `Result::distance`. Empty: so many pairs have been asked for that all of it should
  /// be read. Requires: vertices in range. Throws as `elimination::StoredPaths`.
  std::optional<std::vector<double>> distances(std::span<const VertexPair> pairs);
  /// As `Graph::first_id`, where vertices have no labels.
  std::optional<Vertex> first_number() const { return stored_->first_number(); }

 private:
  std::unique_ptr<store::Store> stored_;
  std::string path_;
  std::mutex mutex_;
  std::atomic<bool> whole_ = false;
  std::unique_ptr<elimination::StoredPaths> paths_;  // from the first pair on
  std::size_t asked_ = 0;                            // pairs
};

}  // namespace apsp::api
