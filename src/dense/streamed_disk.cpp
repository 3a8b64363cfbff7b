#include "dense/streamed_disk.hpp"

#include <algorithm>
#include <numeric>

#include "dense/blocked_floyd_warshall.hpp"
#include "dense/streamed_disk_plan.hpp"

namespace apsp::dense {

using kernels::QueueId;
using kernels::Range;
using kernels::View;

namespace {

/// The bands [begin, end).
std::vector<std::int64_t> all_of(Range bands) {
  std::vector<std::int64_t> list(static_cast<std::size_t>(length(bands)));
  std::iota(list.begin(), list.end(), bands.begin);
  return list;
}

}  // namespace

StreamedDisk::StreamedDisk(store::DiskMatrix& matrix, const DiskPlan& plan,
                           kernels::ComputeDevice& device, int threads, const Control& control)
    : matrix_(matrix),
      plan_(plan),
      device_(device),
      control_(control),
      n_(matrix.layout().n),
      first_pivot_(matrix.cut()->pivots),
      size_(static_cast<int>(size_of(matrix.layout().type))),
      in_(device.make_queue()),
      work_(device.make_queue()),
      out_(device.make_queue()),
      parts_(matrix, device, {in_, work_, out_}, {plan.buffers, part_values(plan, n_)}, threads,
             [this] { return stopped(); }),
      closing_(device, closing_tiling(plan, n_, size_), Shape::full, kernels::Cycles::excluded,
               nullptr) {
  const std::int64_t side = std::min(plan.width, n_);
  tile_ = {device, side * tiles_.stride(side) * size_};
  if (plan.band >= n_) return;  // one step, and no panels
  panel_ = {device, tiles_.right_bytes(n_, side)};
  diagonal_ = {device, tiles_.left_bytes(side, side)};
  left_ = {device, tiles_.left_bytes(std::min(plan.strip_rows, n_), side)};
  for (std::int64_t i = 0; i < plan.buffers; ++i) {
    slots_.emplace_back(device, part_values(plan, n_, tiles_) * size_);
  }
}

StreamedDisk::~StreamedDisk() {
  parts_.end();
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

std::int64_t StreamedDisk::columns(const DiskPart& part) const {
  return length(columns_of({part.bands.front(), part.bands.back() + 1}));
}

View StreamedDisk::in_slot(const DiskPart& part, std::int64_t item) const {
  const std::int64_t cols = columns(part);
  const DeviceBuffer& slot = slots_[static_cast<std::size_t>(item % plan_.buffers)];
  return {slot.data(), length(part.rows), cols, tiles_.stride(cols)};
}

View StreamedDisk::diagonal(Tile k) const {
  const std::int64_t side = length(pivots(k));
  return {tile_.data(), side, side, tiles_.stride(side)};
}

void StreamedDisk::run() {
  const auto n = static_cast<double>(n_);
  const double left = n * n * static_cast<double>(n_ - first_pivot_);
  progress_ = std::make_unique<base::ProgressTask>(control_, "Floyd-Warshall", left, "relaxation");
  parts_.begin();
  committed_ = -1;
  try {
    blocked_floyd_warshall(*this);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) parts_.wait(committed_);
    throw;
  }
  parts_.wait(committed_);
  parts_.end();
  for (const QueueId queue : {in_, work_, out_}) device_.synchronize(queue);
  progress_.reset();
  base::check_cancelled(control_);
}

void StreamedDisk::advance(std::int64_t rows, std::int64_t columns, std::int64_t depth) {
  progress_->advance(static_cast<double>(rows) * static_cast<double>(columns) *
                     static_cast<double>(depth));
}

void StreamedDisk::pass_diagonal(Tile k, DiskParts::Flow flow) {
  const Range own = pivots(k);
  const std::int64_t height = plan_.strip_rows;
  parts_.pass(
      {.flow = flow,
       .count = (length(own) + height - 1) / height,
       .part_of =
           [&](std::int64_t item) {
             const std::int64_t first = own.begin + item * height;
             return DiskPart{{first, std::min(first + height, own.end)}, all_of(bands_of(own))};
           },
       .view_of =
           [&](const DiskPart& part, std::int64_t) {
             return kernels::part(diagonal(k), size_, part.rows.begin - own.begin, 0,
                                  length(part.rows), length(own));
           }});
}

void StreamedDisk::close_tile(Tile k) {
  const Range own = pivots(k);
  const View tile = diagonal(k);
  device_.wait(work_,
               closing_.solve({.values = {tile, size_, plan_.tile}, .first_vertex = own.begin},
                              {.first_row = device_.record(work_)}));
  if (length(own) < n_) tiles_.pack_left(work_, tile, false, diagonal_.data());
}

void StreamedDisk::update_panels(Tile k) {
  if (stopped()) return;
  const Range own = pivots(k);
  const std::int64_t side = length(own);
  device_.wait(in_, device_.record(work_));  // the tile of the step before was packed
  pass_diagonal(k, {.in = true});
  if (stopped()) return;
  close_tile(k);
  if (side < n_) tiles_.pack_right(work_, diagonal(k), false, right(own.begin, side));
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
           rows * tiles_.stride(columns) <= part_values(plan_, n_, tiles_);
  };
  std::int64_t wide = 1;  // bands of a part
  while (wide < matrix_.bands() && fits(wide + 1)) ++wide;
  const std::int64_t left = (before + wide - 1) / wide, all = left + (behind + wide - 1) / wide;
  const auto part_of = [&](std::int64_t item) {
    const std::int64_t first = item < left ? item * wide : inside.end + (item - left) * wide;
    const std::int64_t end = item < left ? before : matrix_.bands();
    return DiskPart{own, all_of({first, std::min(first + wide, end)})};
  };
  parts_.pass(
      {.flow = {.in = true, .out = true},
       .count = all,
       .part_of = part_of,
       .view_of = [&](const DiskPart& part, std::int64_t item) { return in_slot(part, item); },
       .work = [&](const DiskPart& part, View piece) { update_piece(k, part, piece); },
       .left = [&](const DiskPart& part) { advance(length(own), columns(part), length(own)); }});
}

