// Semirings: the built-in ones and their value types by name (arithmetic in src/semiring), and
// user-defined ones as structs (docs/extending.md).
//
// This header compiles, for a user-defined semiring, the register tile and the closure of a small
// tile. Packing, loops, threads and schedule are those of the built-in ones (src/kernels/own).
// Compilers vectorise the register tile (Goto and van de Geijn 2008) as wide as their flags allow.
#pragma once

#if __cplusplus <= 201703L
#error "apsp needs C++20: compile with -std=c++20"
#endif

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace apsp {

/// (⊕, ⊗): the choice between paths, and the value of a path from its edges.
enum class Semiring {
  min_plus,  ///< shortest path: least sum of weights
  max_min,   ///< widest path: largest bottleneck
  min_max,   ///< minimax path: smallest of the largest edges
  max_plus,  ///< longest path, on acyclic graphs only
  or_and,    ///< reachability
};

enum class ValueType { f32, f64, i32, u16, boolean };

struct MinPlus {
  static constexpr Semiring kind = Semiring::min_plus;
};
struct MaxMin {
  static constexpr Semiring kind = Semiring::max_min;
};
struct MinMax {
  static constexpr Semiring kind = Semiring::min_max;
};
struct MaxPlus {
  static constexpr Semiring kind = Semiring::max_plus;
};
struct OrAnd {
  static constexpr Semiring kind = Semiring::or_and;
};

std::string_view name(Semiring semiring);  ///< "min-plus", …
std::string_view name(ValueType type);     ///< "f32", …, "bool"
std::optional<Semiring> parse_semiring(std::string_view text);
std::optional<ValueType> parse_value_type(std::string_view text);

int size_of(ValueType type);  ///< bytes of one value

/// True if the library has the pair: or_and only with boolean, max_plus only with signed types.
bool supported(Semiring semiring, ValueType type);
std::span<const Semiring> all_semirings();
std::span<const ValueType> all_value_types();

/// The values of "no path" and of the empty path (the diagonal), as doubles. "No path" of integers
/// is 2^30−1 for i32 and 2^15−1 for u16, so that sums of two cannot wrap.
double no_path(Semiring semiring, ValueType type);
double empty_path(Semiring semiring, ValueType type);

/// The largest magnitude of a distance of this type, below `no_path`.
double largest_distance(ValueType type);

/// A user-defined closed, idempotent semiring over values of at most 16 bytes:
///
///   Value          trivially copyable, with ==
///   zero(), one()  static: no path, the empty path
///   plus(a, b)     static, ⊕: the better of two paths
///   times(a, b)    static, ⊗: path a followed by path b
///
/// ⊕ is associative, commutative and idempotent, and nothing is better than the empty path: one ⊕ a
/// = one. ⊗ is associative, possibly not commutative, and distributes over ⊕. Zero is neutral for ⊕
/// and absorbs in ⊗; one is neutral for ⊗. `broken_semiring_law` tests these laws. Operations are
/// called from several threads at once and may throw. Operations without branches are vectorised.
template <class S>
concept OwnSemiring = requires(const typename S::Value& a) {
  { S::zero() } -> std::convertible_to<typename S::Value>;
  { S::one() } -> std::convertible_to<typename S::Value>;
  { S::plus(a, a) } -> std::convertible_to<typename S::Value>;
  { S::times(a, a) } -> std::convertible_to<typename S::Value>;
  { a == a } -> std::convertible_to<bool>;
}
&&std::is_trivially_copyable_v<typename S::Value>&& std::default_initializable<typename S::Value> &&
    sizeof(typename S::Value) <= 16;

/// Test helper: returns the first law that zero, one and the samples violate, with the numbers of
/// the samples, or an empty string. Sums of samples must be exact. O(samples³).
template <OwnSemiring S>
std::string broken_semiring_law(std::span<const typename S::Value> samples) {
  using T = typename S::Value;
  std::vector<T> values(samples.begin(), samples.end());
  values.push_back(S::zero());
  values.push_back(S::one());
  const auto name_of = [&](std::size_t i) {
    if (i >= samples.size()) return std::string(i == samples.size() ? "zero" : "one");
    return "sample " + std::to_string(i);
  };
  std::string broken;
  const auto check = [&](bool holds, std::string_view law, std::initializer_list<std::size_t> at) {
    if (holds || !broken.empty()) return;
    broken = law;
    std::string_view before = ": ";
    for (const std::size_t i : at) {
      broken.append(before).append(name_of(i));
      before = ", ";
    }
  };
  const auto plus = [](const T& a, const T& b) -> T { return S::plus(a, b); };
  const auto times = [](const T& a, const T& b) -> T { return S::times(a, b); };
  const T zero = S::zero(), one = S::one();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T a = values[i];
    check(plus(a, a) == a, "⊕ is not idempotent", {i});
    check(plus(a, zero) == a && plus(zero, a) == a, "zero is not neutral for ⊕", {i});
    check(plus(one, a) == one, "one ⊕ a is not one", {i});
    check(times(a, one) == a && times(one, a) == a, "one is not neutral for ⊗", {i});
    check(times(a, zero) == zero && times(zero, a) == zero, "zero does not absorb in ⊗", {i});
  }
  for (std::size_t i = 0; i < values.size() && broken.empty(); ++i) {
    for (std::size_t j = 0; j < values.size(); ++j) {
      const T a = values[i], b = values[j];
      check(plus(a, b) == plus(b, a), "⊕ is not commutative", {i, j});
      for (std::size_t k = 0; k < values.size(); ++k) {
        const T c = values[k];
        check(plus(a, plus(b, c)) == plus(plus(a, b), c), "⊕ is not associative", {i, j, k});
        check(times(a, times(b, c)) == times(times(a, b), c), "⊗ is not associative", {i, j, k});
        check(times(a, plus(b, c)) == plus(times(a, b), times(a, c)),
              "⊗ does not distribute over ⊕ from the left", {i, j, k});
        check(times(plus(a, b), c) == plus(times(a, c), times(b, c)),
              "⊗ does not distribute over ⊕ from the right", {i, j, k});
      }
    }
  }
  return broken;
}

