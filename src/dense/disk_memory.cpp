#include "dense/disk_memory.hpp"

#include <algorithm>
#include <array>

#include "dense/blocked_floyd_warshall.hpp"
#include "system/threads.hpp"

namespace apsp::dense {

using kernels::EventId;
using kernels::View;

DiskMemory::DiskMemory(store::DiskMatrix& matrix, const DiskPlan& plan,
                       const kernels::TileOperations& operations, int threads,
                       const Control& control)
    : matrix_(matrix),
      plan_(plan),
      operations_(operations),
      threads_(threads),
      control_(control),
      n_(matrix.layout().n),
      size_(operations.value_size),
      first_pivot_(matrix.cut()->pivots),
      operand_(operand_bytes(operations, plan.tile)),
      depth_tiles_(tiles_of(std::min(plan.width, n_))),
      panel_(tiles_of(n_) * depth_tiles_ * operand_.right),
      diagonal_(depth_tiles_ * depth_tiles_ * operand_.left),
      strip_(tiles_of(plan.strip_rows) * depth_tiles_ * operand_.left) {
  const std::int64_t widest = std::min(plan.width, n_);
  passing_ = system::AlignedMemory(
      std::max(kStripBuffers * strip_values(plan, n_), widest * widest) * size_);
}

std::int64_t DiskMemory::tiles() const {
  return (n_ - first_pivot_ + plan_.width - 1) / plan_.width;
}

kernels::Range DiskMemory::pivots(Tile k) const {
  const std::int64_t first = first_pivot_ + k.number() * plan_.width;
  return {first, std::min(first + plan_.width, n_)};
}

std::byte* DiskMemory::right(std::int64_t tj, std::int64_t kk) {
  return panel_.data() + (tj * depth_tiles_ + kk) * operand_.right;
}

std::byte* DiskMemory::diagonal(std::int64_t ti, std::int64_t kk) {
  return diagonal_.data() + (ti * depth_tiles_ + kk) * operand_.left;
}

std::byte* DiskMemory::strip_left(std::int64_t ti, std::int64_t kk) {
  return strip_.data() + (ti * depth_tiles_ + kk) * operand_.left;
}

std::byte* DiskMemory::buffer(std::int64_t item) {
  return passing_.data() + item % kStripBuffers * strip_values(plan_, n_) * size_;
}

View DiskMemory::tile(const BandRows& part, std::int64_t ti, std::int64_t tj) const {
  const std::int64_t column = tj * plan_.tile, band = column / plan_.band;
  const std::int64_t stride = matrix_.columns(band), first = matrix_.first_column(band);
  const std::int64_t row = ti * plan_.tile;
  const std::int64_t bands_before = first - matrix_.first_column(part.first_band);
  std::byte* const data =
      part.data + (part.rows * bands_before + row * stride + column - first) * size_;
  return {data, std::min(plan_.tile, part.rows - row), std::min(plan_.tile, n_ - column), stride};
}

void DiskMemory::run() {
  const auto n = static_cast<double>(n_);
  const double left = n * n * static_cast<double>(n_ - first_pivot_);
  progress_ = std::make_unique<base::ProgressTask>(control_, "Floyd-Warshall", left, "relaxation");
  disk_ = std::make_unique<DiskQueue>(1);
  waits_ = {};
  diagonal_read_ = committed_ = -1;
  if (tiles() > 0) read_diagonal(kFirstTile, Generation::current);
  try {
    blocked_floyd_warshall(*this);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) disk_->wait(committed_);
    throw;
  }
  await_cut();
  waits_.disk = disk_->waited();
  disk_.reset();
  progress_.reset();
  base::check_cancelled(control_);
}

void DiskMemory::await_cut() {
  const double before = disk_->waited();
  disk_->wait(committed_);
  waits_.cuts += disk_->waited() - before;
}

template <class F>
void DiskMemory::share(std::int64_t items, const F& work) {
  system::parallel_for(items, threads_, [&](std::int64_t item) {
    if (!stopped()) work(item);
  });
}

void DiskMemory::advance(std::int64_t rows, std::int64_t columns, std::int64_t depth) {
  progress_->advance(static_cast<double>(rows) * static_cast<double>(columns) *
                     static_cast<double>(depth));
}

void DiskMemory::multiply_add(View c, const std::byte* left, const std::byte* right,
                              std::int64_t depth) const {
  for (std::int64_t first = 0; first < depth; first += plan_.tile) {
    operations_.packed.multiply_add(c, left, right, std::min(plan_.tile, depth - first));
    left += operand_.left;
    right += operand_.right;
  }
}

void DiskMemory::move(const BandRows& part, std::int64_t bands, bool in) {
  std::byte* data = part.data;
  for (std::int64_t band = part.first_band; band < part.first_band + bands; ++band) {
    in ? matrix_.read_band(Generation::current, band, part.first, part.rows, data)
       : matrix_.write_band(band, part.first, part.rows, data);
    data += part.rows * matrix_.columns(band) * size_;
  }
}

