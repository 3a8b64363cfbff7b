#include "cluster/grid_device.hpp"

#include <algorithm>
#include <optional>

#include "dense/reachable_bits.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/host/host_device.hpp"
#include "system/threads.hpp"

namespace apsp::cluster {
namespace {

using dense::Tile;

std::unique_ptr<kernels::ComputeDevice> host_of(const planner::Plan& plan, int threads) {
  const Semiring semiring = plan.kernel_semiring();
  std::optional<kernels::WitnessOperations> witness;
  if (plan.with_via) witness = kernels::cpu::witness_operations(semiring, plan.type, plan.sign);
  return kernels::host::make_device(kernels::cpu::operations(semiring, plan.type, plan.sign),
                                    witness, plan.tile(), threads);
}

std::unique_ptr<kernels::ComputeDevice> device_of(const planner::Plan& plan) {
  if (!plan.on_device) return host_of(plan, plan.threads);
  const planner::DevicePlan& there = *plan.on_device;
  return there.open(there.device.ordinal, there.kernel.semiring, there.kernel.type,
                    there.kernel.sign, there.bytes_allowed);
}

std::uint32_t* words_of(const dense::TiledMatrix& bits, std::int64_t row) {
  return static_cast<std::uint32_t*>(bits.matrix.data) + row * bits.matrix.stride;
}

}  // namespace

GridDevice::GridDevice(const planner::Plan& plan)
    : threads_(plan.threads),
      in_bits_(plan.on_device && plan.on_device->in_bits()),
      on_gpu_(plan.on_device.has_value()),
      streams_(on_gpu_ && plan.on_device->streamed),
      device_(device_of(plan)) {}

std::int64_t GridDevice::bytes(const planner::Plan& plan, std::int64_t rows, std::int64_t cols) {
  const auto host = host_of(plan, 1);  // a GPU packs no more
  const kernels::TileKernels& tiles = host->tiles();
  const std::int64_t transposed =
      plan.shape == dense::Shape::full
          ? 0
          : tiles.left_bytes(cols, plan.tile()) + tiles.right_bytes(rows, plan.tile());
  const std::int64_t bits = plan.on_device && plan.on_device->in_bits() ? rows * cols / 8 : 0;
  return rows * tiles.stride(cols) * size_of(plan.type) + bits + transposed +
         2 * (tiles.left_bytes(rows, plan.tile()) + tiles.right_bytes(cols, plan.tile()));
}

void GridDevice::take(const dense::TiledMatrix& held, const dense::TiledMatrix& via) {
  held_ = copied_ = part_ = held;
  via_ = via_part_ = via;
  if (!on_gpu_) return;
  if (in_bits_) {
    copied_ = dense::bit_tiling(nullptr, held.matrix.rows, held.matrix.cols);
    copied_.tile = held.tile;
    bits_ = system::AlignedMemory(copied_.matrix.rows * copied_.matrix.stride * copied_.value_size);
    copied_.matrix.data = bits_.data();
  }
  pinned_ = std::make_unique<dense::PinnedMemory>(*device_, copied_.matrix, copied_.value_size);
  part_ = copied_;
  if (streams_) return;
  part_.matrix.stride = device_->tiles().stride(copied_.matrix.cols);
  memory_ = {*device_, part_.matrix.rows * part_.matrix.stride * part_.value_size};
  part_.matrix.data = memory_.data();
  queue_ = device_->make_queue();
  if (via.matrix.data == nullptr) return;
  pinned_via_ = std::make_unique<dense::PinnedMemory>(*device_, via_.matrix, via_.value_size);
  via_part_.matrix.stride = device_->tiles().stride(via_.matrix.cols);
  via_memory_ = {*device_, via_part_.matrix.rows * via_part_.matrix.stride * via_part_.value_size};
  via_part_.matrix.data = via_memory_.data();
}

template <class F>
void GridDevice::for_each_copied(F&& f) const {
  f(part_, copied_);
  if (via_.matrix.data != nullptr) f(via_part_, via_);
}

/// convert(a row of bytes that is held, values of it, its words of bits).
template <class Convert>
void GridDevice::for_each_row_of_bits(const Convert& convert) {
  if (!in_bits_) return;
  system::parallel_for(held_.matrix.rows, threads_, [&](std::int64_t i) {
    convert(dense::byte_row(held_.matrix, i), held_.matrix.cols, words_of(copied_, i));
  });
}

/// Returns this process's part of these tiles of the whole matrix.
kernels::View GridDevice::held(const dense::TiledMatrix& plane, dense::TileSpan rows,
                               dense::TileSpan columns) const {
  return plane.span({Tile(rows_.before(rows.begin)), Tile(rows_.before(rows.end))},
                    {Tile(columns_.before(columns.begin)), Tile(columns_.before(columns.end))});
}

dense::Overlap GridDevice::copy_in(const dense::GridPart& part, Tile first, bool rows_leave) {
  for_each_row_of_bits(dense::pack_bits);
  if (!on_gpu_ || streams_) return {};
  rows_ = part.rows;
  columns_ = part.columns;
  has_left_ = false;
  const Tile begin = dense::kFirstTile, second(1), end((part.n + part_.tile - 1) / part_.tile);
  const auto copy = [&](dense::TileSpan rows, dense::TileSpan columns) {
    for_each_copied([&](const dense::TiledMatrix& there, const dense::TiledMatrix& host) {
      device_->copy_in(queue_, held(there, rows, columns), held(host, rows, columns),
                       host.value_size);
    });
    return device_->record(queue_);
  };
  dense::Overlap overlap{.strip = (end.number() + dense::Overlap::kStrips - 1) /
                                  dense::Overlap::kStrips};
  if (first == begin && end > begin) {
    overlap.first_row = copy(dense::only(begin), {begin, end});
    overlap.first_column = copy({second, end}, dense::only(begin));
    for (Tile t = begin; t < end; t = t + overlap.strip) {
      const Tile last = std::min(t + overlap.strip, end);
      overlap.strips.push_back(copy({std::max(t, second), last}, {second, end}));
    }
  } else {
    copy({begin, end}, {begin, end});
    device_->synchronize(queue_);
  }
  if (rows_leave) {
    overlap.leave = [this, begin, end](dense::TileSpan rows, kernels::EventId ready) {
      has_left_ = true;
      device_->wait(queue_, ready);
      for_each_copied([&](const dense::TiledMatrix& there, const dense::TiledMatrix& host) {
        device_->copy_out(queue_, held(host, rows, {begin, end}), held(there, rows, {begin, end}),
                          host.value_size);
      });
    };
  }
  return overlap;
}

void GridDevice::copy_out() {
  if (on_gpu_ && !streams_) {
    if (!has_left_) {
      for_each_copied([&](const dense::TiledMatrix& there, const dense::TiledMatrix& host) {
        device_->copy_out(queue_, host.matrix, there.matrix, host.value_size);
      });
    }
    device_->synchronize(queue_);
  }
  for_each_row_of_bits(
      [](auto* row, auto cols, const auto* words) { dense::unpack_bits(words, cols, row); });
}

}  // namespace apsp::cluster
