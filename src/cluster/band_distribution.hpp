// The block rows (bands) of an output, distributed in turn: band b is assembled or computed, and
// written, by process b mod processes. Bands that an earlier run stored are distributed separately,
// so that every process reads and computes equally many.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <vector>

#include "planner/plan.hpp"

namespace apsp::cluster {

struct BandDistribution {
  const planner::Plan& plan;
  int processes = 1;
  std::vector<std::int64_t> held{};  // stored by an earlier run, ascending

  std::int64_t count() const { return (plan.sources() + plan.chunk - 1) / plan.chunk; }
  std::vector<std::int64_t> of(int process) const;
  std::vector<Vertex> rows(std::int64_t band) const;
  std::vector<Vertex> rows_of(int process) const;
};

}  // namespace apsp::cluster
