// The processes that a launcher such as mpirun started together.
#pragma once

#include <apsp/error.hpp>
#include <functional>
#include <memory>
#include <string>
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

}  // namespace apsp::cluster
