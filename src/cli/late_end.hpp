// The end of an interrupted run that does not stop by itself.
//
// Its threads may be blocked in calls that cannot poll. The process therefore replaces itself
// (execve), which ends all threads. The new program removes unfinished files, as the next run
// would, and reports complete ones. The effect on files is that of a kill (docs/reliability.md):
// outputs are old or new, never partial.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context.hpp"

namespace apsp::cli {

/// The first word of the clean-up's command line. No verb has this name.
inline constexpr std::string_view kAfterLateEnd = "--after-late-end";

struct LateEnd {
  std::vector<std::string> kept{};
  std::vector<std::string> claims{};  ///< locks of unfinished outputs (system/file_lock.hpp)
  std::vector<std::string> words{};

  std::vector<std::string> as_words() const;
  /// Empty if `words` are another command line.
  static std::optional<LateEnd> of(std::span<const std::string> words);
};

/// Replaces the process by the clean-up program. Callable from any thread.
[[noreturn]] void end_late(const Context& context);

void clean_after(const LateEnd& end, Context& context);

}  // namespace apsp::cli
