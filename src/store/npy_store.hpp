// A distance matrix as one .npy file, memory-mappable by numpy.load(mmap_mode="r").
//
// It is written under a hidden name and renamed by `commit`. Its space is reserved at the start, so
// a full disk is noticed before hours of solving. Reads are not mapped: a truncated file is then an
// error, not a signal.
#pragma once

#include <memory>
#include <string>

#include "store/file_system.hpp"
#include "store/store.hpp"
#include "store/tiling.hpp"

namespace apsp::store {

class NpyStore final : public Store {
 public:
  /// Creates a file. Throws `Error` (usage) for other planes, or if `path` is a directory.
  NpyStore(FileSystem& files, const std::string& path, const Layout& layout);
  /// Opens a file to read. `about`: vertices and selection, null if the matrix is square. Booleans
  /// are always or-and. Throws `Error`: input (another shape, order or type; truncated), usage (the
  /// semiring lacks the type).
  NpyStore(FileSystem& files, const std::string& path, Semiring semiring,
           const Layout* about = nullptr);
  /// Opens another process's file to write rows; never committed here.
  NpyStore(Joined, FileSystem& files, const std::string& place, const Layout& layout);
  ~NpyStore() override;

  void read(Plane plane, Block block, void* out, std::int64_t stride) const override;
  void write(Plane plane, Block block, const void* in, std::int64_t stride) override;
  void commit(const Graph& graph, const Metadata& metadata) override;
  void flush() override;
  std::string shared_place() const override { return partial_.path; }
  void note_band(std::int64_t band) override { written_->mark_band(Plane::distance, band); }
  bool writes_in_turn() const override { return true; }  ///< Linux locks a file during a write

 private:
  std::int64_t offset(std::int64_t row, std::int64_t col) const;

  FileSystem& files_;
  std::string path_;
  system::Partial partial_;  // no path: not writing; no lock: another process's
  std::int64_t data_offset_ = 0;
  std::unique_ptr<WritableFile> output_;
  std::unique_ptr<ReadableFile> input_;
  std::unique_ptr<WrittenTiles> written_;
};

}  // namespace apsp::store
