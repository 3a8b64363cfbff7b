// The ledger of a long run: which rows of a .zarr are complete, or how far a matrix on disk is
// solved, written down on the way, so that another run can go on from there if this one ends early.
//
// A file of lines in the hidden folder where the group, or the matrix, is built. The first is the
// zarr.json of distances as they will be, with a `Recipe` in the place of the result; each other
// one names a band of tiles whose distances are all written, or a cut: a generation of the matrix
// that is complete (disk_matrix.hpp). Every line ends with the CRC-32C of what stands before:
// reading stops at the first line that is torn or damaged, so that a damaged ledger names fewer
// bands. Where several processes fill one .zarr, each of the others names its bands in a file
// beside it that has no first line, since lines of two machines in one file could be torn by each
// other.
//
// Bands do not wait for the disk. A process that is killed loses no line; after a power cut lines
// may name chunks that never reached the disk, but every chunk has a checksum and is read before
// its rows count (engine/drive_sinks.hpp). A cut has no checksums to rely on: it is named when its
// generation has reached the disk, and nobody goes on before the line has.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "store/file_system.hpp"
#include "store/store.hpp"

namespace apsp::store {

inline constexpr const char* kLedgerName = ".ledger";

/// What the values of rows depend on, apart from their store's layout and compression.
struct Recipe {
  std::string graph;           ///< digest
  std::string algorithm;       ///< its name
  std::string rounding{};      ///< what else rounded values depend on; empty: nothing
  std::string options = "{}";  ///< a JSON object for whoever has the store alone; not compared
};

struct JournalHead {
  Layout layout;
  bool compress = false;
  Recipe recipe;
};

/// Where a matrix that is solved in steps may be gone on from.
struct Cut {
  std::int64_t pivots = 0;  ///< paths through vertices 0 … pivots − 1 are in the matrix
  int generation = 0;       ///< which of the two files holds the matrix
};

struct JournalContents {
  JournalHead head;
  std::vector<std::int64_t> bands{};      ///< numbers of the complete bands, ascending
  std::vector<std::int64_t> of_others{};  ///< those of them that only other processes have noted
  std::optional<Cut> cut{};               ///< the last cut; only a matrix on disk has one
  std::int64_t bytes = 0;                 ///< length of the intact lines together

  /// The rows of complete bands, or the pivots of the cut.
  std::int64_t done() const;
  /// What `done` is when all is done: the result's rows, or the vertices.
  std::int64_t all() const { return cut ? head.layout.n : head.layout.rows(); }
  /// What `done` counts: "rows", "pivots".
  std::string_view unit() const { return cut ? "pivots" : "rows"; }
};

/// What a partial's ledgers say; nothing if it has none, or not even the first line is intact.
/// Throws `Error` (input) if it is of another version, or lists of sources or targets are damaged.
std::optional<JournalContents> read_ledger(FileSystem& files, const std::string& partial);

/// What differs, each as "…: there A, here B"; empty: rows of one may be used in the other.
std::vector<std::string> differences(const JournalHead& there, const JournalHead& here);

class Journal {
 public:
  /// Begins a ledger. Throws `Error` (input_output).
  Journal(FileSystem& files, const std::string& partial, const JournalHead& head);
  /// Appends to an existing ledger, behind its intact lines. Bands of other processes' ledgers are
  /// copied into it, and those ledgers are removed.
  Journal(FileSystem& files, const std::string& partial, const JournalContents& contents);
  /// Begins the ledger of process `process` > 0, beside the one that process 0 has begun.
  Journal(FileSystem& files, const std::string& partial, int process);

  /// Writes down that a band is complete. From any thread; a band may be named twice.
  void note(std::int64_t band);
  /// Writes down that a generation is complete and on the disk; returns when the line is, too.
  void note(const Cut& cut);
  /// Whether no process has named a band. Throws `Error` (input_output).
  bool empty() const;
  /// Removes the ledgers of other processes. Requires: all their bands have been named here.
  void remove_others();

 private:
  void append(const std::string& payload);

  FileSystem& files_;
  std::string partial_;
  std::unique_ptr<WritableFile> file_;
  std::int64_t bytes_ = 0;
  mutable std::mutex mutex_;
  std::set<std::int64_t> bands_;  // under the mutex
};

}  // namespace apsp::store
