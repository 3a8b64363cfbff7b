// When the processes of a grid keep what they have done, so that a later run can go on from it.
//
// Between two steps of Floyd-Warshall the matrix is a consistent cut: all paths through the first
// vertices are in it. The processes write their tiles into one matrix on disk
// (store/disk_matrix.hpp), which says nothing of the grid, so that another grid goes on from it.
// They compute again when all of it is on the disk: a checkpoint takes as long as the disk takes
// for the matrix.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "engine/processes.hpp"
#include "store/disk_matrix.hpp"

namespace apsp::engine {

class Checkpoints {
 public:
  /// `seconds`: from the end of one to the next; process 0's clock counts.
  Checkpoints(Processes& processes, store::DiskMatrix& matrix, double seconds)
      : processes_(processes), matrix_(matrix), seconds_(seconds) {}

  bool due() const {
    return processes_.first() &&
           std::chrono::duration<double>(Clock::now() - last_).count() >= seconds_;
  }
  /// All processes. `write`: this process's part, into the next generation. Throws, in all of them,
  /// `Error` (input_output).
  void take(std::int64_t pivots, const std::function<void(store::DiskMatrix&)>& write) {
    processes_.together([&] {
      write(matrix_);
      matrix_.flush();
    });
    processes_.together([&] { matrix_.commit_step(pivots); });
    last_ = Clock::now();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Processes& processes_;
  store::DiskMatrix& matrix_;
  double seconds_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace apsp::engine
