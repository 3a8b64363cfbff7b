#include "dense/host_memory.hpp"

#include <algorithm>
#include <cmath>

#include "base/rounded_up.hpp"
#include "dense/negative_cycle.hpp"
#include "kernels/transpose.hpp"
#include "system/threads.hpp"

namespace apsp::dense {
namespace {

constexpr std::int64_t kAlignment = 64;  // of packed operands, bytes

std::int64_t aligned(std::int64_t bytes) { return base::rounded_up(bytes, kAlignment); }

/// Two sets of panels and a diagonal tile.
std::int64_t bytes_of_panels(std::int64_t tiles, const OperandBytes& operand) {
  return (2 * tiles + 1) * (operand.left + operand.right);
}

double cube(std::int64_t n) {
  const auto side = static_cast<double>(n);
  return side * side * side;
}

}  // namespace

OperandBytes operand_bytes(const kernels::TileOperations& operations, std::int64_t tile) {
  return {aligned(operations.packed.left_bytes(tile, tile)),
          aligned(operations.packed.right_bytes(tile, tile))};
}

HostMemory::HostMemory(TiledMatrix tiling, Shape shape, const kernels::TileOperations& operations,
                       kernels::Cycles cycles, int threads, const Control& control,
                       std::optional<Witness> witness)
    : HostMemory(tiling, shape, operand_bytes(operations, tiling.tile), threads, control) {
  operations_ = operations;
  witness_ = witness;
  cycles_ = cycles;
}

HostMemory::HostMemory(TiledMatrix tiling, Shape shape, OperandBytes operands, int threads,
                       const Control& control)
    : TeamPlace(tiling.tiles(), threads, control, Panels::copied),
      tiling_(tiling),
      shape_(shape),
      operand_{aligned(operands.left), aligned(operands.right)},
      panels_(bytes_of_panels(tiles(), operand_)) {
  list_rest_items();
  const std::int64_t n = tiles();
  const std::int64_t panels = shape_ == Shape::full ? 2 : 1;
  set_tasks({panels * (n - 1), panels * (n - 2), static_cast<std::int64_t>(rest_items_.size())});
}

void HostMemory::list_rest_items() {
  // The least task, 400,000 relaxations, takes 8 µs at 50 G/s; a claim takes some 0.1 µs.
  constexpr double kLeastRelaxations = 400'000;
  constexpr std::int64_t kItemsAThread = 8;
  auto width = static_cast<std::int64_t>(std::ceil(kLeastRelaxations / cube(tiling_.tile)));
  for (list_rest_items(width); width > 1; list_rest_items(width)) {
    if (static_cast<std::int64_t>(rest_items_.size()) >= kItemsAThread * threads()) return;
    --width;
  }
}

void HostMemory::list_rest_items(std::int64_t width) {
  const std::int64_t n = tiles();
  const auto blocks =
      static_cast<std::int64_t>(std::lround(std::sqrt(static_cast<double>(threads()))));
  const std::int64_t of_block = (n + blocks - 1) / blocks;
  rest_items_.clear();
  rest_item_of_.assign(static_cast<std::size_t>(n * n), -1);
  for (Tile block = kFirstTile; block < tiling_.end(); block = block + of_block) {
    for (Tile ti = kFirstTile; ti < tiling_.end(); ++ti) {
      const Tile end = std::min(block + of_block, shape_ == Shape::full ? tiling_.end() : ti + 1);
      for (Tile tj = block; tj < end; tj = tj + width) {
        const TileSpan columns{tj, std::min(tj + width, end)};
        std::fill(rest_item_of_.data() + index_of(ti, columns.begin),
                  rest_item_of_.data() + index_of(ti, columns.end),
                  static_cast<std::int32_t>(rest_items_.size()));
        rest_items_.push_back({ti, columns});
      }
    }
  }
}

std::int64_t HostMemory::panel_bytes(const TiledMatrix& tiling,
                                     const kernels::TileOperations& operations) {
  return bytes_of_panels(tiling.tiles(), operand_bytes(operations, tiling.tile));
}

void HostMemory::run() {
  run_threads("Floyd-Warshall", cube(tiling_.n()) / (shape_ == Shape::full ? 1 : 2));
  throw_negative_cycle(cycle_vertex_);
  if (shape_ == Shape::symmetric) mirror();
}

std::byte* HostMemory::panel_set(Tile k) {
  return panels_.data() + (k.number() % 2) * tiles() * (operand_.left + operand_.right);
}

std::byte* HostMemory::left(Tile k, Tile ti) {
  if (ti == k) return panels_.data() + 2 * tiles() * (operand_.left + operand_.right);
  return panel_set(k) + ti.number() * operand_.left;
}

std::byte* HostMemory::right(Tile k, Tile tj) {
  if (tj == k) return left(k, k) + operand_.left;
  return panel_set(k) + tiles() * operand_.left + tj.number() * operand_.right;
}

void HostMemory::close_tile(Tile k) {
  const kernels::View tile = tiling_.at(k, k);
  const std::int64_t pivot =
      witness_ ? witness_->operations.close(tile, witness_->via.at(k, k), cycles_, tiling_.row(k))
               : close(tile);
  if (pivot >= 0) {
    cycle_vertex_ = tiling_.row(k) + pivot;
    return stop();
  }
  pack_left(tile, false, left(k, k));
  pack_right(tile, false, right(k, k));
}

void HostMemory::update_panel(Tile k, std::int64_t item) {
  const Tile t = panel_tile(k, item);
  // The lower triangle holds A(t,k) for t > k and A(k,t) for t < k; the other one is its transpose.
  const bool symmetric = shape_ == Shape::symmetric;
  const bool is_row = symmetric ? t < k : item < tiles() - 1;
  const kernels::View tile = is_row ? tiling_.at(k, t) : tiling_.at(t, k);
  const auto pack = [&](bool as_right, bool transposed) {
    as_right ? pack_right(tile, transposed, right(k, t)) : pack_left(tile, transposed, left(k, t));
  };
  // Packed twice: before, for its own update, and after it, for the other tiles.
  pack(is_row, false);
  is_row ? update_tile(k, k, t) : update_tile(k, t, k);
  pack(is_row, false);
  if (symmetric) pack(!is_row, true);
}

void HostMemory::update_tile(Tile k, Tile ti, Tile tj) {
  const kernels::View c = tiling_.at(ti, tj);
  if (witness_) {
    witness_->operations.multiply_packed(c, witness_->via.at(ti, tj), left(k, ti), right(k, tj),
                                         tiling_.extent(k), tiling_.row(k));
  } else {
    multiply_add(c, left(k, ti), right(k, tj), tiling_.extent(k));
  }
}

void HostMemory::update_diagonal(Tile k) { update_tile(k, k + 1, k + 1); }

HostMemory::TilePlace HostMemory::cross_tile(Tile k, std::int64_t item) const {
  const Tile next = k + 1;
  if (item < 0) return {next, next};
  const Tile other(item % (tiles() - 2));
  const Tile t = other < k ? other : other + 2;  // neither k nor k + 1
  const bool row = shape_ == Shape::symmetric ? t < next : item < tiles() - 2;
  return row ? TilePlace{next, t} : TilePlace{t, next};
}

void HostMemory::update_cross_tile(Tile k, std::int64_t item) {
  const TilePlace tile = cross_tile(k, item);
  update_tile(k, tile.row, tile.column);
}

std::int64_t HostMemory::rest_item_of_cross(Tile k, std::int64_t item) const {
  const TilePlace tile = cross_tile(k, item);
  return rest_item_of_[index_of(tile.row, tile.column)];
}

double HostMemory::update_rest_item(Tile k, std::int64_t item) {
  const RestItem& tasks = rest_items_[static_cast<std::size_t>(item)];
  const Tile ti = tasks.row;
  std::int64_t columns = 0;
  for (Tile tj = tasks.columns.begin; tj < tasks.columns.end; ++tj) {
    columns += tiling_.extent(tj);
    const bool elsewhere = ti == k || tj == k || ti == k + 1 || tj == k + 1;
    if (!elsewhere) update_tile(k, ti, tj);
  }
  return static_cast<double>(tiling_.extent(ti)) * static_cast<double>(columns) *
         static_cast<double>(tiling_.extent(k));
}

void HostMemory::mirror() {
  // The longest rows come first.
  system::parallel_for(tiles(), threads(), [&](std::int64_t item) {
    const Tile ti(tiles() - 1 - item);
    for (Tile tj = kFirstTile; tj < ti; ++tj) {
      kernels::transpose(tiling_.at(tj, ti), tiling_.at(ti, tj), tiling_.value_size);
      if (!witness_) continue;
      kernels::transpose(witness_->via.at(tj, ti), witness_->via.at(ti, tj), kernels::kViaSize);
    }
  });
}

}  // namespace apsp::dense
