#include "places/streamed_disk.hpp"

#include <algorithm>

#include "places/blocked_floyd_warshall.hpp"
#include "places/streamed_disk_plan.hpp"

namespace apsp::places {

using kernels::EventId;
using kernels::QueueId;
using kernels::Range;
using kernels::View;

namespace {

/// Threads that move and check what a disk reads and writes; more do not make it faster.
constexpr int kDiskThreads = 4;
/// What one of them moves at a time.
constexpr std::int64_t kPieceBytes = std::int64_t{1} << 20;
/// Blocks of rows that the device is given ahead, where they stay there.
constexpr std::size_t kBlocksAhead = 2;
/// Parts that the device is given ahead: one comes, one is worked on, one leaves.
constexpr std::int64_t kOnDevice = 3;

TiledMatrix closing_tiling(const DiskPlan& plan, std::int64_t n, int size) {
  const std::int64_t side = std::min(plan.width, n);
  return {{nullptr, side, side, side}, size, plan.tile};
}

}  // namespace

StreamedDisk::StreamedDisk(store::DiskMatrix& matrix, const DiskPlan& plan,
                           kernels::ComputeDevice& device, int threads, const Control& control)
    : matrix_(matrix),
      plan_(plan),
      device_(device),
      threads_(std::clamp(threads, 1, kDiskThreads)),
      control_(control),
      n_(matrix.layout().n),
      first_pivot_(matrix.cut()->pivots),
      size_(static_cast<int>(size_of(matrix.layout().type))),
      in_(device.make_queue()),
      work_(device.make_queue()),
      out_(device.make_queue()),
      host_(plan.buffers * part_values(plan, n_) * size_),
      pinned_(device, {host_.data(), 1, host_.bytes(), host_.bytes()}, 1),
      closing_(device, closing_tiling(plan, n_, size_), Shape::full, kernels::Cycles::excluded,
               nullptr),
      buffers_(static_cast<std::size_t>(plan.buffers)) {
  const std::int64_t side = std::min(plan.width, n_), held = plan.stays ? n_ : side;
  values_ = {device, held * device.stride(held) * size_};
  if (plan.band >= n_) return;  // one step, and no panels
  panel_ = {device, device.right_bytes(n_, side)};
  diagonal_ = {device, device.left_bytes(side, side)};
  left_ = {device, device.left_bytes(plan.stays ? side : std::min(plan.strip_rows, n_), side)};
  if (plan.stays) return;
  for (std::int64_t i = 0; i < plan.buffers; ++i) {
    slots_.emplace_back(device, part_values(plan, n_, device) * size_);
  }
}

StreamedDisk::~StreamedDisk() {
  disk_.reset();
  for (const QueueId queue : {in_, work_, out_}) drain(device_, queue);
}

std::int64_t StreamedDisk::tiles() const {
  return (n_ - first_pivot_ + plan_.width - 1) / plan_.width;
}

Range StreamedDisk::pivots(Tile k) const {
  const std::int64_t first = first_pivot_ + k.number() * plan_.width;
  return {first, std::min(first + plan_.width, n_)};
}

Range StreamedDisk::bands_of(Range columns) const {
  return {columns.begin / plan_.band, (columns.end + plan_.band - 1) / plan_.band};
}

Range StreamedDisk::columns_of(Range bands) const {
  return {bands.begin * plan_.band, std::min(bands.end * plan_.band, n_)};
}

std::byte* StreamedDisk::host(std::int64_t item) {
  return host_.data() + item % plan_.buffers * part_values(plan_, n_) * size_;
}

View StreamedDisk::device_rows(Range rows, Range columns) const {
  const View whole{values_.data(), n_, n_, device_.stride(n_)};
  return part(whole, size_, rows.begin, columns.begin, length(rows), length(columns));
}

View StreamedDisk::in_slot(const BandRows& part, std::int64_t item) const {
  const std::int64_t cols = length(columns_of(part.bands));
  const DeviceBuffer& slot = slots_[static_cast<std::size_t>(item % plan_.buffers)];
  return {slot.data(), length(part.rows), cols, device_.stride(cols)};
}

View StreamedDisk::diagonal(Tile k) const {
  const Range own = pivots(k);
  const std::int64_t side = length(own);
  if (plan_.stays) return device_rows(own, own);
  return {values_.data(), side, side, device_.stride(side)};
}

void StreamedDisk::run() {
  const auto n = static_cast<double>(n_);
  const double left = n * n * static_cast<double>(n_ - first_pivot_);
  progress_ = std::make_unique<base::ProgressTask>(control_, "Floyd-Warshall", left, "relaxation");
  disk_ = std::make_unique<DiskQueue>(threads_);
  std::fill(buffers_.begin(), buffers_.end(), Buffer());
  committed_ = -1;
  try {
    plan_.stays ? run_staying() : blocked_floyd_warshall(*this);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) disk_->wait(committed_);
    throw;
  }
  disk_->wait(committed_);
  waited_ = disk_->waited();
  disk_.reset();
  for (const QueueId queue : {in_, work_, out_}) device_.synchronize(queue);
  progress_.reset();
  base::check_cancelled(control_);
}

