#include "conformance/back_ends.hpp"

#include "algorithms/device_memory.hpp"
#include "algorithms/one_memory.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/strict/strict_device.hpp"

namespace apsp::conformance {
namespace {

constexpr std::int64_t kStrictMemory = std::int64_t{64} << 20;

constexpr int kThreads = 3;

BackEnd cpu(const std::string& instruction_set) {
  return {"cpu_" + instruction_set,
          [instruction_set] { kernels::cpu::force_instruction_set(instruction_set); },
          kernels::cpu::operations,
          [](Semiring semiring, ValueType type, kernels::Sign sign, kernels::Cycles cycles,
             Tiling tiling, Shape shape) {
            const Control control;
            OneMemory(tiling, shape, kernels::cpu::operations(semiring, type, sign), cycles,
                      kThreads, control)
                .run();
          }};
}

using MakeDevice = std::unique_ptr<kernels::Device> (*)(Semiring, ValueType, std::int64_t);

/// The device of the operations below, which are plain functions and can carry none.
struct Current {
  std::unique_ptr<kernels::Device> device;
  kernels::QueueId queue = 0;
  int value_size = 0;
};
Current current;

kernels::Tile copy_in(kernels::ConstTile host) {
  const kernels::Tile tile{current.device->allocate(host.rows * host.cols * current.value_size),
                           host.rows, host.cols, host.cols};
  current.device->copy_in(current.queue, tile, host, current.value_size);
  return tile;
}

void copy_out(kernels::Tile host, kernels::Tile tile) {
  current.device->copy_out(current.queue, host, tile, current.value_size);
  current.device->synchronize(current.queue);
}

void multiply_add(kernels::Tile c, kernels::ConstTile a, kernels::ConstTile b) {
  const kernels::Tile dc = copy_in(c);
  current.device->multiply_add(current.queue, dc, copy_in(a), copy_in(b));
  copy_out(c, dc);
}

std::int64_t close(kernels::Tile d, kernels::Cycles cycles) {
  const kernels::Tile dd = copy_in(d);
  current.device->close(current.queue, dd, cycles, 0);
  copy_out(d, dd);
  return current.device->first_pivot().index;
}

void multiply_left(kernels::ConstTile d, kernels::Tile r) {
  const kernels::Tile dr = copy_in(r);
  current.device->multiply_left(current.queue, copy_in(d), dr);
  copy_out(r, dr);
}

void multiply_right(kernels::Tile c, kernels::ConstTile d) {
  const kernels::Tile dc = copy_in(c);
  current.device->multiply_right(current.queue, dc, copy_in(d));
  copy_out(c, dc);
}

BackEnd device(const std::string& name, MakeDevice make, std::int64_t memory) {
  return {
      name, [] {},
      [=](Semiring semiring, ValueType type, kernels::Sign) {
        current.device = make(semiring, type, memory);
        current.queue = current.device->make_queue();
        current.value_size = size_of(type);
        return kernels::TileOperations{semiring, type,          size_of(type),  multiply_add,
                                       close,    multiply_left, multiply_right, {}};
      },
      [=](Semiring semiring, ValueType type, kernels::Sign, kernels::Cycles cycles, Tiling tiling,
              Shape) {
        const Control control;
        const auto there = make(semiring, type, memory);
        DeviceMemory(*there, tiling, cycles, control).run();
      }};
}

}  // namespace

std::vector<BackEnd> back_ends() {
  std::vector<BackEnd> list;
  for (const std::string& set : kernels::cpu::instruction_sets()) list.push_back(cpu(set));
  list.push_back(device("strict", kernels::strict::make_device, kStrictMemory));
  return list;
}

}  // namespace apsp::conformance
