// Rows into a store: the sink behind every file of distances, and behind a matrix in memory.
//
// Memory takes rows where they belong. Files take whole bands of tiles: a block that is made of
// such goes there without a copy, rows that come otherwise are gathered until their band is full,
// and then are written beside what goes on (band_writer.hpp). Whoever computes rows may write them
// into the band, or the matrix, itself.
#pragma once

#include <optional>

#include "store/band_writer.hpp"
#include "store/row_sink.hpp"
#include "store/store.hpp"

namespace apsp::store {

class StoreRows final : public RowSink {
 public:
  /// Fills the plane of distances of `to`, whose `commit` stays the caller's. `threads`: by how
  /// many a call writes the tiles of its block, where tiles are written side by side. What the
  /// store throws comes from `take` and `finish`; `finish` waits for the disk.
  StoreRows(Store& to, int threads);

  RowPreference preference() const override;
  RowTask task() const override;
  bool lends() const override { return true; }

 private:
  void accept(const RowBlock& block) override;
  RowView make_view(std::span<const Vertex> sources) override;
  void accept_lent(std::span<const Vertex> sources) override;
  void complete() override;
  void write(std::int64_t first, std::int64_t rows, const std::byte* values, std::int64_t stride);
  void gather(const RowBlock& block);
  std::vector<std::int64_t> rows_of(std::span<const Vertex> sources) const;
  /// Whether the rows of these sources fill bands of the store, one behind the other.
  bool are_whole_bands(std::span<const Vertex> sources) const;

  Store& to_;
  int threads_;
  std::int64_t tile_;
  std::int64_t size_;                // bytes of a value
  std::optional<BandWriter> bands_;  // of what is no memory
};

}  // namespace apsp::store
