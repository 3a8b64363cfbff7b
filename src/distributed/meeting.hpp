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
#include <string>
#include <thread>
#include <vector>

#include "distributed/communicator.hpp"
#include "distributed/launch.hpp"

namespace apsp::distributed {

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

/// Joins the launch, whose processes must be alike, and returns what they talk by. One that waits
/// in vain ends by `Launch::on_late`, and the launcher ends the others. `words`: the command line.
/// Throws, in all of them, `Error`: device (of another MPI), usage (not alike).
std::unique_ptr<Communicator> join_launch(Launch& launch, const std::vector<std::string>& words);

/// The processes of the launch as a grid, which they make together; the same of one that waits.
std::unique_ptr<Communicator> meet_on_grid(const Launch& launch, const Placement& placement);

}  // namespace apsp::distributed
