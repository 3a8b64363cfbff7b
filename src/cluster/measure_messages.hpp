// The speed of messages between the processes of a job, measured in at most 80 ms if a message of 4
// MiB takes at most 20.
//
// The processes of a machine form a ring. Each sends to the next while it receives from the
// previous one, as panels do. The first processes of all machines form another ring. The slowest
// neighbours count. Results are not cached: another job may run on other machines.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cluster/communicator.hpp"
#include "cluster/processes.hpp"

namespace apsp::cluster {

/// Rate of messages from one process to the next, while all neighbours of that kind send too.
struct MessageRate {
  double bytes = 0;    // a second, each way
  double seconds = 0;  // latency of an empty message
  bool measured = false;
};

struct MessageRates {
  MessageRate on_machine{4e9, 5e-6};  // processes share memory
  MessageRate between{1e9, 10e-6};    // between machines; assumed: 10 Gbit/s

  /// The rate that a whole job waits for; a measured one if there is one.
  const MessageRate& slowest() const {
    if (!between.measured) return on_machine;
    return on_machine.measured && on_machine.bytes < between.bytes ? on_machine : between;
  }
};

struct MessageSamples {
  std::vector<double> short_seconds{};
  std::vector<double> long_seconds{};
  std::int64_t bytes = 0;
};

/// Returns the rate by the fastest message of each length, as interference only delays. Requires:
/// both lengths.
MessageRate rate_of(const MessageSamples& samples);

/// A process's clock, s, and what it does while it waits for a message.
struct Pace {
  std::function<double()> now;
  std::function<void()> wait;
};
/// The clock of the machine; waiting yields the core.
Pace own_pace();

/// Collective. `machines`: a number of each process that is unique to its machine. The result is
/// the same in all processes; a rate that could not be measured is the assumed one.
MessageRates measure_messages(Communicator& communicator, const std::vector<int>& machines,
                              const Pace& pace = own_pace());
/// The same; `machine`: of this process.
MessageRates measure_messages(Processes& processes, int machine);

}  // namespace apsp::cluster
