// The end of a run that was interrupted and does not end by itself.
//
// Its threads may be anywhere: in a call of another library, or waiting for a disk. So the process
// becomes another program (execve), which ends them all, and this program again removes what it had
// begun to write, as the next run would, and says what is kept. A run that is cut off like this is
// one that was killed (docs/reliability.md): outputs are the old ones or the new ones, whole.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context.hpp"

namespace apsp::cli {

/// The first word of the command line of the program that cleans up. No verb has it.
inline constexpr std::string_view kAfterLateEnd = "--after-late-end";

/// What it has to know.
struct LateEnd {
  std::vector<std::string> kept{};    ///< complete files
  std::vector<std::string> claims{};  ///< of what was being written (base/file_lock.hpp)
  std::vector<std::string> words{};   ///< the command line of the run

  std::vector<std::string> as_words() const;
  /// Empty: `words` are of another command line.
  static std::optional<LateEnd> of(std::span<const std::string> words);
};

/// Becomes the program that cleans up; from any thread.
[[noreturn]] void end_late(const Context& context);

/// Removes what was being written, and keeps in the context what can be resumed and what is
/// complete.
void clean_after(const LateEnd& end, Context& context);

}  // namespace apsp::cli
