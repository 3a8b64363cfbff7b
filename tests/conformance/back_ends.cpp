#include "conformance/back_ends.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>

#include "conformance/bit_back_end.hpp"
#include "dense/device_memory.hpp"
#include "dense/host_memory.hpp"
#include "dense/negative_cycle.hpp"
#include "dense/offload_plan.hpp"
#include "dense/streamed_memory.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "kernels/host/host_device.hpp"
#include "support/grid_solve.hpp"
#include "support/strict/strict_device.hpp"

namespace apsp::conformance {
namespace {

constexpr std::int64_t kStrictMemory = std::int64_t{64} << 20;
constexpr std::int64_t kTile = 16;
constexpr int kThreads = 3;

BackEnd cpu(const std::string& instruction_set) {
  return {"cpu_" + instruction_set,
          [instruction_set] { kernels::cpu::force_instruction_set(instruction_set); },
          kernels::cpu::operations,
          [](Semiring semiring, ValueType type, kernels::Sign sign, kernels::Cycles cycles,
             dense::TiledMatrix tiling, dense::Shape shape, dense::TiledMatrix via) {
            const Control control;
            std::optional<dense::Witness> witness;
            if (via.matrix.data != nullptr) {
              witness = {via, kernels::cpu::witness_operations(semiring, type, sign)};
            }
            dense::HostMemory(tiling, shape, kernels::cpu::operations(semiring, type, sign), cycles,
                              kThreads, control, witness)
                .run();
          },
          kTile};
}

using MakeDevice =
    std::function<std::unique_ptr<kernels::ComputeDevice>(Semiring, ValueType, kernels::Sign)>;
using Solve = void (*)(kernels::ComputeDevice&, const dense::TiledMatrix&, dense::Shape,
                       kernels::Cycles, const dense::TiledMatrix& via);

/// The device of the operations below, which are plain functions and can carry none.
struct Current {
  std::unique_ptr<kernels::ComputeDevice> device;
  kernels::QueueId queue = 0;
  int value_size = 0;
};
Current current;

kernels::View copy_in(kernels::ConstView host) {
  const std::int64_t stride = current.device->tiles().stride(host.cols);
  const kernels::View tile{current.device->allocate(host.rows * stride * current.value_size),
                           host.rows, host.cols, stride};
  current.device->copy_in(current.queue, tile, host, current.value_size);
  return tile;
}

void copy_out(kernels::View host, kernels::View tile) {
  current.device->copy_out(current.queue, host, tile, current.value_size);
  current.device->synchronize(current.queue);
}

std::byte* pack_left(kernels::ConstView a) {
  std::byte* const packed =
      current.device->allocate(current.device->tiles().left_bytes(a.rows, a.cols));
  current.device->tiles().pack_left(current.queue, a, false, packed);
  return packed;
}

std::byte* pack_right(kernels::ConstView b) {
  std::byte* const packed =
      current.device->allocate(current.device->tiles().right_bytes(b.cols, b.rows));
  current.device->tiles().pack_right(current.queue, b, false, packed);
  return packed;
}

void multiply_add(kernels::View c, kernels::ConstView a, kernels::ConstView b) {
  const kernels::View dc = copy_in(c);
  current.device->tiles().multiply_add(
      current.queue,
      {.c = dc, .left = pack_left(copy_in(a)), .right = pack_right(copy_in(b)), .depth = a.cols});
  copy_out(c, dc);
}

std::int64_t close(kernels::View d, kernels::Cycles cycles) {
  const kernels::View dd = copy_in(d);
  std::byte* const scratch = current.device->allocate(current.device->tiles().close_bytes(d.rows));
  current.device->tiles().close(current.queue, dd, {}, cycles, 0, scratch);
  copy_out(d, dd);
  return current.device->tiles().take_pivot();
}

void solve_resident(kernels::ComputeDevice& device, const dense::TiledMatrix& tiling,
                    dense::Shape shape, kernels::Cycles cycles, const dense::TiledMatrix& via) {
  const Control control;
  dense::DeviceMemory(device, tiling, shape, cycles, control, via).run();
}

/// In about a third of the memory that the matrix takes.
void solve_streamed(kernels::ComputeDevice& device, const dense::TiledMatrix& tiling,
                    dense::Shape shape, kernels::Cycles cycles, const dense::TiledMatrix& via) {
  dense::OffloadProblem problem{.n = tiling.n(),
                                .value_size = tiling.value_size,
                                .tracks_via = via.matrix.data != nullptr,
                                .tile = tiling.tile,
                                .shape = shape};
  problem.device_memory = least_offload_bytes(problem, device.tiles()) +
                          tiling.n() * device.tiles().stride(tiling.n()) * tiling.value_size / 3;
  constexpr dense::OffloadRates kRates{.relaxations = 1e9, .in = 1e9, .out = 1e9, .both = 1.6e9};
  const Control control;
  dense::StreamedMemory(device, dense::plan_offload(problem, kRates, device.tiles()), tiling,
                        cycles, control, via)
      .run();
}

BackEnd device(const std::string& name, const MakeDevice& make, Solve solve) {
  // Two values a word make the coarsest granule.
  const std::int64_t granule =
      make(Semiring::min_plus, ValueType::u16, kernels::Sign::any)->tiles().granule();
  return {name, [] {},
          [=](Semiring semiring, ValueType type, kernels::Sign sign) {
            current.device = make(semiring, type, sign);
            current.queue = current.device->make_queue();
            current.value_size = size_of(type);
            return kernels::TileOperations{semiring, type, size_of(type), multiply_add, close, {}};
          },
          [=](Semiring semiring, ValueType type, kernels::Sign sign, kernels::Cycles cycles,
              dense::TiledMatrix tiling, dense::Shape shape, dense::TiledMatrix via) {
            solve(*make(semiring, type, sign), tiling, shape, cycles, via);
          },
          std::max(granule, kTile)};
}

std::unique_ptr<kernels::ComputeDevice> strict(Semiring semiring, ValueType type, kernels::Sign) {
  return kernels::strict::make_device(semiring, type, kStrictMemory);
}

std::unique_ptr<kernels::ComputeDevice> host(Semiring semiring, ValueType type,
                                             kernels::Sign sign) {
  return kernels::host::make_device(kernels::cpu::operations(semiring, type, sign),
                                    kernels::cpu::witness_operations(semiring, type, sign), kTile,
                                    kThreads);
}

/// The device's operations alone, and solves on a grid of 2 × 3 of them.
BackEnd grid(const std::string& name, const MakeDevice& make) {
  BackEnd back_end = device(name, make, solve_resident);
  back_end.floyd_warshall = [make](Semiring semiring, ValueType type, kernels::Sign sign,
                                   kernels::Cycles cycles, const dense::TiledMatrix& tiling,
                                   dense::Shape, const dense::TiledMatrix& via) {
    dense::throw_negative_cycle(solve_on_grid({.rows = 2,
                                               .cols = 3,
                                               .make = [&] { return make(semiring, type, sign); },
                                               .cycles = cycles},
                                              tiling, via));
  };
  return back_end;
}

std::unique_ptr<kernels::ComputeDevice> cuda(Semiring semiring, ValueType type,
                                             kernels::Sign sign) {
  return kernels::cuda::make_device(0, semiring, type, sign);
}

std::vector<BackEnd> of_host() {
  std::vector<BackEnd> list;
  for (const std::string& set : kernels::cpu::instruction_sets()) {  // best first
    list.push_back(cpu(set));
    list.back().solves = list.size() == 1;
  }
  list.push_back(device("strict", strict, solve_resident));
  list.push_back(device("strict_streamed", strict, solve_streamed));
  list.push_back(device("host", host, solve_resident));
  list.push_back(grid("host_grid", host));
  list.push_back(
      bit_back_end("strict_bits", [] { return kernels::strict::make_bit_device(kStrictMemory); }));
  return list;
}

std::vector<BackEnd> of_gpu() {
  if (kernels::cuda::devices().empty()) {
    constexpr int kSkipped = 77;
    std::puts(kernels::cuda::why_no_device().c_str());
    std::exit(kSkipped);
  }
  std::vector<BackEnd> list = {device("cuda", cuda, solve_resident),
                               device("cuda_streamed", cuda, solve_streamed)};
  for (BackEnd& back_end : list) back_end.booleans = false;  // it has them in packed bits alone
  list.push_back(bit_back_end(
      "cuda_bits", [] { return cuda(Semiring::or_and, ValueType::boolean, kernels::Sign::any); }));
  return list;
}

}  // namespace

const std::vector<BackEnd>& back_ends() {
  static const std::vector<BackEnd> list = [] {
    const char* const which = std::getenv("APSP_CONFORMANCE");
    return which != nullptr && std::string_view(which) == "cuda" ? of_gpu() : of_host();
  }();
  return list;
}

}  // namespace apsp::conformance
