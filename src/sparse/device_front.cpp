#include "sparse/device_front.hpp"

#include <algorithm>

#include "base/control.hpp"
#include "dense/device_memory.hpp"
#include "dense/resident_matrix.hpp"
#include "sparse/front.hpp"

namespace apsp::sparse {

using kernels::EventId;
using kernels::part;
using kernels::QueueId;
using kernels::View;

namespace {

/// Waits for a queue at the end of a scope.
struct Drained {
  kernels::ComputeDevice& device;
  QueueId queue;
  ~Drained() { dense::drain(device, queue); }
};

}  // namespace

std::int64_t DeviceShare::closing_bytes(const kernels::DeviceSizes& device, std::int64_t width,
                                        std::int64_t tile, ValueType type) {
  return dense::DeviceMemory::device_bytes(
      device, {{nullptr, width, width, width}, size_of(type), tile}, false);
}

void FrontBuffers::add(std::int64_t width, std::int64_t upper) {
  const auto grow = [](std::int64_t& bytes, std::int64_t to) { bytes = std::max(bytes, to); };
  const std::int64_t side = width + upper;
  grow(front, side * sizes_->stride(side) * value_size_);
  if (upper > 0) {
    grow(closed_left, sizes_->left_bytes(width, width));
    grow(closed_right, sizes_->right_bytes(width, width));
    grow(left, sizes_->left_bytes(upper, width));
    grow(right, sizes_->right_bytes(upper, width));
  }
  if (width <= closed_at_once()) {
    grow(scratch, sizes_->whole_bytes(width));
  } else {
    const dense::TiledMatrix closed{
        {nullptr, width, width, width}, static_cast<int>(value_size_), tile_};
    grow(in_tiles, dense::ResidentMatrix::device_bytes(*sizes_, closed, width));
  }
}

DeviceFronts::DeviceFronts(kernels::ComputeDevice& device, const FrontBuffers& buffers,
                           std::byte* host, int value_size, std::int64_t tile)
    : device_(device),
      value_size_(value_size),
      tile_(tile),
      closed_at_once_(buffers.closed_at_once()),
      in_(device.make_queue()),
      work_(device.make_queue()),
      out_(device.make_queue()),
      front_(device, buffers.front),
      closed_left_(device, buffers.closed_left),
      closed_right_(device, buffers.closed_right),
      left_(device, buffers.left),
      right_(device, buffers.right),
      scratch_(device, buffers.scratch),
      pinned_(device, {host, 1, buffers.host_bytes(), buffers.host_bytes()}, 1) {}

DeviceFronts::~DeviceFronts() {
  for (const QueueId queue : {in_, work_, out_}) dense::drain(device_, queue);
}

/// Closes a supernode in tiles. Ends early if a cycle was met.
EventId DeviceFronts::close_in_tiles(View square, bool symmetric, kernels::Cycles cycles,
                                     const Control& control) {
  const dense::TiledMatrix there{square, value_size_, tile_};
  dense::ResidentMatrix matrix(
      device_, there, symmetric ? dense::Shape::symmetric : dense::Shape::full, cycles, &control);
  const Drained rest_of_front{device_, in_};  // before the matrix gives its memory back
  const EventId closed = matrix.solve({there});
  base::check_cancelled(control);
  return closed;
}

/// below ← below ⊗ closed, beside ← closed ⊗ beside. Packs operands for the remainder: `below`
/// before its update, `beside` after it.
void DeviceFronts::relax_panels(View front, std::int64_t width, bool symmetric) {
  const std::int64_t upper = front.rows - width;
  const View closed = part(front, value_size_, 0, 0, width, width);
  const View below = part(front, value_size_, width, 0, upper, width);
  const View beside = part(front, value_size_, 0, width, width, upper);
  tiles_.pack_right(work_, closed, false, closed_right_.data());
  tiles_.pack_left(work_, below, false, left_.data());
  tiles_.multiply_add(
      work_, {.c = below, .left = left_.data(), .right = closed_right_.data(), .depth = width});
  if (symmetric) {
    tiles_.transpose(work_, beside, below, value_size_);
  } else {
    tiles_.pack_left(work_, closed, false, closed_left_.data());
    tiles_.pack_right(work_, beside, false, right_.data());
    tiles_.multiply_add(
        work_, {.c = beside, .left = closed_left_.data(), .right = right_.data(), .depth = width});
  }
  tiles_.pack_right(work_, beside, false, right_.data());
}

std::int64_t DeviceFronts::finish(kernels::Cycles cycles) {
  for (const QueueId queue : {in_, work_, out_}) device_.synchronize(queue);
  return cycles == kernels::Cycles::possible ? tiles_.take_pivot() : -1;
}

std::int64_t DeviceFronts::eliminate(const Front& front, kernels::Cycles cycles,
                                     const Control& control) {
  const std::int64_t width = front.width, side = front.matrix.rows, upper = side - width;
  const std::int64_t stride = front.matrix.stride;
  const View there{front_.data(), side, side, stride};
  // Whole rows with the gaps between them are one piece.
  const auto rows = [&](View matrix, std::int64_t first, std::int64_t count) {
    return View{part(matrix, value_size_, first, 0, 1, 1).data, 1, count * stride, count * stride};
  };
  const auto copy_in = [&](std::int64_t first, std::int64_t count) {
    device_.copy_in(in_, rows(there, first, count), rows(front.matrix, first, count), value_size_);
    return device_.record(in_);
  };
  const auto copy_out = [&](std::int64_t first, std::int64_t count) {
    device_.wait(out_, device_.record(work_));
    device_.copy_out(out_, rows(front.matrix, first, count), rows(there, first, count),
                     value_size_);
  };
  const EventId square = copy_in(0, width);
  const EventId all = upper > 0 ? copy_in(width, upper) : square;
  const View closed = part(there, value_size_, 0, 0, width, width);
  if (width <= closed_at_once_) {
    device_.wait(work_, square);
    tiles_.close(work_, closed, {}, cycles, 0, scratch_.data());
  } else {
    device_.await(square);
    device_.wait(work_, close_in_tiles(closed, front.symmetric, cycles, control));
    if (tiles_.pivot_met()) return finish(cycles);
  }
  device_.wait(work_, all);
  if (upper > 0) relax_panels(there, width, front.symmetric);
  copy_out(0, width);
  if (upper > 0) {
    tiles_.multiply_add(work_, {.c = part(there, value_size_, width, width, upper, upper),
                                .left = left_.data(),
                                .right = right_.data(),
                                .depth = width,
                                .triangle = front.symmetric ? tiles_.granule() : 0});
    copy_out(width, upper);
  }
  return finish(cycles);
}

}  // namespace apsp::sparse
