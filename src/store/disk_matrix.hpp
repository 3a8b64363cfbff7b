// A square matrix on disk that is computed in steps and can be resumed.
//
// It has two generations, one file each. A step reads the current generation and writes all of the
// next. `commit_step` syncs the next one and makes it current by a line of the journal
// (journal.hpp), before anybody writes into the other file. So the journal always names a complete
// generation.
//
// Bands here are `layout().tile` columns, stored as row-major matrices [n, columns of the band], so
// whole rows and whole bands are read in few long pieces. The checksums (CRC-32C) follow: one for
// each row of a group of columns. A group has one writer. Every value that is read is verified.
// Cost: half of a copy of the values, by the thread that does the I/O.
//
// Processes of one job may write parts of a generation together. The files and the graph are in a
// hidden folder next to the output (leftovers.hpp). The destructor keeps it if a step was committed
// and `discard` was not called. Disk space: 2 n² values (n² when solved) and the graph.
#pragma once

#include <apsp/error.hpp>
#include <apsp/progress.hpp>
#include <array>
#include <string>

#include "store/leftovers.hpp"
#include "store/store.hpp"

namespace apsp::store {

/// Values that fail their checksum. Kind input.
class DamagedMatrix : public Error {
 public:
  /// `place`: the file and the position of the values.
  explicit DamagedMatrix(std::string place);
  const std::string& place() const { return place_; }

 private:
  std::string place_;
};

class DiskMatrix final : public Store {
 public:
  enum class Generation { current, next };

  /// Requires: `head.layout` has only distances and no selection.
  DiskMatrix(FileSystem& files, const std::string& output, const JournalHead& head,
             const Graph& graph);
  /// Resumes. Throws `Error`: usage (`head` differs; another run has resumed it meanwhile), input
  /// (the file is damaged).
  DiskMatrix(FileSystem& files, const Resumable& from, const JournalHead& head);
  /// Opens what another process has made at its `shared_place`, to read and write parts.
  DiskMatrix(Joined, FileSystem& files, const std::string& place, const Layout& layout,
             const std::optional<Checkpoint>& checkpoint);
  ~DiskMatrix() override;

  /// Empty before the first step.
  const std::optional<Checkpoint>& checkpoint() const { return checkpoint_; }

  std::int64_t bands() const { return (layout_.n + layout_.tile - 1) / layout_.tile; }
  std::int64_t first_column(std::int64_t band) const { return band * layout_.tile; }
  std::int64_t columns(std::int64_t band) const {
    return std::min(layout_.tile, layout_.n - first_column(band));
  }
  /// Sets how many columns of the next generation share checksums, by default a band. Requires: the
  /// same in all processes, no concurrent write or `commit_step`.
  void set_checksum_columns(std::int64_t columns);
  /// Requires: no concurrent `commit_step`. A written block begins and ends with a group of columns
  /// that share checksums. Reading throws `DamagedMatrix`.
  void read_block(Generation generation, Block block, void* out, std::int64_t stride) const;
  void write_block(Block block, const void* in, std::int64_t stride);
  std::string shared_place() const override { return partial_.path; }
  void flush() override;
  /// Collective: makes the next generation current and returns when this is on the disk. The
  /// process that made the matrix writes the journal, after all have flushed.
  void commit_step(std::int64_t pivots);
  /// Collective: opens the next generation for the graph's values, after the current one was found
  /// damaged. The process that made the matrix calls it first.
  void begin_again();
  /// Verifies the current generation. Throws as `read_block`, and `Error` (interrupted).
  void check(int threads, const Control& control) const;
  void discard() { done_with_ = true; }

  void read(Plane plane, Block block, void* out, std::int64_t stride) const override;
  /// Throws `Error` (usage): use `write_block`.
  void write(Plane plane, Block block, const void* in, std::int64_t stride) override;
  void commit(const Graph& graph, const Metadata& metadata) override;

 private:
  static constexpr std::int64_t kTogetherBytes = sizeof(std::int64_t);  // before the checksums
  static constexpr std::int64_t kSumBytes = sizeof(std::uint32_t);
  struct File {
    std::unique_ptr<WritableFile> out;
    std::unique_ptr<ReadableFile> in;
    std::int64_t together = 0;  ///< columns of a group that shares checksums
  };
  struct Columns {
    std::int64_t first, count;
  };

  std::int64_t bytes() const;
  std::int64_t bytes_with_sums(std::int64_t together) const;
  std::string path(int generation) const;
  int number(Generation generation) const;
  const File& file(Generation generation) const;
  void note_checksum_columns(File& file, std::int64_t columns) const;
  void open_old(int generation);
  std::int64_t sum_offset(const File& file, Columns columns, std::int64_t row) const;
  void read_checked(Generation generation, Columns columns, std::int64_t row, std::int64_t rows,
                    std::byte* out, std::int64_t stride) const;
  void write_summed(Columns columns, std::int64_t row, std::int64_t rows, const std::byte* in,
                    std::int64_t stride);
  std::int64_t offset(std::int64_t band, std::int64_t row) const;
  void open_new(int generation);
  void open_again(const JournalContents& contents);
  /// Calls visit(band, first column within the band, count, offset within `columns`).
  template <class Visit>
  void for_each_band(Columns columns, const Visit& visit) const;

  FileSystem& files_;
  system::Partial partial_;
  std::unique_ptr<Journal> journal_;  // null: another process made the matrix
  std::optional<Checkpoint> checkpoint_;
  std::array<File, 2> generations_;
  std::int64_t together_;  // columns that share checksums, for the next generation
  bool done_with_ = false;
};

}  // namespace apsp::store
