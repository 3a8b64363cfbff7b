#include "cluster/launch_cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/units.hpp"
#include "cluster/meeting.hpp"
#include "system/machine.hpp"

namespace apsp::cluster {
namespace {

/// "3.9 GB/s and 1.2 µs on a machine, measured".
std::string message_text(const MessageRate& rate, const char* where) {
  return fmt::format("{:.1f} GB/s and {:.1f} µs {}, {}", rate.bytes / 1e9, rate.seconds * 1e6,
                     where, rate.measured ? "measured" : "assumed");
}

}  // namespace

MessageRates messages_of_launch(const Launch* launch) {
  if (launch == nullptr || launch->size == 1) return {};
  const auto communicator = meet_on_grid(*launch, {1, launch->size});
  Processes processes(*communicator);
  return measure_messages(processes, launch->machine);
}

Cluster cluster_of_processes(int processes, int of_each_machine, double relaxations,
                             const MessageRates& messages) {
  constexpr double kLaunch = 20e-6;  // seconds
  constexpr double kTile = 256;
  Cluster cluster;
  cluster.gpus_per_node = std::max(1, of_each_machine);
  cluster.nodes = processes / cluster.gpus_per_node;
  cluster.relaxations = relaxations;
  cluster.pivot_seconds = kTile * kTile / cluster.relaxations;  // a tile is closed at the same rate
  cluster.launch_seconds = kLaunch;
  cluster.gpu_bytes = static_cast<double>(system::available_memory()) / cluster.gpus_per_node;
  cluster.host_bytes = static_cast<double>(system::available_memory());
  // A message passes two links, and between machines two cards.
  cluster.link_rate = messages.on_machine.bytes;
  cluster.card_rate = messages.between.bytes;
  cluster.link_seconds = messages.on_machine.seconds / 2;
  cluster.card_seconds = std::max(0.0, messages.between.seconds - messages.on_machine.seconds) / 2;
  return cluster;
}

Cluster cluster_of_launch(const Launch& launch, const PlanReport& plan,
                          const MessageRates& messages, std::int64_t n) {
  constexpr double kMost = 1e13;  // more relaxations a second than any process computes
  const auto cube = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  double relaxations = 1;
  for (const CandidateReport& way : plan.candidates) {
    if (way.algorithm != Algorithm::floyd_warshall || way.device != Device::cpu || !way.known)
      continue;
    // The start of a process does not count.
    const double seconds = std::max(way.seconds - plan.predicted.start, cube / kMost);
    relaxations = std::max(1.0, cube) / std::max(seconds, 1 / kMost);
  }
  Cluster cluster =
      cluster_of_processes(launch.size, launch.of_each_machine, relaxations, messages);
  const bool neighbours = cluster.gpus_per_node > 1, apart = cluster.nodes > 1;
  cluster.name = fmt::format("this launch: {} processes of {}; messages: {}{}{}", launch.size,
                             base::counted(plan.threads, "thread", "threads"),
                             neighbours ? message_text(messages.on_machine, "on a machine") : "",
                             neighbours && apart ? "; " : "",
                             apart ? message_text(messages.between, "between") : "");
  return cluster;
}

}  // namespace apsp::cluster
