// The start of a launch, where processes wait for all others with a limit of time. MPI has no such
// limit: its first calls return only when all have come, so a thread watches the waiting one.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cluster/communicator.hpp"
#include "cluster/launch.hpp"

namespace apsp::cluster {

/// While it exists, this process waits for others. Calls `on_late`, once and on another thread, if
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

/// A minute, or APSP_MEETING_SECONDS.
std::chrono::duration<double> meeting_limit();

/// Joins the launch and returns the communicator of its processes, which must be alike. One that
/// waits in vain ends by `Launch::on_late`, and the launcher ends the others. `words`: the command
/// line. Throws, in all processes, `Error`: device (another MPI), usage (not alike).
std::unique_ptr<Communicator> join_launch(Launch& launch, const std::vector<std::string>& words);

/// Returns the processes of the launch as a grid; waits as `join_launch`.
std::unique_ptr<Communicator> meet_on_grid(const Launch& launch, const Placement& placement);

}  // namespace apsp::cluster
