#include "kernels/own/own_kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/rounded_up.hpp"
#include "kernels/close_by_halves.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::kernels::own {
namespace {

using detail::OwnKernels;

constexpr std::int64_t kAlignment = 64;  // of packed operands, bytes
constexpr std::int64_t kDepth = 192;  // steps of a register tile, as in kernels/cpu/product-inl.h
constexpr std::int64_t kTileBytes = 1536;  // of the largest register tile: AVX-512, 6 × 4 × 64

template <int size>
struct Value {
  std::byte bytes[size];
};

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

/// Relaxes the `rows` × `cols` part of a register tile at `corner` of C that exists.
void relax_edge(const OwnKernels& s, std::int64_t depth, const void* left, const void* right,
                std::byte* corner, std::int64_t stride, std::int64_t rows, std::int64_t cols) {
  alignas(kAlignment) std::byte whole[kTileBytes];
  const std::int64_t row_bytes = std::int64_t{s.cols} * s.value_size;
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

void update_strip(const OwnKernels& s, View c, std::int64_t col, const std::byte* left,
                  std::int64_t packed_depth, const std::byte* right, std::int64_t depth) {
  const std::int64_t cols = std::min<std::int64_t>(s.cols, c.cols - col);
  std::byte* const top = static_cast<std::byte*>(c.data) + col * s.value_size;
  const std::int64_t row_bytes = c.stride * s.value_size;
  for (std::int64_t row = 0; row < c.rows; row += s.rows) {
    const std::int64_t rows = std::min<std::int64_t>(s.rows, c.rows - row);
    std::byte* const corner = top + row * row_bytes;
    if (rows == s.rows && cols == s.cols) {
      // The tile to prefetch: the one below, or the top of the next strip.
      const bool below = row + 2 * rows <= c.rows;
      const std::byte* const next = below ? corner + rows * row_bytes : top + cols * s.value_size;
      s.relax(depth, left, right, corner, c.stride, next, c.stride);
    } else {
      relax_edge(s, depth, left, right, corner, c.stride, rows, cols);
    }
    left += s.rows * packed_depth * s.value_size;
  }
}

}  // namespace

std::int64_t left_bytes(const OwnKernels& s, std::int64_t rows, std::int64_t depth) {
  return base::rounded_up(rows, s.rows) * depth * s.value_size;
}

std::int64_t right_bytes(const OwnKernels& s, std::int64_t cols, std::int64_t depth) {
  return base::rounded_up(cols, s.cols) * depth * s.value_size;
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
  if (d.rows <= kSmallTile) return s.close(d.data, d.rows, d.stride);
  const std::int64_t left_size = base::rounded_up(left_bytes(s, d.rows, d.rows), kAlignment);
  system::AlignedMemory buffers(left_size + right_bytes(s, d.rows, d.rows));
  std::byte *const left = buffers.data(), *const right = left + left_size;
  const auto of = [&](const TilePart& p) { return part(d, s.value_size, p); };
  const auto close_small = [&](const TilePart& p) {
    const View tile = of(p);
    return s.close(tile.data, tile.rows, tile.stride);
  };
  // Operands are packed, so C may be A or B if the other one is closed.
  const auto multiply = [&](const TilePart& c, const TilePart& a, const TilePart& b) {
    pack_left(s, of(a), left);
    pack_right(s, of(b), right);
    multiply_add(s, of(c), left, right, a.cols);
  };
  return close_by_halves(0, d.rows, close_small, multiply, [](const TilePart&) {});
}

}  // namespace apsp::kernels::own
