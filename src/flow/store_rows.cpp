#include "flow/store_rows.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <cstring>
#include <string>
#include <system_error>

#include "base/rounded_up.hpp"
#include "system/threads.hpp"

namespace apsp::flow {
namespace {

/// Rows are aligned to cache lines, and tiles to blocks of a disk.
constexpr std::int64_t kLineBytes = 64, kBlockBytes = 4096;
/// More threads do not make a disk faster.
constexpr int kMostWriters = 4;

/// Rows of a block for memory, enough to copy at full rate.
constexpr std::int64_t kRowsIntoMemory = 64;
/// Tiles for each thread, enough to balance the load.
constexpr std::int64_t kTilesAThread = 4;

}  // namespace

BandWriter::BandWriter(store::Store& to, store::Plane plane, int threads)
    : to_(to), plane_(plane), most_(most_bands(threads)), tile_(to.layout().tile) {
  const std::int64_t size = store::value_size(to.layout(), plane), cols = to.layout().cols();
  if (const auto form = to.tile_form(plane)) {
    group_ = form->cols;
    row_ = form->cols * size;
    apart_ = base::rounded_up(form->bytes, kBlockBytes);
    pieces_ = (cols + group_ - 1) / group_;
    writers_ = std::clamp(threads, 1, kMostWriters);
    band_ = pieces_ * apart_;
  } else {
    group_ = std::max<std::int64_t>(1, cols);
    row_ = base::rounded_up(cols * size, kLineBytes);
    apart_ = 0;
    pieces_ = 1;
    writers_ = 1;
    band_ = std::min(tile_, to.layout().rows()) * row_;
  }
}

BandWriter::~BandWriter() {
  Lock lock(mutex_);
  ending_ = true;
  changed_.notify_all();
  lock.unlock();
  for (std::thread& thread : threads_) thread.join();
}

std::int64_t BandWriter::rows_of(std::int64_t band) const {
  return std::min(tile_, to_.layout().rows() - band * tile_);
}

void BandWriter::require_written() const {
  if (failure_) std::rethrow_exception(failure_);
}

/// Reuses memory if possible. Waits while `most_` bands are in memory and one of them is full.
system::AlignedMemory BandWriter::memory(Lock& lock) {
  changed_.wait(lock, [&] {
    return !spare_.empty() || made_ < most_ || full_.empty() || failure_ != nullptr;
  });
  require_written();
  if (spare_.empty()) {
    // So that `push_back` of a writer never allocates.
    spare_.reserve(static_cast<std::size_t>(made_ + 1));
    system::AlignedMemory values(band_);
    ++made_;
    return values;
  }
  system::AlignedMemory values = std::move(spare_.back());
  spare_.pop_back();
  return values;
}

store::RowView BandWriter::reserve(std::span<const std::int64_t> rows) {
  store::RowView view{.group = group_, .apart = apart_};
  Lock lock(mutex_);
  require_written();
  for (const std::int64_t row : rows) {
    const std::int64_t band = row / tile_;
    auto at = begun_.find(band);
    if (at == begun_.end()) {
      system::AlignedMemory values = memory(lock);
      at = begun_.find(band);
      if (at == begun_.end()) {
        at = begun_.emplace(band, Begun{std::move(values), rows_of(band)}).first;
      } else {
        spare_.push_back(std::move(values));
      }
    }
    view.rows.push_back(at->second.values.data() + row % tile_ * row_);
  }
  return view;
}

void BandWriter::commit(std::span<const std::int64_t> rows) {
  const std::lock_guard lock(mutex_);
  for (const std::int64_t row : rows) {
    const auto at = begun_.find(row / tile_);
    if (--at->second.missing > 0) continue;
    full_.push_back(std::make_shared<Full>(Full{at->first, std::move(at->second.values)}));
    begun_.erase(at);
    begin_writing();
    changed_.notify_all();
    require_written();
  }
}

void BandWriter::begin_writing() {
  if (!threads_.empty()) return;
  const system::BlockedSignals blocked;
  try {
    for (int i = 0; i < writers_; ++i) threads_.emplace_back([this] { write_bands(); });
  } catch (const std::system_error& refusal) {
    if (!threads_.empty()) return;  // fewer threads suffice
    failure_ = std::make_exception_ptr(Error(
        ErrorKind::does_not_fit,
        std::string("the system gives this process no thread that writes: ") + refusal.what()));
  }
}

void BandWriter::write_bands() {
  Lock lock(mutex_);
  const auto unclaimed = [&] {
    return std::ranges::find_if(full_, [&](const auto& full) { return full->claimed < pieces_; });
  };
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || failure_ || unclaimed() != full_.end(); });
    const auto at = unclaimed();
    if (failure_ || at == full_.end()) return;
    const std::shared_ptr<Full> full = *at;
    const std::int64_t piece = full->claimed++;
    lock.unlock();
    std::exception_ptr failure;
    try {
      write_piece(full->band, piece, full->values.data());
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure && !failure_) failure_ = failure;
    if (++full->written == pieces_) {
      spare_.push_back(std::move(full->values));
      std::erase(full_, full);
    }
    changed_.notify_all();
  }
}

