// The processes that a launcher such as mpirun started together, as the program sees them.
#pragma once

#include <apsp/error.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "distributed/communicator.hpp"
#include "distributed/direct_transport.hpp"
#include "distributed/processes.hpp"

namespace apsp::distributed {

struct Launch {
  int rank = 0, size = 1;
  int of_machine = 1;  ///< that share this machine
  int on_machine = 0;  ///< the number of this one among them
  int machine = 0;     ///< a number that is this machine's alone
  /// Of every machine, where all have as many and they are neighbours; else 1.
  int of_each_machine = 1;
  /// The processes as a grid of rows × cols = count.
  std::function<std::unique_ptr<Communicator>(const Placement&)> grid{};
  /// What lets their GPUs broadcast to each other; null: nothing, `why_no_links`.
  std::unique_ptr<DeviceLinks> links{};
  std::string why_no_links{};
  /// Meets the others, and learns from them what stands above; blocks until all have come.
  std::function<void(Launch&)> join{};
  /// Called on another thread, with what to say, where the others do not come; ends the process.
  std::function<void(const Error&)> on_late{};
  /// An error that the others do not know of: they wait, and must be ended.
  bool broken = false;
};

/// work(processes), whose messages may fail: the launch is broken then. Throws what it throws.
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

/// The processors that this process is bound to, and no more than its share of those that its
/// machine or container offers to all processes there.
/// `asked`: threads of each; 0: none were asked for.
int threads_of_process(const Launch& launch, int asked);

/// How many processes the launcher of this one has started; 1: one, or there is no launcher.
int launched_processes();

/// What the launcher calls this one of them, from 0; MPI may not have begun.
int launched_number();

/// Whether there is a launcher, though it may have started one process only.
bool has_launcher();

/// Throws `Error` (device) where MPI has found this process alone, and its launcher has started
/// several: they would all do the same.
void require_all_found(const Launch& launch);

/// Processes that are not alike would wait for each other, or mix two answers. Throws, in all of
/// them, `Error` (usage) that says which process differs, and in what: version or words.
void require_alike(Processes& processes, const std::string& version,
                   const std::vector<std::string>& words);

/// Goes on as the program beside this one whose MPI fits the launcher, with the same words, and
/// does not return: `apsp-mpich` under MPICH's, where it is there, else `apsp-mpi`. Throws `Error`
/// (device) if there is none.
[[noreturn]] void go_on_under_mpi(const std::vector<std::string>& words);

}  // namespace apsp::distributed
