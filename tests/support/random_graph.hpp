// Random graphs with weights of every kind.
#pragma once

#include <apsp/graph.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace apsp {

struct RandomGraph {
  std::int64_t n = 20;
  std::int64_t arcs = 60;
  double least = 0;
  double greatest = 5;
  bool real = false;
  bool directed = true;
  bool acyclic = false;  ///< arcs lead to greater vertices
  double potential = 0;  ///< weights are shifted by w + h(u) − h(v), h in [0, potential]
  std::uint64_t seed = 1;
};

inline Graph random_graph(const RandomGraph& of) {
  base::SplitMix64 random(of.seed);
  const auto draw = [&](double least, double greatest) {
    if (of.real) return least + random.uniform() * (greatest - least);
    return least +
           static_cast<double>(random.below(static_cast<std::uint64_t>(greatest - least) + 1));
  };
  std::vector<double> h;
  for (std::int64_t v = 0; v < of.n; ++v) h.push_back(draw(0, of.potential));
  GraphBuilder builder(of.n, of.directed);
  for (std::int64_t arc = 0; arc < of.arcs && of.n > 0; ++arc) {
    auto u = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(of.n)));
    auto v = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(of.n)));
    if (of.acyclic && u == v) continue;
    if (of.acyclic && u > v) std::swap(u, v);
    builder.add_edge(u, v, draw(of.least, of.greatest) + h[u] - h[v]);
  }
  return std::move(builder).build();
}

/// Weights from `least` to `greatest`; `more`: the other fields.
inline Graph random_graph(std::int64_t n, std::int64_t arcs, double least, double greatest,
                          RandomGraph more = {}) {
  more.n = n;
  more.arcs = arcs;
  more.least = least;
  more.greatest = greatest;
  return random_graph(more);
}

}  // namespace apsp
