// Whether a device leaves the output that the CPU leaves.
#pragma once

#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "store/selection.hpp"
#include "support/same_statistics.hpp"
#include "support/temporary_folder.hpp"

namespace apsp {

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Solves for a .zarr and a .npy, by `solve_on_device` with `options` and on the CPU.
inline void expect_output_of_cpu(
    const Graph& graph, SolveOptions options,
    const std::function<Result(const Graph&, const SolveOptions&)>& solve_on_device) {
  const TemporaryFolder folder;
  for (const std::string name : {"out.zarr", "out.npy"}) {
    options.machine.device = Device::cuda;
    options.storage.output = folder / ("there_" + name);
    const Result there = solve_on_device(graph, options);
    options.machine.device = Device::cpu;
    options.storage.output = folder / ("here_" + name);
    const Result here = solve(graph, options);
    statistics::expect_same(there.statistics(), here.statistics());
    if (name == "out.npy" &&
        !(options.question.sources.empty() && options.question.targets.empty())) {
      EXPECT_EQ(bytes_of(folder / ("there_" + name)), bytes_of(folder / ("here_" + name)));
      continue;  // it does not say of which vertices it is
    }
    const Result stored = open_result(folder / ("there_" + name), graph);
    const Result expected = open_result(folder / ("here_" + name), graph);
    const std::int64_t n = graph.vertex_count();
    const std::vector<Vertex> targets = store::VertexList(options.question.targets).of(n);
    for (const Vertex s : store::VertexList(options.question.sources).of(n)) {
      for (const Vertex t : targets) {
        ASSERT_EQ(stored.distance(s, t), expected.distance(s, t)) << name << ", " << s << " " << t;
      }
    }
  }
}

}  // namespace apsp
