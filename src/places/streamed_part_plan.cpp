#include "places/streamed_part_plan.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>

#include "base/units.hpp"
#include "places/block_cyclic.hpp"

namespace apsp::places {
namespace {

/// Of what a link moves both ways, where panels go through host memory too: 24 of 42 GB/s each way,
/// of two widths on two H200 of one host.
constexpr double kBesideMessages = 0.57;
constexpr double kPivotSeconds = 1.3e-6;  // of closing a tile, a pivot
constexpr std::int64_t kMostWidth = 8192, kMostStrip = 1024;

/// Of the largest part.
struct Lines {
  std::int64_t rows = 0, columns = 0;
};

Lines largest_part(const OffloadGrid& grid, std::int64_t width) {
  return {BlockCyclic{grid.rows, 0}.vertices(grid.problem.n, width),
          BlockCyclic{grid.columns, 0}.vertices(grid.problem.n, width)};
}

std::int64_t bytes_for(const OffloadPlan& plan, const OffloadGrid& grid,
                       const kernels::DeviceSizes& sizes) {
  const std::int64_t side = std::min(plan.width, grid.problem.n);
  const Lines part = largest_part(grid, plan.width);
  return (side * sizes.stride(side) + plan.buffers * plan.buffer_values) * grid.problem.value_size +
         sizes.close_bytes(side) + sizes.left_bytes(side, side) + sizes.right_bytes(side, side) +
         2 * (sizes.left_bytes(part.rows, side) + sizes.right_bytes(part.columns, side));
}

void predict_part(OffloadPlan& plan, const OffloadGrid& grid, const OffloadRates& rates) {
  const Lines part = largest_part(grid, plan.width);
  const auto rows = static_cast<double>(part.rows), columns = static_cast<double>(part.columns);
  const auto width = static_cast<double>(plan.width);
  const double steps = std::ceil(static_cast<double>(grid.problem.n) / width);
  const double bytes = rows * columns * grid.problem.value_size;
  const double in = bytes / rates.in, out = bytes / rates.out;
  const bool alone = grid.rows * grid.columns == 1;
  const double copies = std::max({in, out, 2 * bytes / rates.both / (alone ? 1 : kBesideMessages)});
  const double panels = (rows / grid.columns + columns / grid.rows) * width * width;
  const double work = (rows * columns * width + panels) / rates.relaxations;
  const double tile = width * width * grid.problem.value_size;
  const double travelling = ((grid.columns > 1 ? rows : 0) + (grid.rows > 1 ? columns : 0)) *
                            width * grid.problem.value_size;
  const double chain =
      kPivotSeconds * width + (alone ? 0 : 2 * tile / grid.messages) + travelling / grid.messages;
  const double ring = (work + in + out) / static_cast<double>(plan.buffers);
  const double step = std::max({work, copies, ring, chain});
  plan.work = steps * work;
  plan.copies = steps * copies;
  plan.seconds = steps * (step + kPieceSeconds * rows / static_cast<double>(plan.strip_rows)) +
                 chain + travelling / grid.pinned;
}

}  // namespace

OffloadPlan plan_streamed_part(const OffloadGrid& grid, const OffloadRates& rates,
                               const kernels::DeviceSizes& sizes) {
  const std::int64_t granule = sizes.granule(), n = grid.problem.n;
  OffloadPlan best, least;
  const auto consider = [&](OffloadPlan plan) {
    plan.buffer_values =
        std::max({plan.strip_rows * sizes.stride(largest_part(grid, plan.width).columns),
                  plan.width * sizes.stride(granule), granule * sizes.stride(plan.width)});
    plan.device_bytes = bytes_for(plan, grid, sizes);
    if (least.width == 0 || plan.device_bytes < least.device_bytes) least = plan;
    if (plan.device_bytes > grid.problem.device_memory) return;
    predict_part(plan, grid, rates);
    if (best.width == 0 || plan.seconds < best.seconds) best = plan;
  };
  const std::int64_t first = grid.width > 0 ? grid.width : granule;
  const std::int64_t last =
      grid.width > 0 ? grid.width : std::max(granule, std::min(kMostWidth, n));
  for (std::int64_t width = first; width <= last; width += granule) {
    for (std::int64_t strip = granule; strip <= std::min(width, kMostStrip); strip *= 2) {
      for (const std::int64_t buffers : {3, 4, 6}) {
        consider({.width = width, .buffers = buffers, .strip_rows = strip});
      }
    }
  }
  if (best.width > 0) return best;
  throw Error(ErrorKind::does_not_fit,
              fmt::format("a part of {} vertices on {} × {} processes that streams through a GPU "
                          "needs at least {} of its memory, and {} may be used; take more "
                          "processes, or --device cpu",
                          base::format_count(n), grid.rows, grid.columns,
                          base::format_bytes(least.device_bytes),
                          base::format_bytes(grid.problem.device_memory)));
}

}  // namespace apsp::places