void StreamedDisk::advance(std::int64_t rows, std::int64_t columns, std::int64_t depth) {
  progress_->advance(static_cast<double>(rows) * static_cast<double>(columns) *
                     static_cast<double>(depth));
}

EventId StreamedDisk::post_move(const BandRows& part, std::int64_t item, bool in) {
  const std::int64_t height = std::max<std::int64_t>(1, kPieceBytes / (plan_.band * size_));
  const std::int64_t down = (length(part.rows) + height - 1) / height;
  return disk_->post(length(part.bands) * down, [=, this](std::int64_t piece) {
    const std::int64_t band = part.bands.begin + piece / down, first = piece % down * height;
    const std::int64_t before = matrix_.first_column(band) - matrix_.first_column(part.bands.begin);
    const std::int64_t rows = std::min(height, length(part.rows) - first);
    const std::int64_t values = length(part.rows) * before + first * matrix_.columns(band);
    std::byte* const data = host(item) + values * size_;
    const std::int64_t row = part.rows.begin + first;
    in ? matrix_.read_band(store::DiskMatrix::Generation::current, band, row, rows, data)
       : matrix_.write_band(band, row, rows, data);
  });
}

void StreamedDisk::copy(const BandRows& part, std::int64_t item, View device, bool in) {
  std::byte* data = host(item);
  std::int64_t column = 0;
  for (std::int64_t band = part.bands.begin; band < part.bands.end; ++band) {
    const std::int64_t cols = matrix_.columns(band);
    const View here{data, device.rows, cols, cols};
    const View there = kernels::part(device, size_, 0, column, device.rows, cols);
    in ? device_.copy_in(in_, there, here, size_) : device_.copy_out(out_, here, there, size_);
    data += device.rows * cols * size_;
    column += cols;
  }
}

template <class PartOf, class ViewOf, class Work>
void StreamedDisk::pass(Flow flow, std::int64_t count, std::int64_t depth, const PartOf& part_of,
                        const ViewOf& view_of, const Work& work) {
  const auto buffer = [&](std::int64_t item) -> Buffer& {
    return buffers_[static_cast<std::size_t>(item % plan_.buffers)];
  };
  const auto read = [&](std::int64_t item) {
    if (flow.in && item < count) buffer(item).read = post_move(part_of(item), item, true);
  };
  const std::int64_t ahead = std::min(kOnDevice, plan_.buffers);
  std::int64_t left = 0;  // parts that have left the device
  const auto leave = [&] {
    const BandRows part = part_of(left);
    device_.await(buffer(left).done);
    if (flow.out) buffer(left).written = post_move(part, left, false);
    read(left + plan_.buffers);
    advance(length(part.rows), length(columns_of(part.bands)), depth);
    ++left;
  };
  for (std::int64_t item = 0; item < plan_.buffers; ++item) read(item);
  for (std::int64_t item = 0; item < count; ++item) {
    disk_->wait(flow.in ? buffer(item).read : flow.out ? buffer(item).written : -1);
    if (stopped()) return;
    const BandRows part = part_of(item);
    const View view = view_of(part, item);
    if (flow.in) {
      copy(part, item, view, true);
      device_.wait(work_, device_.record(in_));
    }
    work(part, view);
    if (flow.out) {
      device_.wait(out_, flow.ready >= 0 ? flow.ready : device_.record(work_));
      copy(part, item, view, false);
    }
    buffer(item).done = device_.record(flow.out ? out_ : flow.in ? in_ : work_);
    while (left <= item && (item - left + 1 >= ahead || device_.reached(buffer(left).done))) {
      leave();
    }
  }
  while (left < count) leave();  // NOLINT(bugprone-infinite-loop): leave() counts
}

