// The processes of a launch as a cluster, so that the times of their variants can be predicted.
#pragma once

#include <apsp/solve.hpp>
#include <cstdint>

#include "distributed/cluster.hpp"
#include "distributed/launch.hpp"
#include "distributed/measure_messages.hpp"

namespace apsp::distributed {

/// All processes of the launch, which send each other some; as assumed where there is only one.
MessageRates messages_of_launch(const Launch* launch);

/// Each process makes so many relaxations a second, and so many processes share each machine.
Cluster cluster_of_processes(int processes, int of_each_machine, double relaxations,
                             const MessageRates& messages);
/// Each process works as fast as one is predicted to by Floyd-Warshall on `n` vertices.
Cluster cluster_of_launch(const Launch& launch, const PlanReport& plan,
                          const MessageRates& messages, std::int64_t n);

}  // namespace apsp::distributed
