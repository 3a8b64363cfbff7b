// Unfinished results of killed runs: hidden files and folders and their locks
// (system/file_lock.hpp).
//
// Results that a living process has locked are never removed; if locks cannot tell, they stay. A
// kill during `FileSystem::exchange` can leave an old result under a hidden name, which is then
// renamed back. A result with a journal (journal.hpp) can be resumed.
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

/// The output of the partial whose lock file is `claim`.
std::string output_of(const std::string& claim);

/// Finds the results of `output`, or of every output in a folder that is no .zarr. Sorted by name.
/// Throws `Error` (input_output) if the folder does not exist.
std::vector<Leftover> find_leftovers(FileSystem& files, const std::string& output);

/// Also removes and restores them; `spared`: except those that can be resumed. If that fails, the
/// fate is `unknown`.
std::vector<Leftover> clean_leftovers(FileSystem& files, const std::string& output,
                                      Resumables resumables = Resumables::removed);

struct Resumable {
  std::string output;
  std::string partial;
  JournalContents contents{};

  /// Throws `Error` (input) if the stored graph is damaged.
  Graph graph(FileSystem& files) const;
};

/// The one with most rows or pivots done that no living process has locked. Throws `Error` (input)
/// if it has another version.
std::optional<Resumable> find_resumable(FileSystem& files, const std::string& output);

/// Throws `Error` (usage) that names the differences.
void require_same(const Resumable& earlier, const JournalHead& head);

struct TakenUp {
  system::Partial partial;
  JournalContents contents;
};

/// If locks cannot tell whether its run is alive, the caller must know that it is not. Throws as
/// `resume_store`.
TakenUp take_up(FileSystem& files, const Resumable& from, const JournalHead& head);

/// Opens an unfinished .zarr to write its missing rows. Throws `Error` (usage) if `head` differs or
/// another run has resumed it meanwhile.
std::unique_ptr<Store> resume_store(FileSystem& files, const Resumable& from,
                                    const JournalHead& head, const Graph& graph);

Error not_shared(const std::string& place);

/// Like `join_store`, with a journal of process `process` > 0. `held`: the bands that an earlier
/// run completed.
std::unique_ptr<Store> join_resumable(FileSystem& files, const std::string& place,
                                      const JournalHead& head, int process,
                                      std::span<const std::int64_t> held);

}  // namespace apsp::store