template <class PartOf, class Work>
void DiskMemory::pass(std::int64_t count, std::int64_t bands, const PartOf& part_of,
                      const Work& work) {
  std::array<EventId, kStripBuffers> reads{};
  const auto request = [&](std::int64_t item) -> EventId& {
    return reads[static_cast<std::size_t>(item % kStripBuffers)];
  };
  const auto read = [&](std::int64_t item) {
    if (item >= count) return;
    request(item) = disk_->post([=, this, part = part_of(item)] { move(part, bands, true); });
  };
  for (std::int64_t item = 0; item < kStripBuffers; ++item) read(item);
  for (std::int64_t item = 0; item < count; ++item) {
    disk_->wait(request(item));
    if (stopped()) return;
    const BandRows part = part_of(item);
    work(part);
    disk_->post([=, this] { move(part, bands, false); });
    read(item + kStripBuffers);
  }
}

void DiskMemory::read_diagonal(Tile k, Generation from) {
  const std::int64_t first = pivots(k).begin, side = length(pivots(k));
  diagonal_read_ = disk_->post([=, this] {
    matrix_.read_block(from, {first, first, side, side}, passing_.data(), side);
  });
}

void DiskMemory::close_diagonal(Tile k) {
  const std::int64_t side = this->side(k), first = pivots(k).begin;
  disk_->wait(diagonal_read_);
  const View whole{passing_.data(), side, side, side};
  const TiledMatrix tiling{whole, static_cast<int>(size_), plan_.tile};
  HostMemory(tiling, Shape::full, operations_, kernels::Cycles::excluded, threads_,
             {nullptr, control_.cancellation})
      .run();
  const std::int64_t depth = tiles_of(side), first_tile = first / plan_.tile;
  share(depth * depth, [&](std::int64_t item) {
    const std::int64_t ti = item / depth, tj = item % depth;
    const View part = tiling.at(Tile(ti), Tile(tj));
    operations_.packed.pack_left(part, false, diagonal(ti, tj));
    operations_.packed.pack_right(part, false, right(first_tile + tj, ti));
  });
  advance(side, side, side);
  disk_->post([=, this] { matrix_.write_block({first, first, side, side}, whole.data, side); });
}

void DiskMemory::update_panels(Tile k) {
  if (stopped()) return;
  close_diagonal(k);
  await_cut();
  const Range rows = pivots(k);
  const std::int64_t closed = rows.begin / plan_.band;
  const std::int64_t of_panel = (length(rows) + plan_.band - 1) / plan_.band;
  const auto part_of = [&](std::int64_t item) {
    const std::int64_t band = item < closed ? item : item + of_panel;
    return BandRows{buffer(item), rows.begin, length(rows), band};
  };
  pass(matrix_.bands() - of_panel, 1, part_of,
       [&](const BandRows& part) { update_row_panel(k, part); });
}

void DiskMemory::update_row_panel(Tile k, const BandRows& part) {
  const std::int64_t columns = matrix_.columns(part.first_band), depth = tiles_of(side(k));
  const std::int64_t first = matrix_.first_column(part.first_band) / plan_.tile;
  const std::int64_t across = tiles_of(columns);
  const auto pack = [&](std::int64_t item) {
    const std::int64_t tj = first + item / depth, kk = item % depth;
    operations_.packed.pack_right(tile(part, kk, tj), false, right(tj, kk));
  };
  // Packed twice: before, for its own update, and after it, for the other tiles.
  share(across * depth, pack);
  share(across * depth, [&](std::int64_t item) {
    const std::int64_t tj = first + item / depth, ti = item % depth;
    const View c = tile(part, ti, tj);
    multiply_add(c, diagonal(ti, 0), right(tj, 0), side(k));
    advance(c.rows, c.cols, side(k));
  });
  share(across * depth, pack);
}

void DiskMemory::update_rest(Tile k) {
  if (stopped()) return;
  const std::int64_t begin = pivots(k).begin, end = pivots(k).end;
  const std::int64_t height = plan_.strip_rows;
  const std::int64_t above = (begin + height - 1) / height;
  const std::int64_t below = (n_ - end + height - 1) / height;
  const auto part_of = [&](std::int64_t item) {
    const std::int64_t first = item < above ? item * height : end + (item - above) * height;
    return BandRows{buffer(item), first, std::min(height, (item < above ? begin : n_) - first), 0};
  };
  pass(above + below, matrix_.bands(), part_of,
       [&](const BandRows& part) { update_strip(k, part); });
  if (stopped()) return;
  // Closing the next diagonal tile needs nothing but this, and hides that the disk is waited for.
  if (end < n_) read_diagonal(k + 1, Generation::next);
  committed_ = disk_->post([this, end] { matrix_.commit_step(end); });
}

void DiskMemory::update_strip(Tile k, const BandRows& part) {
  const std::int64_t depth = tiles_of(side(k)), high = tiles_of(part.rows);
  const std::int64_t first = pivots(k).begin / plan_.tile;
  const auto pack = [&](std::int64_t item) {
    const std::int64_t ti = item / depth, kk = item % depth;
    operations_.packed.pack_left(tile(part, ti, first + kk), false, strip_left(ti, kk));
  };
  const auto update = [&](std::int64_t ti, std::int64_t tj) {
    const View c = tile(part, ti, tj);
    multiply_add(c, strip_left(ti, 0), right(tj, 0), side(k));
    advance(c.rows, c.cols, side(k));
  };
  share(high * depth, pack);
  share(high * depth, [&](std::int64_t item) { update(item / depth, first + item % depth); });
  share(high * depth, pack);
  // Tiles of one column come one after another: they take the same part of the panel.
  share(high * (tiles_of(n_) - depth), [&](std::int64_t item) {
    const std::int64_t tj = item / high;
    update(item % high, tj < first ? tj : tj + depth);
  });
}

}  // namespace apsp::dense
