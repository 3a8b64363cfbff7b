// What runs that were killed left beside an output: hidden partial files and directories, and the
// claims on them (base/claim.hpp). Only what no living process holds is removed; where locks cannot
// tell, it is named and stays.
//
// Where a file system cannot exchange two directories, the old result is renamed aside for a moment
// (FileSystem::exchange). A kill in that moment leaves nothing at the output: the old result is
// then put back.
//
// A partial with a ledger of complete rows (row_ledger.hpp) can be resumed: only who says so
// removes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/file_system.hpp"

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
  std::int64_t done = 0;           ///< as its ledger says (row_ledger.hpp), 0: cannot be resumed
  std::int64_t all = 0;            ///< vertices, where something is done
  std::string_view unit = "rows";  ///< of both: "rows", "pivots"
};

enum class Resumables { removed, spared };

/// Beside `output`, or, if that is a directory and no .zarr, of every output in it; by name.
/// Throws `Error` (input_output): no such directory.
std::vector<Leftover> find_leftovers(FileSystem& files, const std::string& output);

/// The same, and removes and restores; `spared`: but not what can be resumed. What the system
/// refuses to remove is `unknown`, with the reason.
std::vector<Leftover> clean_leftovers(FileSystem& files, const std::string& output,
                                      Resumables resumables = Resumables::removed);

}  // namespace apsp::store
