#include "conformance/back_ends.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>

#include "dense/device_memory.hpp"
#include "dense/host_memory.hpp"
#include "dense/negative_cycle.hpp"
#include "dense/offload_plan.hpp"
#include "dense/reachable_bits.hpp"
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
constexpr int kWordSize = 4;  // bytes
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
  bool bits = false;  // host tiles are of bytes, and are packed into words on the way in
};
Current current;

constexpr std::int64_t kBits = 32;  // of a word

std::uint8_t& byte_at(kernels::ConstView host, std::int64_t i, std::int64_t j) {
  return static_cast<std::uint8_t*>(const_cast<void*>(host.data))[i * host.stride + j];
}

/// [rows, cols] on the device, or [rows, words] of bits.
kernels::View copy_in(kernels::ConstView host) {
  std::vector<std::uint32_t> words;
  if (current.bits) {
    const std::int64_t count = (host.cols + kBits - 1) / kBits;
    words.resize(static_cast<std::size_t>(host.rows * count));
    for (std::int64_t i = 0; i < host.rows; ++i) {
      for (std::int64_t j = 0; j < host.cols; ++j) {
        const std::uint32_t bit = byte_at(host, i, j) != 0 ? 1 : 0;
        words[static_cast<std::size_t>(i * count + j / kBits)] |= bit << j % kBits;
      }
    }
    host = {words.data(), host.rows, count, count};
  }
  const std::int64_t stride = current.device->tiles().stride(host.cols);
  const kernels::View tile{current.device->allocate(host.rows * stride * current.value_size),
                           host.rows, host.cols, stride};
  current.device->copy_in(current.queue, tile, host, current.value_size);
  current.device->synchronize(current.queue);
  return tile;
}

void copy_out(kernels::View host, kernels::View tile) {
  std::vector<std::uint32_t> words(current.bits ? static_cast<std::size_t>(tile.rows * tile.cols)
                                                : 0);
  const kernels::View to =
      current.bits ? kernels::View{words.data(), tile.rows, tile.cols, tile.cols} : host;
  current.device->copy_out(current.queue, to, tile, current.value_size);
  current.device->synchronize(current.queue);
  if (!current.bits) return;
  for (std::int64_t i = 0; i < host.rows; ++i) {
    for (std::int64_t j = 0; j < host.cols; ++j) {
      const std::uint32_t word = words[static_cast<std::size_t>(i * tile.cols + j / kBits)];
      byte_at(host, i, j) = static_cast<std::uint8_t>(word >> j % kBits & 1);
    }
  }
}

void multiply_add(kernels::View c, kernels::ConstView a, kernels::ConstView b) {
  kernels::ComputeDevice& device = *current.device;
  const kernels::View dc = copy_in(c), da = copy_in(a), db = copy_in(b);
  std::byte* const left =
      device.allocate(device.tiles().left_bytes(a.rows, current.bits ? da.cols * kBits : a.cols));
  std::byte* const right = device.allocate(device.tiles().right_bytes(db.cols, b.rows));
  device.tiles().pack_left(current.queue, da, false, left);
  device.tiles().pack_right(current.queue, db, false, right);
  device.tiles().multiply_add(current.queue,
                              {.c = dc, .left = left, .right = right, .depth = b.rows});
  copy_out(c, dc);
}

std::int64_t close(kernels::View d, kernels::Cycles cycles) {
  const kernels::View dd = copy_in(d);
  std::byte* const scratch = current.device->allocate(current.device->tiles().close_bytes(dd.rows));
  current.device->tiles().close(current.queue, dd, {}, cycles, 0, scratch);
  copy_out(d, dd);
  return current.device->tiles().take_pivot();
}

kernels::TileOperations operations_of(std::unique_ptr<kernels::ComputeDevice> device,
                                      Semiring semiring, ValueType type, bool bits) {
  const kernels::QueueId queue = device->make_queue();
  current = {std::move(device), queue, bits ? kWordSize : size_of(type), bits};
  return {semiring, type, size_of(type), multiply_add, close, {}};
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
            return operations_of(make(semiring, type, sign), semiring, type, false);
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

/// Reachability in packed bits: or-and over `bool` alone.
BackEnd bit_back_end(const std::string& name,
                     const std::function<std::unique_ptr<kernels::ComputeDevice>()>& make) {
  BackEnd back_end;
  back_end.name = name;
  back_end.select = [] {};
  back_end.operations = [make](Semiring semiring, ValueType type, kernels::Sign) {
    return operations_of(make(), semiring, type, true);
  };
  back_end.floyd_warshall = [make](Semiring, ValueType, kernels::Sign, kernels::Cycles,
                                   const dense::TiledMatrix& tiling, dense::Shape,
                                   const dense::TiledMatrix&) {
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
  back_end.tracks_via = false;
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

std::string case_word(const std::string& back_end, Semiring semiring, ValueType type,
                      const std::string& more) {
  std::string text =
      back_end + "_" + std::string(name(semiring)) + "_" + std::string(name(type)) + more;
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

const std::vector<BackEnd>& back_ends() {
  static const std::vector<BackEnd> list = [] {
    const char* const which = std::getenv("APSP_CONFORMANCE");
    return which != nullptr && std::string_view(which) == "cuda" ? of_gpu() : of_host();
  }();
  return list;
}

}  // namespace apsp::conformance
