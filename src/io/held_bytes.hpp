// The bytes of an input, wherever they rest: a file mapped, or memory.
//
// What arrives as a stream (standard input, an archive being unpacked) is kept in memory while it
// is small, and in a file without a name, in the folder for temporary files, once it is not: so a
// graph larger than the memory that is free can be read, and its values stay in a file for as long
// as the graph needs them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "io/growing_buffer.hpp"

namespace apsp::io {

struct HeldBytes {
  std::span<const char> bytes;
  std::shared_ptr<const void> owner = {};  ///< keeps them; null: the caller of the library does
  bool mapped = false;                     ///< pages of a file, which can be given back
  std::int64_t memory = 0;                 ///< bytes of memory they take (a tmpfs is memory, too)
};

/// Is shown the first bytes of an input, 64 KiB or all, before the rest is read; may throw.
using FirstLook = std::function<void(std::span<const char>)>;

/// "-" is standard input. Throws `Error` (input_output), and what `look` throws.
HeldBytes hold_input(const std::string& path, const FirstLook& look);

class StreamedBytes {
 public:
  static constexpr std::size_t kMostInMemory = std::size_t{16} << 20;

  /// `most_in_memory`: small in tests.
  explicit StreamedBytes(FirstLook look = {}, std::size_t most_in_memory = kMostInMemory);
  ~StreamedBytes();
  StreamedBytes(const StreamedBytes&) = delete;
  StreamedBytes& operator=(const StreamedBytes&) = delete;

  /// Room for at least `room` more bytes; `added` says how many of them were filled.
  std::span<char> spare(std::size_t room) { return buffer_.spare(room); }
  /// Throws `Error` (input_output) if the file cannot be written.
  void added(std::size_t count);
  /// Nothing can be added afterwards.
  HeldBytes finish();

 private:
  void take_first_look();
  void move_to_file();

  FirstLook look_;
  std::size_t most_in_memory_;
  GrowingBuffer buffer_;
  int file_ = -1;            // once it is in use
  std::size_t in_file_ = 0;  // bytes
};

}  // namespace apsp::io
