// The kernel contract: what every dense algorithm here asks of tiles, over any semiring.
//
//   close(D)                      D ← D*             Floyd-Warshall inside a square tile
//   packed.pack_left, pack_right  L ← A, R ← B       operands in the order in which they are read
//   packed.multiply_add(C, L, R)  C ← C ⊕ A ⊗ B      panels and the outer update
//   multiply_add(C, A, B)         C ← C ⊕ A ⊗ B      of operands as they lie: what packing is worth
//
// Solves take the first three. `apsp bench` holds the last one against the packed product, and the
// choice between two ways of one minimum is made by it (cpu/cpu_kernels.cpp).
//
// Layout      Tiles are row-major views into a larger matrix; stride counts values, ≥ cols.
//             Any size from 0 on, any alignment of a value; no padding may be read or written.
// Shapes      C [m, n], A [m, k], B [k, n]; D [b, b].
// Aliasing    C must not overlap A or B. A packed operand is a copy: a panel P is updated in place,
//             P ← P ⊕ D ⊗ P, by a product with P packed.
// No path     is the semiring's zero. It absorbs in ⊗, and entries of A and B at zero may be
//             skipped. Every value is at worst zero, never beyond it.
// Sign        `Sign::non_negative` promises that no value of C, A, B is negative (min-plus and
//             max-plus; the others do not care). Integers need no absorption test then: a sum with
//             no path is at least no path, and C is at most that.
// Cycles      close(D) meets its pivots in order and checks each diagonal value before using it.
//             One that is better than the empty path lies on a negative cycle: close stops there
//             and returns the pivot's number, D then unspecified. No value has overflowed before:
//             with no such pivot used, every value is the weight of a simple path. With
//             `Cycles::excluded` the caller has proved that there are none; a diagonal value better
//             than the empty path is then rounding and is put back. Returns −1 for "none".
// Exactness   Integer values agree bit for bit between back ends. Floats may differ in how the sums
//             of a path associate.
// Threads     An operation runs only on the calling thread; disjoint C's may run at the same time.
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
  std::int64_t stride = 0;  // values
};

struct View {
  void* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t stride = 0;  // values

  operator ConstView() const { return {data, rows, cols, stride}; }
};

/// Rows [row, row + rows) × columns [col, col + cols) of a tile.
template <class T>
T part(T tile, int value_size, std::int64_t row, std::int64_t col, std::int64_t rows,
       std::int64_t cols) {
  using Byte = std::conditional_t<std::is_same_v<T, View>, std::byte, const std::byte>;
  if (rows == 0 || cols == 0) return {tile.data, rows, cols, tile.stride};  // there may be no data
  auto* first = static_cast<Byte*>(tile.data) + (row * tile.stride + col) * value_size;
  return {first, rows, cols, tile.stride};
}

enum class Sign { any, non_negative };
enum class Cycles { possible, excluded };

/// Panels in the order in which multiply_add reads them: packed once, used for many tiles. Left
/// operands are [m, depth], right ones [depth, n]; the transposed forms pack Aᵗ and Bᵗ, for
/// symmetric matrices that are kept as one triangle. Buffers are 64-byte aligned.
struct PackedOperations {
  std::int64_t (*left_bytes)(std::int64_t rows, std::int64_t depth) = nullptr;
  std::int64_t (*right_bytes)(std::int64_t cols, std::int64_t depth) = nullptr;
  void (*pack_left)(ConstView a, bool transposed, void* out) = nullptr;
  void (*pack_right)(ConstView b, bool transposed, void* out) = nullptr;
  /// C ← C ⊕ A ⊗ B; left: [c.rows, depth], right: [depth, c.cols].
  void (*multiply_add)(View c, const void* left, const void* right, std::int64_t depth) = nullptr;
};

/// One semiring and value type of one back end, as plain function pointers: above this line nothing
/// is compiled per type.
struct TileOperations {
  Semiring semiring;
  ValueType type;
  int value_size;  // bytes
  void (*multiply_add)(View c, ConstView a, ConstView b);
  std::int64_t (*close)(View d, Cycles cycles);
  PackedOperations packed;
};

inline constexpr std::int32_t kNoVia = -1;
inline constexpr int kViaSize = sizeof(std::int32_t);  // bytes of an intermediate vertex

/// The operations of solves with a witness: a second matrix, int32, of C's shape. via(i,j) ← the
/// number of pivot k whenever C(i,j) is strictly improved by A(i,k) ⊗ B(k,j), and stays otherwise;
/// kNoVia: the edge itself, the empty path, or nothing. `first_pivot` is the vertex number of A's
/// first column. A best path is then path(i,k) · path(k,j) with k = via(i,j).
///
/// That recursion ends, in whatever order tiles are updated. An improvement reads two values that
/// stood before it. If both are still there at the end, both entries were last set earlier: time
/// falls from (i,j) to (i,k) and (k,j). With exact sums that is always so, zero weights and ties
/// included: were one better by now, the closed matrix would hold a better value for (i,j) too.
/// Where ⊗ never betters a value (no negative weights, bottlenecks) no part is worse than the
/// whole, and one that has improved since is strictly better than it: (value, time) falls, rounding
/// included. Only rounded sums of negative weights may close a circle; who reads via must notice.
/// Tiles are updated with closed diagonal tiles, so where a cycle costs nothing (zero weight,
/// bottlenecks) the two parts may share a vertex: leave the cycle out.
struct WitnessOperations {
  std::int64_t (*close)(View d, View via, Cycles cycles, std::int64_t first_pivot) = nullptr;
  /// Operands as `PackedOperations` of the same semiring, type and sign packs them.
  void (*multiply_packed)(View c, View via, const void* left, const void* right, std::int64_t depth,
                          std::int64_t first_pivot) = nullptr;
};

}  // namespace apsp::kernels
