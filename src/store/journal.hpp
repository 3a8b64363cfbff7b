// The journal of a long run, from which another run can resume: complete bands of a .zarr, or the
// checkpoint of a matrix on disk (disk_matrix.hpp).
//
// It is a text file in the hidden folder of the unfinished result. Its first line is the zarr.json
// of the distances, with a `Recipe` in place of the result. Each line ends with its CRC-32C, and
// reading stops at the first damaged line. Several processes write a file each, because lines of
// two machines in one file could tear each other; only that of process 0 has a first line.
//
// Lines of bands are not synced. A killed process loses none. After a power cut a line may name
// chunks that are not on the disk, but each chunk is verified before its rows count
// (engine/drive_sinks.hpp). A checkpoint is noted, and its line synced, after its generation is on
// the disk.
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

inline constexpr const char* kJournalName = ".ledger";

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

struct Checkpoint {
  std::int64_t pivots = 0;  ///< paths through vertices 0 … pivots − 1 are in the matrix
  int generation = 0;       ///< which of the two files holds the matrix
};

struct JournalContents {
  JournalHead head;
  std::vector<std::int64_t> bands{};      ///< the complete bands, ascending
  std::vector<std::int64_t> of_others{};  ///< those that only other processes have noted
  std::optional<Checkpoint> checkpoint{};
  std::int64_t bytes = 0;  ///< of the intact lines

  std::int64_t done() const;
  std::int64_t all() const { return checkpoint ? head.layout.n : head.layout.rows(); }
  std::string_view unit() const { return checkpoint ? "pivots" : "rows"; }
};

/// Returns nothing if the first line is missing or damaged. Throws `Error` (input) if it has
/// another version, or if lists of sources or targets are damaged.
std::optional<JournalContents> read_journal(FileSystem& files, const std::string& partial);

/// Returns what differs, each as "…: there A, here B". If nothing does, rows of one fit the other.
std::vector<std::string> differences(const JournalHead& there, const JournalHead& here);

class Journal {
 public:
  Journal(FileSystem& files, const std::string& partial, const JournalHead& head);
  /// Continues after the intact lines. Copies and removes the journals of other processes.
  Journal(FileSystem& files, const std::string& partial, const JournalContents& contents);
  /// Begins the journal of process `process` > 0.
  Journal(FileSystem& files, const std::string& partial, int process);

  /// Thread-safe; a band may be noted again.
  void note(std::int64_t band);
  /// Requires: the generation is on the disk. Returns when the line is.
  void note(const Checkpoint& checkpoint);
  /// Whether no process has noted a band.
  bool empty() const;
  /// Requires: all bands of other processes are noted here.
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
