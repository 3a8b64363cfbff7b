#include "dense/disk_share.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <chrono>
#include <utility>

#include "base/seconds_since.hpp"

namespace apsp::dense {

using kernels::EventId;
using kernels::QueueId;
using kernels::View;

namespace {

/// Threads that move and check what a disk reads and writes; more do not make it faster. One where
/// all threads of the host compute.
constexpr int kMostThreads = 4;
/// Bytes that a thread moves at a time.
constexpr std::int64_t kPieceBytes = std::int64_t{1} << 20;
/// Parts that are queued: one arrives, one is updated, one leaves. The host's threads have one, so
/// that the thread that waits for it computes too, and others are read and written.
constexpr std::int64_t kOnDevice = 3, kInPlace = 1;

}  // namespace

EventId DiskQueue::post(std::int64_t pieces, std::function<void(std::int64_t)> order) {
  queues_.give(queue_, pieces, std::move(order));
  return queues_.record(queue_);
}

void DiskQueue::wait(EventId posted) {
  if (posted < 0) return;
  const auto start = std::chrono::steady_clock::now();
  queues_.await(posted);
  waited_ += base::seconds_since(start);
}

DiskShare::DiskShare(const DiskArguments& arguments, std::int64_t values)
    : matrix_(arguments.matrix),
      plan_(arguments.plan),
      device_(arguments.device),
      in_place_(device_.host_sees_memory()),
      control_(arguments.control),
      n_(matrix_.layout().n),
      first_pivot_(matrix_.checkpoint()->pivots),
      size_(static_cast<int>(size_of(matrix_.layout().type))),
      in_(device_.make_queue()),
      work_(device_.make_queue()),
      out_(device_.make_queue()),
      threads_(in_place_ ? 1 : std::clamp(arguments.threads, 1, kMostThreads)),
      values_(values),
      host_(in_place_ ? 0 : plan_.buffers * values * size_),
      pinned_(device_, {host_.data(), 1, host_.bytes(), host_.bytes()}, 1),
      buffers_(static_cast<std::size_t>(plan_.buffers)),
      closing_(device_, closing_tiling(plan_, n_, size_), Shape::full, kernels::Cycles::excluded,
               nullptr) {}

void DiskShare::drain_queues() noexcept {
  for (const QueueId queue : {in_, work_, out_}) drain(device_, queue);
}

void DiskShare::end() noexcept {
  if (disk_ != nullptr) waited_ = disk_->waited();
  disk_.reset();
  drain_queues();
}

void DiskShare::run() {
  if (first_pivot_ == n_) return;
  const auto n = static_cast<double>(n_);
  const double left = n * n * static_cast<double>(n_ - first_pivot_);
  progress_ = std::make_unique<base::ProgressTask>(control_, "Floyd-Warshall", left, "relaxation");
  disk_ = std::make_unique<DiskQueue>(threads_);
  std::fill(buffers_.begin(), buffers_.end(), Buffer());
  const bool solved = solve();
  for (const QueueId queue : {in_, work_, out_}) device_.synchronize(queue);
  end();
  progress_.reset();
  if (!solved) throw Error(ErrorKind::interrupted, "interrupted");
  base::check_cancelled(control_);
}

void DiskShare::advance(std::int64_t rows, std::int64_t columns, std::int64_t depth) {
  progress_->advance(static_cast<double>(rows) * static_cast<double>(columns) *
                     static_cast<double>(depth));
}

EventId DiskShare::close_tile(View tile, std::int64_t first_vertex, EventId ready) {
  return closing_.solve({.values = {tile, size_, plan_.tile}, .first_vertex = first_vertex},
                        {.first_row = ready});
}

std::int64_t DiskShare::columns(const DiskPart& part) const {
  // Only the last band is narrower than others.
  return (std::ssize(part.bands) - 1) * matrix_.layout().tile + matrix_.columns(part.bands.back());
}

EventId DiskShare::post(std::function<void()> order) {
  return disk_->post(1, [order = std::move(order)](std::int64_t) { order(); });
}

View DiskShare::on_host(const Passing& passing, const DiskPart& part, std::int64_t item) {
  if (in_place_) return passing.view_of(part, item);
  const std::int64_t cols = columns(part);
  return {host_.data() + item % plan_.buffers * values_ * size_, length(part.rows), cols, cols};
}

EventId DiskShare::post_move(const Passing& passing, std::int64_t item, bool in) {
  const DiskPart part = passing.part_of(item);
  const View memory = on_host(passing, part, item);
  const std::int64_t band_columns = matrix_.layout().tile;
  const std::int64_t height = std::max<std::int64_t>(1, kPieceBytes / (band_columns * size_));
  const std::int64_t down = (length(part.rows) + height - 1) / height;
  const Generation from = passing.flow.from;
  return disk_->post(std::ssize(part.bands) * down, [=, this](std::int64_t piece) {
    const std::int64_t index = piece / down, first = piece % down * height;
    const std::int64_t band = part.bands[static_cast<std::size_t>(index)];
    const store::Block block{part.rows.begin + first, matrix_.first_column(band),
                             std::min(height, length(part.rows) - first), matrix_.columns(band)};
    const View values =
        kernels::part(memory, size_, first, index * band_columns, block.rows, block.cols);
    in ? matrix_.read_block(from, block, values.data, values.stride)
       : matrix_.write_block(block, values.data, values.stride);
  });
}

void DiskShare::order(const Passing& passing, std::int64_t item) {
  const Flow& flow = passing.flow;
  const DiskPart part = passing.part_of(item);
  const View view = passing.view_of(part, item), host = on_host(passing, part, item);
  if (flow.in && !in_place_) {
    device_.copy_in(in_, view, host, size_);
    device_.wait(work_, device_.record(in_));
  }
  if (passing.work) passing.work(part, view);
  EventId done = flow.ready >= 0 || !flow.out ? flow.ready : device_.record(work_);
  if (!in_place_) {
    if (flow.out) {
      device_.wait(out_, done);
      device_.copy_out(out_, host, view, size_);
    }
    done = device_.record(flow.out ? out_ : in_);
  }
  buffer(item).done = done;
}

void DiskShare::pass(const Passing& passing) {
  const Flow flow = passing.flow;
  const std::int64_t count = passing.count;
  const auto read = [&](std::int64_t item) {
    if (flow.in && item < count) buffer(item).read = post_move(passing, item, true);
  };
  const std::int64_t ahead = in_place_ ? kInPlace : std::min(kOnDevice, plan_.buffers);
  std::int64_t left = 0;  // parts that have left the device
  const auto leave = [&] {
    if (buffer(left).done >= 0) device_.await(buffer(left).done);
    if (flow.out) buffer(left).written = post_move(passing, left, false);
    read(left + plan_.buffers);
    if (passing.left) passing.left(passing.part_of(left));
    ++left;
  };
  for (std::int64_t item = 0; item < plan_.buffers; ++item) read(item);
  for (std::int64_t item = 0; item < count; ++item) {
    disk_->wait(flow.in ? buffer(item).read : buffer(item).written);
    if (cancelled()) return;
    order(passing, item);
    while (left <= item && (item - left + 1 >= ahead || has_left(left))) leave();
  }
  while (left < count) leave();  // NOLINT(bugprone-infinite-loop): leave() counts
}

}  // namespace apsp::dense