void StreamedDisk::pass_diagonal(Tile k, Flow flow) {
  const Range own = pivots(k);
  const std::int64_t height = plan_.strip_rows;
  const auto part_of = [&](std::int64_t item) {
    const std::int64_t first = own.begin + item * height;
    return BandRows{{first, std::min(first + height, own.end)}, bands_of(own)};
  };
  const auto view_of = [&](const BandRows& part, std::int64_t) {
    return kernels::part(diagonal(k), size_, part.rows.begin - own.begin, 0, length(part.rows),
                         length(own));
  };
  constexpr std::int64_t kNoWork = 0;
  pass(flow, (length(own) + height - 1) / height, kNoWork, part_of, view_of,
       [](const BandRows&, View) {});
}

void StreamedDisk::close_tile(Tile k) {
  const Range own = pivots(k);
  const View tile = diagonal(k);
  device_.wait(work_,
               closing_.solve({.values = {tile, size_, plan_.tile}, .first_vertex = own.begin},
                              {.first_row = device_.record(work_)}));
  if (length(own) < n_) device_.pack_left(work_, tile, false, diagonal_.data());
}

void StreamedDisk::update_panels(Tile k) {
  if (stopped()) return;
  const Range own = pivots(k);
  const std::int64_t side = length(own);
  device_.wait(in_, device_.record(work_));  // the tile of the step before was packed
  pass_diagonal(k, {.in = true});
  if (stopped()) return;
  close_tile(k);
  if (side < n_) device_.pack_right(work_, diagonal(k), false, right(own.begin, side));
  update_row_panel(k);
  if (stopped()) return;
  // Later than it could be: the device has closed it meanwhile.
  pass_diagonal(k, {.out = true});
  advance(side, side, side);
}

void StreamedDisk::update_row_panel(Tile k) {
  const Range own = pivots(k), inside = bands_of(own);
  const std::int64_t before = inside.begin, behind = matrix_.bands() - inside.end;
  const auto fits = [&](std::int64_t bands) {
    const std::int64_t rows = length(own), columns = bands * plan_.band;
    return rows * columns <= part_values(plan_, n_) &&
           rows * device_.stride(columns) <= part_values(plan_, n_, device_);
  };
  std::int64_t wide = 1;  // bands of a part
  while (wide < matrix_.bands() && fits(wide + 1)) ++wide;
  const std::int64_t left = (before + wide - 1) / wide, all = left + (behind + wide - 1) / wide;
  const auto part_of = [&](std::int64_t item) {
    const std::int64_t first = item < left ? item * wide : inside.end + (item - left) * wide;
    const std::int64_t end = item < left ? before : matrix_.bands();
    return BandRows{own, {first, std::min(first + wide, end)}};
  };
  pass(
      {.in = true, .out = true}, all, length(own), part_of,
      [&](const BandRows& part, std::int64_t item) { return in_slot(part, item); },
      [&](const BandRows& part, View piece) { update_piece(k, part, piece); });
}

void StreamedDisk::multiply(View c, const std::byte* left, const std::byte* right,
                            std::int64_t depth, Range skipped_cols) {
  device_.multiply_add(
      work_, {.c = c, .left = left, .right = right, .depth = depth, .skipped_cols = skipped_cols});
}

void StreamedDisk::update_piece(Tile k, const BandRows& part, View piece) {
  const std::int64_t depth = length(pivots(k));
  std::byte* const packed = right(columns_of(part.bands).begin, depth);
  // Packed twice: as it is, for its own update, and as it has become, for the rest.
  device_.pack_right(work_, piece, false, packed);
  multiply(piece, diagonal_.data(), packed, depth);
  device_.pack_right(work_, piece, false, packed);
}

void StreamedDisk::update_rest(Tile k) {
  if (stopped()) return;
  const Range own = pivots(k);
  const std::int64_t height = plan_.strip_rows;
  const std::int64_t above = (own.begin + height - 1) / height;
  const std::int64_t below = (n_ - own.end + height - 1) / height;
  const auto part_of = [&](std::int64_t item) {
    const std::int64_t first = item < above ? item * height : own.end + (item - above) * height;
    const std::int64_t end = item < above ? own.begin : n_;
    return BandRows{{first, std::min(first + height, end)}, {0, matrix_.bands()}};
  };
  pass(
      {.in = true, .out = true}, above + below, length(own), part_of,
      [&](const BandRows& part, std::int64_t item) { return in_slot(part, item); },
      [&](const BandRows&, View strip) { update_strip(k, strip); });
  if (stopped()) return;
  committed_ = disk_->post([this, end = own.end] { matrix_.commit_step(end); });
}

