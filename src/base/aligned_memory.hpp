// Large blocks of memory and their pages: page-aligned, on huge pages where the system offers them,
// untouched until used, so that the thread that writes a page first decides where it lies.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>

namespace apsp::base {

class AlignedMemory {
 public:
  AlignedMemory() = default;
  /// Zeroed on first touch. Throws `Error` (does_not_fit) if the system refuses.
  explicit AlignedMemory(std::int64_t bytes);
  /// For a table of which few cells are ever touched: a huge page of it takes long to clear.
  static AlignedMemory on_small_pages(std::int64_t bytes);
  AlignedMemory(AlignedMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  AlignedMemory& operator=(AlignedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~AlignedMemory();

  /// At least so many bytes. A larger block replaces this one, whose contents are lost first.
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

/// Gives the pages of bytes [begin, end) of `data`, a file's mapping, back to the system: they no
/// longer count as this process's memory, and are read from the file (most often still cached) if
/// touched again. One fault maps a window of 64 KiB, or a large page of 2 MiB. So the pages just
/// before `begin`, which a fault may have mapped again, are given back too; the window that holds
/// the last byte stays. Requires: `data` up to `end` lies in one read-only mapping of a file.
void release_mapped(const void* data, std::int64_t begin, std::int64_t end);

/// Gives back the whole pages inside a range that is never read again: what they held is lost.
/// Requires: the range is memory of this process alone.
void discard(void* first, std::int64_t bytes);

/// Asks for the pages of fresh memory at once: a third less than one fault a page, which costs more
/// than clearing it. Requires: the range is memory of this process alone.
void touch(void* first, std::int64_t bytes);

/// Pages of a large result, taken while other work leaves processors idle.
///
/// The system clears a page when it is first touched, which is half of the time of a result that is
/// written once at the speed of memory. A thread asks for the pages while another makes a plan and
/// finds an order (MADV_POPULATE_WRITE, Linux 5.14: contents stay as they are). Where the system
/// knows no such request nothing happens.
class EarlyPages {
 public:
  /// Begins, where it pays: several threads, many bytes, and twice as many available.
  EarlyPages(void* memory, std::int64_t bytes, int threads);
  ~EarlyPages() { stop(); }
  EarlyPages(const EarlyPages&) = delete;
  EarlyPages& operator=(const EarlyPages&) = delete;

  /// Ends within a millisecond or two.
  void stop();

 private:
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

}  // namespace apsp::base
