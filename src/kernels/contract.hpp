// The contract of kernels: operations on tiles over any semiring.
//
//   close(D)                      D ← D*             Floyd-Warshall inside a square tile
//   packed.pack_left, pack_right  L ← A, R ← B       operands in the order in which they are read
//   packed.multiply_add(C, L, R)  C ← C ⊕ A ⊗ B      panels and the outer update
//   multiply_add(C, A, B)         C ← C ⊕ A ⊗ B      operands without packing
//
// Solves use the first three. The last one is for `apsp bench`, and for the choice between two
// implementations of a minimum (cpu/cpu_kernels.cpp).
//
// Layout      Tiles are row-major views into a larger matrix; stride counts values, ≥ cols.
//             Any size from 0, any alignment of a value; padding is neither read nor written.
// Shapes      C [m, n], A [m, k], B [k, n]; D [b, b].
// Aliasing    C must not overlap A or B. A packed operand is a copy: a panel P is updated in place,
//             P ← P ⊕ D ⊗ P, by a product with P packed.
// No path     The semiring's zero. It absorbs in ⊗; entries of A and B at zero may be skipped. No
//             value is worse than zero.
// Sign        `Sign::non_negative` promises that no value of C, A, B is negative (min-plus and
//             max-plus). Integers then need no absorption test: a sum with "no path" is at least
//             "no path", and C is at most that.
// Cycles      close(D) takes pivots in order and checks each diagonal value before using it. If one
//             is better than the empty path (a negative cycle), close stops and returns the number
//             of the pivot, with D unspecified. Nothing overflows before, because every value is
//             the weight of a simple path. Given `Cycles::excluded` the caller has proved that
//             there are none, and such a diagonal value, a rounding error, is reset. Returns −1 for
//             none.
// Exactness   Integer values agree bit for bit between back ends. Floats may differ in how the sums
//             of a path associate.
// Threads     An operation runs on the calling thread; disjoint C's may be updated concurrently.
#pragma once

#include <apsp/semiring.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace apsp::kernels {

struct ConstView {
  const void* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t stride = 0;
};

struct View {
  void* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t stride = 0;

  operator ConstView() const { return {data, rows, cols, stride}; }
};

/// Returns rows [row, row + rows) × columns [col, col + cols) of a tile.
template <class T>
T part(T tile, int value_size, std::int64_t row, std::int64_t col, std::int64_t rows,
       std::int64_t cols) {
  using Byte = std::conditional_t<std::is_same_v<T, View>, std::byte, const std::byte>;
  if (rows == 0 || cols == 0) return {tile.data, rows, cols, tile.stride};
  auto* first = static_cast<Byte*>(tile.data) + (row * tile.stride + col) * value_size;
  return {first, rows, cols, tile.stride};
}

enum class Sign { any, non_negative };
enum class Cycles { possible, excluded };

/// Packed panels, used for many tiles. Left operands are [m, depth], right ones [depth, n]; the
/// transposed forms pack Aᵗ and Bᵗ (symmetric matrices stored as one triangle). Buffers: 64-byte
/// aligned.
struct PackedOperations {
  std::int64_t (*left_bytes)(std::int64_t rows, std::int64_t depth) = nullptr;
  std::int64_t (*right_bytes)(std::int64_t cols, std::int64_t depth) = nullptr;
  void (*pack_left)(ConstView a, bool transposed, void* out) = nullptr;
  void (*pack_right)(ConstView b, bool transposed, void* out) = nullptr;
  void (*multiply_add)(View c, const void* left, const void* right, std::int64_t depth) = nullptr;
};

/// The operations of a back end for one semiring and type; only code below them is compiled per
/// type.
struct TileOperations {
  Semiring semiring;
  ValueType type;
  int value_size;  // bytes
  void (*multiply_add)(View c, ConstView a, ConstView b);
  std::int64_t (*close)(View d, Cycles cycles);
  PackedOperations packed;
};

inline constexpr std::int32_t kNoVia = -1;
inline constexpr int kViaSize = sizeof(std::int32_t);

/// Operations with a witness: a second int32 matrix of C's shape. via(i,j) ← the number of pivot k
/// whenever A(i,k) ⊗ B(k,j) strictly improves C(i,j); kNoVia means an edge, the empty path, or no
/// path. `first_pivot` is the vertex number of A's first column. A best path is path(i,k) ·
/// path(k,j) with k = via(i,j).
///
/// This recursion terminates for any order of updates. An improvement reads two older values; if
/// these are final, both entries were set earlier, so time decreases from (i,j) to (i,k) and (k,j).
/// Exact sums are always final, even with zero weights and ties: otherwise the closed
/// matrix would hold a better value for (i,j). If ⊗ never improves a value (no negative weights,
/// bottlenecks), a part is no worse than the whole, and strictly better if it was improved since:
/// (value, time) decreases, rounding included. Only rounded sums of negative weights can form a
/// cycle, which readers of via must detect. Diagonal tiles are closed before they are used, so the
/// two parts may share a vertex in a cycle of cost zero, which readers must leave out.
struct WitnessOperations {
  std::int64_t (*close)(View d, View via, Cycles cycles, std::int64_t first_pivot) = nullptr;
  void (*multiply_packed)(View c, View via, const void* left, const void* right, std::int64_t depth,
                          std::int64_t first_pivot) = nullptr;
};

}  // namespace apsp::kernels
