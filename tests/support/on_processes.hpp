// Processes of a job that are threads of a test.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

#include "cluster/processes.hpp"
#include "support/thread_communicator.hpp"

namespace apsp {

/// member(processes) for each of `count`, on a thread of its own. The test fails with what one of
/// them throws. `most_bytes`: of a message; longer ones go in pieces.
inline void on_processes(int count, const std::function<void(cluster::Processes&)>& member,
                         std::int64_t most_bytes = 1000) {
  ThreadPost post(1, count);
  run_grid(
      post,
      [&](int row, int col) {
        ThreadCommunicator communicator(post, row, col, most_bytes);
        cluster::Processes processes(communicator);
        member(processes);
      },
      [](const std::string& what) { ADD_FAILURE() << what; });
}

}  // namespace apsp
