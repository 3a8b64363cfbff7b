// Iteration over all vertices of a graph and the arcs of each.
//
// A walk that visits most arcs once releases the pages of a mapped file, so that it takes some MiB
// of memory for any graph. Repeated walks on many threads keep the pages; reading them again would
// cost more than a tenth of such a walk.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace apsp::graph {

enum class Pages { kept, given_back };

inline std::vector<Vertex> all_vertices(std::int64_t n) {
  std::vector<Vertex> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Vertex{0});
  return all;
}

/// Returns `count` of 0 … n − 1, drawn without repetition, in increasing order. Requires: count ≤
/// n.
inline std::vector<Vertex> drawn_vertices(std::int64_t n, std::int64_t count, std::uint64_t seed) {
  std::vector<Vertex> vertices = all_vertices(n);
  base::SplitMix64 random(seed);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t step = random.below(static_cast<std::uint64_t>(n - i));
    std::swap(vertices[static_cast<std::size_t>(i)], vertices[static_cast<std::size_t>(i) + step]);
  }
  vertices.resize(static_cast<std::size_t>(count));
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

class ArcWalk {
 public:
  /// `graph` must outlive this.
  ArcWalk(const Graph& graph, Pages pages) : graph_(graph), pages_(pages) {}

  template <class Visit>
  void for_each_arc(Vertex v, Visit&& visit) {
    graph_.for_each_arc(v, visit);
    if (pages_ == Pages::kept) return;
    const std::int64_t arcs = graph_.out_degree(v);
    met_ += arcs < kWide ? arcs : std::max(arcs, kWideRow);
    if (met_ < kArcsAtOnce) return;
    met_ = 0;
    graph_.release_pages();
  }

 private:
  static constexpr std::int64_t kArcsAtOnce = std::int64_t{1} << 20;  // 12 MiB of rows
  /// The system may map a large page of 2 MiB around a row: 16 scattered wide rows fill the budget.
  /// Narrow rows share such pages.
  static constexpr std::int64_t kWide = 1024;
  static constexpr std::int64_t kWideRow = kArcsAtOnce / 16;

  const Graph& graph_;
  Pages pages_;
  std::int64_t met_ = 0;
};

}  // namespace apsp::graph
