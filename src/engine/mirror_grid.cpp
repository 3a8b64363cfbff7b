#include "engine/mirror_grid.hpp"

#include <algorithm>
#include <cstring>

#include "base/team.hpp"
#include "kernels/transpose.hpp"

namespace apsp::engine {
namespace {

using kernels::View;

/// One process's part, tiles counted as they are held.
class LocalTiles {
 public:
  explicit LocalTiles(const places::TiledMatrix& held) : held_(held) {}

  std::int64_t tile() const { return held_.tile; }
  std::int64_t tile_rows() const { return (rows() + tile() - 1) / tile(); }
  std::int64_t tile_cols() const { return (cols() + tile() - 1) / tile(); }
  /// Rows, or columns, of the first `tiles` tiles.
  std::int64_t rows_of(std::int64_t tiles) const { return std::min(tiles * tile(), rows()); }
  std::int64_t cols_of(std::int64_t tiles) const { return std::min(tiles * tile(), cols()); }
  std::int64_t height(std::int64_t ti) const { return rows_of(ti + 1) - rows_of(ti); }
  std::int64_t width(std::int64_t tj) const { return cols_of(tj + 1) - cols_of(tj); }
  View at(std::int64_t ti, std::int64_t tj) const {
    return kernels::part(held_.matrix, held_.value_size, ti * tile(), tj * tile(), height(ti),
                         width(tj));
  }
  int value_size() const { return held_.value_size; }

 private:
  std::int64_t rows() const { return held_.matrix.rows; }
  std::int64_t cols() const { return held_.matrix.cols; }
  const places::TiledMatrix& held_;
};

void mirror_alone(const LocalTiles& part, int threads) {
  base::share_items(part.tile_rows(), threads, [&](std::int64_t ti) {
    for (std::int64_t tj = 0; tj < ti; ++tj) {
      kernels::transpose(part.at(tj, ti), part.at(ti, tj), part.value_size());
    }
  });
}

/// How many tiles of row `ti` that the process at (row, col) of the grid holds lie below the
/// diagonal of the matrix.
std::int64_t below(std::int64_t ti, int row, int col) { return ti + (row > col ? 1 : 0); }

std::byte* place(base::ByteVector& bytes, const LocalTiles& part, std::int64_t values) {
  return bytes.data() + values * part.value_size();
}

}  // namespace

void mirror_grid(Processes& processes, const places::TiledMatrix& held,
                 const places::BlockCyclic& rows, const places::BlockCyclic& columns, int threads) {
  const LocalTiles part(held);
  const int row = rows.rank, col = columns.rank;
  if (row == col) return mirror_alone(part, threads);
  const int across = col * columns.size + row;
  base::ByteVector leaving, coming;
  for (std::int64_t t = 0; t < std::max(part.tile_rows(), part.tile_cols()); ++t) {
    const int turn = static_cast<int>(t);
    if (t < part.tile_rows()) {
      const std::int64_t tiles = below(t, row, col), height = part.height(t);
      leaving.resize(static_cast<std::size_t>(height * part.cols_of(tiles) * part.value_size()));
      base::share_items(tiles, threads, [&](std::int64_t tj) {
        const View to{place(leaving, part, height * part.cols_of(tj)), part.width(tj), height,
                      height};
        kernels::transpose(to, part.at(t, tj), part.value_size());
      });
      processes.send(across, turn, leaving);
    }
    if (t < part.tile_cols()) {
      const std::int64_t tiles = below(t, col, row), width = part.width(t);
      coming.resize(static_cast<std::size_t>(width * part.rows_of(tiles) * part.value_size()));
      processes.receive(across, turn, coming);
    }
    processes.finish();
    if (t >= part.tile_cols()) continue;
    base::share_items(below(t, col, row), threads, [&](std::int64_t ti) {
      const View to = part.at(ti, t);
      const auto bytes = static_cast<std::size_t>(to.cols * part.value_size());
      for (std::int64_t i = 0; i < to.rows; ++i) {
        std::memcpy(static_cast<std::byte*>(to.data) + i * to.stride * part.value_size(),
                    place(coming, part, (part.rows_of(ti) + i) * to.cols), bytes);
      }
    });
  }
}

std::int64_t mirror_bytes(const places::TiledMatrix& held) {
  return held.tile * (held.matrix.rows + held.matrix.cols) * held.value_size;
}

}  // namespace apsp::engine
