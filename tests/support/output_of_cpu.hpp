// Whether a device leaves the output that the CPU leaves.
#pragma once

#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <functional>
#include <string>

#include "support/same_statistics.hpp"
#include "support/temporary_folder.hpp"

namespace apsp {

/// Solves for a .zarr and a .npy, by `solve_on_device` with `options` and on the CPU.
inline void expect_output_of_cpu(
    const Graph& graph, SolveOptions options,
    const std::function<Result(const Graph&, const SolveOptions&)>& solve_on_device) {
  const TemporaryFolder folder;
  for (const std::string name : {"out.zarr", "out.npy"}) {
    options.device = Device::cuda;
    options.output = folder / ("there_" + name);
    const Result there = solve_on_device(graph, options);
    options.device = Device::cpu;
    options.output = folder / ("here_" + name);
    const Result here = solve(graph, options);
    query::expect_same(there.statistics(), here.statistics());
    const Result stored = open_result(folder / ("there_" + name), graph);
    const Result expected = open_result(folder / ("here_" + name), graph);
    for (Vertex s = 0; s < graph.vertex_count(); ++s) {
      ASSERT_EQ(stored.distances_from(s), expected.distances_from(s)) << name << ", from " << s;
    }
  }
}

}  // namespace apsp