void StreamedDisk::update_strip(Tile k, View strip) {
  const Range own = pivots(k);
  const std::int64_t depth = length(own);
  const View column_panel = kernels::part(strip, size_, 0, own.begin, strip.rows, depth);
  device_.pack_left(work_, column_panel, false, left_.data());
  multiply(column_panel, left_.data(), right(own.begin, depth), depth);
  device_.pack_left(work_, column_panel, false, left_.data());
  multiply(strip, left_.data(), panel_.data(), depth, own);
}

std::vector<Range> StreamedDisk::blocks() const {
  std::vector<Range> found;
  for (std::int64_t first = 0; first < n_;) {
    const std::int64_t end = first < first_pivot_ ? first_pivot_ : n_;
    found.push_back({first, std::min(first + plan_.width, end)});
    first = found.back().end;
  }
  return found;
}

void StreamedDisk::pass_rows(Range rows, Flow flow) {
  const std::int64_t height = plan_.strip_rows;
  const auto part_of = [&](std::int64_t item) {
    const std::int64_t first = rows.begin + item * height;
    return BandRows{{first, std::min(first + height, rows.end)}, {0, matrix_.bands()}};
  };
  constexpr std::int64_t kNoWork = 0;
  pass(
      flow, (length(rows) + height - 1) / height, kNoWork, part_of,
      [&](const BandRows& part, std::int64_t) {
        return device_rows(part.rows, {0, n_});
      },
      [](const BandRows&, View) {});
}

/// `depth`: of the work on these rows that was ordered last.
void StreamedDisk::note_ordered(Range rows, std::int64_t depth) {
  ordered_.push_back({device_.record(work_), rows, depth});
  settle(kBlocksAhead);
}

void StreamedDisk::settle(std::size_t kept) {
  for (; ordered_.size() > kept; ordered_.pop_front()) {
    const Ordered& first = ordered_.front();
    device_.await(first.done);
    advance(length(first.rows), n_, first.depth);
  }
}

void StreamedDisk::run_staying() {
  ordered_.clear();
  for (Tile k = kFirstTile; k < Tile(tiles()); ++k) {
    pass_rows(pivots(k), {.in = true});
    if (stopped()) return;
    go_forward(k);
    note_ordered(pivots(k), pivots(k).end - first_pivot_);
  }
  const std::vector<Range> all = blocks();
  for (const Range rows : all) {
    if (rows.begin < first_pivot_) pass_rows(rows, {.in = true});
  }
  // A block leaves under the work on the one above it.
  EventId ready = -1;
  for (auto block = all.rbegin(); block != all.rend() && !stopped(); ++block) {
    go_backward(*block);
    const EventId done = device_.record(work_);
    note_ordered(*block, n_ - std::max(block->end, first_pivot_));
    if (ready >= 0) pass_rows(*(block - 1), {.out = true, .ready = ready});
    ready = done;
  }
  if (stopped()) return;
  pass_rows(all.front(), {.out = true, .ready = ready});
  if (stopped()) return;
  settle(0);
  committed_ = disk_->post([this] { matrix_.commit_step(n_); });
}

void StreamedDisk::go_forward(Tile k) {
  const Range own = pivots(k);
  const View rows = device_rows(own, {0, n_});
  for (Tile before = kFirstTile; before < k; ++before) {
    device_.pack_right(work_, device_rows(pivots(before), {0, n_}), false, panel_.data());
    update_strip(before, rows);
  }
  close_tile(k);
  if (length(own) == n_) return;
  device_.pack_right(work_, rows, false, panel_.data());
  multiply(rows, diagonal_.data(), panel_.data(), length(own), own);
}

void StreamedDisk::go_backward(Range block) {
  const View rows = device_rows(block, {0, n_});
  for (Tile k = kFirstTile; k < Tile(tiles()); ++k) {
    const Range own = pivots(k);
    if (own.begin < block.end) continue;
    device_.pack_right(work_, device_rows(own, {0, n_}), false, panel_.data());
    device_.pack_left(work_, device_rows(block, own), false, left_.data());
    multiply(rows, left_.data(), panel_.data(), length(own));
  }
}

}  // namespace apsp::places
