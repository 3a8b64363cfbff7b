#include "dense/disk_parts.hpp"

#include <algorithm>
#include <utility>

namespace apsp::dense {

using kernels::EventId;
using kernels::View;

namespace {

/// Threads that move and check what a disk reads and writes; more do not make it faster.
constexpr int kMostThreads = 4;
/// Bytes that a thread moves at a time.
constexpr std::int64_t kPieceBytes = std::int64_t{1} << 20;
/// Parts that are queued: one arrives, one is updated, one leaves.
constexpr std::int64_t kOnDevice = 3;

}  // namespace

DiskParts::DiskParts(store::DiskMatrix& matrix, kernels::ComputeDevice& device, Queues queues,
                     Sizes sizes, int threads, std::function<bool()> stopped)
    : matrix_(matrix),
      device_(device),
      queues_(queues),
      sizes_(sizes),
      size_(static_cast<int>(size_of(matrix.layout().type))),
      threads_(std::clamp(threads, 1, kMostThreads)),
      stopped_(std::move(stopped)),
      host_(sizes.buffers * sizes.values * size_),
      pinned_(device, {host_.data(), 1, host_.bytes(), host_.bytes()}, 1),
      buffers_(static_cast<std::size_t>(sizes.buffers)) {}

void DiskParts::begin() {
  disk_ = std::make_unique<DiskQueue>(threads_);
  std::fill(buffers_.begin(), buffers_.end(), Buffer());
}

void DiskParts::end() {
  if (disk_ == nullptr) return;
  waited_ = disk_->waited();
  disk_.reset();
}

EventId DiskParts::post_move(const DiskPart& part, std::int64_t item, bool in) {
  const std::int64_t band_columns = matrix_.layout().tile;
  const std::int64_t height = std::max<std::int64_t>(1, kPieceBytes / (band_columns * size_));
  const std::int64_t down = (length(part.rows) + height - 1) / height;
  return disk_->post(std::ssize(part.bands) * down, [=, this](std::int64_t piece) {
    const std::int64_t index = piece / down, first = piece % down * height;
    const std::int64_t band = part.bands[static_cast<std::size_t>(index)];
    const std::int64_t rows = std::min(height, length(part.rows) - first);
    // Only the last band is narrower than others.
    const std::int64_t values =
        length(part.rows) * index * band_columns + first * matrix_.columns(band);
    std::byte* const data = host(item) + values * size_;
    const std::int64_t row = part.rows.begin + first;
    in ? matrix_.read_band(store::DiskMatrix::Generation::current, band, row, rows, data)
       : matrix_.write_band(band, row, rows, data);
  });
}

void DiskParts::copy(const DiskPart& part, std::int64_t item, View device, bool in) {
  std::byte* data = host(item);
  std::int64_t column = 0;
  for (const std::int64_t band : part.bands) {
    const std::int64_t cols = matrix_.columns(band);
    const View here{data, device.rows, cols, cols};
    const View there = kernels::part(device, size_, 0, column, device.rows, cols);
    in ? device_.copy_in(queues_.in, there, here, size_)
       : device_.copy_out(queues_.out, here, there, size_);
    data += device.rows * cols * size_;
    column += cols;
  }
}

void DiskParts::order(const Passing& passing, std::int64_t item) {
  const Flow& flow = passing.flow;
  const DiskPart part = passing.part_of(item);
  const View view = passing.view_of(part, item);
  if (flow.in) {
    copy(part, item, view, true);
    device_.wait(queues_.work, device_.record(queues_.in));
  }
  if (passing.work) passing.work(part, view);
  if (flow.out) {
    device_.wait(queues_.out, flow.ready >= 0 ? flow.ready : device_.record(queues_.work));
    copy(part, item, view, false);
  }
  buffer(item).done = device_.record(flow.out ? queues_.out : queues_.in);
}

void DiskParts::pass(const Passing& passing) {
  const Flow flow = passing.flow;
  const std::int64_t count = passing.count;
  const auto& part_of = passing.part_of;
  const auto read = [&](std::int64_t item) {
    if (flow.in && item < count) buffer(item).read = post_move(part_of(item), item, true);
  };
  const std::int64_t ahead = std::min(kOnDevice, sizes_.buffers);
  std::int64_t left = 0;  // parts that have left the device
  const auto leave = [&] {
    const DiskPart part = part_of(left);
    device_.await(buffer(left).done);
    if (flow.out) buffer(left).written = post_move(part, left, false);
    read(left + sizes_.buffers);
    if (passing.left) passing.left(part);
    ++left;
  };
  for (std::int64_t item = 0; item < sizes_.buffers; ++item) read(item);
  for (std::int64_t item = 0; item < count; ++item) {
    disk_->wait(flow.in ? buffer(item).read : buffer(item).written);
    if (stopped_()) return;
    order(passing, item);
    while (left <= item && (item - left + 1 >= ahead || device_.reached(buffer(left).done))) {
      leave();
    }
  }
  while (left < count) leave();  // NOLINT(bugprone-infinite-loop): leave() counts
}

}  // namespace apsp::dense
