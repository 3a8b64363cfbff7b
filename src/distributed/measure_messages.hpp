// How fast messages between the processes of a job are: some are sent, in 50 ms at most where a
// message of 4 MiB takes no longer than 20.
//
// The processes of a machine form a ring. Each sends to the next while it receives from the one
// before, as panels travel. The first processes of all machines form another ring. The slowest
// neighbours count. Nothing is kept: another job may run elsewhere, and measuring is quicker than
// finding that out.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "distributed/communicator.hpp"
#include "distributed/processes.hpp"

namespace apsp::distributed {

/// From one process to the next, while all neighbours of that kind send too.
struct MessageRate {
  double bytes = 0;    // a second, each way
  double seconds = 0;  // until a message without bytes has come
  bool measured = false;
};

struct MessageRates {
  MessageRate on_machine{4e9, 5e-6};  // both processes share its memory
  MessageRate between{1e9, 10e-6};    // machines; assumed: a network of 10 Gbit/s

  /// The rate that a whole job waits for; one that was measured, if there is one.
  const MessageRate& slowest() const {
    if (!between.measured) return on_machine;
    return on_machine.measured && on_machine.bytes < between.bytes ? on_machine : between;
  }
};

/// Messages that one process received, from when it asked for them.
struct MessageSamples {
  std::vector<double> short_seconds{};  // of 8 bytes
  std::vector<double> long_seconds{};   // of `bytes`
  std::int64_t bytes = 0;
};

/// The best of each length counts: whatever else a machine does can only hold messages up.
/// Requires: some of both.
MessageRate rate_of(const MessageSamples& samples);

/// How a process tells the time, s, and what it does until a message has moved.
struct Pace {
  std::function<double()> now;
  std::function<void()> wait;
};
/// The clock of the machine; other processes may use the core meanwhile.
Pace own_pace();

/// All processes, in step. `machines`, of every process: a number that only its machine has. The
/// result is the same in all of them; a rate that could not be measured is as assumed.
MessageRates measure_messages(Communicator& communicator, const std::vector<int>& machines,
                              const Pace& pace = own_pace());
/// The same; `machine`: of this process.
MessageRates measure_messages(Processes& processes, int machine);

}  // namespace apsp::distributed
