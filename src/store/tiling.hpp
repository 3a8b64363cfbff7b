// Tiles of a matrix, and which of them are written.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "store/store.hpp"

namespace apsp::store {

/// The largest side of a tile: a tile of f64 then has 8 GiB, and chunk sizes cannot overflow.
inline constexpr std::int64_t kMostTile = 32768;

/// Throws `Error` (usage) if n or tile is out of range, the semiring lacks the type, a plane is
/// repeated, planes exclude the distances, or the selection is invalid.
void require_layout(const Layout& layout);
/// Throws `Error` (usage) unless the store holds the plane and the matrix contains the block.
void require_readable(const Store& store, Plane plane, Block block);
/// Also requires whole tiles.
void require_writable(const Store& store, Plane plane, Block block);

/// Throws `Error` (does_not_fit) if rows × row_bytes overflows.
std::int64_t matrix_bytes(std::int64_t rows, std::int64_t row_bytes);

/// Strides are in bytes.
void copy_rows(std::byte* to, std::int64_t to_stride, const std::byte* from,
               std::int64_t from_stride, std::int64_t rows, std::int64_t row_bytes);

struct Tiling {
  std::int64_t n = 0;
  std::int64_t tile = 1;

  std::int64_t count() const { return (n + tile - 1) / tile; }
  std::int64_t first(std::int64_t t) const { return t * tile; }
  std::int64_t extent(std::int64_t t) const { return n - first(t) < tile ? n - first(t) : tile; }
};

/// The tiles of each plane that are written.
class WrittenTiles {
 public:
  explicit WrittenTiles(const Layout& layout);
  void mark(Plane plane, Block block);
  void mark_band(Plane plane, std::int64_t ti, bool written = true);
  bool holds_band(Plane plane, std::int64_t ti) const;
  /// Throws `Error` (usage) that names the first missing tile.
  void require_complete(const std::string& path) const;

 private:
  std::int64_t index(Plane plane, std::int64_t ti, std::int64_t tj) const;

  Tiling rows_, cols_;
  std::vector<Plane> planes_;
  std::unique_ptr<std::atomic<bool>[]> written_;  // [planes, tiles of rows, tiles of columns]
};

}  // namespace apsp::store
