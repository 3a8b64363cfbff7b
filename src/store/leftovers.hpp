// What runs that were killed left beside an output: hidden partial files and directories, and the
// claims on them (base/file_lock.hpp). They are found, removed, or gone on from.
//
// Only what no living process holds is removed; where locks cannot tell, it is named and stays.
// Where a file system cannot exchange two directories, the old result is renamed aside for a moment
// (FileSystem::exchange). A kill in that moment leaves nothing at the output: the old result is
// then put back.
//
// A .zarr that is filled row by row, and a matrix that is solved on disk (disk_matrix.hpp), keep a
// ledger (journal.hpp) and can be resumed: the next run compares what is left with what it is
// asked for, and takes it over. Only who says so removes it.
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
  removed,    ///< or, where nothing may be removed, would be
  restored,   ///< an old result, back in its place; or would be
  in_use,     ///< a living process writes it
  resumable,  ///< stays, for whoever goes on from it
  unknown,    ///< stays: `why`
};

struct Leftover {
  std::string path;
  std::int64_t bytes = 0;
  Fate fate = Fate::unknown;
  std::string why{};
  std::int64_t done = 0;           ///< as its ledger says (journal.hpp), 0: cannot be resumed
  std::int64_t all = 0;            ///< vertices, where something is done
  std::string_view unit = "rows";  ///< of both: "rows", "pivots"
};

enum class Resumables { removed, spared };

/// The output to which a partial belongs whose claim is at `claim` (base/file_lock.hpp).
std::string output_of(const std::string& claim);

/// Beside `output`, or, if that is a directory and no .zarr, of every output in it; by name.
/// Throws `Error` (input_output): no such directory.
std::vector<Leftover> find_leftovers(FileSystem& files, const std::string& output);

/// The same, and removes and restores; `spared`: but not what can be resumed. What the system
/// refuses to remove is `unknown`, with the reason.
std::vector<Leftover> clean_leftovers(FileSystem& files, const std::string& output,
                                      Resumables resumables = Resumables::removed);

/// An unfinished result that an earlier run left.
struct Resumable {
  std::string output;   ///< the result's path, links followed
  std::string partial;  ///< the hidden folder it was being written in
  JournalContents contents{};

  /// The graph that the earlier run stored. Throws `Error` (input) if it is damaged.
  Graph graph(FileSystem& files) const;
};

/// Among the unfinished results beside `output` that no living process holds, the one with the most
/// rows or pivots done. Throws `Error`: input (it is of another version), input_output.
std::optional<Resumable> find_resumable(FileSystem& files, const std::string& output);

/// Throws `Error` (usage) if `earlier` differs from `head`; the message says in what.
void require_same(const Resumable& earlier, const JournalHead& head);

/// What `take_up` hands to the caller, who now owns it.
struct TakenUp {
  base::Partial partial;
  JournalContents contents;
};

/// Claims an unfinished result. Where locks cannot tell whether its run is alive, the caller is
/// trusted that it is not. Throws as `resume_store`.
TakenUp take_up(FileSystem& files, const Resumable& from, const JournalHead& head);

/// Opens an unfinished .zarr to write the rows that are missing.
/// Throws `Error`: usage (differs from `head`, says in what; has been taken up by another run
/// meanwhile), input_output.
std::unique_ptr<Store> resume_store(FileSystem& files, const Resumable& from,
                                    const JournalHead& head, const Graph& graph);

/// The error when one process has made `place` and another cannot see it.
Error not_shared(const std::string& place);

/// As `join_store`, for a .zarr whose creator keeps a ledger: process `process` > 0 also writes
/// down, in a ledger of its own, the bands that it completes. `held`: bands that an earlier run has
/// left. Throws `Error` (input_output).
std::unique_ptr<Store> join_resumable(FileSystem& files, const std::string& place,
                                      const JournalHead& head, int process,
                                      std::span<const std::int64_t> held);

}  // namespace apsp::store
