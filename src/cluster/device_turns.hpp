// Processes that share a GPU take turns.
//
// The driver gives each process the whole GPU for a slice of time, and every change costs time. So
// processes do the remainder of a step, nearly all of the work, one after the other, in the order
// of their requests. Panels are small and need no turn.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "cluster/processes.hpp"

namespace apsp::cluster {

/// This process's place in the order: numbers of requests in shared memory.
class DeviceTurns {
 public:
  /// `name`: the same in all processes of the GPU, and unknown to others. Throws `Error`
  /// (input_output).
  explicit DeviceTurns(std::string name);
  ~DeviceTurns();
  DeviceTurns(const DeviceTurns&) = delete;
  DeviceTurns& operator=(const DeviceTurns&) = delete;

  /// Asks for a turn. Requires: the last turn has ended (`pass`).
  void ask();
  bool is_mine() const;
  void pass();
  /// Removes the name of the memory. Processes that have opened it keep it.
  void forget_name() noexcept;

 private:
  struct Counters {
    std::atomic<std::uint32_t> asked, served;  // requests
  };
  std::string name_;
  Counters* shared_ = nullptr;
  std::uint32_t request_ = 0;
};

/// Returns the turns of this process; null if no other process shares its GPU, or memory cannot be
/// shared. All processes of a job call it. `gpu`: the identity of the GPU; empty: none.
std::unique_ptr<DeviceTurns> turns_on_gpu(Processes& processes, const std::string& gpu);

}  // namespace apsp::cluster
