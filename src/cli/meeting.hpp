// The beginning of a launch, where every process waits for all others: one that nobody joins says
// so, and does not wait for ever.
//
// MPI has no such limit, and its first calls return only when all have come. So a thread watches
// the one that waits.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "cli/session.hpp"
#include "places/communicator.hpp"
#include "places/placement.hpp"

namespace apsp::cli {

/// While it lives, this process waits for others. Calls `on_late`, once and on another thread, if
/// that takes longer than `limit`.
class Meeting {
 public:
  Meeting(std::chrono::duration<double> limit, std::function<void()> on_late);
  ~Meeting();
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool met_ = false;
  std::thread watch_;
};

/// A minute, or what APSP_MEETING_SECONDS says.
std::chrono::duration<double> meeting_limit();

/// Joins the launch of the session, whose processes must be alike, and returns what they talk by.
/// One that waits in vain says so and ends with exit code 7, and the launcher ends the others.
/// Throws, in all of them, `Error`: device (of another MPI), usage (not alike).
std::unique_ptr<places::Communicator> join_launch(Session& session);

/// The processes of the launch as a grid, which they make together; the same of one that waits.
std::unique_ptr<places::Communicator> meet_on_grid(Session& session,
                                                   const places::Placement& placement);

/// Waits, without work for its core, until all processes have come to their end. Returns the exit
/// code of process 0, which is then that of all.
int end_all(places::Communicator& communicator, int code);

}  // namespace apsp::cli
