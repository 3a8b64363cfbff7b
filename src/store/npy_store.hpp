// A distance matrix as one .npy file, memory-mappable by numpy.load(mmap_mode="r").
//
// Written under a hidden name in the same directory: the header first, tiles as rows at their
// places, best whole ones, then synced and renamed on commit. The space is claimed at the
// beginning, so a disk that is too small is known before hours of solving. It holds the distances
// alone; graph and metadata are dropped. Reads are positioned reads rather than a mapping: a file
// that someone truncates meanwhile is an error, not a signal.
#pragma once

#include <memory>
#include <string>

#include "store/file_system.hpp"
#include "store/store.hpp"
#include "store/tiling.hpp"

namespace apsp::store {

class NpyStore final : public Store {
 public:
  /// To be written. Throws `Error`: usage (another plane than distance; a directory in the way),
  /// input_output.
  NpyStore(FileSystem& files, const std::string& path, const Layout& layout);
  /// Read-only. `about`: vertices and selection of a matrix that may be no square; null: it is one.
  /// Throws `Error`: input (no C-order matrix of that shape and a known type, truncated), usage
  /// (the semiring has no such values), input_output. Booleans are always or-and.
  NpyStore(FileSystem& files, const std::string& path, Semiring semiring,
           const Layout* about = nullptr);
  /// What another process builds at `place`, to write rows of it; never committed here.
  NpyStore(Joined, FileSystem& files, const std::string& place, const Layout& layout);
  ~NpyStore() override;

  void read(Plane plane, Block block, void* out, std::int64_t stride) const override;
  void write(Plane plane, Block block, const void* in, std::int64_t stride) override;
  void commit(const Graph& graph, const Metadata& metadata) override;
  void flush() override;
  std::string shared_place() const override { return partial_.path; }
  void note_band(std::int64_t band) override { ledger_->mark_band(Plane::distance, band); }
  bool writes_in_turn() const override { return true; }  ///< Linux locks a file while it is written

 private:
  std::int64_t offset(std::int64_t row, std::int64_t col) const;  ///< byte of a value in the file

  FileSystem& files_;
  std::string path_;
  base::Partial partial_;  // no path: committed, or read-only; no claim: another process's
  std::int64_t data_offset_ = 0;
  std::unique_ptr<WritableFile> output_;
  std::unique_ptr<ReadableFile> input_;
  std::unique_ptr<TileLedger> ledger_;
};

}  // namespace apsp::store
