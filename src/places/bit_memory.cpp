#include "places/bit_memory.hpp"

#include <algorithm>

namespace apsp::places {
namespace {

/// Tiles of a task, at most 1 MiB of a strip: they stay in an L2 cache for all 512 pivots.
constexpr std::int64_t kTilesATask = 32;

}  // namespace

using kernels::cpu::BitLine;
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

std::uint64_t* BitMemory::left(std::int64_t k) {
  return panels_.as<std::uint64_t>() + k % 2 * BitLine::kWords * matrix_.rows();
}

void BitMemory::close_tile(std::int64_t k) {
  operations_.close(matrix_.line(k * BitLine::kColumns, k), matrix_.extent(k));
}

void BitMemory::update_panel(std::int64_t k, std::int64_t item) {
  const std::int64_t t = panel_tile(k, item);
  if (item >= tiles() - 1) return copy_column_panel_tile(k, t);
  BitLine* const panel = matrix_.line(k * BitLine::kColumns, t);
  const BitLine* const closed = matrix_.line(k * BitLine::kColumns, k);
  operations_.multiply_add(panel, matrix_.extent(k), BitWords::of(closed), panel, words(k));
}

void BitMemory::copy_column_panel_tile(std::int64_t k, std::int64_t ti) {
  const std::int64_t begin = ti * BitLine::kColumns;
  const BitLine* const lines = matrix_.line(0, k);
  for (std::int64_t word = 0; word < BitLine::kWords; ++word) {
    std::uint64_t* const column = left(k) + word * matrix_.rows();
    for (std::int64_t i = begin; i < begin + matrix_.extent(ti); ++i) {
      column[i] = lines[i].words[word];
    }
  }
}

void BitMemory::update(std::int64_t k, std::int64_t first, std::int64_t last, std::int64_t strip) {
  if (first >= last) return;
  const std::int64_t begin = first * BitLine::kColumns;
  const std::int64_t end = std::min(last * BitLine::kColumns, matrix_.rows());
  const BitWords a{left(k) + begin, 1, matrix_.rows()};
  operations_.multiply_add(matrix_.line(begin, strip), end - begin, a,
                           matrix_.line(k * BitLine::kColumns, strip), words(k));
}

void BitMemory::update_diagonal(std::int64_t k) { update(k, k + 1, k + 2, k + 1); }

void BitMemory::update_cross_tile(std::int64_t k, std::int64_t item) {
  const std::int64_t next = k + 1;
  if (item < tiles() - 1) {  // row k + 1, with column k
    update(k, next, next + 1, item < next ? item : item + 1);
  } else {  // column k + 1
    const std::int64_t other = item - (tiles() - 1);
    const std::int64_t ti = other < k ? other : other + 2;
    update(k, ti, ti + 1, next);
  }
}

double BitMemory::update_rest_item(std::int64_t k, std::int64_t item) {
  const std::int64_t strip = item / row_parts_;
  const std::int64_t part = item % row_parts_;
  const std::int64_t first = part * tiles() / row_parts_;
  const std::int64_t last = (part + 1) * tiles() / row_parts_;
  if (strip != k + 1) {
    update(k, first, std::min(last, k), strip);
    update(k, std::max(first, k + 2), last, strip);
  }
  const std::int64_t end = std::min(last * BitLine::kColumns, matrix_.rows());
  const std::int64_t rows = std::max<std::int64_t>(0, end - first * BitLine::kColumns);
  return static_cast<double>(rows) * static_cast<double>(matrix_.extent(strip)) *
         static_cast<double>(matrix_.extent(k));
}

}  // namespace apsp::places
