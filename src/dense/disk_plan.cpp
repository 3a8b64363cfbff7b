#include "dense/disk_plan.hpp"

#include <numeric>
#include <tuple>

#include "base/rounded_up.hpp"
#include "dense/resident_matrix.hpp"

namespace apsp::dense {
namespace {

using base::rounded_up;

/// Columns of a band, about: long pieces of the disk, and so many bands that widths are no coarser
/// than need be.
constexpr std::int64_t kBandColumns = 1000, kBands = 16;
/// Bands of a large matrix are whole tiles of devices too, so that these can continue the run.
constexpr std::int64_t kDeviceColumns = 128;
/// Parts in memory at the same time. The host reads, updates and writes strips. Parts for
/// devices are read, copied in, updated, copied out and written, and one more is in memory.
constexpr std::int64_t kHostBuffers = 3, kDeviceBuffers = 6;
/// One step would hide no transfer. Where the matrix stays, blocks come one by one.
constexpr std::int64_t kHostSteps = 4, kDeviceSteps = 2, kBlocks = 16;
/// A strip is one row of tiles for so many threads: the packed panel passes once for each strip.
constexpr int kThreadsATile = 8;

class DiskPlanner {
 public:
  DiskPlanner(const DiskProblem& problem, const kernels::DeviceSizes& device)
      : problem_(problem), device_(device), n_(problem.n), on_host_(problem.devices == 0) {}

  DiskPlan best() const {
    DiskPlan best;
    const std::int64_t tile = rounded_up(problem_.tile, device_.granule());
    for (const std::int64_t band : {wide_band(tile), tile, device_.granule()}) {
      for (std::int64_t rows = most_rows(tile); rows > 0; rows = shorter(rows)) {
        for (const bool stays : {true, false}) {
          if (stays ? on_host_ || (problem_.devices == 1 && problem_.width > 0)
                    : problem_.devices > 1) {
            continue;
          }
          DiskPlan plan;
          plan.tile = tile;
          plan.band = problem_.band > 0 ? problem_.band : band;
          plan.strip_rows = rows;
          plan.buffers = on_host_ ? kHostBuffers : kDeviceBuffers;
          plan.stays = stays;
          plan.devices = std::max(1, problem_.devices);
          consider(plan.devices > 1 ? most_even(plan) : widest(plan), best);
        }
      }
    }
    return best;
  }

 private:
  std::int64_t wide_band(std::int64_t tile) const {
    if (!on_host_) return rounded_up(std::min(kBandColumns, n_ / kBands + 1), tile);
    const std::int64_t both = std::lcm(tile, kDeviceColumns);
    const bool of_both = n_ / kBands >= kBandColumns && both <= 2 * kBandColumns;
    return std::min(rounded_up(std::min(kBandColumns, n_ / kBands + 1), of_both ? both : tile),
                    rounded_up((n_ + kHostSteps - 1) / kHostSteps, tile));
  }
  std::int64_t most_rows(std::int64_t tile) const {
    if (!on_host_) return tile;
    const std::int64_t tiles = (problem_.threads + kThreadsATile - 1) / kThreadsATile;
    return std::min(tiles * tile, rounded_up(n_, tile));
  }
  /// Half as many, in whole granules; 0: there are no fewer.
  std::int64_t shorter(std::int64_t rows) const {
    const std::int64_t granule = device_.granule();
    return on_host_ || rows <= granule ? 0 : rounded_up(rows / 2, granule);
  }

  DiskPlan with_width(DiskPlan plan, std::int64_t width) const {
    plan.width = width;
    if (plan.stays) plan.columns = columns_of_each(plan);
    const std::int64_t computing = computing_bytes(plan);
    plan.bytes = on_host_
                     ? computing
                     : plan.devices * plan.buffers * part_values(plan, n_) * problem_.value_size;
    plan.device_bytes = on_host_ ? 0 : computing;
    return plan;
  }

  /// The columns of the device that holds most: the first or the last block may be narrower.
  std::int64_t columns_of_each(const DiskPlan& plan) const {
    if (plan.devices == 1) return n_;
    const std::vector<DiskBlock> blocks =
        disk_blocks(n_, problem_.first_pivot, plan.width, plan.devices);
    std::int64_t most = 0;
    for (int device = 0; device < plan.devices; ++device) {
      most = std::max(most, columns_of(blocks, device));
    }
    return most;
  }

  /// Bytes of the memory in which tiles are closed and multiplied.
  std::int64_t computing_bytes(const DiskPlan& plan) const {
    const std::int64_t side = std::min(plan.width, n_);
    const std::int64_t closing =
        ResidentMatrix::device_bytes(device_, closing_tiling(plan, n_, problem_.value_size), side);
    return closing + (plan.stays ? staying_bytes(plan, side) : passing_bytes(plan, side));
  }

  std::int64_t staying_bytes(const DiskPlan& plan, std::int64_t side) const {
    const std::int64_t values = n_ * device_.stride(plan.columns) * problem_.value_size;
    if (side == n_ && problem_.first_pivot == 0) return values;  // one block, and no panels
    return values + device_.right_bytes(plan.columns, side) + device_.right_bytes(side, side) +
           (1 + left_operands(plan.devices)) * device_.left_bytes(side, side);
  }

  std::int64_t passing_bytes(const DiskPlan& plan, std::int64_t side) const {
    const bool one_step = plan.band >= n_;  // without parts and panels
    const std::int64_t tile = side * device_.stride(side) * problem_.value_size;
    const std::int64_t parts =
        one_step ? 0 : plan.buffers * part_values(plan, n_, device_) * problem_.value_size;
    const std::int64_t values = on_host_ ? std::max(tile, parts) : tile + parts;
    if (one_step) return values;
    return values + device_.right_bytes(n_, side) + device_.left_bytes(side, side) +
           device_.left_bytes(std::min(plan.strip_rows, n_), side);
  }

