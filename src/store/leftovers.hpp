// Unfinished results of killed runs: hidden partial files and folders and their file locks
// (base/file_lock.hpp).
//
// Only results that no living process has locked are removed. If locks cannot tell, a result stays
// and is reported. A kill during `FileSystem::exchange` can leave an old result under a hidden
// name; it is then renamed back.
//
// A result with a journal (journal.hpp) can be resumed: a .zarr that is filled row by row, or a
// matrix that is solved on disk (disk_matrix.hpp).
#pragma once

#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/file_system.hpp"
#include "store/journal.hpp"
#include "store/store.hpp"

namespace apsp::store {

enum class Fate {
  removed,    ///< by `find_leftovers`: can be removed
  restored,   ///< an old result is back in its place; by `find_leftovers`: can be
  in_use,     ///< locked by a living process
  resumable,  ///< kept, another run can resume it
  unknown,    ///< kept, see `why`
};

struct Leftover {
  std::string path;
  std::int64_t bytes = 0;
  Fate fate = Fate::unknown;
  std::string why{};
  std::int64_t done = 0;           ///< from its journal; 0: cannot be resumed
  std::int64_t all = 0;            ///< the value of `done` at the end
  std::string_view unit = "rows";  ///< of `done` and `all`: "rows" or "pivots"
};

enum class Resumables { removed, spared };

/// Returns the output of the partial whose lock file is `claim`.
std::string output_of(const std::string& claim);

/// Finds the unfinished results of `output`, or of every output in a folder that is no .zarr.
/// Sorted by name. Throws `Error` (input_output) if there is no such folder.
std::vector<Leftover> find_leftovers(FileSystem& files, const std::string& output);

/// Also removes and restores them; `spared`: except those that can be resumed. If the system
/// refuses, the fate is `unknown`, with the reason.
std::vector<Leftover> clean_leftovers(FileSystem& files, const std::string& output,
                                      Resumables resumables = Resumables::removed);

struct Resumable {
  std::string output;   ///< path of the result, links followed
  std::string partial;  ///< the hidden folder of the unfinished result
  JournalContents contents{};

  /// Reads the graph that the earlier run stored. Throws `Error` (input) if it is damaged.
  Graph graph(FileSystem& files) const;
};

/// Returns the unfinished result of `output` with most rows or pivots done that no living process
/// has locked. Throws `Error`: input (another version), input_output.
std::optional<Resumable> find_resumable(FileSystem& files, const std::string& output);

/// Throws `Error` (usage) that names the differences, if any.
void require_same(const Resumable& earlier, const JournalHead& head);

/// An unfinished result and its lock, owned by the caller of `take_up`.
struct TakenUp {
  base::Partial partial;
  JournalContents contents;
};

/// Locks an unfinished result. If locks cannot tell whether its run is alive, the caller must know
/// that it is not. Throws as `resume_store`.
TakenUp take_up(FileSystem& files, const Resumable& from, const JournalHead& head);

/// Opens an unfinished .zarr to write its missing rows. Throws `Error`: usage (`head` differs;
/// another run has resumed it meanwhile), input_output.
std::unique_ptr<Store> resume_store(FileSystem& files, const Resumable& from,
                                    const JournalHead& head, const Graph& graph);

/// The error if another process cannot find `place`.
Error not_shared(const std::string& place);

/// Like `join_store`, for a .zarr with a journal: process `process` > 0 notes its bands in a
/// journal of its own. `held`: the bands that an earlier run completed. Throws `Error`
/// (input_output).
std::unique_ptr<Store> join_resumable(FileSystem& files, const std::string& place,
                                      const JournalHead& head, int process,
                                      std::span<const std::int64_t> held);

}  // namespace apsp::store
