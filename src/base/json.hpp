// nlohmann-json, whose documents can be freed where no memory is left. It frees one by way of a
// list of its values (json_value::destroy): a destructor that allocates, and must not throw. Where
// the system refuses, that list takes a reserve of the process. Include this, never
// <nlohmann/json.hpp>.
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

/// Blocks that are there before anybody needs them. All functions may be called from any thread.
class MemoryReserve {
 public:
  /// Null: so many bytes are not left.
  void* take(std::size_t bytes) noexcept {
    if (bytes > kBytes) return nullptr;
    for (std::size_t i = 0; i < kBlocks; ++i) {
      if (!taken_[i].exchange(true, std::memory_order_acquire)) return blocks_[i].data();
    }
    return nullptr;
  }
  /// Whether the memory was taken from here.
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

/// What std::allocator is, and the reserve behind it.
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

// The parser and the printer of nlohmann-json are compiled once, in json.cpp: each file that called
// them would compile its own, which takes a second and a half. `Json` is nlohmann::json or
// ordered_json.

/// Whether brackets are nested more deeply than any document of this project.
bool is_too_deep(std::string_view text);

/// The value of a text that this program wrote. Throws `nlohmann::json::parse_error`.
template <class Json = nlohmann::json>
Json json_of(std::string_view text);

/// A document of a file. Discarded where it is no JSON, and where it is nested so deeply that the
/// library, which copies and prints documents by recursion, would end the process.
template <class Json = nlohmann::json>
Json parsed_json(std::string_view text);

/// What bytes that are no UTF-8 become in a text: an exception, or U+FFFD.
enum class BadBytes { refused, replaced };

/// The value as a text: in one line, or indented by so many blanks. Throws
/// `nlohmann::json::type_error` for bytes that are refused.
template <class Json>
std::string json_text(const Json& value, int indent = -1, BadBytes bad = BadBytes::refused);

}  // namespace apsp::base
