// nlohmann-json with documents that can be freed without memory: its destructor
// (json_value::destroy) allocates a list, which takes a reserve of the process if the system
// refuses. Include this instead of <nlohmann/json.hpp>.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace apsp::base {

/// Preallocated blocks. Thread-safe.
class MemoryReserve {
 public:
  /// Null if the reserve has no such block.
  void* take(std::size_t bytes) noexcept {
    if (bytes > kBytes) return nullptr;
    for (std::size_t i = 0; i < kBlocks; ++i) {
      if (!taken_[i].exchange(true, std::memory_order_acquire)) return blocks_[i].data();
    }
    return nullptr;
  }
  bool give_back(void* memory) noexcept {
    auto* const block = static_cast<std::byte*>(memory);
    const std::less<const std::byte*> before;
    if (before(block, blocks_.front().data()) || before(blocks_.back().data(), block)) return false;
    const auto i = static_cast<std::size_t>(block - blocks_.front().data()) / kBytes;
    taken_[i].store(false, std::memory_order_release);
    return true;
  }

 private:
  static constexpr std::size_t kBlocks = 16, kBytes = std::size_t{64} << 10;  // 4096 values each

  alignas(std::max_align_t) std::array<std::array<std::byte, kBytes>, kBlocks> blocks_{};
  std::array<std::atomic<bool>, kBlocks> taken_{};
};
inline constinit MemoryReserve json_reserve;

/// std::allocator with the reserve as a fallback.
template <class Json>
struct JsonAllocator {
  using value_type = Json;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using propagate_on_container_move_assignment = std::true_type;
  using is_always_equal = std::true_type;

  Json* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(Json);
    if (count > PTRDIFF_MAX / sizeof(Json)) throw std::bad_array_new_length();
    void* memory = ::operator new(bytes, std::nothrow);
    if (memory == nullptr) memory = json_reserve.take(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<Json*>(memory);
  }
  void deallocate(Json* memory, std::size_t) noexcept {
    if (!json_reserve.give_back(memory)) ::operator delete(memory);
  }
};

}  // namespace apsp::base

template <>
struct std::allocator<nlohmann::json> : apsp::base::JsonAllocator<nlohmann::json> {
  allocator() = default;
  template <class Other>
  allocator(const std::allocator<Other>&) noexcept {}
};
template <>
struct std::allocator<nlohmann::ordered_json> : apsp::base::JsonAllocator<nlohmann::ordered_json> {
  allocator() = default;
  template <class Other>
  allocator(const std::allocator<Other>&) noexcept {}
};

#include <nlohmann/json.hpp>  // after what it must not make itself

namespace apsp::base {

// Parser and printer are compiled once, in json.cpp; every other file that used them would compile
// for 1.5 s more. `Json` is nlohmann::json or ordered_json.

/// Whether brackets are nested more deeply than in any document of this project.
bool is_too_deep(std::string_view text);

/// Parses a text that this program wrote. Throws `nlohmann::json::parse_error`.
template <class Json = nlohmann::json>
Json json_of(std::string_view text);

/// Parses a file. Returns a discarded value for invalid JSON, and for deep nesting, which would
/// overflow the stack when the library copies or prints the document.
template <class Json = nlohmann::json>
Json parsed_json(std::string_view text);

/// Treatment of bytes that are not UTF-8: an exception, or U+FFFD.
enum class BadBytes { refused, replaced };

/// Prints on one line, or indented. Throws `nlohmann::json::type_error` for refused bytes.
template <class Json>
std::string json_text(const Json& value, int indent = -1, BadBytes bad = BadBytes::refused);

}  // namespace apsp::base
