#include "dense/resident_matrix.hpp"

#include <algorithm>
#include <utility>

#include "base/rounded_up.hpp"
#include "dense/blocked_floyd_warshall.hpp"

namespace apsp::dense {

using kernels::EventId;
using kernels::QueueId;
using kernels::Range;
using kernels::Update;
using kernels::View;

namespace {

bool empty(View tile) { return tile.rows == 0 || tile.cols == 0; }

/// The part of `kept` inside `span`, in lines of C; line(t) is the first line of tile t.
template <class F>
Range within(TileSpan kept, TileSpan span, F&& line) {
  const Tile begin = std::clamp(kept.begin, span.begin, span.end);
  const Tile end = std::clamp(kept.end, span.begin, span.end);
  return {line(begin) - line(span.begin), line(end) - line(span.begin)};
}

}  // namespace

ResidentMatrix::ResidentMatrix(kernels::ComputeDevice& device, const TiledMatrix& largest,
                               Shape shape, kernels::Cycles cycles, const Control* control,
                               const GridPart& part)
    : device_(device),
      shape_(shape),
      cycles_(cycles),
      part_(part),
      control_(control),
      diagonal_(device.make_queue(kernels::Priority::high)),
      rows_(device.make_queue(kernels::Priority::high)),
      columns_(device.make_queue(kernels::Priority::high)),
      bulk_(device.make_queue()) {
  planes_.values = largest;
  if (tiles() == 0) return;
  const std::int64_t side = extent(kFirstTile),
                     columns = base::rounded_up(side, largest.columns_per_value) /
                               largest.columns_per_value;
  whole_ = tiles() == 1;
  scratch_ = {device, whole_ ? tiles_.whole_bytes(side) : tiles_.close_bytes(side)};
  if (whole_) return;
  closed_left_ = {device, tiles_.left_bytes(side, side)};
  closed_right_ = {device, tiles_.right_bytes(columns, side)};
  if (on_grid() && shape == Shape::symmetric) {
    transposed_left_ = {device, tiles_.left_bytes(largest.matrix.cols, side)};
    transposed_right_ = {device, tiles_.right_bytes(largest.matrix.rows, side)};
  }
  for (const int set : {0, 1}) {
    left_[set] = {device, tiles_.left_bytes(largest.matrix.rows, side)};
    right_[set] = {device, tiles_.right_bytes(largest.matrix.cols, side)};
  }
}

std::int64_t ResidentMatrix::device_bytes(const kernels::DeviceSizes& device,
                                          const TiledMatrix& held, std::int64_t n,
                                          bool transposed) {
  if (n == 0) return 0;
  const std::int64_t side = std::min(held.tile, n);
  if (n <= held.tile) return device.whole_bytes(side);
  const std::int64_t columns = held.tile / held.columns_per_value;
  return device.close_bytes(side) + device.left_bytes(side, side) +
         device.right_bytes(columns, side) +
         2 * (device.left_bytes(held.matrix.rows, side) +
              device.right_bytes(held.matrix.cols, side)) +
         (transposed ? device.left_bytes(held.matrix.cols, side) +
                           device.right_bytes(held.matrix.rows, side)
                     : 0);
}

ResidentMatrix::~ResidentMatrix() {
  for (const QueueId queue : {diagonal_, rows_, columns_, bulk_}) drain(device_, queue);
}

EventId ResidentMatrix::solve(const ResidentPlanes& planes, Overlap overlap, Tile first) {
  planes_ = planes;
  overlap_ = std::move(overlap);
  first_ = reached_ = first;
  if (control_ != nullptr) {
    const auto n = static_cast<double>(this->n());
    const auto left = n - static_cast<double>(vertex(first));
    progress_ = std::make_unique<base::ProgressTask>(
        *control_, "Floyd-Warshall", n * n * left / (shape_ == Shape::full ? 1 : 2), "relaxation");
  }
  stopped_ = cut_ = postponed_ = false;
  wait(rows_, finished_);  // an earlier solve may still read its panels
  wait(columns_, finished_);
  blocked_floyd_warshall(*this, first, part_.schedule);
  if (was_cut()) {  // the next row and column have been brought up to the remainder
    for (const QueueId queue : {diagonal_, rows_, columns_}) wait(bulk_, device_.record(queue));
  }
  if (shape_ == Shape::symmetric && !stopped_ && !on_grid() && !leaves()) mirror(all());
  if (on_grid()) settle_all();
  finished_ = device_.record(bulk_);
  if (control_ == nullptr && !on_grid()) return finished_;
  await(finished_);
  if (!stopped_) {
    for (Tile k = std::max(reached_ - 2, first_); k < reached_; ++k) advance(k);
  }
  progress_.reset();
  return finished_;
}

bool ResidentMatrix::stopped() {
  if (cut_) return true;  // the step before was the last one
  stopped_ = control_ != nullptr && base::cancelled(*control_);
  if (!on_grid()) return stopped_;
  if (part_.cut_due && part_.cut_due()) part_.transport->want_cut();
  stopped_ = part_.transport->stopped(stopped_ || tiles_.pivot_met());
  cut_ = part_.transport->cut_agreed();
  return stopped_ || (cut_ && part_.schedule == Schedule::baseline);
}

LocalIndex ResidentMatrix::row(Tile t) const {
  return LocalIndex(std::min(part_.rows.before(t) * matrix().tile, matrix().matrix.rows));
}

LocalIndex ResidentMatrix::column(Tile t) const {
  const std::int64_t side = matrix().tile / matrix().columns_per_value;
  return LocalIndex(std::min(part_.columns.before(t) * side, matrix().matrix.cols));
}

View ResidentMatrix::held(const TiledMatrix& plane, TileSpan rows, TileSpan columns) const {
  if (plane.matrix.data == nullptr) return {};
  return kernels::part(plane.matrix, plane.value_size, row(rows.begin).number(),
                       column(columns.begin).number(), row(rows.end) - row(rows.begin),
                       column(columns.end) - column(columns.begin));
}

std::int64_t ResidentMatrix::vertex(Tile k) const {
  return planes_.first_vertex + std::min(k.number() * matrix().tile, n());
}

std::byte* ResidentMatrix::left(Tile k, Tile ti) {
  return left_[k.number() % 2].data() +
         part_.rows.before(ti) * tiles_.left_bytes(matrix().tile, extent(k));
}

std::byte* ResidentMatrix::right(Tile k, Tile tj) {
  return right_[k.number() % 2].data() +
         part_.columns.before(tj) *
             tiles_.right_bytes(matrix().tile / matrix().columns_per_value, extent(k));
}

void ResidentMatrix::close(Tile k) {
  if (cut_) return;
  if (k == kFirstTile) wait(diagonal_, overlap_.first_row);
  const View tile = values(only(k), only(k)), tile_via = via(only(k), only(k));
  if (empty(tile)) return;
  if (whole_) {
    tiles_.close_whole(diagonal_, tile, tile_via, cycles_, vertex(k), scratch_.data());
  } else {
    tiles_.close(diagonal_, tile, tile_via, cycles_, vertex(k), scratch_.data());
  }
  closed_ = device_.record(diagonal_);
}

void ResidentMatrix::update_panels(Tile k) {
  if (cut_) return;
  const bool full = shape_ == Shape::full;
  for (const QueueId queue : {rows_, columns_}) {
    wait(queue, closed_);
    if (k == kFirstTile) wait(queue, overlap_.first_column);
  }
  if (tiles() > 1) {
    if (on_grid()) settle_panels(k);
    share_closed(k);
    update_panel(k, true, only(k), {kFirstTile, full ? end() : k});
    update_panel(k, false, {full ? kFirstTile : k + 1, end()}, only(k));
    if (on_grid()) share_panels(k);
  }
  row_ready_ = device_.record(rows_);
  column_ready_ = device_.record(columns_);
  // A step ends with its remainder and the next panels.
  if (part_.schedule == Schedule::pipelined && k > first_) await(rest_done(k - 1));
}

void ResidentMatrix::settle_panels(Tile k) {
  const auto set = static_cast<std::size_t>(k.number() % 2);
  Transport& transport = *part_.transport;
  transport.settle(rows_, closed_left_.data());
  transport.settle(columns_, closed_right_.data());
  if (shape_ == Shape::full) {
    transport.settle(rows_, right_[set].data());
    transport.settle(columns_, left_[set].data());
    return;
  }
  // Both queues write into both panels.
  for (const DeviceBuffer* const panel :
       {&left_[set], &right_[set], &transposed_left_, &transposed_right_}) {
    sent_[set].push_back(panel->data());
  }
  for (const std::byte* const memory : sent_[set]) transport.settle(rows_, memory);
  sent_[set].clear();
  wait(columns_, device_.record(rows_));
}

void ResidentMatrix::settle_all() {
  for (const Tile set : {kFirstTile, kFirstTile + 1}) settle_panels(set);
  for (const QueueId queue : {diagonal_, rows_, columns_}) wait(bulk_, device_.record(queue));
}

void ResidentMatrix::share_closed(Tile k) {
  if (const View closed = values(only(k), only(k)); !empty(closed)) {
    tiles_.pack_left(rows_, closed, false, closed_left_.data());
    tiles_.pack_right(columns_, closed, false, closed_right_.data());
  }
  if (!on_grid()) return;
  const std::int64_t side = extent(k), of_value = matrix().columns_per_value;
  if (part_.rows.mine(k)) {
    part_.transport->broadcast(Payload::diagonal, Along::row, part_.columns.owner(k), rows_,
                               closed_left_.data(), tiles_.left_bytes(side, side));
  }
  if (part_.columns.mine(k)) {
    part_.transport->broadcast(
        Payload::diagonal, Along::column, part_.rows.owner(k), columns_, closed_right_.data(),
        tiles_.right_bytes(base::rounded_up(side, of_value) / of_value, side));
  }
  part_.transport->finish_broadcasts();
}

std::byte* ResidentMatrix::transposed_left(Tile k) {
  return on_grid() && !on_diagonal() ? transposed_left_.data() : left(k, kFirstTile);
}

std::byte* ResidentMatrix::transposed_right(Tile k) {
  return on_grid() && !on_diagonal() ? transposed_right_.data() : right(k, k + 1);
}

void ResidentMatrix::share_triangle(Tile k) {
  const std::int64_t side = extent(k);
  const std::int64_t cols_before = column(k).number(), rows_before = row(k).number();
  const std::int64_t cols_behind = matrix().matrix.cols - column(k + 1).number();
  const std::int64_t rows_behind = matrix().matrix.rows - row(k + 1).number();
  const auto left_of = [&](std::int64_t rows) {
    return rows == 0 ? 0 : tiles_.left_bytes(rows, side);
  };
  const auto right_of = [&](std::int64_t cols) {
    return cols == 0 ? 0 : tiles_.right_bytes(cols, side);
  };
  const int row_owner = part_.rows.owner(k), column_owner = part_.columns.owner(k);
  Transport& transport = *part_.transport;
  transport.broadcast(Payload::panel, Along::column, row_owner, rows_, right(k, kFirstTile),
                      right_of(cols_before));
  transport.broadcast(Payload::panel, Along::column, row_owner, rows_, transposed_left(k),
                      left_of(cols_before));
  transport.broadcast(Payload::panel, Along::row, column_owner, columns_, left(k, k + 1),
                      left_of(rows_behind));
  transport.broadcast(Payload::panel, Along::row, column_owner, columns_, transposed_right(k),
                      right_of(rows_behind));
  transport.finish_broadcasts();
  sent_[k.number() % 2] = {left(k, k + 1), right(k, k + 1)};
  transport.broadcast(Payload::panel, Along::row, part_.rows.rank, rows_, left(k, kFirstTile),
                      left_of(rows_before));
  transport.broadcast(Payload::panel, Along::column, part_.columns.rank, columns_, right(k, k + 1),
                      right_of(cols_behind));
  transport.finish_broadcasts();
}

void ResidentMatrix::share_panels(Tile k) {
  if (shape_ == Shape::symmetric) return share_triangle(k);
  const std::int64_t side = extent(k);
  part_.transport->broadcast(Payload::panel, Along::column, part_.rows.owner(k), rows_,
                             right_[k.number() % 2].data(),
                             tiles_.right_bytes(matrix().matrix.cols, side));
  // The paper's Algorithms 3 and 4 send one panel after the other.
  if (part_.schedule != Schedule::overlapped) part_.transport->finish_broadcasts();
  part_.transport->broadcast(Payload::panel, Along::row, part_.columns.owner(k), columns_,
                             left_[k.number() % 2].data(),
                             tiles_.left_bytes(matrix().matrix.rows, side));
  part_.transport->finish_broadcasts();
}

void ResidentMatrix::update_panel(Tile k, bool is_row, TileSpan rows, TileSpan columns) {
  const View panel = values(rows, columns);
  if (empty(panel)) return;
  const QueueId queue = is_row ? rows_ : columns_;
  std::byte* const packed = is_row ? right(k, columns.begin) : left(k, rows.begin);
  const auto pack = [&] {
    is_row ? tiles_.pack_right(queue, panel, false, packed)
           : tiles_.pack_left(queue, panel, false, packed);
  };
  pack();
  Update own{.c = panel,
             .via = via(rows, columns),
             .left = is_row ? closed_left_.data() : packed,
             .right = is_row ? packed : closed_right_.data(),
             .depth = extent(k),
             .first_pivot = vertex(k)};
  (is_row ? own.skipped_cols : own.skipped_rows) =
      is_row ? within(only(k), columns, [&](Tile t) { return column(t); })
             : within(only(k), rows, [&](Tile t) { return row(t); });
  tiles_.multiply_add(queue, own);
  pack();
  if (shape_ == Shape::full) return;
  is_row ? tiles_.pack_left(queue, panel, true, transposed_left(k))
         : tiles_.pack_right(queue, panel, true, transposed_right(k));
}

void ResidentMatrix::update(QueueId queue, Tile k, TileSpan rows, TileSpan columns, Kept kept,
                            bool triangle) {
  const View c = values(rows, columns);
  if (empty(c)) return;
  tiles_.multiply_add(
      queue, {.c = c,
              .via = via(rows, columns),
              .left = left(k, rows.begin),
              .right = right(k, columns.begin),
              .depth = extent(k),
              .first_pivot = vertex(k),
              .skipped_rows = within(kept.rows, rows, [&](Tile t) { return row(t); }),
              .skipped_cols = within(kept.columns, columns, [&](Tile t) { return column(t); }),
              .triangle = triangle ? matrix().tile : 0});
}

void ResidentMatrix::wait_for_previous_rest(QueueId queue, Tile k) {
  if (k > kFirstTile) return wait(queue, rest_done(k - 1));
  if (!overlap_.strips.empty()) device_.wait(queue, overlap_.strips.back());
}

void ResidentMatrix::update_cross(Tile k) {
  const Tile next = k + 1;
  const TileSpan both{k, k + 2};
  for (const QueueId queue : {diagonal_, rows_, columns_}) {
    wait_for_previous_rest(queue, k);
    wait_for_panels(queue);
  }
  const bool full = shape_ == Shape::full;
  update(diagonal_, k, only(next), only(next), {});
  update(rows_, k, only(next), {kFirstTile, full ? end() : k}, {.columns = both});
  update(columns_, k, {full ? kFirstTile : next + 1, end()}, only(next), {.rows = both});
}

void ResidentMatrix::update_rest_rows(Tile k, TileSpan rows) {
  const Kept kept{{k, k + 2}, {k, k + 2}};
  if (shape_ == Shape::full) return update(bulk_, k, rows, all(), kept);
  update(bulk_, k, rows, {kFirstTile, rows.begin}, kept);
  // Some parts of a grid begin with a tile above the diagonal.
  const Tile row = part_.rows.next(rows.begin), column = part_.columns.next(rows.begin);
  const TileSpan below{row < column ? row + 1 : rows.begin, rows.end};
  if (below.begin < below.end) update(bulk_, k, below, rows, kept, true);
}

/// Copies values below the diagonal in these rows of tiles to their mirror images.
void ResidentMatrix::mirror(TileSpan rows) {
  for (const TiledMatrix* plane : {&planes_.values, &planes_.via}) {
    if (plane->matrix.data == nullptr) continue;
    const TileSpan before{kFirstTile, rows.begin};
    if (rows.begin > kFirstTile) {
      tiles_.transpose(bulk_, plane->span(before, rows), plane->span(rows, before),
                       plane->value_size);
    }
    tiles_.mirror(bulk_, plane->span(rows, rows), plane->value_size, plane->tile);
  }
}

/// Does the remainder of the last step and of the one before; rows leave when both are done. The
/// last rows of a symmetric matrix are complete first: values above the diagonal come from rows
/// below.
void ResidentMatrix::finish_and_leave(Tile k) {
  const bool symmetric = shape_ == Shape::symmetric;
  const std::int64_t strips = (tiles() + overlap_.strip - 1) / overlap_.strip;
  for (std::int64_t strip = 0; strip < strips; ++strip) {
    const Tile first((symmetric ? strips - 1 - strip : strip) * overlap_.strip);
    const TileSpan rows{first, std::min(first + overlap_.strip, end())};
    if (postponed_) update_rest_rows(k - 1, rows);
    update_rest_rows(k, rows);
    if (symmetric) mirror(rows);
    overlap_.leave(rows, device_.record(bulk_));
  }
}

/// Returns whether the last step follows for certain. Processes without look-ahead may still
/// agree on a checkpoint before it.
bool ResidentMatrix::last_step_follows() const {
  return !cut_ && part_.schedule != Schedule::baseline;
}

void ResidentMatrix::update_rest(Tile k) {
  wait_for_panels(bulk_);
  const bool arriving = k == kFirstTile && !overlap_.strips.empty();
  const std::int64_t step = arriving ? overlap_.strip : tiles();
  // A remainder that overlaps with copies takes as long as the copies, and needs no turn.
  const bool in_turn = on_grid() && !arriving && !(leaves() && k + 2 >= end());
  if (in_turn) part_.transport->take_turn();
  if (k + 1 == end() && leaves()) {
    finish_and_leave(k);
  } else if (k + 2 == end() && leaves() && last_step_follows()) {
    postponed_ = true;  // to the last step
  } else {
    std::size_t strip = 0;
    for (Tile first = kFirstTile; first < end(); first = first + step, ++strip) {
      if (arriving) device_.wait(bulk_, overlap_.strips[strip]);
      update_rest_rows(k, {first, std::min(first + step, end())});
    }
  }
  rest_done(k) = device_.record(bulk_);
  if (in_turn) part_.transport->end_turn(rest_done(k));
  reached_ = k + 1;
  if (part_.schedule == Schedule::baseline) await(rest_done(k));
  keep_pace(k);
}

void ResidentMatrix::keep_pace(Tile k) {
  if ((control_ == nullptr && !on_grid()) || k < first_ + 2) return;
  await(rest_done(k - 2));
  advance(k - 2);
}

void ResidentMatrix::advance(Tile k) {
  if (progress_ == nullptr) return;
  const auto n = static_cast<double>(this->n());
  progress_->advance(n * n * static_cast<double>(extent(k)) / (shape_ == Shape::full ? 1 : 2));
}

}  // namespace apsp::dense
