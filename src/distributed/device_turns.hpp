// Processes that share a GPU use it one after the other.
//
// The driver gives each process the whole GPU for a slice of time, and every change of process
// costs it. So the processes work on the rest of a step, nearly all of the work, one after the
// other, in the order in which they asked. Panels are small and wait for no turn.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "distributed/processes.hpp"

namespace apsp::distributed {

/// The place of this process in the order of those that share a GPU: numbers of requests, in memory
/// that they share.
class DeviceTurns {
 public:
  /// `name`: the same in all of them, and unknown to others. Throws `Error` (input_output).
  explicit DeviceTurns(std::string name);
  ~DeviceTurns();
  DeviceTurns(const DeviceTurns&) = delete;
  DeviceTurns& operator=(const DeviceTurns&) = delete;

  /// Asks for a turn. Requires: the turn before has been passed on.
  void ask();
  bool is_mine() const;
  void pass();
  /// Nobody else finds the memory from here on; those that have it keep it.
  void forget_name() noexcept;

 private:
  struct Counters {
    std::atomic<std::uint32_t> asked, served;  // requests
  };
  std::string name_;
  Counters* shared_ = nullptr;
  std::uint32_t request_ = 0;
};

/// All processes of a job. `gpu`: the identity of the one that this process takes; empty: none.
/// Null where no other process shares it, or memory cannot be shared.
std::unique_ptr<DeviceTurns> turns_on_gpu(Processes& processes, const std::string& gpu);

}  // namespace apsp::distributed
