// Ctrl-C, SIGTERM and a terminal that goes away (SIGHUP). The first raises a flag that the library
// polls at safe points, so that files are either complete or absent; the second ends the program at
// once.
//
// Some work cannot poll (a generator fills memory and touches no file): while an `ExitAtOnce` lives
// the first signal ends the program itself, with the same exit code and words.
#pragma once

#include <apsp/progress.hpp>

namespace apsp::cli {

/// Installs the handlers, and ignores SIGPIPE and SIGXFSZ: a closed pipe and a file that grew
/// beyond the limit of the user arrive as failed writes.
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
