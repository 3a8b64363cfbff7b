// Large page-aligned blocks on huge pages if available, placed by the thread that touches a page
// first.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>

namespace apsp::system {

class AlignedMemory {
 public:
  AlignedMemory() = default;
  /// Zeroed on first touch. Throws `Error` (does_not_fit).
  explicit AlignedMemory(std::int64_t bytes);
  /// Suits sparse tables, because huge pages take long to clear.
  static AlignedMemory on_small_pages(std::int64_t bytes);
  AlignedMemory(AlignedMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  AlignedMemory& operator=(AlignedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~AlignedMemory();

  /// Replaces the block by a larger one if it has fewer bytes; contents are lost.
  void require(std::int64_t bytes) {
    if (bytes_ >= bytes) return;
    *this = AlignedMemory();
    *this = AlignedMemory(bytes);
  }

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(data_);
  }
  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(data_);
  }

 private:
  std::byte* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

/// Releases the pages of bytes [begin, end) of a mapped file: they no longer count as memory of
/// this process, and are read again if touched. One fault maps a window of 64 KiB or a large page
/// of 2 MiB, so pages just before `begin` are released too; the window of the last byte stays.
/// Requires: `data` up to `end` is in one read-only mapping of a file.
void release_mapped(const void* data, std::int64_t begin, std::int64_t end);

/// Releases the whole pages inside a range of private memory; their contents are lost.
void discard(void* first, std::int64_t bytes);

/// Allocates pages of fresh private memory at once, in two thirds of the time of one fault per
/// page.
void touch(void* first, std::int64_t bytes);

/// Allocates pages of a large result while other work leaves processors idle. Clearing pages is
/// half of the time of a result that is written once at the speed of memory. A thread requests them
/// while another one plans and orders (MADV_POPULATE_WRITE, Linux 5.14; contents do not change).
class EarlyPages {
 public:
  /// Starts if it pays: several threads, many bytes, and twice as many available.
  EarlyPages(void* memory, std::int64_t bytes, int threads);
  ~EarlyPages() { stop(); }
  EarlyPages(const EarlyPages&) = delete;
  EarlyPages& operator=(const EarlyPages&) = delete;

  /// Returns within two milliseconds.
  void stop();

 private:
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

}  // namespace apsp::system
