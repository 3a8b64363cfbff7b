#pragma once

#include <span>
#include <string>
#include <utility>

namespace apsp::system {

/// The destructor closes the file but cannot report failures: call `close` first.
class Descriptor {
 public:
  /// Negative: no open file.
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  /// Returns false on failure and sets errno.
  bool close() noexcept;

 private:
  int number_;
};

/// Opens a file in `folder` that disappears with its descriptor, however the process ends. On
/// failure returns a closed descriptor and sets errno.
Descriptor open_nameless(const std::string& folder);

/// Writes all bytes at the file position. Returns false on failure and sets errno.
bool write_all(int file, std::span<const char> bytes);

}  // namespace apsp::system