void BandWriter::write_piece(std::int64_t band, std::int64_t tile, std::byte* values) {
  if (to_.tile_form(plane_)) {
    return to_.write_tile(plane_, band, tile, values + tile * apart_);
  }
  const std::int64_t size = store::value_size(to_.layout(), plane_);
  to_.write(plane_, {band * tile_, 0, rows_of(band), to_.layout().cols()}, values, row_ / size);
}

void BandWriter::finish() {
  Lock lock(mutex_);
  changed_.wait(lock, [&] { return full_.empty() || failure_; });
  require_written();
}

StoreRows::StoreRows(store::Store& to, int threads)
    : RowSink(to.layout().n, to.layout().type, to.layout().selection),
      to_(to),
      threads_(threads),
      tile_(to.layout().tile),
      size_(store::value_size(to.layout(), store::Plane::distance)) {
  if (to.data(store::Plane::distance) == nullptr)
    bands_.emplace(to, store::Plane::distance, threads);
}

RowPreference StoreRows::preference() const {
  if (!bands_) return {.rows = kRowsIntoMemory, .in_place = to_.layout().selection.all()};
  if (to_.writes_in_turn())
    return {.rows = tile_, .band = tile_, .one_caller = true, .concurrent = true};
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
  if (to_.holds_band(first / tile_)) return;  // resumed from there
  if (bands_ && are_whole_bands(block.sources)) {
    return write(first, std::ssize(block.sources), static_cast<const std::byte*>(block.values),
                 block.stride);
  }
  const store::RowView view = reserve_view(block.sources);
  const auto* from = static_cast<const std::byte*>(block.values);
  for (std::byte* to : view.rows) {
    for (std::int64_t col = 0; col < columns(); col += view.group, to += view.apart) {
      const std::int64_t count = std::min(view.group, columns() - col);
      std::memcpy(to, from + col * size_, static_cast<std::size_t>(count * size_));
    }
    from += block.stride * size_;
  }
  accept_reserved(block.sources);
}

std::vector<std::int64_t> StoreRows::rows_of(std::span<const Vertex> sources) const {
  std::vector<std::int64_t> rows;
  for (const Vertex source : sources) rows.push_back(row_of(source));
  return rows;
}

store::RowView StoreRows::reserve_view(std::span<const Vertex> sources) {
  const std::vector<std::int64_t> rows = rows_of(sources);
  if (bands_) return bands_->reserve(rows);
  store::RowView view{.group = std::max<std::int64_t>(1, columns())};
  auto* const memory = static_cast<std::byte*>(to_.data(store::Plane::distance));
  for (const std::int64_t row : rows) view.rows.push_back(memory + row * to_.stride() * size_);
  return view;
}

void StoreRows::accept_reserved(std::span<const Vertex> sources) {
  if (bands_) bands_->commit(rows_of(sources));
}

void StoreRows::complete() {
  if (bands_) bands_->finish();
  to_.flush();
}

/// Requires: the rows are whole bands.
void StoreRows::write(std::int64_t first, std::int64_t rows_written, const std::byte* values,
                      std::int64_t stride) {
  const std::int64_t cols = columns();
  // An .npy stores whole rows.
  if (to_.writes_in_turn()) {
    return to_.write(store::Plane::distance, {first, 0, rows_written, cols}, values, stride);
  }
  const std::int64_t tiles = (cols + tile_ - 1) / tile_;
  const std::int64_t bands = (rows_written + tile_ - 1) / tile_;
  system::parallel_for(bands * tiles, threads_, [&](std::int64_t t) {
    const std::int64_t row = t / tiles * tile_, col = t % tiles * tile_;
    to_.write(store::Plane::distance,
              {first + row, col, std::min(tile_, rows_written - row), std::min(tile_, cols - col)},
              values + (row * stride + col) * size_, stride);
  });
}

}  // namespace apsp::flow
