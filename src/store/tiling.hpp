// How a matrix is cut into tiles, and what a writer has filled so far.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "store/store.hpp"

namespace apsp::store {

/// The largest side of a tile: one of f64 has 8 GiB, and sizes of chunks stay far from overflow.
inline constexpr std::int64_t kMostTile = 32768;

/// Throws `Error`: usage (an n or tile out of range, semiring without this type, a plane twice, or
/// others without the distances, a selection of what is not there or comes twice).
void require_layout(const Layout& layout);
/// Throws `Error` (usage) unless the plane is held and the block lies within the matrix.
void require_readable(const Store& store, Plane plane, Block block);
/// The same, and the block consists of whole tiles.
void require_writable(const Store& store, Plane plane, Block block);

/// Bytes of rows × row_bytes. Throws `Error` (does_not_fit) instead of an overflow.
std::int64_t matrix_bytes(std::int64_t rows, std::int64_t row_bytes);

/// Copies rows of `row_bytes` bytes; strides in bytes.
void copy_rows(std::byte* to, std::int64_t to_stride, const std::byte* from,
               std::int64_t from_stride, std::int64_t rows, std::int64_t row_bytes);

/// Of one side.
struct Tiling {
  std::int64_t n = 0;
  std::int64_t tile = 1;

  std::int64_t count() const { return (n + tile - 1) / tile; }
  std::int64_t first(std::int64_t t) const { return t * tile; }
  std::int64_t extent(std::int64_t t) const { return n - first(t) < tile ? n - first(t) : tile; }
};

/// Which tiles of which plane were written. A matrix with holes must not pass for a result.
class TileLedger {
 public:
  explicit TileLedger(const Layout& layout);
  void mark(Plane plane, Block block);
  /// All tiles of row `ti` were written, or were not.
  void mark_band(Plane plane, std::int64_t ti, bool written = true);
  /// Whether all tiles of row `ti` were written.
  bool holds_band(Plane plane, std::int64_t ti) const;
  /// Throws `Error` (usage) naming the first tile that was never written.
  void require_complete(const std::string& path) const;

 private:
  std::int64_t index(Plane plane, std::int64_t ti, std::int64_t tj) const;

  Tiling rows_, cols_;
  std::vector<Plane> planes_;
  std::unique_ptr<std::atomic<bool>[]> written_;  // [planes, tiles of rows, tiles of columns]
};

}  // namespace apsp::store
