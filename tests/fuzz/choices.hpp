// The input of a fuzzer as a row of choices, so that a target can make something valid and then
// damage it. Behind the end of the input every choice is 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace apsp::fuzz {

class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

  bool empty() const { return rest_.empty(); }
  std::uint8_t byte() { return take<std::uint8_t>(); }
  /// In [0, bound). Requires: bound > 0.
  std::size_t below(std::size_t bound) {
    return bound <= 256 ? byte() % bound : take<std::uint32_t>() % bound;
  }
  template <class T>
  T take() {
    T value{};
    const std::size_t bytes = std::min(sizeof value, rest_.size());
    if (bytes > 0) std::memcpy(&value, rest_.data(), bytes);
    rest_ = rest_.subspan(bytes);
    return value;
  }
  std::string text(std::size_t most) {
    const std::size_t length = std::min(most, rest_.size());
    const std::string taken(reinterpret_cast<const char*>(rest_.data()), length);
    rest_ = rest_.subspan(length);
    return taken;
  }
  /// A number at which code tends to break.
  std::int64_t number() {
    static constexpr std::int64_t kTelling[] = {0,
                                                1,
                                                -1,
                                                2,
                                                7,
                                                255,
                                                65535,
                                                65536,
                                                (1LL << 30) - 1,
                                                (1LL << 31) - 1,
                                                1LL << 31,
                                                (1LL << 32) - 1,
                                                1LL << 32,
                                                1LL << 53,
                                                INT64_MAX,
                                                INT64_MIN};
    const std::size_t at = below(std::size(kTelling) + 4);
    return at < std::size(kTelling) ? kTelling[at] : take<std::int64_t>();
  }

 private:
  std::span<const std::uint8_t> rest_;
};

}  // namespace apsp::fuzz
