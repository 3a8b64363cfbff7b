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

}  // namespace

StoreRows::StoreRows(Store& to, int threads)
    : RowSink(to.layout().n, to.layout().type, to.layout().selection),
      to_(to),
      threads_(threads),
      tile_(to.layout().tile),
      size_(value_size(to.layout(), Plane::distance)) {}

RowWish StoreRows::wish() const {
  if (to_.data(Plane::distance) != nullptr) return {.rows = kRowsIntoMemory};
  if (to_.writes_in_turn())
    return {.rows = tile_, .band = tile_, .one_caller = true, .beside = true};
  const std::int64_t tiles = std::max<std::int64_t>(1, (columns() + tile_ - 1) / tile_);
  const std::int64_t bands = (kTilesAThread * threads_ + tiles - 1) / tiles;
  return {.rows = std::max<std::int64_t>(1, bands) * tile_, .band = tile_, .one_caller = true};
}

RowTask StoreRows::task() const {
  return {"writing distance", static_cast<double>(columns()) * static_cast<double>(size_), "byte"};
}

std::int64_t StoreRows::rows_of_band(std::int64_t band) const {
  return std::min(tile_, rows() - band * tile_);
}

bool StoreRows::are_whole_bands(std::span<const Vertex> sources) const {
  const std::int64_t first = row_of(sources.front()), count = std::ssize(sources);
  if (first % tile_ != 0 || (count % tile_ != 0 && first + count != rows())) return false;
  for (std::int64_t i = 1; i < count; ++i) {
    if (row_of(sources[static_cast<std::size_t>(i)]) != first + i) return false;
  }
  return true;
}

void StoreRows::accept(const RowBlock& block) {
  const std::int64_t cols = columns();
  const auto count = static_cast<std::int64_t>(block.sources.size());
  const std::int64_t first = row_of(block.sources.front());
  if (to_.holds_band(first / tile_)) return;  // it came from there
  const auto* const values = static_cast<const std::byte*>(block.values);
  auto* const memory = static_cast<std::byte*>(to_.data(Plane::distance));
  if (memory == nullptr && are_whole_bands(block.sources)) {
    return write(first, count, values, block.stride);
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t row_number = row_of(block.sources[static_cast<std::size_t>(i)]);
    const std::byte* const row = values + i * block.stride * size_;
    if (memory != nullptr) {
      std::memcpy(memory + row_number * to_.stride() * size_, row,
                  static_cast<std::size_t>(cols * size_));
    } else {
      gather(row_number, row);
    }
  }
}

/// Rows [first, first + rows_written), which are whole bands.
void StoreRows::write(std::int64_t first, std::int64_t rows_written, const std::byte* values,
                      std::int64_t stride) {
  const std::int64_t cols = columns();
  // Whole rows lie one behind the other in an .npy.
  if (to_.writes_in_turn()) {
    return to_.write(Plane::distance, {first, 0, rows_written, cols}, values, stride);
  }
  const std::int64_t tiles = (cols + tile_ - 1) / tile_;
  const std::int64_t bands = (rows_written + tile_ - 1) / tile_;
  base::share_items(bands * tiles, threads_, [&](std::int64_t t) {
    const std::int64_t row = t / tiles * tile_, col = t % tiles * tile_;
    to_.write(Plane::distance,
              {first + row, col, std::min(tile_, rows_written - row), std::min(tile_, cols - col)},
              values + (row * stride + col) * size_, stride);
  });
}

/// One row into its band, which is written and given up with its last one.
void StoreRows::gather(std::int64_t row_number, const std::byte* values) {
  const std::int64_t cols = columns(), band = row_number / tile_;
  std::unique_lock lock(mutex_);
  const auto [at, fresh] = begun_.try_emplace(band);
  Begun& begun = at->second;
  if (fresh) {
    begun.missing = rows_of_band(band);
    const std::int64_t bytes = begun.missing * cols * size_;
    if (!spare_.empty()) {
      begun.values = std::move(spare_.back());
      spare_.pop_back();
    }
    if (begun.values.bytes() < bytes) begun.values = base::AlignedMemory(bytes);
  }
  std::byte* const row = begun.values.data() + (row_number - band * tile_) * cols * size_;
  lock.unlock();
  std::memcpy(row, values, static_cast<std::size_t>(cols * size_));
  lock.lock();
  if (--begun.missing > 0) return;
  auto full = begun_.extract(at);
  lock.unlock();
  write(band * tile_, rows_of_band(band), full.mapped().values.data(), cols);
  lock.lock();
  spare_.push_back(std::move(full.mapped().values));
}

}  // namespace apsp::store
