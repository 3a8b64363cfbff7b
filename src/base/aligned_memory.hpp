// Large blocks of memory for matrices: page-aligned, on huge pages where the system offers them,
// untouched until used, so that the thread that writes a page first decides where it lies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace apsp::base {

class AlignedMemory {
 public:
  AlignedMemory() = default;
  /// Zeroed on first touch. Throws `Error` (does_not_fit) if the system refuses.
  explicit AlignedMemory(std::int64_t bytes);
  AlignedMemory(AlignedMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  AlignedMemory& operator=(AlignedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~AlignedMemory();

  /// At least so many bytes. Others than before hold nothing of what was there, and never exist
  /// beside it.
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

/// Asks the system for large pages behind memory of any origin, which should not have been touched
/// yet: a page costs the first who touches it some 0.3 µs, and 256 MB have 65,536 small ones.
void prefer_large_pages(void* memory, std::size_t bytes);

}  // namespace apsp::base
