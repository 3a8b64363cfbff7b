#include "dense/streamed_memory.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <cmath>
#include <numeric>

#include "dense/blocked_floyd_warshall.hpp"

namespace apsp::dense {

using kernels::EventId;
using kernels::kViaSize;
using kernels::Priority;
using kernels::QueueId;
using kernels::Update;
using kernels::View;

namespace {

TiledMatrix diagonal_tiling(const TiledMatrix& host, std::int64_t width) {
  const std::int64_t side = std::min(width, host.n()), values = host.values_of(side);
  return {{nullptr, side, values, values}, host.value_size, host.tile, host.columns_per_value};
}

}  // namespace

StreamedMemory::StreamedMemory(kernels::ComputeDevice& device, const OffloadPlan& plan,
                               const TiledMatrix& host, kernels::Cycles cycles,
                               const Control& control, const TiledMatrix& via,
                               const StreamedShare& share)
    : device_(device),
      plan_(plan),
      square_(std::gcd(std::gcd(plan.width, host.tile), plan.strip_rows)),
      steps_{host.matrix, host.value_size, plan.width, host.columns_per_value},
      host_{host, via},
      control_(control),
      diagonal_(device.make_queue(Priority::high)),
      passing_{device.make_queue(Priority::high), device.make_queue(Priority::high)},
      staying_(device.make_queue(Priority::low)),
      pinned_values_(device, share.transport != nullptr ? View{} : host.matrix, host.value_size),
      pinned_via_(device, share.transport != nullptr ? View{} : via.matrix, via.value_size),
      shared_(device, share, device.tiles().granule(), host.tile),
      stream_(device, host_, plan.buffers, plan.buffer_values),
      closing_(device, diagonal_tiling(host, plan.width), plan.shape, cycles, nullptr) {
  const std::int64_t n = host.n(), side = std::min(plan.width, n), values = host.values_of(side);
  const bool tracked = via.matrix.data != nullptr;
  const auto plane = [&](std::int64_t rows, std::int64_t columns, int value_size) {
    return DeviceBuffer(device, rows * tiles_.stride(columns) * value_size);
  };
  if (steps_.tiles() > 1) {
    left_ = {device, tiles_.left_bytes(n, side)};
    right_ = {device, tiles_.right_bytes(host.values_of(n), side)};
    closed_left_ = {device, tiles_.left_bytes(side, side)};
    closed_right_ = {device, tiles_.right_bytes(values, side)};
  }
  if (plan.resident_rows < n) {
    tile_values_ = plane(side, values, host.value_size);
    if (tracked) tile_via_ = plane(side, side, kViaSize);
  }
  if (plan.resident_rows == 0) return;
  const std::int64_t columns = length(staying_columns());
  resident_values_ = plane(plan.resident_rows, host.values_of(columns), host.value_size);
  if (tracked) resident_via_ = plane(plan.resident_rows, columns, kViaSize);
}

StreamedMemory::~StreamedMemory() {
  for (const QueueId queue : queues()) drain(device_, queue);
}

bool StreamedMemory::stopped() {
  if (shared_.alone()) return base::cancelled(control_);
  return shared_.transport()->stopped(base::cancelled(control_) || tiles_.pivot_met());
}

void StreamedMemory::run() {
  reported_ = 0;
  progress_ =
      std::make_unique<base::ProgressTask>(control_, "Floyd-Warshall", work(), "relaxation");
  copy_residents(true);
  copied_ = copies_out();
  follow_copies();  // an earlier solve of the same matrix
  blocked_floyd_warshall(*this);
  finish();
  copy_residents(false);
  device_.synchronize(stream_.out());
  report(work());
  progress_.reset();
}

void StreamedMemory::finish() {
  shared_.settle(passing_[0]);
  settle_closed();
  for (const QueueId queue : queues()) device_.synchronize(queue);
  const std::int64_t pivot = tiles_.take_pivot();
  throw_if_interrupted(shared_.transport(), control_);
  throw_agreed_cycle(shared_.transport(), pivot);
}

void StreamedMemory::copy_residents(bool in) {
  if (plan_.resident_rows == 0) return;
  const Range rows = staying_rows(), columns = staying_columns();
  const Planes planes = on_device(rows, columns);
  if (!in) mirror(stream_.out(), planes);
  for_each_plane(planes, host_, [&](View device, const TiledMatrix& host) {
    const View tile = host.block(rows, columns);
    in ? device_.copy_in(stream_.in(), device, tile, host.value_size)
       : device_.copy_out(stream_.out(), tile, device, host.value_size);
  });
  if (!in) return;
  residents_there_ = device_.record(stream_.in());
  for (const QueueId queue : {diagonal_, passing_[0], staying_}) {
    device_.wait(queue, residents_there_);
  }
}

void StreamedMemory::mirror(QueueId queue, Planes square) {
  if (!symmetric()) return;
  for_each_plane(square, host_, [&](View plane, const TiledMatrix& host) {
    tiles_.mirror(queue, plane, host.value_size, square_);
  });
}

StreamedMemory::Planes StreamedMemory::on_device(Range rows, Range columns) const {
  const auto plane = [&](const DeviceBuffer& memory, const TiledMatrix& host) {
    const std::int64_t there = host.values_of(length(staying_columns()));
    TiledMatrix resident = host;
    resident.matrix = {memory.data(), plan_.resident_rows, there, tiles_.stride(there)};
    return resident.block(rows, columns);
  };
  const bool tracked = resident_via_.data() != nullptr;
  return {plane(resident_values_, host_.values),
          tracked ? plane(resident_via_, host_.via) : View{}};
}

StreamedMemory::Planes StreamedMemory::diagonal(Tile k) const {
  if (resident(k)) return on_device(tile_range(k, 1), tile_range(k, 1));
  const auto plane = [&](const DeviceBuffer& memory, const TiledMatrix& host) {
    const std::int64_t side = steps_.extent(k), values = host.values_of(side);
    return View{memory.data(), side, values, tiles_.stride(values)};
  };
  const bool tracked = tile_via_.data() != nullptr;
  return {plane(tile_values_, host_.values), tracked ? plane(tile_via_, host_.via) : View{}};
}

Update StreamedMemory::product(Tile k, Range rows, Range columns, Planes c) {
  return {.c = c.values,
          .via = c.via,
          .left = left(k, rows.begin),
          .right = right(k, columns.begin),
          .depth = steps_.extent(k),
          .first_pivot = steps_.row(k)};
}

void StreamedMemory::bring_diagonal(Tile k) {
  if (resident(k)) return;
  for_each_plane(diagonal(k), host_, [&](View device, const TiledMatrix& host) {
    device_.copy_in(diagonal_, device, host_diagonal(k, host), host.value_size);
  });
}

void StreamedMemory::update_cross(Tile k) {
  // Only the diagonal tile of row and column k + 1: the other tiles are updated with the panels.
  // Tile k comes in again in the remainder of step k + 1.
  wait(stream_.in(), diagonal_out_);
  // Panels k are ready, so nobody here reads the packed tile of step k any more, and the operands
  // of the next tile's product are there. Earlier copies out to its rows have ended: their piece of
  // column panel k came in after them.
  wait(diagonal_, panels_ready_);
  follow_copies();
  if (!closes(k + 1)) return;
  bring_diagonal(k + 1);
  const Range next = tile_range(k + 1, 1);
  tiles_.multiply_add(diagonal_, product(k, next, next, diagonal(k + 1)));
  mirror(diagonal_, diagonal(k + 1));
}

void StreamedMemory::settle_closed() {
  if (shared_.alone() || tiles() == 1) return;
  shared_.transport()->settle(diagonal_, closed_left_.data());
  shared_.transport()->settle(diagonal_, closed_right_.data());
}

void StreamedMemory::share_closed(Tile k) {
  if (!shared_.alone() && tiles() > 1) {
    const std::int64_t side = steps_.extent(k);
    const int closer = shared_.owner(k.number());
    PeerTransport& transport = *shared_.transport();
    transport.broadcast(Payload::diagonal, Along::column, closer, diagonal_, closed_left_.data(),
                        tiles_.left_bytes(side, side));
    transport.broadcast(Payload::diagonal, Along::column, closer, diagonal_, closed_right_.data(),
                        tiles_.right_bytes(steps_.values_of(side), side));
    transport.finish_broadcasts();
  }
  closed_ = device_.record(diagonal_);
}

void StreamedMemory::close(Tile k) {
  settle_closed();
  if (!closes(k)) return share_closed(k);
  if (k == kFirstTile) bring_diagonal(k);
  const Planes tile = diagonal(k);
  const EventId done = closing_.solve(
      {.values = {tile.values, steps_.value_size, host_.values.tile, steps_.columns_per_value},
       .via = {tile.via, kViaSize, host_.values.tile},
       .first_vertex = steps_.row(k)},
      {.first_row = device_.record(diagonal_)});
  device_.wait(diagonal_, done);
  if (tiles() > 1) {
    tiles_.pack_left(diagonal_, tile.values, false, closed_left_.data());
    tiles_.pack_right(diagonal_, tile.values, false, closed_right_.data());
  }
  share_closed(k);
  if (resident(k)) return;
  for_each_plane(tile, host_, [&](View device, const TiledMatrix& host) {
    device_.copy_out(diagonal_, host_diagonal(k, host), device, host.value_size);
  });
  diagonal_out_ = device_.record(diagonal_);
}

void StreamedMemory::update_panels(Tile k) {
  if (shared_.alone() && stopped()) return;
  const QueueId queue = passing_[0];
  device_.wait(queue, closed_);
  if (k > kFirstTile) {
    // These panels replace the packed ones, which the remainder of step k − 1 must have read.
    device_.wait(queue, device_.record(passing_[1]));
    device_.wait(queue, staying_done(k - 1));
  }
  shared_.begin(queue);
  wait(stream_.in(), followed_);
  stream_.begin_phase();
  update_panel(k, true);
  update_panel(k, false);
  panels_ready_ = panels_here();
  device_.wait(passing_[1], panels_ready_);
  device_.wait(staying_, panels_ready_);
}

EventId StreamedMemory::panels_here() {
  if (shared_.alone()) return device_.record(passing_[0]);
  const EventId here = shared_.finish();
  device_.wait(passing_[0], here);
  copied_ = copies_out();
  return here;
}

EventId StreamedMemory::copies_out() {
  wait(stream_.out(), diagonal_out_);
  return device_.record(stream_.out());
}

void StreamedMemory::follow_copies() {
  if (shared_.alone()) return;
  shared_.transport()->follow_all(diagonal_, copied_);
  followed_ = device_.record(diagonal_);
}

void StreamedMemory::share(Tile k, const SharedPanels::PanelShare& piece, bool right) {
  if (shared_.alone()) return;
  const auto [first, end] = piece.lines;
  const std::int64_t depth = steps_.extent(k);
  const EventId made = shared_.is_rank(piece.owner) ? device_.record(passing_[0]) : -1;
  if (right || symmetric()) {
    shared_.share(this->right(k, first), tiles_.right_bytes(steps_.values_of(end - first), depth),
                  piece.owner, made);
  }
  if (!right || symmetric()) {
    shared_.share(left(k, first), tiles_.left_bytes(end - first, depth), piece.owner, made);
  }
}

std::int64_t StreamedMemory::whole(std::int64_t lines) const {
  const std::int64_t tile = host_.values.tile, granule = tiles_.granule();
  return lines >= tile ? lines / tile * tile : lines / granule * granule;
}

std::int64_t StreamedMemory::piece_lines(bool is_row) const {
  const std::int64_t values = stream_.buffer_values();
  if (!is_row) return whole(values / tiles_.stride(steps_.values_of(plan_.width)));
  std::int64_t width = whole(values / plan_.width * steps_.columns_per_value);
  while (plan_.width * tiles_.stride(steps_.values_of(width)) > values) {
    width -= tiles_.granule();
  }
  return width;
}

void StreamedMemory::update_panel(Tile k, bool is_row) {
  const Range own = tile_range(k, 1);
  for (const Range lines : outside(own)) {
    if (symmetric() && is_row == (lines.end > own.end)) continue;
    const std::int64_t stays = !is_row ? plan_.resident_rows : resident(k) ? lines.end : 0;
    const Range stay{lines.begin, std::clamp(stays, lines.begin, lines.end)};
    if (length(stay) > 0) {
      update_piece(k, is_row, stay, is_row ? on_device(own, stay) : on_device(stay, own));
    }
    for (const SharedPanels::PanelShare& piece :
         shared_.pieces({stay.end, lines.end}, piece_lines(is_row))) {
      const Range part = piece.lines;
      if (shared_.is_rank(piece.owner)) {
        const TileStream::StreamedBlock row{own, part, {}, transposes(k) ? part : Range{}};
        stream_.pass(is_row ? row : TileStream::StreamedBlock{part, own}, passing_[0],
                     work_before(k), [&](View values, View via) {
                       update_piece(k, is_row, part, {values, via});
                     });
      }
      share(k, piece, is_row);
    }
  }
}

void StreamedMemory::update_piece(Tile k, bool is_row, Range lines, Planes piece) {
  const QueueId queue = passing_[0];
  const Range own_lines = tile_range(k, 1);
  const Range rows = is_row ? own_lines : lines, columns = is_row ? lines : own_lines;
  if (k > kFirstTile) {
    Update owed = product(k - 1, rows, columns, piece);
    const Range kept = part_within(tile_range(k - 1, 1), lines);
    (is_row ? owed.skipped_cols : owed.skipped_rows) = is_row ? steps_.values_of(kept) : kept;
    tiles_.multiply_add(queue, owed);
  }
  const auto pack = [&] {
    is_row ? tiles_.pack_right(queue, piece.values, false, right(k, lines.begin))
           : tiles_.pack_left(queue, piece.values, false, left(k, lines.begin));
  };
  pack();
  Update own = product(k, rows, columns, piece);
  (is_row ? own.left : own.right) = is_row ? closed_left_.data() : closed_right_.data();
  tiles_.multiply_add(queue, own);
  pack();
  if (!symmetric()) return;
  is_row ? tiles_.pack_left(queue, piece.values, true, left(k, lines.begin))
         : tiles_.pack_right(queue, piece.values, true, right(k, lines.begin));
}

void StreamedMemory::update_rest(Tile k) {
  if (k >= kFirstTile + 2) {
    device_.await(staying_done(k - 2));
    report(work_before(plan_.buffers == 0 ? k - 1 : k - 2));
  }
  update_staying(k);
  staying_done(k) = device_.record(staying_);
  if (transposes(k) && !shared_.alone()) {
    // Squares are distributed otherwise than strips were.
    shared_.transport()->follow_all(stream_.in(), copies_out());
  }
  stream_.begin_phase();
  std::int64_t turn = 0;
  const std::int64_t height = strip_rows(k);
  for (const Range rows : outside(tile_range(k, 2))) {
    std::int64_t first = std::max(rows.begin, plan_.resident_rows);
    for (std::int64_t end = 0; first < rows.end; first = end) {
      if (base::cancelled(control_)) return;
      end = std::min((first / height + 1) * height, rows.end);
      if (transposes(k)) {
        update_transposed_strip(k, {first, end}, turn);
      } else if (shared_.mine(first / height)) {
        update_strip(k, {first, end}, passing_[turn++ % 2]);
      }
      report(stream_.reached());
    }
  }
}

std::int64_t StreamedMemory::strip_rows(Tile k) const {
  if (!transposes(k)) return plan_.strip_rows;
  const auto values = static_cast<double>(stream_.buffer_values());
  std::int64_t side = static_cast<std::int64_t>(std::sqrt(values)) / square_ * square_;
  while (side > square_ && side * tiles_.stride(side) > stream_.buffer_values()) side -= square_;
  return std::max(side, square_);
}

void StreamedMemory::update_staying(Tile k) {
  if (plan_.resident_rows == 0 || tiles() == 1) return;
  const Range rows = staying_rows(), columns = staying_columns();
  Update update = product(k, rows, columns, on_device(rows, columns));
  update.skipped_rows = part_within(tile_range(k, 2), rows);
  update.skipped_cols = steps_.values_of(part_within(tile_range(k, 2), columns));
  if (symmetric()) update.triangle = square_;
  tiles_.multiply_add(staying_, update);
}

void StreamedMemory::update_strip(Tile k, Range strip, QueueId queue) {
  const double share = static_cast<double>(strip.end) / static_cast<double>(steps_.n());
  const double mark = work_before(k) + share * (work_before(k + 1) - work_before(k));
  const Range kept = tile_range(k, 2), columns = reach(strip);
  stream_.pass({strip, columns, kept}, queue, mark, [&](View values, View via) {
    Update update = product(k, strip, columns, {values, via});
    update.skipped_cols = steps_.values_of(part_within(kept, columns));
    tiles_.multiply_add(queue, update);
  });
}

/// The last step stores no rows before its own.
void StreamedMemory::update_transposed_strip(Tile k, Range strip, std::int64_t& square) {
  int turn = 0;
  for (std::int64_t first = 0, end = 0; first < strip.end; first = end) {
    const bool below = first < strip.begin;
    end = below ? std::min(first + strip_rows(k), strip.begin) : strip.end;
    if (!shared_.mine(square++)) continue;
    const Range columns{first, end};
    const QueueId queue = passing_[turn++ % 2];
    stream_.pass({strip, columns, {}, below ? columns : Range{}}, queue, work_before(k),
                 [&](View values, View via) {
                   tiles_.multiply_add(queue, product(k, strip, columns, {values, via}));
                   if (!below) mirror(queue, {values, via});
                 });
  }
}

double StreamedMemory::work_before(Tile k) const {
  const auto n = static_cast<double>(steps_.n());
  return n * n * static_cast<double>(steps_.row(k)) / (symmetric() ? 2 : 1);
}

void StreamedMemory::report(double reached) {
  if (reached <= reported_) return;
  progress_->advance(reached - reported_);
  reported_ = reached;
}

}  // namespace apsp::dense