namespace detail {

/// A user-defined semiring as bytes and functions. Strides count values.
struct OwnKernels {
  int value_size = 0;                // bytes
  int rows = 0, cols = 0;            // of a register tile
  std::array<std::byte, 16> zero{};  // its first value_size bytes
  /// c [rows, cols] ← c ⊕ left ⊗ right, packed: left [depth, rows], right [depth, cols]. Prefetches
  /// the tile at `next`, of the same shape.
  void (*relax)(std::int64_t depth, const void* left, const void* right, void* c,
                std::int64_t stride, const void* next, std::int64_t next_stride) = nullptr;
  /// d [n, n] ← d*. Returns a vertex with a cycle better than the empty path, or −1.
  std::int64_t (*close)(void* d, std::int64_t n, std::int64_t stride) = nullptr;
};

// An unroll count of 1 keeps GCC from unrolling lanes before it has vectorised them.
#if !defined(__GNUC__) || defined(__CUDACC__)
#define APSP_UNROLL_ALL
#define APSP_MAKE_VECTOR
#elif defined(__clang__)
#define APSP_UNROLL_ALL _Pragma("clang loop unroll(full)")
#define APSP_MAKE_VECTOR
#elif defined(__GNUC__)
#define APSP_UNROLL_ALL _Pragma("GCC unroll 16")
#define APSP_MAKE_VECTOR _Pragma("GCC unroll 1")
#endif

/// Bytes of a vector, and vectors in a row: 6 × 2 accumulators for 16 registers, 6 × 4 for 32.
#if defined(__AVX512F__)
inline constexpr int kOwnVectorBytes = 64, kOwnVectors = 4;
#elif defined(__AVX2__)
inline constexpr int kOwnVectorBytes = 32, kOwnVectors = 2;
#elif defined(__aarch64__)
inline constexpr int kOwnVectorBytes = 16, kOwnVectors = 4;
#else
inline constexpr int kOwnVectorBytes = 16, kOwnVectors = 2;
#endif

/// Structs are not vectorised; the smallest tile suits them.
template <class T>
inline constexpr bool kOwnInVectors = std::is_arithmetic_v<T> && sizeof(T) <= 8;

template <OwnSemiring S, int kBytes, int kVectors>
struct OwnTile {
  using T = typename S::Value;
  static constexpr int kRows = 6;
  static constexpr int kLanes = std::max(1, kBytes / static_cast<int>(sizeof(T)));
  static constexpr int kCols = kVectors * kLanes;
  struct Vector {
    T lane[std::size_t{kLanes}];
  };
  using Sums = Vector[std::size_t{kRows}][std::size_t{kVectors}];

