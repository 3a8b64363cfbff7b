// <apsp/statistics.hpp>: what all distances together say of a graph.
#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>

#include <iostream>

int main() {
  // A ring of ten vertices, every edge of weight 1.
  const apsp::Graph ring = apsp::generate({.kind = apsp::GraphKind::cycle,
                                           .vertices = 10,
                                           .least_weight = 1,
                                           .greatest_weight = 1,
                                           .directed = false});
  apsp::SolveOptions options;
  options.storage.keep = apsp::Keep::statistics;
  const apsp::Result result = apsp::solve(ring, options);
  const apsp::Statistics& statistics = result.statistics();
  std::cout << statistics.reachable_pairs << " pairs have a path; the diameter is "
            << statistics.diameter.value() << ", the mean distance " << statistics.mean.value()
            << '\n';
  std::cout << "most central: vertex " << apsp::top(statistics.closeness, 1).front() << '\n';

  // 1, 1, 2, 2, 3, 3, 4, 4 and 5 from each of them.
  const bool right = statistics.reachable_pairs == 90 && statistics.diameter == 5.0 &&
                     statistics.median == 3.0 && statistics.connected;
  return right ? 0 : 1;
}
