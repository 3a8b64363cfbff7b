// Checkpoints of Floyd-Warshall by the processes of a grid.
//
// Between two steps the matrix is consistent: it contains all paths through the first vertices. The
// processes write their tiles into one matrix on disk (store/disk_matrix.hpp), from which any other
// grid can resume.
//
// If memory has room for a copy of each process's part, the solve continues once copies are made,
// and a thread of each process writes its copy. Between two steps the computing thread checks
// whether the writer has ended, and tells process 0, which commits the checkpoint when all have
// told. Otherwise the solve waits until all is written. If writing fails in one process, all end at
// the next checkpoint with its error.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <vector>

#include "cluster/processes.hpp"
#include "store/disk_matrix.hpp"

namespace apsp::cluster {

class Checkpoints {
 public:
  /// `seconds`: from the end of one checkpoint to the next, by the clock of process 0.
  /// `in_background`: the solve continues while they are written; the same in all processes.
  Checkpoints(Processes& processes, store::DiskMatrix& matrix, double seconds, bool in_background)
      : processes_(processes), matrix_(matrix), seconds_(seconds), in_background_(in_background) {}
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;

  /// Called between two steps by the thread that exchanges messages.
  bool due();
  bool in_background() const { return in_background_; }
  /// Collective. `write` writes this process's part into the next generation; with `in_background`
  /// on another thread, from what `copy` has copied. Throws, in all processes, `Error`
  /// (input_output), also of an earlier checkpoint.
  void take(std::int64_t pivots, const std::function<void()>& copy,
            const std::function<void(store::DiskMatrix&)>& write);
  /// Collective, after the last step. Waits until nothing is being written. The last checkpoint
  /// counts unless a process failed to write it, which is no failure of the solve.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  void look_after();
  void tell();
  void drain();
  void name_checkpoint();

  Processes& processes_;
  store::DiskMatrix& matrix_;
  double seconds_;
  bool in_background_;
  Clock::time_point last_ = Clock::now();
  std::int64_t pivots_ = 0;
  bool under_way_ = false, told_ = false;
  std::exception_ptr failure_;
  std::vector<std::byte> said_;  // in process 0 from each of the others; elsewhere to process 0
  std::vector<Communicator::Request> messages_;
  std::future<void> writer_;  // the last member: its thread uses the others
};

}  // namespace apsp::cluster
