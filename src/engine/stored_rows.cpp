#include "engine/stored_rows.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <cstdint>
#include <numeric>

#include "base/aligned_memory.hpp"
#include "base/control.hpp"
#include "base/team.hpp"

namespace apsp::engine {
namespace {

/// Rows of a block: so few that all threads have some.
constexpr std::int64_t kRowsAtOnce = 16;

class StoredBands {
 public:
  StoredBands(store::Store& store, int threads, std::vector<std::string>* damaged = nullptr)
      : store_(store),
        threads_(threads),
        damaged_(damaged),
        rows_(store.layout().rows()),
        columns_(store.layout().cols()),
        tile_(std::clamp<std::int64_t>(rows_, 1, store.layout().tile)),
        size_(size_of(store.layout().type)) {}

  std::int64_t count() const { return (rows_ + tile_ - 1) / tile_; }
  std::int64_t first(std::int64_t band) const { return band * tile_; }
  std::int64_t rows(std::int64_t band) const { return std::min(tile_, rows_ - band * tile_); }

  /// Whether the band is there, undamaged; then `give` gives it.
  bool read(std::int64_t band) {
    if (!store_.holds_band(band)) return false;
    if (values_.data() == nullptr) values_ = base::AlignedMemory(tile_ * columns_ * size_);
    try {
      const std::int64_t width = std::clamp<std::int64_t>(columns_, 1, store_.layout().tile);
      base::share_items((columns_ + width - 1) / width, threads_, [&](std::int64_t t) {
        const std::int64_t col = t * width;
        store_.read(store::Plane::distance,
                    {band * tile_, col, rows(band), std::min(width, columns_ - col)},
                    values_.data() + col * size_, columns_);
      });
      return true;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      store_.forget_band(band);
      if (damaged_ != nullptr) damaged_->emplace_back(error.what());
      return false;
    }
  }

  void give(std::int64_t band, std::span<store::RowSink* const> sinks) const {
    std::vector<Vertex> sources(static_cast<std::size_t>(rows(band)));
    for (std::size_t i = 0; i < sources.size(); ++i) {
      sources[i] = store_.layout().source(band * tile_ + static_cast<std::int64_t>(i));
    }
    base::share_items((rows(band) + kRowsAtOnce - 1) / kRowsAtOnce, threads_, [&](std::int64_t b) {
      const std::int64_t first = b * kRowsAtOnce;
      const std::int64_t count = std::min(kRowsAtOnce, rows(band) - first);
      const RowBlock block{std::span(sources).subspan(static_cast<std::size_t>(first),
                                                      static_cast<std::size_t>(count)),
                           values_.data() + first * columns_ * size_, columns_,
                           store_.layout().type};
      for (store::RowSink* const sink : sinks) sink->take(block);
    });
  }

 private:
  store::Store& store_;
  int threads_;
  std::vector<std::string>* damaged_;
  std::int64_t rows_, columns_, tile_, size_;
  base::AlignedMemory values_;  // [tile, columns]
};

}  // namespace

std::vector<Vertex> give_stored_rows(store::Store& store, std::span<const std::int64_t> some,
                                     std::span<store::RowSink* const> sinks, int threads,
                                     const Control& control, std::vector<std::string>* damaged) {
  StoredBands bands(store, threads, damaged);
  std::int64_t held = 0;
  for (const std::int64_t band : some) {
    if (store.holds_band(band)) held += bands.rows(band);
  }
  base::ProgressTask progress(control, "reading what is complete", static_cast<double>(held),
                              "row");
  std::vector<Vertex> missing;
  for (const std::int64_t band : some) {
    base::check_cancelled(control);
    if (bands.read(band)) {
      bands.give(band, sinks);
      progress.advance(static_cast<double>(bands.rows(band)));
      continue;
    }
    for (std::int64_t i = 0; i < bands.rows(band); ++i) {
      missing.push_back(store.layout().source(bands.first(band) + i));
    }
  }
  return missing;
}

std::vector<Vertex> give_stored_rows(store::Store& store, std::span<store::RowSink* const> sinks,
                                     int threads, const Control& control,
                                     std::vector<std::string>* damaged) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(StoredBands(store, threads).count()));
  std::iota(all.begin(), all.end(), 0);
  return give_stored_rows(store, all, sinks, threads, control, damaged);
}

}  // namespace apsp::engine
