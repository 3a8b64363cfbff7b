// Copies between host and device, each way alone and both at once, and the device's own memory.
#include <array>
#include <atomic>
#include <cstring>

#include "base/aligned_memory.hpp"
#include "places/device_buffer.hpp"
#include "program/benchmark_cuda_parts.hpp"
#include "program/benchmark_cuda_random.hpp"

namespace apsp::bench {
namespace {

constexpr int kCopies = 5;
constexpr std::int64_t kTileColumns = 4096;

/// [rows, kTileColumns] f32, pinned, and its place on the device.
struct CopyBlock {
  CopyBlock(kernels::ComputeDevice& device, std::int64_t rows)
      : memory(rows * kTileColumns * int{sizeof(float)}),
        host{memory.data(), rows, kTileColumns, kTileColumns},
        there{nullptr, rows, kTileColumns, device.tiles().stride(kTileColumns)} {
    std::memset(memory.data(), 1, static_cast<std::size_t>(memory.bytes()));
    there.data = device.allocate(rows * there.stride * int{sizeof(float)});
  }
  base::AlignedMemory memory;
  kernels::View host, there;
};

void fill(const kernels::View& tile, std::uint64_t seed, int threads) {
  const RandomWords random(tile.rows, tile.cols, seed);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t i = 0; i < tile.rows; ++i) {
    for (std::int64_t j = 0; j < tile.cols; ++j) {
      static_cast<std::uint32_t*>(tile.data)[i * tile.stride + j] = random(i, j);
    }
  }
}

class Copies {
 public:
  Copies(const CudaBenchmark& bench, kernels::ComputeDevice& device, std::int64_t rows)
      : bench_(bench),
        device_(device),
        in_(device.make_queue()),
        out_(device.make_queue()),
        going_(device, rows),
        coming_(device, rows),
        pinned_going_(device, going_.host, int{sizeof(float)}),
        pinned_coming_(device, coming_.host, int{sizeof(float)}) {}

  /// What goes in by one queue comes back by the other, sample after sample.
  CudaCopyRow measure(const std::string& direction, bool in, bool out) {
    CudaCopyRow row{direction, (in + out) * going_.memory.bytes(), {}, 0, {}};
    for (int i = 0; i < kCopies; ++i) {
      base::check_cancelled(bench_.control);
      fill(going_.host, bench_.seed + static_cast<std::uint64_t>(i), bench_.threads);
      fill(coming_.host, bench_.seed + 100 + static_cast<std::uint64_t>(i), bench_.threads);
      // What comes out must be something else than what is in the host's memory.
      device_.copy_in(in_, coming_.there, going_.host, int{sizeof(float)});
      device_.synchronize(in_);
      row.seconds.push_back(timed([&] {
                              if (in) copy_in();
                              if (out) copy_out();
                              device_.synchronize(in_);
                              device_.synchronize(out_);
                            }).seconds);
      if (!out) {  // from where it was brought
        std::swap(going_.there, coming_.there);
        copy_out();
        device_.synchronize(out_);
        std::swap(going_.there, coming_.there);
      }
      const auto bytes = static_cast<std::size_t>(going_.memory.bytes());
      row.verdict.correct = row.verdict.correct &&
                            std::memcmp(going_.memory.data(), coming_.memory.data(), bytes) == 0;
      row.verdict.entries += going_.memory.bytes() / int{sizeof(float)};
    }
    row.bytes_per_second = static_cast<double>(row.bytes) / best(row.seconds);
    return row;
  }

 private:
  void copy_in() { device_.copy_in(in_, going_.there, going_.host, int{sizeof(float)}); }
  void copy_out() { device_.copy_out(out_, coming_.host, coming_.there, int{sizeof(float)}); }

  const CudaBenchmark& bench_;
  kernels::ComputeDevice& device_;
  kernels::QueueId in_, out_;
  CopyBlock going_, coming_;
  places::PinnedMemory pinned_going_, pinned_coming_;
};

}  // namespace

std::vector<CudaCopyRow> measure_cuda_copies(const CudaBenchmark& bench) {
  std::vector<CudaCopyRow> rows;
  const auto device = bench.device.make(kCudaMain, 0);
  const std::int64_t lines = bench.sizes.copy_bytes / (kTileColumns * int{sizeof(float)});
  Copies copies(bench, *device, std::max<std::int64_t>(lines, 1));
  const struct {
    const char* direction;
    bool in, out;
  } ways[] = {{"host to device", true, false},
              {"device to host", false, true},
              {"both at once", true, true}};
  for (const auto& way : ways) {
    CudaCopyRow row{way.direction, 0, {}, 0, {}};
    judged(row.verdict, [&] { row = copies.measure(way.direction, way.in, way.out); });
    rows.push_back(std::move(row));
  }
  CudaCopyRow memory{"device memory, read and write", 0, {}, 0, {}};
  judged(memory.verdict, [&] { memory.bytes_per_second = bench.device.memory_rate(); });
  rows.push_back(std::move(memory));
  return rows;
}

}  // namespace apsp::bench
