// What benchmarks of sparse solves share: the weights that they give a graph, and a clock.
#pragma once

#include <apsp/graph.hpp>

#include <chrono>
#include <cstdint>
#include <utility>

#include "base/random.hpp"

namespace apsp::bench {

struct Weights {
  bool hops = false;           // all 1
  std::uint64_t greatest = 0;  // of random ones, from 1 on; 0: those of the file
};

inline Graph weighted(const Graph& graph, const Weights& weights) {
  if (!weights.hops && weights.greatest == 0) return graph;
  base::SplitMix64 random(1);
  GraphBuilder builder(graph.vertex_count(), graph.directed());
  graph.visit_all([&](Vertex u, Vertex v, double) {
    if (!graph.directed() && v < u) return;
    const bool drawn = weights.greatest > 0;
    builder.add_edge(u, v, drawn ? 1 + static_cast<double>(random.below(weights.greatest)) : 1);
  });
  return std::move(builder).build();
}

template <class F>
double seconds(F&& act) {
  const auto start = std::chrono::steady_clock::now();
  act();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace apsp::bench
