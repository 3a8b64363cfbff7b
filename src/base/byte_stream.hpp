// Values as bytes, for other processes of the same program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
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
  void put(std::span<const T> values) {
    put(static_cast<std::uint64_t>(values.size()));
    if constexpr (std::is_same_v<T, std::string>) {
      for (const std::string& text : values) put(text);
    } else {
      append(values.data(), values.size_bytes());
    }
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(std::span<const T>(values));
  }
  void put(const std::string& text) { put(std::span<const char>(text)); }
  ByteVector take() { return std::move(bytes_); }

 private:
  /// Not inlined because of false overflow warnings of g++ 12.
  [[gnu::noinline]] void append(const void* from, std::size_t bytes) {
    const auto* const first = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), first, first + bytes);
  }
  ByteVector bytes_;
};

/// Reads in the order of writing. Throws `Error` (defect) if bytes are missing.
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
  template <class T>
  void read(T& value) {
    value = get<T>();
  }
  template <class T>
  void read(std::vector<T>& values) {
    values = get_all<T>();
  }
  void read(std::string& text) {
    const std::vector<char> letters = get_all<char>();
    text.assign(letters.begin(), letters.end());
  }
  void read(std::vector<std::string>& texts) {
    const auto count = get<std::uint64_t>();
    if (count > rest_.size() / sizeof(std::uint64_t)) fail();  // each begins with its length
    texts.resize(count);
    for (std::string& text : texts) read(text);
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

template <class... Fields>
ByteVector bytes_of(const std::tuple<Fields...>& fields) {
  ByteWriter writer;
  std::apply([&](const auto&... field) { (writer.put(field), ...); }, fields);
  return writer.take();
}

template <class... Fields>
void read_fields(std::span<const std::byte> bytes, const std::tuple<Fields&...>& fields) {
  ByteReader reader(bytes);
  std::apply([&](auto&... field) { (reader.read(field), ...); }, fields);
}

inline ByteVector bytes_of_text(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}
inline std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace apsp::base
