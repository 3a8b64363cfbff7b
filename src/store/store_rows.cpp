#include "store/store_rows.hpp"

#include <algorithm>
#include <cstring>

#include "base/team.hpp"

namespace apsp::store {
namespace {

/// Rows of a block that memory is asked to take: long enough to be copied at full rate.
constexpr std::int64_t kRowsIntoMemory = 64;
/// So many tiles a thread in a block that the last ones are short beside the whole.
constexpr std::int64_t kTilesAThread = 4;

/// Whether the sources follow one another.
bool consecutive(std::span<const Vertex> sources) {
  for (std::size_t i = 1; i < sources.size(); ++i) {
    if (sources[i] != sources[0] + i) return false;
  }
  return true;
}

}  // namespace

StoreRows::StoreRows(Store& to, int threads)
    : RowSink(to.layout().n, to.layout().type),
      to_(to),
      threads_(threads),
      tile_(to.layout().tile),
      size_(value_size(to.layout(), Plane::distance)) {}

RowWish StoreRows::wish() const {
  if (to_.data(Plane::distance) != nullptr) return {.rows = kRowsIntoMemory};
  if (to_.writes_in_turn())
    return {.rows = tile_, .band = tile_, .one_caller = true, .beside = true};
  const std::int64_t tiles = std::max<std::int64_t>(1, (rows() + tile_ - 1) / tile_);
  const std::int64_t bands = (kTilesAThread * threads_ + tiles - 1) / tiles;
  return {.rows = std::max<std::int64_t>(1, bands) * tile_, .band = tile_, .one_caller = true};
}

RowTask StoreRows::task() const {
  return {"writing distance", static_cast<double>(rows()) * static_cast<double>(size_), "byte"};
}

std::int64_t StoreRows::rows_of_band(std::int64_t band) const {
  return std::min(tile_, rows() - band * tile_);
}

void StoreRows::accept(const RowBlock& block) {
  const std::int64_t n = rows();
  const auto count = static_cast<std::int64_t>(block.sources.size());
  const std::int64_t first = block.sources.front();
  if (to_.holds_band(first / tile_)) return;  // it came from there
  const auto* const values = static_cast<const std::byte*>(block.values);
  const bool in_memory = to_.data(Plane::distance) != nullptr;
  const bool whole_bands = first % tile_ == 0 && (count % tile_ == 0 || first + count == n);
  if (!in_memory && whole_bands && consecutive(block.sources)) {
    return write(first, count, values, block.stride);
  }
  auto* const memory = static_cast<std::byte*>(to_.data(Plane::distance));
  for (std::int64_t i = 0; i < count; ++i) {
    const Vertex source = block.sources[static_cast<std::size_t>(i)];
    const std::byte* const row = values + i * block.stride * size_;
    if (in_memory) {
      std::memcpy(memory + source * to_.stride() * size_, row, static_cast<std::size_t>(n * size_));
    } else {
      gather(source, row);
    }
  }
}

/// Rows [first, first + rows), which are whole bands.
void StoreRows::write(std::int64_t first, std::int64_t rows_written, const std::byte* values,
                      std::int64_t stride) {
  const std::int64_t n = rows();
  // Whole rows lie one behind the other in an .npy.
  if (to_.writes_in_turn()) {
    return to_.write(Plane::distance, {first, 0, rows_written, n}, values, stride);
  }
  const std::int64_t columns = (n + tile_ - 1) / tile_;
  const std::int64_t bands = (rows_written + tile_ - 1) / tile_;
  base::share_items(bands * columns, threads_, [&](std::int64_t t) {
    const std::int64_t row = t / columns * tile_, col = t % columns * tile_;
    to_.write(Plane::distance,
              {first + row, col, std::min(tile_, rows_written - row), std::min(tile_, n - col)},
              values + (row * stride + col) * size_, stride);
  });
}

/// One row into its band, which is written and given up with its last one.
void StoreRows::gather(Vertex source, const std::byte* values) {
  const std::int64_t n = rows(), band = source / tile_;
  std::unique_lock lock(mutex_);
  const auto [at, fresh] = begun_.try_emplace(band);
  Begun& begun = at->second;
  if (fresh) {
    begun.missing = rows_of_band(band);
    begun.values = base::AlignedMemory(begun.missing * n * size_);
  }
  std::byte* const row = begun.values.data() + (source - band * tile_) * n * size_;
  lock.unlock();
  std::memcpy(row, values, static_cast<std::size_t>(n * size_));
  lock.lock();
  if (--begun.missing > 0) return;
  const auto full = begun_.extract(at);
  lock.unlock();
  write(band * tile_, rows_of_band(band), full.mapped().values.data(), n);
}

}  // namespace apsp::store
