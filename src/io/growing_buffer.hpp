// Bytes whose final number is not known while they arrive. Grown with realloc, which moves pages
// instead of copying them once the buffer is large, and does not clear what is about to be filled.
#pragma once

#include <apsp/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <span>

namespace apsp::io {

class GrowingBuffer {
 public:
  /// Room for at least `room` more bytes; `added` says how many of them were filled.
  std::span<char> spare(std::size_t room) {
    if (capacity_ - size_ < room) grow(std::max(size_ + room, capacity_ + capacity_ / 2));
    return {data_.get() + size_, capacity_ - size_};
  }
  void added(std::size_t count) { size_ += count; }

  std::span<const char> bytes() const { return {data_.get(), size_}; }

 private:
  struct Free {
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

  std::unique_ptr<char, Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace apsp::io
