// Ctrl-C and SIGTERM. The first raises a flag that the library polls at safe points, so that files
// are either complete or absent; the second ends the program at once.
//
// Some work cannot poll (a generator fills memory and touches no file): while an `ExitAtOnce` lives
// the first signal ends the program itself, with the same exit code and words.
#pragma once

#include <apsp/progress.hpp>

namespace apsp::cli {

/// Installs the handlers, and ignores SIGPIPE: a closed pipe arrives as a failed write.
void catch_signals();

/// Raised by the first signal.
const Cancellation& cancellation();

class ExitAtOnce {
 public:
  /// `json`: the object for --json is printed as well.
  explicit ExitAtOnce(bool json);
  ~ExitAtOnce();
  ExitAtOnce(const ExitAtOnce&) = delete;
  ExitAtOnce& operator=(const ExitAtOnce&) = delete;
};

}  // namespace apsp::cli
