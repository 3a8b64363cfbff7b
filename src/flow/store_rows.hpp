// The sink that writes rows into a store. Memory receives rows in place. Files receive whole bands:
// complete ones without a copy, other rows from a buffer, which producers may fill directly.
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

#include "flow/row_sink.hpp"
#include "store/store.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::flow {

/// Gathers rows in any order and writes full bands with threads of its own. Thread-safe.
///
/// Memory: `most_bands` bands of tile × columns values, in the layout of the file. A caller that
/// needs one more waits for a full band to be written; if none is full, more memory is allocated.
class BandWriter {
 public:
  /// `to` must outlive this. `threads`: the number of threads that bring rows.
  BandWriter(store::Store& to, store::Plane plane, int threads);
  /// Writes the full bands unless a write has failed, and drops incomplete ones.
  ~BandWriter();
  BandWriter(const BandWriter&) = delete;
  BandWriter& operator=(const BandWriter&) = delete;

  static std::int64_t most_bands(int threads) { return threads + 1; }

  /// Reserves buffers for rows, each once. Throws what a write has thrown.
  store::RowView reserve(std::span<const std::int64_t> rows);
  /// Completes reserved rows. Throws what a write has thrown, and `Error` (does_not_fit) if no
  /// thread can write.
  void commit(std::span<const std::int64_t> rows);
  /// Returns when all full bands are written. Throws what a write has thrown.
  void finish();

 private:
  struct Begun {
    system::AlignedMemory values;
    std::int64_t missing = 0;
  };
  struct Full {
    std::int64_t band;
    system::AlignedMemory values;
    std::int64_t claimed = 0, written = 0;
  };
  using Lock = std::unique_lock<std::mutex>;

  std::int64_t rows_of(std::int64_t band) const;
  system::AlignedMemory memory(Lock& lock);
  void begin_writing();
  void write_bands();
  void write_piece(std::int64_t band, std::int64_t tile, std::byte* values);
  void require_written() const;

  store::Store& to_;
  store::Plane plane_;
  std::int64_t most_, tile_, pieces_;        // bands; rows of a band; tiles of a band, or 1
  std::int64_t group_, apart_, row_, band_;  // columns; bytes from a tile, row and band to the next
  int writers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by the mutex.
  std::map<std::int64_t, Begun> begun_;
  std::deque<std::shared_ptr<Full>> full_;
  std::vector<system::AlignedMemory> spare_;  // reused, since fresh pages are expensive
  std::int64_t made_ = 0;
  bool ending_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

class StoreRows final : public RowSink {
 public:
  /// The caller commits. `threads` write the tiles of a block. `take` and `finish` throw what the
  /// store throws. `finish` waits for the disk.
  StoreRows(store::Store& to, int threads);

  RowPreference preference() const override;
  RowTask task() const override;
  bool has_buffers() const override { return true; }

 private:
  void accept(const RowBlock& block) override;
  store::RowView reserve_view(std::span<const Vertex> sources) override;
  void accept_reserved(std::span<const Vertex> sources) override;
  void complete() override;
  void write(std::int64_t first, std::int64_t rows, const std::byte* values, std::int64_t stride);
  std::vector<std::int64_t> rows_of(std::span<const Vertex> sources) const;
  /// Whether the sources are consecutive rows of whole bands.
  bool are_whole_bands(std::span<const Vertex> sources) const;

  store::Store& to_;
  int threads_;
  std::int64_t tile_;
  std::int64_t size_;                // bytes of a value
  std::optional<BandWriter> bands_;  // empty: the store is in memory
};

}  // namespace apsp::flow
