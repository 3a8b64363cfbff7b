#include "algorithms/one_memory.hpp"

#include <apsp/error.hpp>
#include <string>

#include "algorithms/blocked_floyd_warshall.hpp"
#include "kernels/transpose.hpp"

namespace apsp {
namespace {

constexpr std::int64_t kAlignment = 64;  // of packed operands, bytes
constexpr int kViaSize = sizeof(std::int32_t);

std::int64_t aligned(std::int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

double cube(std::int64_t n) {
  const auto side = static_cast<double>(n);
  return side * side * side;
}

}  // namespace

OneMemory::OneMemory(Tiling tiling, Shape shape, const kernels::TileOperations& operations,
                     kernels::Cycles cycles, int threads, const Control& control,
                     std::optional<Witness> witness)
    : tiling_(tiling),
      shape_(shape),
      operations_(operations),
      witness_(witness),
      cycles_(cycles),
      threads_(threads),
      control_(control),
      left_bytes_(aligned(operations.packed.left_bytes(tiling.tile, tiling.tile))),
      right_bytes_(aligned(operations.packed.right_bytes(tiling.tile, tiling.tile))),
      panels_(panel_bytes(tiling, operations)),
      steps_(std::make_unique<Step[]>(static_cast<std::size_t>(tiling.tiles()))) {
  plan_items();
}

std::int64_t OneMemory::panel_bytes(const Tiling& tiling,
                                    const kernels::TileOperations& operations) {
  return 2 * tiling.tiles() *
         (aligned(operations.packed.left_bytes(tiling.tile, tiling.tile)) +
          aligned(operations.packed.right_bytes(tiling.tile, tiling.tile)));
}

void OneMemory::plan_items() {
  const std::int64_t n = tiles();
  // A row of tiles is one task where there are many; few tiles are shared out in smaller parts.
  constexpr std::int64_t kTasksAThread = 16;
  row_parts_ = 1;
  while (row_parts_ < n && n * row_parts_ < kTasksAThread * threads_) row_parts_ *= 2;
  for (std::int64_t k = 0; k < n; ++k) {
    Step& step = steps_[static_cast<std::size_t>(k)];
    step.close.set_items(1);
    step.panels.set_items(shape_ == Shape::full ? 2 * (n - 1) : n - 1);
    step.diagonal.set_items(k + 1 < n ? 1 : 0);
    step.cross.set_items(k + 1 < n ? (shape_ == Shape::full ? 2 * (n - 2) : n - 2) : 0);
    step.rest.set_items(n * row_parts_);
  }
}

void OneMemory::run() {
  progress_ = std::make_unique<base::ProgressTask>(
      control_, "Floyd-Warshall", cube(tiling_.n()) / (shape_ == Shape::full ? 1 : 2),
      "relaxation");
#pragma omp parallel num_threads(threads_)
  blocked_floyd_warshall(*this);
  progress_.reset();
  base::check_cancelled(control_);
  if (const std::int64_t vertex = cycle_vertex_; vertex >= 0) {
    throw Error::negative_cycle({{static_cast<std::uint32_t>(vertex)}, 0},
                                "a negative cycle leads through vertex number " +
                                    std::to_string(vertex) + " (counted from 0)");
  }
  if (shape_ == Shape::symmetric) mirror();
}

std::byte* OneMemory::left(std::int64_t k, std::int64_t ti) {
  return panels_.data() + (k % 2) * (panels_.bytes() / 2) + ti * left_bytes_;
}

std::byte* OneMemory::right(std::int64_t k, std::int64_t tj) {
  return left(k, tiles()) + tj * right_bytes_;
}

std::int64_t OneMemory::close_tile(std::int64_t k) {
  if (!witness_) return operations_.close(tiling_.at(k, k), cycles_);
  return witness_->operations.close(tiling_.at(k, k), witness_->via.at(k, k), cycles_,
                                    k * tiling_.tile);
}

void OneMemory::close(std::int64_t k) {
  // Whoever comes first closes and waits for one tile only; the others go on.
  steps_[static_cast<std::size_t>(k)].close.share([&](std::int64_t) {
    if (k > 0) steps_[static_cast<std::size_t>(k - 1)].diagonal.await(stop_);
    if (stopped()) return;
    const std::int64_t pivot = close_tile(k);
    if (pivot < 0) return;
    cycle_vertex_ = k * tiling_.tile + pivot;
    stop_ = true;
  });
}

void OneMemory::update_panels(std::int64_t k) {
  Step& step = steps_[static_cast<std::size_t>(k)];
  step.close.await(stop_);
  if (k > 0) steps_[static_cast<std::size_t>(k - 1)].cross.await(stop_);
  step.panels.share([&](std::int64_t item) {
    if (stopped()) return;
    const std::int64_t other = item % (tiles() - 1);
    const std::int64_t t = other < k ? other : other + 1;
    if (shape_ == Shape::symmetric) {
      update_both_panel_tiles(k, t);
    } else if (item < tiles() - 1) {
      update_row_panel_tile(k, t);
    } else {
      update_column_panel_tile(k, t);
    }
  });
}

void OneMemory::multiply_left(std::int64_t k, std::int64_t tj) {
  const kernels::Tile closed = tiling_.at(k, k);
  const kernels::Tile row = tiling_.at(k, tj);
  if (!witness_) return operations_.multiply_left(closed, row);
  witness_->operations.multiply_left(closed, row, witness_->via.at(k, tj), k * tiling_.tile);
}

void OneMemory::multiply_right(std::int64_t ti, std::int64_t k) {
  const kernels::Tile closed = tiling_.at(k, k);
  const kernels::Tile column = tiling_.at(ti, k);
  if (!witness_) return operations_.multiply_right(column, closed);
  witness_->operations.multiply_right(column, witness_->via.at(ti, k), closed, k * tiling_.tile);
}

void OneMemory::update_row_panel_tile(std::int64_t k, std::int64_t tj) {
  multiply_left(k, tj);
  operations_.packed.pack_right(tiling_.at(k, tj), false, right(k, tj));
}

void OneMemory::update_column_panel_tile(std::int64_t k, std::int64_t ti) {
  multiply_right(ti, k);
  operations_.packed.pack_left(tiling_.at(ti, k), false, left(k, ti));
}

void OneMemory::update_both_panel_tiles(std::int64_t k, std::int64_t t) {
  // The lower triangle holds A(t,k) for t > k and A(k,t) for t < k; the other one is its transpose.
  const bool below = t > k;
  const kernels::Tile stored = below ? tiling_.at(t, k) : tiling_.at(k, t);
  if (below) {
    multiply_right(t, k);
  } else {
    multiply_left(k, t);
  }
  operations_.packed.pack_left(stored, !below, left(k, t));
  operations_.packed.pack_right(stored, below, right(k, t));
}

void OneMemory::update_tile(std::int64_t k, std::int64_t ti, std::int64_t tj) {
  const kernels::Tile c = tiling_.at(ti, tj);
  if (witness_) {
    witness_->operations.multiply_packed(c, witness_->via.at(ti, tj), left(k, ti), right(k, tj),
                                         tiling_.extent(k), k * tiling_.tile);
  } else {
    operations_.packed.multiply_add(c, left(k, ti), right(k, tj), tiling_.extent(k));
  }
}

void OneMemory::update_cross(std::int64_t k) {
  Step& step = steps_[static_cast<std::size_t>(k)];
  step.panels.await(stop_);
  // Every tile must have left step k − 1; by now nearly all have.
  if (k > 0) steps_[static_cast<std::size_t>(k - 1)].rest.await(stop_);
  const std::int64_t next = k + 1;
  step.diagonal.share([&](std::int64_t) {
    if (!stopped()) update_tile(k, next, next);
  });
  step.cross.share([&](std::int64_t item) {
    if (stopped()) return;
    const std::int64_t other = item % (tiles() - 2);
    const std::int64_t t = other < k ? other : other + 2;  // neither k nor k + 1
    const bool row = shape_ == Shape::symmetric ? t < next : item < tiles() - 2;
    row ? update_tile(k, next, t) : update_tile(k, t, next);
  });
}

void OneMemory::update_rest(std::int64_t k) {
  Step& step = steps_[static_cast<std::size_t>(k)];
  step.panels.await(stop_);
  if (k > 0) steps_[static_cast<std::size_t>(k - 1)].rest.await(stop_);
  step.rest.share([&](std::int64_t item) { update_rest_row(k, item); });
}

void OneMemory::update_rest_row(std::int64_t k, std::int64_t item) {
  const std::int64_t ti = item / row_parts_;
  const std::int64_t part = item % row_parts_;
  const std::int64_t end = shape_ == Shape::full ? tiles() : ti + 1;
  std::int64_t columns = 0;
  for (std::int64_t tj = part; tj < end; tj += row_parts_) {
    if (base::cancelled(control_)) stop_ = true;
    if (stopped()) return;
    columns += tiling_.extent(tj);
    const bool elsewhere = ti == k || tj == k || ti == k + 1 || tj == k + 1;
    if (!elsewhere) update_tile(k, ti, tj);
  }
  // Panels and cross count here, so that progress ends at the total.
  progress_->advance(static_cast<double>(tiling_.extent(ti)) * static_cast<double>(columns) *
                     static_cast<double>(tiling_.extent(k)));
}

void OneMemory::mirror() {
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
  for (std::int64_t ti = 0; ti < tiles(); ++ti) {
    for (std::int64_t tj = 0; tj < ti; ++tj) {
      kernels::transpose(tiling_.at(tj, ti), tiling_.at(ti, tj), tiling_.value_size);
      if (!witness_) continue;
      kernels::transpose(witness_->via.at(tj, ti), witness_->via.at(ti, tj), kViaSize);
    }
  }
}

}  // namespace apsp
