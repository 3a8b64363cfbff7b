// Open files by their descriptors, and files that have no name.
#pragma once

#include <span>
#include <string>
#include <utility>

namespace apsp::base {

/// Closed by its destructor, which cannot report a failure: call `close` first.
class Descriptor {
 public:
  /// Negative: nothing is open.
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  /// False, and errno says why, where the system refuses.
  bool close() noexcept;

 private:
  int number_;
};

/// A file in `folder` that is gone with its descriptor, however the process ends. Not open, and
/// errno says why, where the system refuses.
Descriptor open_nameless(const std::string& folder);

/// Writes all bytes where the file stands. False, and errno says why, where the system refuses.
bool write_all(int file, std::span<const char> bytes);

}  // namespace apsp::base
