#include "kernels/own/own_kernels.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/aligned_memory.hpp"

namespace apsp::kernels::own {
namespace {

using detail::OwnKernels;

constexpr std::int64_t kAlignment = 64;       // of packed operands, bytes
constexpr std::int64_t kDepth = 192;          // steps a register tile: as kernels/cpu/product-inl.h
constexpr std::int64_t kBase = 64;            // side of the largest tile closed pivot by pivot
constexpr std::int64_t kTileBytes = 6 * 256;  // of the largest register tile: AVX-512, 6 × 4

std::int64_t pieces(std::int64_t whole, std::int64_t piece) { return (whole + piece - 1) / piece; }

template <int size>
struct Value {
  std::byte bytes[size];
};

/// f(value) with a Value of the semiring's zero, whose type has the right size.
template <class F>
void with_value(const OwnKernels& s, F&& f) {
  const auto try_size = [&]<int size>() {
    if (s.value_size != size) return;
    Value<size> zero;
    std::memcpy(&zero, s.zero.data(), size);
    f(zero);
  };
  [&]<int... i>(std::integer_sequence<int, i...>) { (try_size.template operator()<i + 1>(), ...); }
  (std::make_integer_sequence<int, 16>());
}

const std::byte* advance(const void* from, std::int64_t bytes) {
  return static_cast<const std::byte*>(from) + bytes;
}

/// The register tile at `corner` of C, of which `rows` rows and `cols` columns exist, by way of a
/// whole one.
void relax_edge(const OwnKernels& s, std::int64_t depth, const void* left, const void* right,
                std::byte* corner, std::int64_t stride, std::int64_t rows, std::int64_t cols) {
  alignas(kAlignment) std::byte whole[kTileBytes];
  const std::int64_t row_bytes = s.cols * s.value_size;
  const auto used = static_cast<std::size_t>(cols * s.value_size);
  for (std::int64_t at = 0; at < s.rows * row_bytes; at += s.value_size) {
    std::memcpy(whole + at, s.zero.data(), static_cast<std::size_t>(s.value_size));
  }
  for (std::int64_t r = 0; r < rows; ++r) {
    std::memcpy(whole + r * row_bytes, corner + r * stride * s.value_size, used);
  }
  s.relax(depth, left, right, whole, s.cols, whole, 0);
  for (std::int64_t r = 0; r < rows; ++r) {
    std::memcpy(corner + r * stride * s.value_size, whole + r * row_bytes, used);
  }
}

/// The columns of C from `col` on that a strip of B covers, over `depth` steps.
void update_strip(const OwnKernels& s, View c, std::int64_t col, const std::byte* left,
                  std::int64_t packed_depth, const std::byte* right, std::int64_t depth) {
  const std::int64_t cols = std::min<std::int64_t>(s.cols, c.cols - col);
  std::byte* const top = static_cast<std::byte*>(c.data) + col * s.value_size;
  const std::int64_t row_bytes = c.stride * s.value_size;
  for (std::int64_t row = 0; row < c.rows; row += s.rows) {
    const std::int64_t rows = std::min<std::int64_t>(s.rows, c.rows - row);
    std::byte* const corner = top + row * row_bytes;
    if (rows == s.rows && cols == s.cols) {
      // Wanted after this one: the tile below, or the top of the next strip.
      const bool below = row + 2 * s.rows <= c.rows;
      const std::byte* const next =
          below ? corner + s.rows * row_bytes : top + s.cols * s.value_size;
      s.relax(depth, left, right, corner, c.stride, next, c.stride);
    } else {
      relax_edge(s, depth, left, right, corner, c.stride, rows, cols);
    }
    left += s.rows * packed_depth * s.value_size;
  }
}

View part_of(const OwnKernels& s, View d, std::int64_t row, std::int64_t col, std::int64_t rows,
             std::int64_t cols) {
  return part(d, s.value_size, row, col, rows, cols);
}

/// C ← C ⊕ A ⊗ B by way of buffers for both operands; C may be A or B where the other is closed.
void multiply_add_plain(const OwnKernels& s, View c, View a, View b, std::byte* left,
                        std::byte* right) {
  pack_left(s, a, left);
  pack_right(s, b, right);
  multiply_add(s, c, left, right, a.cols);
}

/// By halves, as kernels/cpu/close-inl.h (D'Alberto and Nicolau 2007).
std::int64_t close_by_halves(const OwnKernels& s, View d, std::byte* left, std::byte* right) {
  if (d.rows <= kBase) return s.close(d.data, d.rows, d.stride);
  const std::int64_t h = d.rows / 2;
  const std::int64_t rest = d.rows - h;
  const View d11 = part_of(s, d, 0, 0, h, h), d12 = part_of(s, d, 0, h, h, rest);
  const View d21 = part_of(s, d, h, 0, rest, h), d22 = part_of(s, d, h, h, rest, rest);
  const auto multiply = [&](View c, View a, View b) {
    multiply_add_plain(s, c, a, b, left, right);
  };
  if (const std::int64_t pivot = close_by_halves(s, d11, left, right); pivot >= 0) return pivot;
  multiply(d12, d11, d12);
  multiply(d21, d21, d11);
  multiply(d22, d21, d12);
  if (const std::int64_t pivot = close_by_halves(s, d22, left, right); pivot >= 0) {
    return h + pivot;
  }
  multiply(d21, d22, d21);
  multiply(d12, d12, d22);
  multiply(d11, d12, d21);
  return -1;
}

}  // namespace

std::int64_t left_bytes(const OwnKernels& s, std::int64_t rows, std::int64_t depth) {
  return pieces(rows, s.rows) * s.rows * depth * s.value_size;
}

std::int64_t right_bytes(const OwnKernels& s, std::int64_t cols, std::int64_t depth) {
  return pieces(cols, s.cols) * s.cols * depth * s.value_size;
}

void pack_left(const OwnKernels& s, ConstView a, void* out) {
  with_value(s, [&](const auto& zero) {
    using V = std::decay_t<decltype(zero)>;
    const V* from = static_cast<const V*>(a.data);
    V* to = static_cast<V*>(out);
    for (std::int64_t row = 0; row < a.rows; row += s.rows, from += s.rows * a.stride) {
      const std::int64_t rows = std::min<std::int64_t>(s.rows, a.rows - row);
      for (std::int64_t k = 0; k < a.cols; ++k, to += s.rows) {
        for (std::int64_t r = 0; r < rows; ++r) to[r] = from[r * a.stride + k];
        std::fill(to + rows, to + s.rows, zero);
      }
    }
  });
}

void pack_right(const OwnKernels& s, ConstView b, void* out) {
  with_value(s, [&](const auto& zero) {
    using V = std::decay_t<decltype(zero)>;
    V* to = static_cast<V*>(out);
    for (std::int64_t col = 0; col < b.cols; col += s.cols) {
      const std::int64_t cols = std::min<std::int64_t>(s.cols, b.cols - col);
      const V* from = static_cast<const V*>(b.data) + col;
      for (std::int64_t k = 0; k < b.rows; ++k, to += s.cols, from += b.stride) {
        std::copy(from, from + cols, to);
        std::fill(to + cols, to + s.cols, zero);
      }
    }
  });
}

void multiply_add(const OwnKernels& s, View c, const void* left, const void* right,
                  std::int64_t depth) {
  for (std::int64_t col = 0; col < c.cols; col += s.cols) {
    for (std::int64_t k = 0; k < depth; k += kDepth) {
      update_strip(s, c, col, advance(left, k * s.rows * s.value_size), depth,
                   advance(right, k * s.cols * s.value_size), std::min(kDepth, depth - k));
    }
    right = advance(right, depth * s.cols * s.value_size);
  }
}

std::int64_t close(const OwnKernels& s, View d) {
  if (d.rows <= kBase) return s.close(d.data, d.rows, d.stride);
  const std::int64_t left = pieces(left_bytes(s, d.rows, d.rows), kAlignment) * kAlignment;
  base::AlignedMemory buffers(left + right_bytes(s, d.rows, d.rows));
  return close_by_halves(s, d, buffers.data(), buffers.data() + left);
}

}  // namespace apsp::kernels::own
