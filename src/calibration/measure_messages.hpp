// How fast messages between the processes of a job are: some are sent, in 50 ms at most where a
// message of 4 MiB takes no longer than 20.
//
// The processes of a machine stand in a ring, in which each sends to the next while it receives
// from the one before, as panels travel; so do the first processes of all machines. The slowest
// neighbours count. Nothing is kept: another job may stand elsewhere, and measuring is quicker than
// finding that out.
#pragma once

#include <functional>
#include <vector>

#include "engine/processes.hpp"
#include "places/communicator.hpp"
#include "planner/message_rates.hpp"

namespace apsp::calibration {

/// How a process tells the time, s, and what it does until a message goes on.
struct Pace {
  std::function<double()> now;
  std::function<void()> wait;
};
/// The clock of the machine; other processes may use the core meanwhile.
Pace own_pace();

/// All processes, in step. `machines`, of every process: a number that is its machine's alone. The
/// same in all of them. What nobody could measure is as assumed.
planner::MessageRates measure_messages(places::Communicator& communicator,
                                       const std::vector<int>& machines,
                                       const Pace& pace = own_pace());
/// The same; `machine`: of this process.
planner::MessageRates measure_messages(engine::Processes& processes, int machine);

}  // namespace apsp::calibration
