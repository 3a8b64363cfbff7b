#include "places/bit_memory.hpp"

#include <algorithm>

namespace apsp::places {
namespace {

/// Tiles of a task, at most 1 MiB of a strip: they stay in an L2 cache for all 512 pivots.
constexpr std::int64_t kTilesATask = 32;

}  // namespace

using kernels::cpu::BitMatrix;
using kernels::cpu::BitWords;

BitMemory::BitMemory(BitMatrix& matrix, int threads, const Control& control)
    : TeamPlace(matrix.strips(), threads, control, Panels::in_place),
      matrix_(matrix),
      operations_(kernels::cpu::bit_operations()),
      row_parts_(tasks_a_strip()),
      panels_(panel_bytes(matrix.n())) {
  const std::int64_t n = tiles();
  set_tasks({2 * (n - 1), 2 * n - 3, n * row_parts_});
}

std::int64_t BitMemory::tasks_a_strip() const {
  constexpr std::int64_t kTasksAThread = 16;
  std::int64_t parts = std::max<std::int64_t>(1, (tiles() + kTilesATask - 1) / kTilesATask);
  while (parts < tiles() && tiles() * parts < kTasksAThread * threads()) parts *= 2;
  return parts;
}

std::int64_t BitMemory::panel_bytes(std::int64_t n) {
  return 2 * BitMatrix::rows_of(n) * static_cast<std::int64_t>(sizeof(BitLine));
}

void BitMemory::run() {
  const auto n = static_cast<double>(matrix_.rows());
  run_team("closure", n * n * n);
}

std::uint64_t* BitMemory::left(Tile k) {
  return panels_.as<std::uint64_t>() + k.number() % 2 * BitLine::kWords * matrix_.rows();
}

void BitMemory::close_tile(Tile k) { operations_.close(line(k, k), extent(k)); }

void BitMemory::update_panel(Tile k, std::int64_t item) {
  const Tile t = panel_tile(k, item);
  if (item >= tiles() - 1) return copy_column_panel_tile(k, t);
  BitLine* const panel = line(k, t);
  operations_.multiply_add(panel, extent(k), BitWords::of(line(k, k)), panel, words(k));
}

void BitMemory::copy_column_panel_tile(Tile k, Tile ti) {
  const BitLine* const lines = line(kFirstTile, k);
  for (std::int64_t word = 0; word < BitLine::kWords; ++word) {
    std::uint64_t* const column = left(k) + word * matrix_.rows();
    for (std::int64_t i = row(ti); i < row(ti + 1); ++i) column[i] = lines[i].words[word];
  }
}

void BitMemory::update(Tile k, TileSpan rows, Tile strip) {
  if (rows.begin >= rows.end) return;
  const std::int64_t begin = row(rows.begin);
  const BitWords a{left(k) + begin, 1, matrix_.rows()};
  operations_.multiply_add(line(rows.begin, strip), row(rows.end) - begin, a, line(k, strip),
                           words(k));
}

void BitMemory::update_diagonal(Tile k) { update(k, only(k + 1), k + 1); }

void BitMemory::update_cross_tile(Tile k, std::int64_t item) {
  const Tile next = k + 1;
  if (item < tiles() - 1) {  // row k + 1, with column k
    const Tile strip(item);
    update(k, only(next), strip < next ? strip : strip + 1);
  } else {  // column k + 1
    const Tile other(item - (tiles() - 1));
    update(k, only(other < k ? other : other + 2), next);
  }
}

double BitMemory::update_rest_item(Tile k, std::int64_t item) {
  const Tile strip(item / row_parts_);
  const std::int64_t part = item % row_parts_;
  const TileSpan rows{Tile(part * tiles() / row_parts_), Tile((part + 1) * tiles() / row_parts_)};
  if (strip != k + 1) {
    update(k, {rows.begin, std::min(rows.end, k)}, strip);
    update(k, {std::max(rows.begin, k + 2), rows.end}, strip);
  }
  return static_cast<double>(row(rows.end) - row(rows.begin)) * static_cast<double>(extent(strip)) *
         static_cast<double>(extent(k));
}

}  // namespace apsp::places
