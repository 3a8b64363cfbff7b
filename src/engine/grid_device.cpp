#include "engine/grid_device.hpp"

#include <optional>

#include "algorithms/byte_row.hpp"
#include "algorithms/device_closure.hpp"
#include "base/team.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/host/host_device.hpp"

namespace apsp::engine {
namespace {

std::unique_ptr<kernels::ComputeDevice> host_of(const planner::Plan& plan, int threads) {
  const Semiring semiring = plan.kernel_semiring();
  std::optional<kernels::WitnessOperations> witness;
  if (plan.with_via) witness = kernels::cpu::witness_operations(semiring, plan.type, plan.sign);
  return kernels::host::make_device(kernels::cpu::operations(semiring, plan.type, plan.sign),
                                    witness, plan.tile, threads);
}

std::unique_ptr<kernels::ComputeDevice> device_of(const planner::Plan& plan) {
  if (!plan.on_device) return host_of(plan, plan.threads);
  const planner::DevicePlan& there = *plan.on_device;
  return there.open(there.device.ordinal, there.kernel.semiring, there.kernel.type,
                    there.kernel.sign, there.bytes_allowed);
}

std::uint32_t* words_of(const places::TiledMatrix& bits, std::int64_t row) {
  return static_cast<std::uint32_t*>(bits.matrix.data) + row * bits.matrix.stride;
}

}  // namespace

GridDevice::GridDevice(const planner::Plan& plan)
    : threads_(plan.threads),
      in_bits_(plan.on_device && plan.on_device->in_bits()),
      on_gpu_(plan.on_device.has_value()),
      streams_(on_gpu_ && plan.on_device->streamed),
      device_(device_of(plan)) {}

GridDevice::~GridDevice() = default;

std::int64_t GridDevice::bytes(const planner::Plan& plan, std::int64_t rows, std::int64_t cols) {
  const auto host = host_of(plan, 1);  // a GPU packs no more
  const std::int64_t turned =
      plan.shape == places::Shape::full
          ? 0
          : host->left_bytes(cols, plan.tile) + host->right_bytes(rows, plan.tile);
  const std::int64_t bits = plan.on_device && plan.on_device->in_bits() ? rows * cols / 8 : 0;
  return rows * host->stride(cols) * size_of(plan.type) + bits + turned +
         2 * (host->left_bytes(rows, plan.tile) + host->right_bytes(cols, plan.tile));
}

void GridDevice::take(const places::TiledMatrix& held) {
  held_ = copied_ = part_ = held;
  if (!on_gpu_) return;
  if (in_bits_) {
    copied_ = algorithms::bit_tiling(nullptr, held.matrix.rows, held.matrix.cols);
    bits_ = base::AlignedMemory(copied_.matrix.rows * copied_.matrix.stride * copied_.value_size);
    copied_.matrix.data = bits_.data();
  }
  pinned_ = std::make_unique<places::PinnedMemory>(*device_, copied_.matrix, copied_.value_size);
  if (streams_) return;
  part_ = copied_;
  part_.matrix.stride = device_->stride(copied_.matrix.cols);
  memory_ = {*device_, part_.matrix.rows * part_.matrix.stride * part_.value_size};
  part_.matrix.data = memory_.data();
  queue_ = device_->make_queue();
}

void GridDevice::pack_part() {
  base::share_items(held_.matrix.rows, threads_, [&](std::int64_t i) {
    algorithms::pack_bits(algorithms::byte_row(held_.matrix, i), held_.matrix.cols,
                          words_of(copied_, i));
  });
}

void GridDevice::unpack_part() {
  base::share_items(held_.matrix.rows, threads_, [&](std::int64_t i) {
    algorithms::unpack_bits(words_of(copied_, i), held_.matrix.cols,
                            algorithms::byte_row(held_.matrix, i));
  });
}

void GridDevice::copy_in() {
  if (!on_gpu_ || streams_) return;
  if (in_bits_) pack_part();
  device_->copy_in(queue_, part_.matrix, copied_.matrix, copied_.value_size);
  device_->synchronize(queue_);
}

void GridDevice::copy_out() {
  if (!on_gpu_ || streams_) return;
  device_->copy_out(queue_, copied_.matrix, part_.matrix, copied_.value_size);
  device_->synchronize(queue_);
  if (in_bits_) unpack_part();
}

}  // namespace apsp::engine
