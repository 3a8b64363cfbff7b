#include "algorithms/bit_memory.hpp"

#include <algorithm>

#include "algorithms/blocked_floyd_warshall.hpp"

namespace apsp {

using kernels::cpu::BitLine;
using kernels::cpu::BitMatrix;
using kernels::cpu::BitWords;

BitMemory::BitMemory(BitMatrix& matrix, int threads, const Control& control)
    : matrix_(matrix),
      operations_(kernels::cpu::bit_operations()),
      threads_(threads),
      control_(control),
      panels_(panel_bytes(matrix.n())),
      steps_(std::make_unique<Step[]>(static_cast<std::size_t>(matrix.strips()))) {
  plan_items();
}

std::int64_t BitMemory::panel_bytes(std::int64_t n) {
  return 2 * BitMatrix::rows_of(n) * static_cast<std::int64_t>(sizeof(BitLine));
}

void BitMemory::plan_items() {
  const std::int64_t n = tiles();
  // The rows of one task, at most 1 MiB of a strip, stay in an L2 cache for all 512 pivots. Few
  // strips are shared out in smaller parts, so that each thread has several.
  constexpr std::int64_t kTilesATask = 32;
  constexpr std::int64_t kTasksAThread = 16;
  row_parts_ = std::max<std::int64_t>(1, (n + kTilesATask - 1) / kTilesATask);
  while (row_parts_ < n && n * row_parts_ < kTasksAThread * threads_) row_parts_ *= 2;
  for (std::int64_t k = 0; k < n; ++k) {
    Step& step = steps_[static_cast<std::size_t>(k)];
    const bool last = k + 1 == n;
    step.close.set_items(1);
    step.panels.set_items(2 * (n - 1));
    step.diagonal.set_items(last ? 0 : 1);
    step.cross.set_items(last ? 0 : 2 * n - 3);
    step.rest.set_items(n * row_parts_);
  }
}

void BitMemory::run() {
  const auto n = static_cast<double>(matrix_.rows());
  progress_ = std::make_unique<base::ProgressTask>(control_, "closure", n * n * n, "relaxation");
#pragma omp parallel num_threads(threads_)
  blocked_floyd_warshall(*this);
  progress_.reset();
  base::check_cancelled(control_);
}

std::uint64_t* BitMemory::left(std::int64_t k) {
  return panels_.as<std::uint64_t>() + k % 2 * BitLine::kWords * matrix_.rows();
}

void BitMemory::close(std::int64_t k) {
  steps_[static_cast<std::size_t>(k)].close.share([&](std::int64_t) {
    if (k > 0) steps_[static_cast<std::size_t>(k - 1)].diagonal.await(stop_);
    if (stopped()) return;
    operations_.close(matrix_.line(k * BitLine::kColumns, k), matrix_.extent(k));
  });
}

void BitMemory::update_panels(std::int64_t k) {
  Step& step = steps_[static_cast<std::size_t>(k)];
  step.close.await(stop_);
  if (k > 0) steps_[static_cast<std::size_t>(k - 1)].cross.await(stop_);
  step.panels.share([&](std::int64_t item) {
    if (stopped()) return;
    const std::int64_t other = item % (tiles() - 1);
    const std::int64_t t = other < k ? other : other + 1;
    if (item >= tiles() - 1) return copy_column_panel_tile(k, t);
    BitLine* const panel = matrix_.line(k * BitLine::kColumns, t);
    const BitLine* const closed = matrix_.line(k * BitLine::kColumns, k);
    operations_.multiply_add(panel, matrix_.extent(k), BitWords::of(closed), panel, words(k));
  });
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

void BitMemory::update_cross(std::int64_t k) {
  Step& step = steps_[static_cast<std::size_t>(k)];
  step.panels.await(stop_);
  if (k > 0) steps_[static_cast<std::size_t>(k - 1)].rest.await(stop_);
  const std::int64_t next = k + 1;
  step.diagonal.share([&](std::int64_t) {
    if (!stopped()) update(k, next, next + 1, next);
  });
  step.cross.share([&](std::int64_t item) {
    if (stopped()) return;
    if (item < tiles() - 1) {  // row k + 1, with column k
      update(k, next, next + 1, item < next ? item : item + 1);
    } else {  // column k + 1
      const std::int64_t other = item - (tiles() - 1);
      const std::int64_t ti = other < k ? other : other + 2;
      update(k, ti, ti + 1, next);
    }
  });
}

void BitMemory::update_rest(std::int64_t k) {
  Step& step = steps_[static_cast<std::size_t>(k)];
  step.panels.await(stop_);
  if (k > 0) steps_[static_cast<std::size_t>(k - 1)].rest.await(stop_);
  step.rest.share([&](std::int64_t item) { update_rest_strip(k, item); });
}

void BitMemory::update_rest_strip(std::int64_t k, std::int64_t item) {
  if (base::cancelled(control_)) stop_ = true;
  if (stopped()) return;
  const std::int64_t strip = item / row_parts_;
  const std::int64_t part = item % row_parts_;
  const std::int64_t first = part * tiles() / row_parts_;
  const std::int64_t last = (part + 1) * tiles() / row_parts_;
  if (strip != k + 1) {
    update(k, first, std::min(last, k), strip);
    update(k, std::max(first, k + 2), last, strip);
  }
  // Panels and cross count here, so that progress ends at the total.
  const std::int64_t end = std::min(last * BitLine::kColumns, matrix_.rows());
  const std::int64_t rows = std::max<std::int64_t>(0, end - first * BitLine::kColumns);
  progress_->advance(static_cast<double>(rows) * static_cast<double>(matrix_.extent(strip)) *
                     static_cast<double>(matrix_.extent(k)));
}

}  // namespace apsp