void StreamedDisk::multiply(View c, const std::byte* left, const std::byte* right,
                            std::int64_t depth, Range skipped_cols) {
  tiles_.multiply_add(
      work_, {.c = c, .left = left, .right = right, .depth = depth, .skipped_cols = skipped_cols});
}

void StreamedDisk::update_piece(Tile k, const DiskPart& part, View piece) {
  const std::int64_t depth = length(pivots(k));
  std::byte* const packed = right(part.bands.front() * plan_.band, depth);
  // Packed twice: before, for its own update, and after it, for the other tiles.
  tiles_.pack_right(work_, piece, false, packed);
  multiply(piece, diagonal_.data(), packed, depth);
  tiles_.pack_right(work_, piece, false, packed);
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
    return DiskPart{{first, std::min(first + height, end)}, all_of({0, matrix_.bands()})};
  };
  parts_.pass(
      {.flow = {.in = true, .out = true},
       .count = above + below,
       .part_of = part_of,
       .view_of = [&](const DiskPart& part, std::int64_t item) { return in_slot(part, item); },
       .work = [&](const DiskPart&, View strip) { update_strip(k, strip); },
       .left = [&](const DiskPart& part) { advance(length(part.rows), n_, length(own)); }});
  if (stopped()) return;
  committed_ = parts_.post([this, end = own.end] { matrix_.commit_step(end); });
}

void StreamedDisk::update_strip(Tile k, View strip) {
  const Range own = pivots(k);
  const std::int64_t depth = length(own);
  const View column_panel = kernels::part(strip, size_, 0, own.begin, strip.rows, depth);
  tiles_.pack_left(work_, column_panel, false, left_.data());
  multiply(column_panel, left_.data(), right(own.begin, depth), depth);
  tiles_.pack_left(work_, column_panel, false, left_.data());
  multiply(strip, left_.data(), panel_.data(), depth, own);
}

}  // namespace apsp::dense
