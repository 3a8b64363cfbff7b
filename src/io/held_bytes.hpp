// Bytes of an input: a mapped file, or memory. Streams (standard input, unpacked archives) are kept
// in memory while small, else in an unnamed temporary file, so that the graph may be larger than
// memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "system/open_file.hpp"

namespace apsp::io {

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

/// Receives the first 64 KiB of an input, or all of it, before other bytes are read; may throw.
using FirstLook = std::function<void(std::span<const char>)>;

/// "-" is standard input. Throws `Error` (input_output) and the exceptions of `look`.
HeldBytes hold_input(const std::string& path, const FirstLook& look);

class StreamedBytes {
 public:
  static constexpr std::size_t kMostInMemory = std::size_t{16} << 20;

  explicit StreamedBytes(FirstLook look = {}, std::size_t most_in_memory = kMostInMemory)
      : look_(std::move(look)), most_in_memory_(most_in_memory) {}

  /// At least `room` writable bytes at the end; `added` reports how many were filled.
  std::span<char> spare(std::size_t room) {
    const std::size_t size = buffer_.size();
    if (size - used_ < room) buffer_.resize(std::max(used_ + room, size + size / 2));
    return std::span(buffer_).subspan(used_);
  }
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

  std::span<const char> buffered() const { return std::span(buffer_).first(used_); }

  FirstLook look_;
  std::size_t most_in_memory_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  system::Descriptor file_;
  std::size_t in_file_ = 0;
};

}  // namespace apsp::io
