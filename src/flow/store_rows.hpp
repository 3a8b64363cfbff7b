// Rows into a store: the sink behind every file of distances, and behind a matrix in memory.
//
// Memory takes rows where they belong. Files take whole bands of tiles: a block that is made of
// such goes there without a copy, rows that come otherwise are gathered until their band is full,
// and then are written beside what goes on. Whoever computes rows may write them
// into the band, or the matrix, itself.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/aligned_memory.hpp"
#include "flow/row_sink.hpp"
#include "store/store.hpp"

namespace apsp::flow {

/// Gathers rows that come in any order until they fill a band of tiles, and writes full bands with
/// threads of its own while the caller goes on. For stores whose tiles are files, and for those
/// that take whole rows. A band lies in memory as it will be written.
///
/// Memory: `most_bands` bands, tile × columns values each. A caller whose row begins one more waits
/// until a full band has been written; if none is full, memory is taken beyond that number.
class BandWriter {
 public:
  /// Writes a plane of `to`, which outlives this. `threads`: how many bring rows.
  BandWriter(store::Store& to, store::Plane plane, int threads);
  /// Writes the full bands, unless a write has failed; bands that lack rows are dropped.
  ~BandWriter();
  BandWriter(const BandWriter&) = delete;
  BandWriter& operator=(const BandWriter&) = delete;

  static std::int64_t most_bands(int threads) { return threads + 1; }

  /// Room in memory for these rows of the store; each row is asked for once. From any thread, as
  /// the others. Throws what a write has thrown.
  store::RowView room(std::span<const std::int64_t> rows);
  /// The caller has filled the room of these rows. Throws what a write has thrown, and `Error`
  /// (does_not_fit) where the system gives no thread to write with.
  void filled(std::span<const std::int64_t> rows);
  /// Returns when every full band has been written. Throws what a write has thrown.
  void finish();

 private:
  /// A band some of whose rows are still missing.
  struct Begun {
    base::AlignedMemory values;
    std::int64_t missing = 0;  // rows
  };
  struct Full {
    std::int64_t band;
    base::AlignedMemory values;
    std::int64_t claimed = 0, written = 0;  // tiles
  };
  using Lock = std::unique_lock<std::mutex>;

  std::int64_t rows_of(std::int64_t band) const;
  base::AlignedMemory memory(Lock& lock);
  void begin_writing();
  void write_bands();
  void write_piece(std::int64_t band, std::int64_t tile, std::byte* values);
  void require_written() const;

  store::Store& to_;
  store::Plane plane_;
  std::int64_t most_, tile_, pieces_;        // bands; rows of one; tiles of one, or 1
  std::int64_t group_, apart_, row_, band_;  // columns; bytes from a tile, row and band to the next
  int writers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Under the mutex.
  std::map<std::int64_t, Begun> begun_;
  std::deque<std::shared_ptr<Full>> full_;  // in the order in which they are written
  std::vector<base::AlignedMemory> spare_;  // of bands that were written: fresh pages are dear
  std::int64_t made_ = 0;                   // bands in memory
  bool ending_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

class StoreRows final : public RowSink {
 public:
  /// Fills the plane of distances of `to`, whose `commit` stays the caller's. `threads`: by how
  /// many a call writes the tiles of its block, where tiles are written side by side. What the
  /// store throws comes from `take` and `finish`; `finish` waits for the disk.
  StoreRows(store::Store& to, int threads);

  RowPreference preference() const override;
  RowTask task() const override;
  bool lends() const override { return true; }

 private:
  void accept(const RowBlock& block) override;
  store::RowView make_view(std::span<const Vertex> sources) override;
  void accept_lent(std::span<const Vertex> sources) override;
  void complete() override;
  void write(std::int64_t first, std::int64_t rows, const std::byte* values, std::int64_t stride);
  std::vector<std::int64_t> rows_of(std::span<const Vertex> sources) const;
  /// Whether the rows of these sources fill bands of the store, one behind the other.
  bool are_whole_bands(std::span<const Vertex> sources) const;

  store::Store& to_;
  int threads_;
  std::int64_t tile_;
  std::int64_t size_;                // bytes of a value
  std::optional<BandWriter> bands_;  // of what is no memory
};

}  // namespace apsp::flow
