// Rows into a store: the sink behind every file of distances, and behind a matrix in memory.
//
// Memory takes rows where they belong. Files take whole bands of tiles: a block that is made of
// such goes there without a copy, rows that come otherwise are gathered until their band is full. A
// producer that keeps to bands, in any order, needs no memory here; one that begins many at a time
// needs a band, tile × columns values, for each that is begun.
#pragma once

#include <map>
#include <mutex>

#include "base/aligned_memory.hpp"
#include "store/row_sink.hpp"
#include "store/store.hpp"

namespace apsp::store {

class StoreRows final : public RowSink {
 public:
  /// Fills the plane of distances of `to`, whose `commit` stays the caller's. `threads`: by how
  /// many a call writes the tiles of its block, where tiles are written side by side. What the
  /// store throws comes from `take` and `finish`; `finish` waits for the disk.
  StoreRows(Store& to, int threads);

  RowWish wish() const override;
  RowTask task() const override;

 private:
  /// A band of tiles of which some rows have come.
  struct Begun {
    base::AlignedMemory values;  // [rows of the band, columns]
    std::int64_t missing = 0;    // rows
  };

  void accept(const RowBlock& block) override;
  void complete() override { to_.flush(); }
  void write(std::int64_t first, std::int64_t rows, const std::byte* values, std::int64_t stride);
  void gather(std::int64_t row_number, const std::byte* values);
  /// Whether the rows of these sources fill bands of the store, one behind the other.
  bool are_whole_bands(std::span<const Vertex> sources) const;
  std::int64_t rows_of_band(std::int64_t band) const;

  Store& to_;
  int threads_;
  std::int64_t tile_;
  std::int64_t size_;  // bytes of a value
  std::mutex mutex_;
  std::map<std::int64_t, Begun> begun_;  // by band; under the mutex
  // Of bands that were written, for the next ones: fresh pages take the system as long as a copy.
  std::vector<base::AlignedMemory> spare_;  // under the mutex
};

}  // namespace apsp::store
