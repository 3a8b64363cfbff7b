// When the processes of a grid keep what they have done, so that a later run can go on from it.
//
// Between two steps of Floyd-Warshall the matrix is a consistent cut: all paths through the first
// vertices are in it. The processes write their tiles into one matrix on disk
// (store/disk_matrix.hpp), which says nothing of the grid, so that another grid goes on from it.
//
// Where memory has room for a copy of each process's part, the solve goes on as soon as the copies
// are made, and a thread of each process writes its copy. Between two steps the thread that
// computes asks whether the writer has ended, and tells process 0 by a message that nobody waits
// for; process 0 commits the cut when all have told. Where memory has no room, the solve goes on
// when all of the cut is on the disk.
//
// A process that fails to write asks for another cut, and all processes end there with its error.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <vector>

#include "distributed/processes.hpp"
#include "store/disk_matrix.hpp"

namespace apsp::distributed {

class Checkpoints {
 public:
  /// `seconds`: from the end of one to the next; process 0's clock counts. `beside`: the solve goes
  /// on while they are written; the same in all processes.
  Checkpoints(Processes& processes, store::DiskMatrix& matrix, double seconds, bool beside)
      : processes_(processes), matrix_(matrix), seconds_(seconds), beside_(beside) {}
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;

  /// To be asked between any two steps, by the thread that exchanges messages.
  bool due();
  bool beside() const { return beside_; }
  /// All processes. `write`: this process's part, into the next generation; called by another
  /// thread while the solve goes on, where it does so, of what `copy` has kept. Throws, in all of
  /// them, `Error` (input_output), of an earlier one too.
  void take(std::int64_t pivots, const std::function<void()>& copy,
            const std::function<void(store::DiskMatrix&)>& write);
  /// All processes, behind the last step. Returns when nothing is being written any more; the last
  /// one counts unless a process failed to write it, which is no failure of the solve.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  void look_after();
  void tell();
  void drain();
  void name_cut();

  Processes& processes_;
  store::DiskMatrix& matrix_;
  double seconds_;
  bool beside_;
  Clock::time_point last_ = Clock::now();
  // Of the one that is being written.
  std::int64_t pivots_ = 0;
  bool under_way_ = false, told_ = false;
  std::exception_ptr failure_;
  std::vector<std::byte> said_;  // in process 0 by each of the others; elsewhere by this one
  std::vector<Communicator::Request> messages_;
  std::future<void> writer_;  // the last member: its thread uses the others
};

}  // namespace apsp::distributed
