#include "cluster/streamed_part.hpp"

#include <algorithm>

#include "dense/blocked_floyd_warshall.hpp"

namespace apsp::cluster {

using kernels::Priority;
using kernels::Update;

namespace {

/// The lines of [0, end) but for `inner`, in pieces of `most`.
std::vector<kernels::Range> pieces_outside(kernels::Range inner, std::int64_t end,
                                           std::int64_t most) {
  std::vector<kernels::Range> pieces;
  for (const kernels::Range span : {kernels::Range{0, inner.begin}, {inner.end, end}}) {
    for (std::int64_t first = span.begin; first < span.end; first += most) {
      pieces.push_back({first, std::min(first + most, span.end)});
    }
  }
  return pieces;
}

}  // namespace

StreamedPart::StreamedPart(kernels::ComputeDevice& device, const dense::OffloadPlan& plan,
                           const TiledMatrix& held, kernels::Cycles cycles, const Control* control,
                           const dense::GridPart& part)
    : device_(device),
      plan_(plan),
      held_(held),
      cycles_(cycles),
      control_(control),
      part_(part),
      transport_(*part.transport),
      diagonal_(device.make_queue(Priority::high)),
      panel_(device.make_queue(Priority::high)),
      work_{device.make_queue(), device.make_queue()},
      row_share_(device.make_queue(Priority::high)),
      column_share_(device.make_queue(Priority::high)),
      stream_(device, {held}, plan.buffers, plan.buffer_values, part.transport) {
  if (part.n == 0) return;
  const std::int64_t side = std::min(plan.width, part.n);
  const std::int64_t values = held.values_of(side);
  tile_ = {device, side * tiles_.stride(values) * held.value_size};
  scratch_ = {device, tiles_.close_bytes(side)};
  closed_left_ = {device, tiles_.left_bytes(side, side)};
  closed_right_ = {device, tiles_.right_bytes(values, side)};
  for (const int i : {0, 1}) {
    left_[i] = {device, tiles_.left_bytes(held.matrix.rows, side)};
    right_[i] = {device, tiles_.right_bytes(held.matrix.cols, side)};
  }
}

StreamedPart::~StreamedPart() {
  for (const QueueId queue : queues()) dense::drain(device_, queue);
}

std::vector<kernels::QueueId> StreamedPart::queues() const {
  return {diagonal_,  panel_,        work_[0],     work_[1],
          row_share_, column_share_, stream_.in(), stream_.out()};
}

void StreamedPart::solve(Tile first) {
  first_ = reached_ = made_ = first;
  stopped_ = cut_ = false;
  if (control_ != nullptr) {
    const auto n = static_cast<double>(part_.n);
    progress_ = std::make_unique<base::ProgressTask>(
        *control_, "Floyd-Warshall", n * n * (n - static_cast<double>(vertex(first))),
        "relaxation");
  }
  dense::blocked_floyd_warshall(*this, first, part_.schedule);
  if (was_cut() && first < reached_) relax_cross(reached_ - 1);
  finish();
}

void StreamedPart::finish() {
  for (const std::size_t i : {0U, 1U}) settle(i);
  settle_closed();
  for (const QueueId queue : queues()) transport_.await(device_.record(queue));
  if (progress_ != nullptr && !stopped_) {
    for (Tile k = std::max(reached_ - 2, first_); k < reached_; ++k) show_progress(k);
  }
  progress_.reset();
}

bool StreamedPart::stopped() {
  if (cut_) return true;  // the step before was the last one
  if (part_.cut_due && part_.cut_due()) transport_.want_cut();
  const bool mine = control_ != nullptr && base::cancelled(*control_);
  stopped_ = transport_.stopped(mine || tiles_.pivot_met());
  cut_ = transport_.cut_agreed();
  return stopped_ || (cut_ && part_.schedule == dense::Schedule::baseline);
}

Update StreamedPart::product(Tile k, Range rows, Range columns, View c) {
  return {.c = c,
          .left = left(k, rows.begin),
          .right = right(k, columns.begin),
          .depth = extent(k),
          .first_pivot = vertex(k)};
}

void StreamedPart::relax_panel_piece(Tile k, Range rows, Range columns, View values) {
  Update owed = product(k, rows, columns, values);
  owed.skipped_rows = dense::part_within(this->rows(k, 1), rows);
  owed.skipped_cols = held_.values_of(dense::part_within(this->columns(k, 1), columns));
  tiles_.multiply_add(panel_, owed);
}

void StreamedPart::bring_tile(Tile k) {
  device_.copy_in(diagonal_, tile(k), host_tile(k), held_.value_size);
}

void StreamedPart::take_out_tile(Tile k) {
  device_.copy_out(diagonal_, host_tile(k), tile(k), held_.value_size);
  tile_out_ = device_.record(diagonal_);
}

void StreamedPart::update_cross(Tile k) {
  // Only the diagonal tile of row and column k + 1: the others are updated with the panels.
  const Tile next = k + 1;
  wait(stream_.in(),
       tile_out_);  // before the next tile goes out, which the remainder does not read
  if (!owns_diagonal(next)) return;
  wait_for_panels(diagonal_);
  wait(diagonal_, next_row_out_);
  bring_tile(next);
  tiles_.multiply_add(diagonal_, product(k, rows(next, 1), columns(next, 1), tile(next)));
}

void StreamedPart::close(Tile k) {
  if (cut_) return;
  const bool mine = owns_diagonal(k);
  if (mine && k == first_) bring_tile(k);
  if (mine) tiles_.close(diagonal_, tile(k), {}, cycles_, vertex(k), scratch_.data());
  if (tiles() > 1) share_closed(k);
  if (mine) take_out_tile(k);
}

void StreamedPart::share_closed(Tile k) {
  wait(diagonal_, panels_made_);  // with the tile before
  settle_closed();
  if (owns_diagonal(k)) {
    tiles_.pack_left(diagonal_, tile(k), false, closed_left_.data());
    tiles_.pack_right(diagonal_, tile(k), false, closed_right_.data());
  }
  const std::int64_t side = extent(k);
  if (part_.rows.mine(k)) {
    transport_.broadcast(dense::Payload::diagonal, Along::row, part_.columns.owner(k), diagonal_,
                         closed_left_.data(), tiles_.left_bytes(side, side));
  }
  if (part_.columns.mine(k)) {
    transport_.broadcast(dense::Payload::diagonal, Along::column, part_.rows.owner(k), diagonal_,
                         closed_right_.data(), tiles_.right_bytes(held_.values_of(side), side));
  }
}

void StreamedPart::settle_closed() {
  transport_.settle(diagonal_, closed_left_.data());
  transport_.settle(diagonal_, closed_right_.data());
}

void StreamedPart::settle(std::size_t set) {
  for (const std::byte* const memory : sent_[set]) transport_.settle(panel_, memory);
  sent_[set].clear();
}

StreamedPart::Pieces StreamedPart::row_pieces(Tile k) const {
  const std::int64_t granule = tiles_.granule();
  const std::int64_t fits = plan_.buffer_values / plan_.width * held_.columns_per_value;
  std::int64_t width = std::max(fits / granule * granule, granule);
  while (plan_.width * tiles_.stride(held_.values_of(width)) > plan_.buffer_values) {
    width -= granule;
  }
  return pieces_outside(columns(k, 1), columns_held(), width);
}

StreamedPart::Pieces StreamedPart::column_pieces(Tile k) const {
  const std::int64_t granule = tiles_.granule();
  const std::int64_t fits = plan_.buffer_values / tiles_.stride(held_.values_of(plan_.width));
  const std::int64_t height = fits / granule * granule;
  return pieces_outside(rows(k, 1), held_.matrix.rows, height);
}

void StreamedPart::make_panels(Tile k) {
  made_ = k + 1;
  transport_.finish_broadcasts();  // of the closed tile
  wait(panel_, device_.record(diagonal_));
  wait_for_panels(panel_);
  // These panels take the place of the ones of step k − 2.
  if (k >= first_ + 2) wait(panel_, rest_done(k - 2));
  settle(set(k));
  for (const QueueId queue : {row_share_, column_share_}) {
    device_.wait(queue, device_.record(panel_));
  }
  const Pieces across = row_pieces(k), down = column_pieces(k);
  // Pieces of both panels alternate; on a grid of one line those that travel come first.
  const std::size_t late = part_.rows.size == 1 ? down.size() : 0;
  for (std::size_t i = 0; i < std::max(across.size() + late, down.size()); ++i) {
    if (i >= late && i - late < across.size()) share_piece(k, Panel::row, across[i - late]);
    if (i < down.size()) share_piece(k, Panel::column, down[i]);
  }
  panels_made_ = device_.record(panel_);
}

void StreamedPart::share_piece(Tile k, Panel panel, Range piece) {
  const bool row = panel == Panel::row;
  const dense::BlockCyclic& owners = row ? part_.rows : part_.columns;
  if (owners.mine(k)) update_piece(k, panel, piece);
  sent_[set(k)].push_back(packed(k, panel, piece));
  transport_.broadcast(dense::Payload::panel, row ? Along::column : Along::row, owners.owner(k),
                       row ? row_share_ : column_share_, packed(k, panel, piece),
                       row ? tiles_.right_bytes(held_.values_of(length(piece)), extent(k))
                           : tiles_.left_bytes(length(piece), extent(k)));
}

void StreamedPart::update_piece(Tile k, Panel panel, Range piece) {
  const bool row = panel == Panel::row;
  const Range rows = row ? this->rows(k, 1) : piece, columns = row ? piece : this->columns(k, 1);
  std::byte* const to = packed(k, panel, piece);
  const auto pack = [&](View values) {
    row ? tiles_.pack_right(panel_, values, false, to)
        : tiles_.pack_left(panel_, values, false, to);
  };
  stream_.pass({rows, columns}, panel_, 0, [&](View values, View) {
    if (k > first_) relax_panel_piece(k - 1, rows, columns, values);
    pack(values);
    tiles_.multiply_add(panel_, {.c = values,
                                 .left = row ? closed_left_.data() : to,
                                 .right = row ? to : closed_right_.data(),
                                 .depth = extent(k),
                                 .first_pivot = vertex(k)});
    pack(values);
  });
  device_.wait(row ? row_share_ : column_share_, device_.record(panel_));
}

/// Updates row and column k + 1 by step k, for a checkpoint.
void StreamedPart::relax_cross(Tile k) {
  const Tile next = k + 1;
  wait_for_panels(panel_);
  if (owns_diagonal(next)) take_out_tile(next);
  const auto relax = [&](Range rows, Range columns) {
    stream_.pass({rows, columns}, panel_, 0,
                 [&](View values, View) { relax_panel_piece(k, rows, columns, values); });
  };
  if (part_.rows.mine(next)) {
    for (const Range piece : row_pieces(next)) relax(rows(next, 1), piece);
  }
  if (part_.columns.mine(next)) {
    for (const Range piece : column_pieces(next)) relax(piece, columns(next, 1));
  }
}

void StreamedPart::update_panels(Tile k) {
  if (cut_ || tiles() == 1) return;
  if (made_ <= k) make_panels(k);
  transport_.finish_broadcasts();
  row_ready_ = device_.record(row_share_);
  column_ready_ = device_.record(column_share_);
  // A step ends with its remainder and the next panels.
  if (part_.schedule == dense::Schedule::pipelined && k > first_)
    transport_.await(rest_done(k - 1));
}

void StreamedPart::pass_rest(Tile k, Range rows) {
  const Range columns{0, columns_held()}, kept = this->columns(k, 2);
  if (length(kept) == length(columns)) return;
  const bool ahead = k + 1 < end() && !cut_ && part_.schedule != dense::Schedule::baseline;
  for (std::int64_t first = rows.begin; first < rows.end; first += plan_.strip_rows) {
    const Range strip{first, std::min(first + plan_.strip_rows, rows.end)};
    const QueueId queue = work_[turn_++ % 2];
    stream_.pass({strip, columns, kept}, queue, 0, [&](View values, View) {
      Update update = product(k, strip, columns, values);
      update.skipped_cols = held_.values_of(kept);
      tiles_.multiply_add(queue, update);
    });
    if (ahead && made_ <= k + 1 && transport_.arrived()) make_panels(k + 1);
  }
}

void StreamedPart::update_rest(Tile k) {
  keep_pace(k);
  stream_.begin_phase();
  for (const QueueId queue : work_) wait_for_panels(queue);
  const Tile soon = k + 2;
  pass_rest(k, rows(soon, 1));
  next_row_out_ = device_.record(stream_.out());
  pass_rest(k, {0, row(k)});
  pass_rest(k, {row(soon + 1), held_.matrix.rows});
  device_.wait(work_[0], device_.record(work_[1]));
  rest_done(k) = device_.record(work_[0]);
  reached_ = k + 1;
  if (part_.schedule == dense::Schedule::baseline) transport_.await(rest_done(k));
}

void StreamedPart::keep_pace(Tile k) {
  if (k < first_ + 2) return;
  transport_.await(rest_done(k - 2));
  if (progress_ != nullptr) show_progress(k - 2);
}

void StreamedPart::show_progress(Tile k) {
  const auto n = static_cast<double>(part_.n);
  progress_->advance(n * n * static_cast<double>(extent(k)));
}

}  // namespace apsp::cluster
