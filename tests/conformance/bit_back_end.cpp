#include "conformance/bit_back_end.hpp"

#include <utility>
#include <vector>

#include "dense/device_bits.hpp"
#include "dense/device_memory.hpp"

namespace apsp::conformance {
namespace {

constexpr std::int64_t kBits = 32;
constexpr int kWordSize = 4;  // bytes

/// The device of the operations below, which are plain functions and can carry none.
struct Current {
  std::unique_ptr<kernels::ComputeDevice> device;
  kernels::QueueId queue = 0;
};
Current current;

std::int64_t words_of(std::int64_t columns) { return (columns + kBits - 1) / kBits; }

std::uint8_t* row_of(kernels::ConstView host, std::int64_t i) {
  return static_cast<std::uint8_t*>(const_cast<void*>(host.data)) + i * host.stride;
}

/// [rows, words] on the device.
kernels::View copy_in(kernels::ConstView host) {
  const std::int64_t words = words_of(host.cols);
  std::vector<std::uint32_t> bits(static_cast<std::size_t>(host.rows * words));
  for (std::int64_t i = 0; i < host.rows; ++i) {
    for (std::int64_t j = 0; j < host.cols; ++j) {
      const std::uint32_t bit = row_of(host, i)[j] != 0 ? 1 : 0;
      bits[static_cast<std::size_t>(i * words + j / kBits)] |= bit << j % kBits;
    }
  }
  const std::int64_t stride = current.device->tiles().stride(words);
  const kernels::View tile{current.device->allocate(host.rows * stride * kWordSize), host.rows,
                           words, stride};
  const kernels::ConstView packed{bits.data(), host.rows, words, words};
  current.device->copy_in(current.queue, tile, packed, kWordSize);
  current.device->synchronize(current.queue);
  return tile;
}

void copy_out(kernels::View host, kernels::View tile) {
  std::vector<std::uint32_t> bits(static_cast<std::size_t>(tile.rows * tile.cols));
  const kernels::View packed{bits.data(), tile.rows, tile.cols, tile.cols};
  current.device->copy_out(current.queue, packed, tile, kWordSize);
  current.device->synchronize(current.queue);
  for (std::int64_t i = 0; i < host.rows; ++i) {
    for (std::int64_t j = 0; j < host.cols; ++j) {
      const std::uint32_t word = bits[static_cast<std::size_t>(i * tile.cols + j / kBits)];
      row_of(host, i)[j] = static_cast<std::uint8_t>(word >> j % kBits & 1);
    }
  }
}

/// C ← C ⊕ A ⊗ B on the device; C may be A or B, since packed operands are copies.
void multiply_on_device(kernels::View c, kernels::ConstView a, kernels::ConstView b) {
  kernels::ComputeDevice& device = *current.device;
  const std::int64_t depth = b.rows;
  std::byte* const left = device.allocate(device.tiles().left_bytes(a.rows, a.cols * kBits));
  std::byte* const right = device.allocate(device.tiles().right_bytes(b.cols, depth));
  device.tiles().pack_left(current.queue, a, false, left);
  device.tiles().pack_right(current.queue, b, false, right);
  device.tiles().multiply_add(current.queue,
                              {.c = c, .left = left, .right = right, .depth = depth});
}

void multiply_add(kernels::View c, kernels::ConstView a, kernels::ConstView b) {
  const kernels::View there = copy_in(c);
  multiply_on_device(there, copy_in(a), copy_in(b));
  copy_out(c, there);
}

std::int64_t close(kernels::View d, kernels::Cycles cycles) {
  const kernels::View there = copy_in(d);
  std::byte* const scratch = current.device->allocate(current.device->tiles().close_bytes(d.rows));
  current.device->tiles().close(current.queue, there, {}, cycles, 0, scratch);
  copy_out(d, there);
  return current.device->tiles().take_pivot();
}

}  // namespace

BackEnd bit_back_end(const std::string& name,
                     std::function<std::unique_ptr<kernels::ComputeDevice>()> make) {
  BackEnd back_end;
  back_end.name = name;
  back_end.select = [] {};
  back_end.operations = [make](Semiring semiring, ValueType type, kernels::Sign) {
    current.device = make();
    current.queue = current.device->make_queue();
    return kernels::TileOperations{semiring, type, 1, multiply_add, close, {}};
  };
  back_end.floyd_warshall = [make](Semiring, ValueType, kernels::Sign, kernels::Cycles,
                                   dense::TiledMatrix tiling, dense::Shape, dense::TiledMatrix) {
    constexpr int kThreads = 3;
    const Control control;
    const auto device = make();
    dense::DeviceBits bits(tiling.n());
    bits.fill(tiling.matrix, kThreads, control);
    dense::DeviceMemory(*device, bits.tiled(), dense::Shape::full, kernels::Cycles::excluded,
                        control)
        .run();
    dense::unpack(bits, tiling.matrix, kThreads, control);
  };
  back_end.tile = 2 * kBits;  // the closure's own tiles are larger
  back_end.sums_and_orders = false;
  back_end.booleans = true;
  back_end.tracks_via = false;
  return back_end;
}

}  // namespace apsp::conformance
