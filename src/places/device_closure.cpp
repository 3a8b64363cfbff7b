#include "places/device_closure.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/aligned_memory.hpp"
#include "base/for_each_row.hpp"
#include "places/byte_row.hpp"
#include "places/peer_memory.hpp"

namespace apsp::places {
namespace {

constexpr int kBits = 32;

std::int64_t words_of(std::int64_t n) { return (n + kBits - 1) / kBits; }

void set(std::uint32_t* row, std::int64_t j) { row[j / kBits] |= std::uint32_t{1} << j % kBits; }

template <class Place>
double timed_run(Place&& matrix) {
  const auto start = std::chrono::steady_clock::now();
  matrix.run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double run(const std::vector<kernels::ComputeDevice*>& devices, const TiledMatrix& bits,
           const Control& control) {
  constexpr kernels::Cycles kNone = kernels::Cycles::excluded;
  if (devices.size() == 1) {
    return timed_run(DeviceMemory(*devices.front(), bits, Shape::full, kNone, control));
  }
  const int columns = PeerMemory::columns(static_cast<int>(devices.size()));
  return timed_run(PeerMemory(devices, columns, bits, kNone, control));
}

/// fill(i, row) sets the bits of row i's arcs in a row of zeros.
template <class F>
double close(const std::vector<kernels::ComputeDevice*>& devices, kernels::View reach, int threads,
             const Control& control, F&& fill) {
  const std::int64_t n = reach.rows, words = words_of(n);
  base::AlignedMemory memory(device_closure_host_bytes(n));
  auto* const bits = memory.as<std::uint32_t>();
  base::for_each_row(n, threads, control, [&](std::int64_t i) {
    std::uint32_t* const row = bits + i * words;
    std::fill_n(row, words, std::uint32_t{0});
    fill(i, row);
    set(row, i);
  });
  const double seconds = run(devices, bit_tiling(bits, n, n), control);
  base::for_each_row(n, threads, control,
                     [&](std::int64_t i) { unpack_bits(bits + i * words, n, byte_row(reach, i)); });
  return seconds;
}

}  // namespace

TiledMatrix bit_tiling(std::uint32_t* words, std::int64_t rows, std::int64_t cols) {
  TiledMatrix tiling{
      {words, rows, words_of(cols), words_of(cols)}, sizeof(std::uint32_t), kDeviceClosureTile};
  tiling.columns_per_value = kBits;
  return tiling;
}

void pack_bits(const std::uint8_t* row, std::int64_t cols, std::uint32_t* words) {
  std::fill_n(words, words_of(cols), std::uint32_t{0});
  for (std::int64_t j = 0; j < cols; ++j) {
    words[j / kBits] |= std::uint32_t{row[j] != 0} << j % kBits;
  }
}

void unpack_bits(const std::uint32_t* words, std::int64_t cols, std::uint8_t* row) {
  for (std::int64_t j = 0; j < cols; ++j) row[j] = words[j / kBits] >> j % kBits & 1;
}

std::int64_t device_closure_host_bytes(std::int64_t n) {
  return n * words_of(n) * static_cast<std::int64_t>(sizeof(std::uint32_t));
}

std::int64_t device_closure_device_bytes(std::int64_t n, const kernels::DeviceSizes& device,
                                         int devices) {
  const int columns = PeerMemory::columns(devices);
  return DeviceMemory::device_bytes(device, bit_tiling(nullptr, n, n), false, devices / columns,
                                    columns);
}

double device_closure(const std::vector<kernels::ComputeDevice*>& devices, const Graph& graph,
                      kernels::View reach, int threads, const Control& control) {
  return close(devices, reach, threads, control, [&](std::int64_t i, std::uint32_t* row) {
    graph.for_each_arc(static_cast<Vertex>(i), [&](Vertex to, double) { set(row, to); });
  });
}

double device_closure(const std::vector<kernels::ComputeDevice*>& devices, kernels::View matrix,
                      int threads, const Control& control) {
  return close(devices, matrix, threads, control, [&](std::int64_t i, std::uint32_t* row) {
    pack_bits(byte_row(matrix, i), matrix.cols, row);
  });
}

}  // namespace apsp::places
