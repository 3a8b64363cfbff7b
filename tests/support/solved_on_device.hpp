// Solves on an invented GPU, and whether they leave what the CPU leaves.
#pragma once

#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <cstdint>

#include "api/solve.hpp"
#include "support/invented_devices.hpp"
#include "support/same_statistics.hpp"

namespace apsp {

/// On one H200 that is a strict device, or on others.
inline Result solve_on_device(const Graph& graph, const SolveOptions& options,
                              const planner::FindDevices& find = planner::one_device) {
  return api::solve_among(find, graph, options);
}

inline Result solve_on_cpu(const Graph& graph, SolveOptions options) {
  options.machine.device = Device::cpu;
  options.machine.device_ordinals.clear();
  options.machine.device_memory = 0;
  return solve(graph, options);
}

/// For statistics alone. `device_memory`: bytes; 0: what is free.
inline SolveOptions statistics_by(Algorithm algorithm, Device device,
                                  std::int64_t device_memory = 0) {
  SolveOptions options;
  options.method.algorithm = algorithm;
  options.machine.device = device;
  options.machine.device_memory = device_memory;
  options.storage.keep = Keep::statistics;
  return options;
}

inline void expect_same_distances(const Result& a, const Result& b) {
  ASSERT_EQ(a.vertex_count(), b.vertex_count());
  for (Vertex s = 0; s < static_cast<Vertex>(a.vertex_count()); ++s) {
    ASSERT_EQ(a.distances_from(s), b.distances_from(s)) << "from " << s;
  }
}

/// All distances and statistics, to the last bit.
inline void expect_matrix_of_cpu(const Graph& graph, SolveOptions options) {
  options.storage.keep = Keep::matrix;
  options.machine.device = Device::cuda;
  const Result there = solve_on_device(graph, options);
  const Result here = solve_on_cpu(graph, options);
  expect_same_distances(there, here);
  statistics::expect_same(there.statistics(), here.statistics());
  EXPECT_TRUE(there.verify().passed);
}

}  // namespace apsp
