// A square matrix on disk that is computed in steps, and what a later run goes on from.
//
// It exists in two generations, a file each. A step reads the current one and writes the next one,
// all of it; `commit_step` makes the next one current once it is on the disk, and says so in a
// ledger (journal.hpp) before anybody writes into the other file. So a run that ends at any
// moment leaves one generation whole, and the ledger names it.
//
// Values rest in bands of `layout().tile` columns, each a matrix [n, columns of the band],
// row-major, one behind the other: some rows are read in a few long pieces, and so are some bands.
//
// Behind the values of a generation stand their checksums (CRC-32C): one for each row of some
// columns, which all who write the generation write together, so that no two share a checksum. They
// are computed of a piece that is in the cache, before it is written or after it was read, and
// every value that is read was compared. Cost: half of a copy of the values, by the thread that
// talks to the disk.
//
// Processes of one job may write parts of it together.
//
// All lies in a hidden folder beside the output whose matrix it is, as the partial of a store does
// (leftovers.hpp), with the graph. Dropped, it stays if a step was committed, unless `discard` was
// called. Disk: 2 n² values, n² when all pivots are done, and the graph.
#pragma once

#include <apsp/error.hpp>
#include <apsp/progress.hpp>
#include <array>
#include <string>

#include "store/leftovers.hpp"
#include "store/store.hpp"

namespace apsp::store {

/// Values that are not what was written. Kind input.
class DamagedMatrix : public Error {
 public:
  /// `place`: the file and the values.
  explicit DamagedMatrix(std::string place);
  const std::string& place() const { return place_; }

 private:
  std::string place_;
};

class DiskMatrix final : public Store {
 public:
  enum class Generation { current, next };

  /// A new one for `output`. Requires: `head.layout` holds distances alone, all of them. Throws
  /// `Error` (input_output).
  DiskMatrix(FileSystem& files, const std::string& output, const JournalHead& head,
             const Graph& graph);
  /// Goes on from a cut. Throws `Error`: usage (differs from `head`, says in what; has been taken
  /// up by another run meanwhile), input (the file is damaged), input_output.
  DiskMatrix(FileSystem& files, const Resumable& from, const JournalHead& head);
  /// What another process has made at `place`, its `shared_place`, and how far it is: to read parts
  /// of and to write them. Throws `Error` (input_output).
  DiskMatrix(Joined, FileSystem& files, const std::string& place, const Layout& layout,
             const std::optional<Cut>& cut);
  ~DiskMatrix() override;

  /// How far the current generation is; nothing: there is none yet.
  const std::optional<Cut>& cut() const { return cut_; }

  std::int64_t bands() const { return (layout_.n + layout_.tile - 1) / layout_.tile; }
  std::int64_t first_column(std::int64_t band) const { return band * layout_.tile; }
  std::int64_t columns(std::int64_t band) const {
    return std::min(layout_.tile, layout_.n - first_column(band));
  }
  /// From now on so many columns of the next generation have their checksums together; a band
  /// unless told. The same in all processes, and not beside what writes or `commit_step`.
  void set_checksum_columns(std::int64_t columns);
  /// Rows [row, row + rows) of a band; `out`, `in`: [rows, columns of the band], without gaps. Not
  /// beside `commit_step`. Throws `Error`: input (`DamagedMatrix`), input_output.
  void read_band(Generation generation, std::int64_t band, std::int64_t row, std::int64_t rows,
                 void* out) const;
  /// Into the next generation.
  void write_band(std::int64_t band, std::int64_t row, std::int64_t rows, const void* in);
  /// The same of any block. What is written begins with columns that have their checksums together,
  /// and ends with such.
  void read_block(Generation generation, Block block, void* out, std::int64_t stride) const;
  void write_block(Block block, const void* in, std::int64_t stride);
  std::string shared_place() const override { return partial_.path; }
  /// Returns when what was written of the next generation is on the disk.
  void flush() override;
  /// The next generation is whole: it becomes the current one. Returns when that is on the disk; of
  /// several processes the one that made the matrix says so there, when all have flushed, and the
  /// others call it too.
  void commit_step(std::int64_t pivots);
  /// The next generation will be the graph's, after what was complete was found damaged. Of
  /// several processes the one that made the matrix calls it first.
  void begin_again();
  /// Reads all of the current generation. Throws as `read_block`, and `Error` (interrupted).
  void check(int threads, const Control& control) const;
  /// Nobody needs it any more.
  void discard() { done_with_ = true; }

  /// Of the current generation.
  void read(Plane plane, Block block, void* out, std::int64_t stride) const override;
  /// Throws `Error` (usage): a step is written by the functions above.
  void write(Plane plane, Block block, const void* in, std::int64_t stride) override;
  void commit(const Graph& graph, const Metadata& metadata) override;

 private:
  static constexpr std::int64_t kTogetherBytes = sizeof(std::int64_t);  // ahead of the checksums
  static constexpr std::int64_t kSumBytes = sizeof(std::uint32_t);
  struct File {
    std::unique_ptr<WritableFile> out;
    std::unique_ptr<ReadableFile> in;
    std::int64_t together = 0;  ///< columns that have their checksums together
  };
  /// Columns [first, first + count), which have their checksums together.
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
  /// Calls visit(band, its column that is met first, columns met, how many were met before).
  template <class Visit>
  void for_each_band(Columns columns, const Visit& visit) const;

  FileSystem& files_;
  base::Partial partial_;
  std::unique_ptr<Journal> ledger_;  // null: another process made the matrix
  std::optional<Cut> cut_;
  std::array<File, 2> generations_;
  std::int64_t together_;  // of what is written
  bool done_with_ = false;
};

}  // namespace apsp::store
