#include "store/tiling.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/fail.hpp"

namespace apsp::store {
namespace {

std::string describe(Block block) {
  return fmt::format("rows {} to {} × columns {} to {}", block.row, block.row + block.rows,
                     block.col, block.col + block.cols);
}

bool within(std::int64_t first, std::int64_t count, std::int64_t n) {
  return first >= 0 && count >= 0 && first <= n && count <= n - first;
}

}  // namespace

void require_layout(const Layout& layout) {
  if (layout.n < 0 || layout.n > std::numeric_limits<Vertex>::max()) {
    base::fail(ErrorKind::usage, "a matrix of {} vertices", layout.n);
  }
  if (layout.tile < 1 || layout.tile > kMostTile) {
    base::fail(ErrorKind::usage, "a tile of side {}; 1 to {} are possible", layout.tile, kMostTile);
  }
  if (!supported(layout.semiring, layout.type)) {
    base::fail(ErrorKind::usage, "the semiring {} has no values of type {}",
               apsp::name(layout.semiring), apsp::name(layout.type));
  }
  for (const Plane plane : layout.planes) {
    if (std::ranges::count(layout.planes, plane) > 1) {
      base::fail(ErrorKind::usage, "the plane {} is named twice", name(plane));
    }
  }
  const bool has_distances = std::ranges::count(layout.planes, Plane::distance) > 0;
  if (!layout.planes.empty() && !has_distances) {
    base::fail(ErrorKind::usage, "a store without a distance plane");
  }
  require_distinct(layout.selection.sources, layout.n, "sources");
  require_distinct(layout.selection.targets, layout.n, "targets");
}

void require_readable(const Store& store, Plane plane, Block block) {
  const std::int64_t rows = store.layout().rows(), cols = store.layout().cols();
  if (!store.holds(plane)) {
    base::fail(ErrorKind::usage, "this result holds no {} matrix", name(plane));
  }
  if (!within(block.row, block.rows, rows) || !within(block.col, block.cols, cols)) {
    const std::string whole = store.layout().selection.all()
                                  ? fmt::format("{} vertices", rows)
                                  : fmt::format("{} rows and {} columns", rows, cols);
    base::fail(ErrorKind::usage, "{} of a matrix of {}", describe(block), whole);
  }
}

void require_writable(const Store& store, Plane plane, Block block) {
  require_readable(store, plane, block);
  const std::int64_t tile = store.layout().tile;
  const auto whole = [&](std::int64_t first, std::int64_t count, std::int64_t side) {
    return first % tile == 0 && (first + count == side || (first + count) % tile == 0);
  };
  if (!whole(block.row, block.rows, store.layout().rows()) ||
      !whole(block.col, block.cols, store.layout().cols())) {
    base::fail(ErrorKind::usage, "{} are not whole tiles of side {}", describe(block), tile);
  }
}

std::int64_t matrix_bytes(std::int64_t rows, std::int64_t row_bytes) {
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(rows, row_bytes, &bytes)) {
    base::fail(ErrorKind::does_not_fit,
               "a matrix of {} rows of {} bytes each is larger than any file or "
               "memory can be",
               rows, row_bytes);
  }
  return bytes;
}

void copy_rows(std::byte* to, std::int64_t to_stride, const std::byte* from,
               std::int64_t from_stride, std::int64_t rows, std::int64_t row_bytes) {
  if (rows == 0 || row_bytes == 0) return;
  if (to_stride == row_bytes && from_stride == row_bytes) {
    std::memcpy(to, from, static_cast<std::size_t>(rows * row_bytes));
    return;
  }
  for (std::int64_t i = 0; i < rows; ++i) {
    std::memcpy(to + i * to_stride, from + i * from_stride, static_cast<std::size_t>(row_bytes));
  }
}

WrittenTiles::WrittenTiles(const Layout& layout)
    : rows_{layout.rows(), layout.tile}, cols_{layout.cols(), layout.tile}, planes_(layout.planes) {
  const std::int64_t tiles = rows_.count() * cols_.count();
  written_ =
      std::make_unique<std::atomic<bool>[]>(planes_.size() * static_cast<std::size_t>(tiles));
}

std::int64_t WrittenTiles::index(Plane plane, std::int64_t ti, std::int64_t tj) const {
  const std::int64_t position = std::ranges::find(planes_, plane) - planes_.begin();
  return (position * rows_.count() + ti) * cols_.count() + tj;
}

void WrittenTiles::mark(Plane plane, Block block) {
  const std::int64_t tile = rows_.tile;
  for (std::int64_t row = block.row; row < block.row + block.rows; row += tile) {
    for (std::int64_t col = block.col; col < block.col + block.cols; col += tile) {
      written_[static_cast<std::size_t>(index(plane, row / tile, col / tile))] = true;
    }
  }
}

void WrittenTiles::mark_band(Plane plane, std::int64_t ti, bool written) {
  for (std::int64_t tj = 0; tj < cols_.count(); ++tj) {
    written_[static_cast<std::size_t>(index(plane, ti, tj))] = written;
  }
}

bool WrittenTiles::holds_band(Plane plane, std::int64_t ti) const {
  for (std::int64_t tj = 0; tj < cols_.count(); ++tj) {
    if (!written_[static_cast<std::size_t>(index(plane, ti, tj))]) return false;
  }
  return true;
}

void WrittenTiles::require_complete(const std::string& path) const {
  for (const Plane plane : planes_) {
    for (std::int64_t ti = 0; ti < rows_.count(); ++ti) {
      for (std::int64_t tj = 0; tj < cols_.count(); ++tj) {
        if (written_[static_cast<std::size_t>(index(plane, ti, tj))]) continue;
        base::fail(ErrorKind::usage, "{}: tile ({}, {}) of {} was never written", path, ti, tj,
                   name(plane));
      }
    }
  }
}

}  // namespace apsp::store
