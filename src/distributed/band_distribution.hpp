// The bands of an output, distributed to the processes of a job in turn: band b is process b mod
// processes' to put together or compute, and to write. Bands that an earlier run has left are
// shared out out by themselves, so that every process reads as many and computes as many as the
// others.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <vector>

#include "planner/plan.hpp"

namespace apsp::distributed {

struct BandDistribution {
  const planner::Plan& plan;  // whose rows, and how many are a band
  int processes = 1;
  std::vector<std::int64_t> held{};  // that an earlier run has left, rising

  std::int64_t count() const { return (plan.sources() + plan.chunk - 1) / plan.chunk; }
  std::vector<std::int64_t> of(int process) const;
  /// The sources of a band, in the order of its rows.
  std::vector<Vertex> rows(std::int64_t band) const;
  std::vector<Vertex> rows_of(int process) const;
};

}  // namespace apsp::distributed
