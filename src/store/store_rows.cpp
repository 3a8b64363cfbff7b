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
      size_(value_size(to.layout(), Plane::distance)) {
  if (to.data(Plane::distance) == nullptr) bands_.emplace(to, Plane::distance, threads);
}

RowPreference StoreRows::preference() const {
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

bool StoreRows::are_whole_bands(std::span<const Vertex> sources) const {
  const std::int64_t first = row_of(sources.front()), count = std::ssize(sources);
  if (first % tile_ != 0 || (count % tile_ != 0 && first + count != rows())) return false;
  for (std::int64_t i = 1; i < count; ++i) {
    if (row_of(sources[static_cast<std::size_t>(i)]) != first + i) return false;
  }
  return true;
}

void StoreRows::accept(const RowBlock& block) {
  const std::int64_t first = row_of(block.sources.front());
  if (to_.holds_band(first / tile_)) return;  // it came from there
  if (bands_ && are_whole_bands(block.sources)) {
    return write(first, std::ssize(block.sources), static_cast<const std::byte*>(block.values),
                 block.stride);
  }
  gather(block);
}

std::vector<std::int64_t> StoreRows::rows_of(std::span<const Vertex> sources) const {
  std::vector<std::int64_t> rows;
  for (const Vertex source : sources) rows.push_back(row_of(source));
  return rows;
}

RowView StoreRows::make_view(std::span<const Vertex> sources) {
  const std::vector<std::int64_t> rows = rows_of(sources);
  if (bands_) return bands_->room(rows);
  RowView room{.group = std::max<std::int64_t>(1, columns())};
  auto* const memory = static_cast<std::byte*>(to_.data(Plane::distance));
  for (const std::int64_t row : rows) room.rows.push_back(memory + row * to_.stride() * size_);
  return room;
}

void StoreRows::accept_lent(std::span<const Vertex> sources) {
  if (bands_) bands_->filled(rows_of(sources));
}

void StoreRows::complete() {
  if (bands_) bands_->finish();
  to_.flush();
}

void StoreRows::gather(const RowBlock& block) {
  const RowView room = make_view(block.sources);
  const auto* from = static_cast<const std::byte*>(block.values);
  for (std::byte* to : room.rows) {
    for (std::int64_t col = 0; col < columns(); col += room.group, to += room.apart) {
      const std::int64_t count = std::min(room.group, columns() - col);
      std::memcpy(to, from + col * size_, static_cast<std::size_t>(count * size_));
    }
    from += block.stride * size_;
  }
  accept_lent(block.sources);
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

}  // namespace apsp::store