  static void relax(std::int64_t depth, const void* left, const void* right, void* tile,
                    std::int64_t stride, const void* next_tile, std::int64_t next_stride) {
    // Prefetches a third of the next tile's rows at a time (src/kernels/cpu/register_tile-inl.h).
    constexpr int kFetches = 3;
    const T* __restrict a = static_cast<const T*>(left);
    const T* __restrict b = static_cast<const T*>(right);
    T* const c = static_cast<T*>(tile);
    const T* next = static_cast<const T*>(next_tile);
    Sums sums;
    APSP_UNROLL_ALL
    for (int r = 0; r < kRows; ++r) {
      APSP_UNROLL_ALL
      for (int v = 0; v < kVectors; ++v) {
        std::memcpy(static_cast<void*>(&sums[r][v]), c + r * stride + v * kLanes, sizeof(Vector));
      }
    }
    const std::int64_t steps = (depth + kFetches - 1) / kFetches;
    for (std::int64_t k = 0; k < depth;) {
      fetch<kRows / kFetches>(next, next_stride);
      next += kRows / kFetches * next_stride;
      for (const std::int64_t end = std::min(depth, k + steps); k < end; ++k) {
        relax_step(sums, a, b);
        a += kRows;
        b += kCols;
      }
    }
    APSP_UNROLL_ALL
    for (int r = 0; r < kRows; ++r) {
      APSP_UNROLL_ALL
      for (int v = 0; v < kVectors; ++v) {
        std::memcpy(static_cast<void*>(c + r * stride + v * kLanes), &sums[r][v], sizeof(Vector));
      }
    }
  }

  static std::int64_t close(void* tile, std::int64_t n, std::int64_t stride) {
    T* const d = static_cast<T*>(tile);
    for (std::int64_t k = 0; k < n; ++k) {
      T* const pivot_row = d + k * stride;
      pivot_row[k] = S::plus(pivot_row[k], S::one());
      if (!(pivot_row[k] == S::one())) return k;
      for (std::int64_t i = 0; i < n; ++i) {
        T* const row = d + i * stride;
        const T a = row[k];
        if (i == k || a == S::zero()) continue;
        for (std::int64_t j = 0; j < n; ++j) row[j] = S::plus(S::times(a, pivot_row[j]), row[j]);
      }
    }
    return -1;
  }

 private:
  /// sums ← a ⊗ b ⊕ sums. This order lets std::min keep its result in the register of the sum.
  static void relax_step(Sums& sums, const T* __restrict a, const T* __restrict b) {
    APSP_UNROLL_ALL
    for (int r = 0; r < kRows; ++r) {
      const T of_row = a[r];
      APSP_UNROLL_ALL
      for (int v = 0; v < kVectors; ++v) {
        APSP_MAKE_VECTOR
        for (int l = 0; l < kLanes; ++l) {
          sums[r][v].lane[l] = S::plus(S::times(of_row, b[v * kLanes + l]), sums[r][v].lane[l]);
        }
      }
    }
  }

  template <int rows>
  static void fetch([[maybe_unused]] const T* next, [[maybe_unused]] std::int64_t stride) {
#if defined(__GNUC__)
    for (int r = 0; r < rows; ++r) {
      for (int v = 0; v < kVectors; ++v) __builtin_prefetch(next + r * stride + v * kLanes, 1);
    }
#endif
  }
};

#undef APSP_UNROLL_ALL
#undef APSP_MAKE_VECTOR

template <OwnSemiring S>
OwnKernels own_kernels() {
  using T = typename S::Value;
  using View =
      OwnTile<S, kOwnInVectors<T> ? kOwnVectorBytes : 16, kOwnInVectors<T> ? kOwnVectors : 2>;
  OwnKernels kernels{sizeof(T), View::kRows, View::kCols, {}, &View::relax, &View::close};
  const T zero = S::zero();
  std::memcpy(kernels.zero.data(), &zero, sizeof(T));
  return kernels;
}

}  // namespace detail
}  // namespace apsp