  bool fits(const DiskPlan& plan) const {
    return plan.bytes <= problem_.memory && plan.device_bytes <= problem_.device_memory;
  }

  /// The plan with the widest panels that fit; with the least if none do.
  DiskPlan widest(const DiskPlan& plan) const {
    if (problem_.width > 0) return with_width(plan, problem_.width);
    const std::int64_t least = plan.stays ? kBlocks : on_host_ ? kHostSteps : kDeviceSteps;
    std::int64_t low = 1, high = ((n_ + least - 1) / least + plan.band - 1) / plan.band;  // bands
    while (low < high) {
      const std::int64_t middle = (low + high + 1) / 2;
      fits(with_width(plan, middle * plan.band)) ? low = middle : high = middle - 1;
    }
    // The same number of steps, of about the same width.
    const std::int64_t steps = (n_ + low * plan.band - 1) / (low * plan.band);
    return with_width(plan, rounded_up((n_ + steps - 1) / steps, plan.band));
  }

  /// The share of the rate that several devices reach: all wait for the one with most columns, and
  /// panels are packed again for every block.
  static double evenness(const DiskPlan& plan) {
    constexpr double kPacking = 48;  // pivots of a product that take as long as packing its rows
    const auto width = static_cast<double>(plan.width);
    return width / (width + kPacking) / static_cast<double>(plan.columns);
  }

  /// The best width for several devices; where none fits, the one that takes least.
  DiskPlan most_even(const DiskPlan& plan) const {
    if (problem_.width > 0) return with_width(plan, problem_.width);
    const std::int64_t least = rounded_up(kBlocks, plan.devices);
    const std::int64_t bands = ((n_ + least - 1) / least + plan.band - 1) / plan.band;
    DiskPlan best = with_width(plan, plan.band);
    for (std::int64_t wide = 2; wide <= bands; ++wide) {
      const DiskPlan next = with_width(plan, wide * plan.band);
      if (fits(next) ? !fits(best) || evenness(next) >= evenness(best)
                     : !fits(best) && next.device_bytes < best.device_bytes) {
        best = next;
      }
    }
    return best;
  }

  /// Wide panels are worth more than long parts, unless these are so short that the device, or the
  /// disk, does little at a time.
  double worth(const DiskPlan& plan) const {
    const auto share = [&](std::int64_t lines) {
      return static_cast<double>(lines) / static_cast<double>(lines + device_.granule());
    };
    const double parts = share(plan.strip_rows) * share(plan.band);
    if (plan.devices == 1) return static_cast<double>(plan.width) * parts;
    return evenness(plan) * parts;
  }

  void consider(const DiskPlan& plan, DiskPlan& best) const {
    const auto rank = [&](const DiskPlan& of) {
      if (fits(of)) return std::tuple(true, of.stays, worth(of));
      const bool host = of.bytes <= problem_.memory;
      return std::tuple(false, host, -static_cast<double>(host ? of.device_bytes : of.bytes));
    };
    if (best.width == 0 || rank(plan) > rank(best)) best = plan;
  }

  const DiskProblem& problem_;
  const kernels::DeviceSizes& device_;
  std::int64_t n_;
  bool on_host_;
};

/// Rows × columns of a part that passes: a strip of rows, or a band of a panel.
template <class Values>
std::int64_t most_passing(const DiskPlan& plan, std::int64_t n, const Values& values) {
  return std::max(values(std::min(plan.strip_rows, n), n),
                  values(std::min(plan.width, n), std::min(plan.band, n)));
}

}  // namespace

std::vector<DiskBlock> disk_blocks(std::int64_t n, std::int64_t first_pivot, std::int64_t width,
                                   int devices) {
  std::vector<DiskBlock> blocks;
  std::vector<std::int64_t> held(static_cast<std::size_t>(devices));
  for (std::int64_t first = 0; first < n;) {
    const std::int64_t last = first < first_pivot ? first_pivot : n;
    const std::int64_t end = std::min(first + width, last);
    const auto owner = static_cast<int>(std::ssize(blocks) % devices);
    std::int64_t& before = held[static_cast<std::size_t>(owner)];
    blocks.push_back({{first, end}, owner, {before, before + end - first}});
    before += end - first;
    first = end;
  }
  return blocks;
}

std::int64_t columns_of(const std::vector<DiskBlock>& blocks, int device) {
  std::int64_t columns = 0;
  for (const DiskBlock& block : blocks) {
    if (block.owner == device) columns += length(block.lines);
  }
  return columns;
}

TiledMatrix closing_tiling(const DiskPlan& plan, std::int64_t n, int value_size) {
  const std::int64_t side = std::min(plan.width, n);
  return {{nullptr, side, side, side}, value_size, plan.tile};
}

std::int64_t part_values(const DiskPlan& plan, std::int64_t n) {
  if (plan.stays) return std::min(plan.strip_rows, n) * plan.columns;
  return most_passing(plan, n, [](std::int64_t rows, std::int64_t cols) { return rows * cols; });
}

std::int64_t part_values(const DiskPlan& plan, std::int64_t n, const kernels::DeviceSizes& device) {
  return most_passing(
      plan, n, [&](std::int64_t rows, std::int64_t cols) { return rows * device.stride(cols); });
}

DiskPlan plan_disk(const DiskProblem& problem, const kernels::DeviceSizes& device) {
  if (problem.n == 0) {
    const std::int64_t side = device.granule();
    return {side, side, side, side, 0};
  }
  return DiskPlanner(problem, device).best();
}

}  // namespace apsp::dense
