// Ctrl-C, SIGTERM and a terminal that goes away (SIGHUP). The first raises a flag that the library
// polls, so that files are either complete or absent. Work that has not ended half a second later
// is inside something that cannot poll: a call of another library, a read from a terminal, a slow
// disk. What an `AtLateEnd` says then ends the process. A second signal ends it at once.
//
// A thread of its own waits for these signals, which all other threads block, so that nothing here
// has to be safe in a signal handler.
#pragma once

#include <apsp/progress.hpp>
#include <functional>

namespace apsp::cli {

/// From now on signals are waited for. SIGPIPE and SIGXFSZ are ignored: a closed pipe and a file
/// that grew beyond the limit of the user arrive as failed writes. Where the system gives no thread,
/// these signals end the process as they end other programs.
void catch_signals();

/// While this lives, a run that is late is ended by `end`, which is called on the thread that waits
/// for signals and does not return.
class AtLateEnd {
 public:
  explicit AtLateEnd(std::function<void()> end);
  ~AtLateEnd();
  AtLateEnd(const AtLateEnd&) = delete;
  AtLateEnd& operator=(const AtLateEnd&) = delete;
};

/// What the system does with these signals in a program that does not ask for them; before another
/// program takes the place of this one.
void release_signals();

/// Raised by the first signal.
const Cancellation& cancellation();

}  // namespace apsp::cli
