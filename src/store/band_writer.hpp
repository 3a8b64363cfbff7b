// Rows that come in any order, on their way to a store whose tiles are files, or which takes whole
// rows: a band of tiles is filled in memory as it will be written, and threads of its own write
// bands that are full, while the caller goes on.
//
// Memory: `most_bands` bands, tile × columns values each, as long as no more are begun at once: who
// begins one waits for the disk.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "base/aligned_memory.hpp"
#include "store/row_room.hpp"
#include "store/store.hpp"

namespace apsp::store {

class BandWriter {
 public:
  /// A plane of `to`, which outlives this. `threads`: that bring rows.
  BandWriter(Store& to, Plane plane, int threads);
  /// Writes what is full, unless a write has failed; the rest is dropped.
  ~BandWriter();
  BandWriter(const BandWriter&) = delete;
  BandWriter& operator=(const BandWriter&) = delete;

  static std::int64_t most_bands(int threads) { return threads + 1; }

  /// Room for rows of the store, each of which comes once. From any thread, as the others. Throws
  /// what a write has thrown.
  RowRoom room(std::span<const std::int64_t> rows);
  /// The rows are there. Throws what a write has thrown, and `Error` (does_not_fit) where the system
  /// gives no thread to write with.
  void filled(std::span<const std::int64_t> rows);
  /// Returns when all that is full has been written. Throws what a write has thrown.
  void finish();

 private:
  /// Of which some rows are missing yet.
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

  Store& to_;
  Plane plane_;
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

}  // namespace apsp::store
