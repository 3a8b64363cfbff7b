// What Sao 2021 says in words of its measurements on Summit, and the same from the simulation.
//
// The text has these numbers only; its figures are curves without values. The text does not say
// what size some of them have, and the reading names the one that is taken.
#pragma once

#include <string_view>
#include <vector>

#include "cluster/cluster_plan.hpp"
#include "papers/simulate/simulated_solve.hpp"

namespace apsp::simulation {

struct PublishedPoint {
  std::string_view section, reading;
  double published = 0, simulated = 0;
  /// Is of interest although it is known to differ by more than a quarter.
  bool missed = false;

  double ratio() const { return simulated / published; }
};

/// Simulates the paper's programs on `summit`. `more`: four times as many steps, for tables.
std::vector<PublishedPoint> published_points(const cluster::Cluster& summit,
                                             const PaperCosts& costs = {}, bool more = false);

}  // namespace apsp::simulation
