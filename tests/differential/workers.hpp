// Processes that ask problems, so that one that crashes or hangs is a finding and not the end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace apsp::campaign {

/// What became of one problem, as it is told to the parent.
struct Told {
  std::uint64_t seed = 0;
  std::string kind;  ///< "answered", "refused", "wrong"
  std::string text;  ///< the message
};

struct Work {
  std::uint64_t first = 1, problems = std::uint64_t{1} << 62;
  double seconds = 60;  ///< no problem begins later
  int jobs = 1;
  int patience = 120;  ///< s that one problem may take
  std::function<Told(std::uint64_t seed)> ask;
  std::function<void(const Told&)> take;  ///< in the parent, in any order
};

/// Calls `ask` for seeds first, first + 1, … in `jobs` processes, and `take` with what came of
/// each.
void run(const Work& work);

}  // namespace apsp::campaign
