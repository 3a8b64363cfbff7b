#include "dense/disk_plan.hpp"

#include <algorithm>
#include <numeric>

#include "base/rounded_up.hpp"
#include "dense/host_memory.hpp"

namespace apsp::dense {
namespace {

using base::rounded_up;

/// Columns of a band, about: long pieces of the disk, and no power of two, at which the rows of a
/// tile would share a few lines of the cache; so many bands that widths are no coarser than need
/// be.
constexpr std::int64_t kBandColumns = 1000, kBands = 16;
/// Bands of a large matrix are whole tiles of devices too, so that these can continue the run.
constexpr std::int64_t kDeviceColumns = 128;
constexpr std::int64_t kLeastSteps = 4;
/// A strip is one row of tiles for so many threads: the packed panel passes once for each strip.
constexpr int kThreadsATile = 8;

}  // namespace

std::int64_t strip_values(const DiskPlan& plan, std::int64_t n) {
  return std::max(std::min(plan.strip_rows, n) * n,
                  std::min(plan.width, n) * std::min(plan.band, n));
}

std::int64_t disk_plan_bytes(const DiskPlan& plan, std::int64_t n,
                             const kernels::TileOperations& operations) {
  const std::int64_t tile = plan.tile, side = std::min(plan.width, n);
  const auto tiles = [&](std::int64_t vertices) { return (vertices + tile - 1) / tile; };
  const OperandBytes operand = operand_bytes(operations, tile);
  const std::int64_t panel = tiles(n) * tiles(side) * operand.right;
  const std::int64_t diagonal = tiles(side) * tiles(side) * operand.left;
  const std::int64_t strip = tiles(plan.strip_rows) * tiles(side) * operand.left;
  const std::int64_t passing =
      std::max(kStripBuffers * strip_values(plan, n), side * side) * operations.value_size;
  const TiledMatrix closing{{nullptr, side, side, side}, operations.value_size, tile};
  return panel + diagonal + strip + HostMemory::panel_bytes(closing, operations) + passing;
}

DiskPlan with_width(DiskPlan plan, std::int64_t width, const DiskProblem& problem,
                    const kernels::TileOperations& operations) {
  plan.width = width;
  plan.bytes = disk_plan_bytes(plan, problem.n, operations);
  return plan;
}

DiskPlan plan_disk(const DiskProblem& problem, const kernels::TileOperations& operations) {
  const std::int64_t n = problem.n, tile = problem.tile;
  if (n == 0) return {tile, tile, tile, tile, 0};
  const std::int64_t strip_tiles = (problem.threads + kThreadsATile - 1) / kThreadsATile;
  const std::int64_t widest = rounded_up((n + kLeastSteps - 1) / kLeastSteps, tile);
  DiskPlan plan;
  plan.tile = tile;
  plan.strip_rows = std::min(strip_tiles * tile, rounded_up(n, tile));
  // Bands of one tile are the least: a panel of one.
  const std::int64_t both = std::lcm(tile, kDeviceColumns);
  const bool of_both = n / kBands >= kBandColumns && both <= 2 * kBandColumns;
  const std::int64_t unit = of_both ? both : tile;
  for (plan.band = std::min(rounded_up(std::min(kBandColumns, n / kBands + 1), unit), widest);;
       plan.band = tile) {
    plan = with_width(plan, plan.band, problem, operations);
    if (plan.bytes <= problem.memory || plan.band <= tile) break;
  }
  const auto fits = [&](std::int64_t width) {
    return with_width(plan, width, problem, operations).bytes <= problem.memory;
  };
  std::int64_t width = plan.band;
  while (width + plan.band <= rounded_up(widest, plan.band) && fits(width + plan.band)) {
    width += plan.band;
  }
  // The same number of steps, of about the same width.
  const std::int64_t steps = std::max<std::int64_t>(1, (n + width - 1) / width);
  width = std::min(width, rounded_up((n + steps - 1) / steps, plan.band));
  return with_width(plan, width, problem, operations);
}

}  // namespace apsp::dense
