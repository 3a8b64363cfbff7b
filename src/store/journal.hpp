// The journal of a long run: the complete rows of a .zarr, or the checkpoint of a matrix on disk,
// from which another run can resume.
//
// The journal is a text file in the hidden folder of the unfinished result. Its first line is the
// zarr.json of the distances, with a `Recipe` in place of the result. Every other line names a
// complete band, or a checkpoint ("cut"): a complete generation (disk_matrix.hpp). Each line ends
// with its CRC-32C. Reading stops at the first damaged line, so a damaged journal names fewer
// bands. If several processes fill one .zarr, each writes a file of its own, because lines of two
// machines in one file could tear each other; only the journal of process 0 has a first line.
//
// Lines of bands are not synced. A killed process loses none. After a power cut a line may name
// chunks that are not on the disk, but each chunk is verified before its rows count
// (engine/drive_sinks.hpp). A checkpoint is noted after its generation is on the disk, and the run
// continues after its line is.
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

/// All that determines the values of rows, apart from layout and compression.
struct Recipe {
  std::string graph;  ///< its digest
  std::string algorithm;
  std::string rounding{};      ///< anything else that rounded values depend on
  std::string options = "{}";  ///< a JSON object for readers of the store; not compared
};

struct JournalHead {
  Layout layout;
  bool compress = false;
  Recipe recipe;
};

/// A checkpoint of a matrix that is solved in steps.
struct Cut {
  std::int64_t pivots = 0;  ///< paths through vertices 0 … pivots − 1 are in the matrix
  int generation = 0;       ///< which of the two files holds the matrix
};

struct JournalContents {
  JournalHead head;
  std::vector<std::int64_t> bands{};      ///< the complete bands, ascending
  std::vector<std::int64_t> of_others{};  ///< those that only other processes have noted
  std::optional<Cut> cut{};               ///< the last checkpoint of a matrix on disk
  std::int64_t bytes = 0;                 ///< total length of the intact lines

  /// Complete rows, or pivots of the checkpoint.
  std::int64_t done() const;
  /// The value of `done` at the end.
  std::int64_t all() const { return cut ? head.layout.n : head.layout.rows(); }
  /// The unit of `done`.
  std::string_view unit() const { return cut ? "pivots" : "rows"; }
};

/// Reads the journals of a partial; returns nothing if the first line is missing or damaged. Throws
/// `Error` (input) if it has another version or damaged lists of sources or targets.
std::optional<JournalContents> read_ledger(FileSystem& files, const std::string& partial);

/// Returns the differences, each as "…: there A, here B". If empty, rows of one fit the other.
std::vector<std::string> differences(const JournalHead& there, const JournalHead& here);

class Journal {
 public:
  /// Begins a journal. Throws `Error` (input_output).
  Journal(FileSystem& files, const std::string& partial, const JournalHead& head);
  /// Continues an existing journal after its intact lines. Copies the bands of other processes'
  /// journals into it and removes those.
  Journal(FileSystem& files, const std::string& partial, const JournalContents& contents);
  /// Begins the journal of process `process` > 0, next to that of process 0.
  Journal(FileSystem& files, const std::string& partial, int process);

  /// Notes a complete band. Thread-safe; a band may be noted again.
  void note(std::int64_t band);
  /// Notes a checkpoint whose generation is on the disk. Returns when the line is on the disk.
  void note(const Cut& cut);
  /// Whether no process has noted a band. Throws `Error` (input_output).
  bool empty() const;
  /// Removes the journals of other processes. Requires: all their bands are noted here.
  void remove_others();

 private:
  void append(const std::string& payload);

  FileSystem& files_;
  std::string partial_;
  std::unique_ptr<WritableFile> file_;
  std::int64_t bytes_ = 0;
  mutable std::mutex mutex_;
  std::set<std::int64_t> bands_;  // guarded by `mutex_`
};

}  // namespace apsp::store
