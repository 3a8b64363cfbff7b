#include "algorithms/one_memory.hpp"

#include "algorithms/negative_cycle.hpp"
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
    : TeamPlace(tiling.tiles(), threads, control),
      tiling_(tiling),
      shape_(shape),
      operations_(operations),
      witness_(witness),
      cycles_(cycles),
      row_parts_(row_parts()),
      left_bytes_(aligned(operations.packed.left_bytes(tiling.tile, tiling.tile))),
      right_bytes_(aligned(operations.packed.right_bytes(tiling.tile, tiling.tile))),
      panels_(panel_bytes(tiling, operations)) {
  const std::int64_t n = tiles();
  const std::int64_t panels = shape == Shape::full ? 2 : 1;
  set_tasks({panels * (n - 1), panels * (n - 2), n * row_parts_});
}

std::int64_t OneMemory::panel_bytes(const Tiling& tiling,
                                    const kernels::TileOperations& operations) {
  return 2 * tiling.tiles() *
         (aligned(operations.packed.left_bytes(tiling.tile, tiling.tile)) +
          aligned(operations.packed.right_bytes(tiling.tile, tiling.tile)));
}

void OneMemory::run() {
  run_team("Floyd-Warshall", cube(tiling_.n()) / (shape_ == Shape::full ? 1 : 2));
  throw_negative_cycle(cycle_vertex_);
  if (shape_ == Shape::symmetric) mirror();
}

std::byte* OneMemory::left(std::int64_t k, std::int64_t ti) {
  return panels_.data() + (k % 2) * (panels_.bytes() / 2) + ti * left_bytes_;
}

std::byte* OneMemory::right(std::int64_t k, std::int64_t tj) {
  return left(k, tiles()) + tj * right_bytes_;
}

void OneMemory::close_tile(std::int64_t k) {
  const kernels::Tile tile = tiling_.at(k, k);
  const std::int64_t pivot =
      witness_ ? witness_->operations.close(tile, witness_->via.at(k, k), cycles_, k * tiling_.tile)
               : operations_.close(tile, cycles_);
  if (pivot >= 0) {
    cycle_vertex_ = k * tiling_.tile + pivot;
    return stop();
  }
  operations_.packed.pack_left(tile, false, left(k, k));
  operations_.packed.pack_right(tile, false, right(k, k));
}

void OneMemory::update_panel(std::int64_t k, std::int64_t item) {
  const std::int64_t t = panel_tile(k, item);
  if (shape_ == Shape::symmetric) return update_both_panel_tiles(k, t);
  item < tiles() - 1 ? update_row_panel_tile(k, t) : update_column_panel_tile(k, t);
}

void OneMemory::update_row_panel_tile(std::int64_t k, std::int64_t tj) {
  // Packed as it is, for its own update; then as it has become, for the rest.
  const kernels::Tile tile = tiling_.at(k, tj);
  operations_.packed.pack_right(tile, false, right(k, tj));
  update_tile(k, k, tj);
  operations_.packed.pack_right(tile, false, right(k, tj));
}

void OneMemory::update_column_panel_tile(std::int64_t k, std::int64_t ti) {
  const kernels::Tile tile = tiling_.at(ti, k);
  operations_.packed.pack_left(tile, false, left(k, ti));
  update_tile(k, ti, k);
  operations_.packed.pack_left(tile, false, left(k, ti));
}

void OneMemory::update_both_panel_tiles(std::int64_t k, std::int64_t t) {
  // The lower triangle holds A(t,k) for t > k and A(k,t) for t < k; the other one is its transpose.
  const bool below = t > k;
  if (below) {
    update_column_panel_tile(k, t);
    operations_.packed.pack_right(tiling_.at(t, k), true, right(k, t));
  } else {
    update_row_panel_tile(k, t);
    operations_.packed.pack_left(tiling_.at(k, t), true, left(k, t));
  }
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

void OneMemory::update_diagonal(std::int64_t k) { update_tile(k, k + 1, k + 1); }

void OneMemory::update_cross_tile(std::int64_t k, std::int64_t item) {
  const std::int64_t next = k + 1;
  const std::int64_t other = item % (tiles() - 2);
  const std::int64_t t = other < k ? other : other + 2;  // neither k nor k + 1
  const bool row = shape_ == Shape::symmetric ? t < next : item < tiles() - 2;
  row ? update_tile(k, next, t) : update_tile(k, t, next);
}

void OneMemory::update_rest_part(std::int64_t k, std::int64_t item) {
  const std::int64_t ti = item / row_parts_;
  const std::int64_t end = shape_ == Shape::full ? tiles() : ti + 1;
  std::int64_t columns = 0;
  for (std::int64_t tj = item % row_parts_; tj < end; tj += row_parts_) {
    columns += tiling_.extent(tj);
    const bool elsewhere = ti == k || tj == k || ti == k + 1 || tj == k + 1;
    if (!elsewhere) update_tile(k, ti, tj);
  }
  // Panels and cross count here, so that progress ends at the total.
  advance(static_cast<double>(tiling_.extent(ti)) * static_cast<double>(columns) *
          static_cast<double>(tiling_.extent(k)));
}

void OneMemory::mirror() {
#pragma omp parallel for schedule(dynamic) num_threads(threads())
  for (std::int64_t ti = 0; ti < tiles(); ++ti) {
    for (std::int64_t tj = 0; tj < ti; ++tj) {
      kernels::transpose(tiling_.at(tj, ti), tiling_.at(ti, tj), tiling_.value_size);
      if (!witness_) continue;
      kernels::transpose(witness_->via.at(tj, ti), witness_->via.at(ti, tj), kViaSize);
    }
  }
}

}  // namespace apsp
