// Handling of SIGINT, SIGTERM and SIGHUP. The first signal sets a flag that the library polls, so
// that files are either complete or absent. Work that has not ended half a second later is in a
// call that cannot poll, such as a read from a slow disk; the current `AtLateEnd` then ends the
// process. A second signal ends it at once.
//
// A separate thread waits for these signals, which all other threads block, so the handling need
// not be async-signal-safe.
#pragma once

#include <apsp/progress.hpp>
#include <functional>

namespace apsp::cli {

/// Starts to wait for signals. SIGPIPE and SIGXFSZ are ignored, so that a closed pipe and a file
/// beyond the user's limit become failed writes. If the system refuses a thread, signals keep their
/// default action.
void catch_signals();

/// While this object lives, `end` ends a late run. `end` is called on the signal thread and does
/// not return.
class AtLateEnd {
 public:
  explicit AtLateEnd(std::function<void()> end);
  ~AtLateEnd();
  AtLateEnd(const AtLateEnd&) = delete;
  AtLateEnd& operator=(const AtLateEnd&) = delete;
};

/// Restores the default actions before another program replaces this one.
void release_signals();

const Cancellation& cancellation();

}  // namespace apsp::cli
