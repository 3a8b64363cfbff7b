// Bytes of an input: a mapped file, or memory. Streams (standard input, unpacked archives) are kept
// in memory while small, else in an unnamed temporary file, so that the graph may be larger than
// memory.
#pragma once

#include <algorithm>
#include <apsp/error.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "system/open_file.hpp"

namespace apsp::io {

/// A buffer of unknown final size. Uses realloc, which moves pages of large buffers without
/// copying, and does not clear new memory.
class GrowingBuffer {
 public:
  /// At least `room` writable bytes at the end; `added` reports how many were filled.
  std::span<char> spare(std::size_t room) {
    if (capacity_ - size_ < room) grow(std::max(size_ + room, capacity_ + capacity_ / 2));
    return {data_.get() + size_, capacity_ - size_};
  }
  void added(std::size_t count) { size_ += count; }

  std::span<const char> bytes() const { return {data_.get(), size_}; }

 private:
  struct FreeBytes {
    void operator()(char* data) const { std::free(data); }
  };

  void grow(std::size_t capacity) {
    auto* const grown = static_cast<char*>(std::realloc(data_.get(), capacity));
    if (grown == nullptr) {
      throw Error(ErrorKind::does_not_fit, "no memory for the bytes of the input");
    }
    static_cast<void>(data_.release());
    data_.reset(grown);
    capacity_ = capacity;
  }

  std::unique_ptr<char, FreeBytes> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

struct HeldBytes {
  std::span<const char> bytes;
  std::shared_ptr<const void> owner =
      {};                   ///< keeps the bytes alive; null: the caller of the library does
  bool mapped = false;      ///< pages of a file, which can be released
  std::int64_t memory = 0;  ///< bytes of memory, including those on a tmpfs

  /// Makes the matrix an owner of its bytes.
  template <class Matrix>
  void give_to(Matrix& matrix) const {
    matrix.owner = owner;
    matrix.mapped = mapped;
    matrix.memory = memory;
  }
};

/// Bytes in temporary files of this process that are not in memory: now, and the most at a time
/// since the last graph was begun to be read.
struct TemporaryBytes {
  std::int64_t now = 0, most = 0;

  /// The most at a time, if `more` bytes of other files are added.
  std::int64_t with(std::int64_t more) const { return std::max(most, now + more); }
};
TemporaryBytes temporary_bytes();
void begin_temporary_bytes();
/// The most that they may have at a time; 0: no limit. Programs call it.
void limit_temporary_bytes(std::int64_t most);

/// Receives the first 64 KiB of an input, or all of it, before other bytes are read; may throw.
using FirstLook = std::function<void(std::span<const char>)>;

/// "-" is standard input. Throws `Error` (input_output) and the exceptions of `look`.
HeldBytes hold_input(const std::string& path, const FirstLook& look);

class StreamedBytes {
 public:
  static constexpr std::size_t kMostInMemory = std::size_t{16} << 20;

  explicit StreamedBytes(FirstLook look = {}, std::size_t most_in_memory = kMostInMemory);

  std::span<char> spare(std::size_t room) { return buffer_.spare(room); }
  void added(std::size_t count);
  void append(std::string_view bytes) {
    if (!bytes.empty()) bytes.copy(spare(bytes.size()).data(), bytes.size());
    added(bytes.size());
  }
  /// Requires: nothing is added afterwards.
  HeldBytes finish();

 private:
  void take_first_look();
  void move_to_file();

  FirstLook look_;
  std::size_t most_in_memory_;
  GrowingBuffer buffer_;
  system::Descriptor file_;
  std::shared_ptr<std::int64_t> counted_;  ///< bytes on a disk; its end frees them
  std::size_t in_file_ = 0;
};

}  // namespace apsp::io
