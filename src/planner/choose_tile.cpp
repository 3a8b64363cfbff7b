#include "planner/choose_tile.hpp"

#include <algorithm>

#include "base/refusal.hpp"
#include "dense/host_memory.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "store/tiling.hpp"
#include "system/machine.hpp"

namespace apsp::planner {

std::int64_t choose_tile(std::int64_t n, int threads, const kernels::TileOperations& operations,
                         std::int64_t level1_bytes) {
  // Multiples of 48 suit the register tile's 6 rows and its vectors; with 144 u16 has a nearly
  // empty vector. A strip of a panel takes at most 256 bytes a step, and should fit the first-level
  // cache. Larger tiles load and store the matrix less often, but closing takes longer, and a step
  // should have some tiles for every thread: 7 fit the measurements (choose_tile_test.cpp).
  //
  // Packed panels should take at most 5 % of a large matrix of words. A matrix of half-words is
  // half as large with three quarters of the panels, as left operands are packed in words
  // (register_tile-inl.h), and loses more with a smaller tile: its panels may take as many bytes.
  constexpr std::int64_t kStep = 48, kMedium = 96, kLargest = 192;
  constexpr std::int64_t kStripBytes = 256;
  constexpr std::int64_t kTilesAThread = 7;
  constexpr std::int64_t kLargestFrom = 1024, kLargeMatrix = 8192;
  constexpr int kWordBytes = 4;
  const std::int64_t medium_from = operations.value_size <= 2 ? 384 : 512;
  const auto suits = [&](std::int64_t tile) {
    return tile * kStripBytes <= level1_bytes && kTilesAThread * threads * tile * tile <= n * n;
  };
  std::int64_t tile = kStep;
  if (n >= medium_from && suits(kMedium)) tile = kMedium;
  if (n >= kLargestFrom && suits(kLargest)) tile = kLargest;
  const auto panels = [&] {
    const kernels::View matrix{nullptr, n, n, n};
    return dense::HostMemory::panel_bytes({matrix, operations.value_size, tile}, operations);
  };
  const std::int64_t most = n * n * std::max(kWordBytes, operations.value_size) / 20;
  while (n > kLargeMatrix && tile > kMedium && panels() > most) {
    tile = operations.value_size < kWordBytes ? kMedium : tile - kStep;
  }
  return tile;
}

namespace {

ValueType type_like(int value_size) {
  if (value_size <= size_of(ValueType::u16)) return ValueType::u16;
  return value_size <= size_of(ValueType::i32) ? ValueType::i32 : ValueType::f64;
}

}  // namespace

void require_tile(std::int64_t tile) {
  refuse_if(tile < 0 || tile > store::kMostTile, "a tile of side {}; 1 to {} are possible", tile,
            store::kMostTile);
}

OwnPlan plan_own_matrix(std::int64_t n, int value_size, const FloydWarshallOptions& options) {
  require_tile(options.tile);
  refuse_if(options.threads < 0, "threads must not be negative");
  refuse_if(options.device == Device::cuda,
            "a semiring of your own has no GPU kernels: use Device::cpu or Device::automatic");
  OwnPlan plan{options.tile, system::thread_count(options.threads)};
  if (plan.tile == 0) {
    plan.tile = choose_tile(
        n, plan.threads,
        kernels::cpu::operations(Semiring::min_max, type_like(value_size), kernels::Sign::any));
  }
  return plan;
}

}  // namespace apsp::planner
