// All bytes of an input: a file mapped into memory, standard input read to its end, or either one
// decompressed. A mapped file costs no copy, and its pages can be taken back by the system.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "io/growing_buffer.hpp"

namespace apsp::io {

class InputBytes {
 public:
  /// "-" is standard input. Throws `Error` (input_output).
  explicit InputBytes(const std::string& path);
  ~InputBytes();
  InputBytes(const InputBytes&) = delete;
  InputBytes& operator=(const InputBytes&) = delete;

  bool mapped() const { return mapping_ != nullptr; }
  std::span<const char> bytes() const {
    return mapping_ != nullptr ? std::span(mapping_, mapped_) : buffer_.bytes();
  }

 private:
  const char* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  GrowingBuffer buffer_;
};

}  // namespace apsp::io
