// The processes that a launcher such as mpirun started together.
#pragma once

#include <apsp/error.hpp>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cluster/communicator.hpp"
#include "cluster/direct_transport.hpp"
#include "cluster/processes.hpp"

namespace apsp::cluster {

struct Launch {
  int rank = 0, size = 1;
  int of_machine = 1;
  int on_machine = 0;  ///< number of this process among them
  int machine = 0;     ///< unique number of this machine
  /// Processes of every machine if the number is the same and they are adjacent; else 1.
  int of_each_machine = 1;
  std::function<std::unique_ptr<Communicator>(const Placement&)> grid{};
  /// Broadcasts between their GPUs; null: none, see `why_no_links`.
  std::unique_ptr<DeviceLinks> links{};
  std::string why_no_links{};
  /// Waits for the other processes and completes the fields above.
  std::function<void(Launch&)> join{};
  /// Called on another thread, with a message, if the others do not come; ends the process.
  std::function<void(const Error&)> on_late{};
  /// Whether an error is unknown to the others, which wait and must be ended.
  bool broken = false;
};

/// Calls work(processes). If its messages fail, the launch is broken. Throws what it throws.
template <class Work>
auto with_processes(Launch& launch, Communicator& communicator, Work&& work) {
  Processes processes(communicator);
  try {
    return work(processes);
  } catch (...) {
    launch.broken = launch.broken || !processes.in_step();
    throw;
  }
}

/// Returns the number of processors that this process is bound to, at most its share of those
/// offered to all processes of the machine or container. `asked`: threads of each; 0: chosen.
int threads_of_process(const Launch& launch, int asked);

/// Returns the number of processes that the launcher started; 1 without a launcher.
int launched_processes();

/// Returns the launcher's number of this process, from 0, even before MPI has begun.
int launched_number();

/// Whether there is a launcher, even of a single process.
bool has_launcher();

/// Throws `Error` (device) if MPI found only this process but its launcher started several, which
/// would all do the same.
void require_all_found(const Launch& launch);

/// Throws, in all processes, `Error` (usage) that names the process whose version or words differ;
/// such processes would wait for each other, or mix two results.
void require_alike(Processes& processes, const std::string& version,
                   const std::vector<std::string>& words);

/// Replaces this process by the program in the same folder whose MPI fits the launcher, with the
/// same words: `apsp-mpich` under MPICH's if it is there, else `apsp-mpi`. Throws `Error` (device)
/// if there is none.
[[noreturn]] void go_on_under_mpi(const std::vector<std::string>& words);

// The start of a launch. MPI's first calls return only when all processes have come, and have no
// limit of time, so a thread watches the waiting one.

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
