// The processes of a launch as a cluster, whose times can be predicted.
#pragma once

#include <apsp/solve.hpp>
#include <cstdint>

#include "cluster/cluster.hpp"
#include "cluster/launch.hpp"
#include "cluster/measure_messages.hpp"

namespace apsp::cluster {

/// Measures messages between all processes of the launch; a single process assumes rates.
MessageRates messages_of_launch(const Launch* launch);

/// `relaxations`: of each process, a second. `of_each_machine`: processes that share a machine.
Cluster cluster_of_processes(int processes, int of_each_machine, double relaxations,
                             const MessageRates& messages);
/// Each process is as fast as one is predicted to be by Floyd-Warshall on `n` vertices.
Cluster cluster_of_launch(const Launch& launch, const PlanReport& plan,
                          const MessageRates& messages, std::int64_t n);

}  // namespace apsp::cluster
