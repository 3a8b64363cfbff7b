// Values as bytes, one after another, for another process of the same program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <apsp/error.hpp>

namespace apsp::base {

using ByteVector = std::vector<std::byte>;

class ByteWriter {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(&value, sizeof value);
  }
  template <class T>
  void put_all(std::span<const T> values) {
    put(static_cast<std::uint64_t>(values.size()));
    append(values.data(), values.size_bytes());
  }
  void put_text(const std::string& text) { put_all(std::span<const char>(text)); }
  ByteVector take() { return std::move(bytes_); }

 private:
  /// Not inlined: g++ 12 then warns of overflows where there are none.
  [[gnu::noinline]] void append(const void* from, std::size_t bytes) {
    const auto* const first = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), first, first + bytes);
  }
  ByteVector bytes_;
};

/// Reads in the order of writing. Throws `Error` (defect) where fewer bytes are left.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}
  explicit ByteReader(ByteVector&&) = delete;  // the bytes outlive the reader

  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    copy(&value, sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> get_all() {
    const auto count = get<std::uint64_t>();
    if (count > rest_.size() / sizeof(T)) fail();
    std::vector<T> values(count);
    copy(values.data(), count * sizeof(T));
    return values;
  }
  std::string get_text() {
    const std::vector<char> text = get_all<char>();
    return {text.begin(), text.end()};
  }

 private:
  [[noreturn]] static void fail() {
    throw Error(ErrorKind::defect, "bytes of another process end too early");
  }
  void copy(void* to, std::size_t bytes) {
    if (bytes > rest_.size()) fail();
    if (bytes > 0) std::memcpy(to, rest_.data(), bytes);
    rest_ = rest_.subspan(bytes);
  }
  std::span<const std::byte> rest_;
};

}  // namespace apsp::base
