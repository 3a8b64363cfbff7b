// All vertices of a graph, and the arcs of one vertex after another in any order.
//
// A walk that meets most arcs once, and ends, gives the pages of a mapped file back on the way, so
// that it takes some MiB whatever the size of the graph. Walks that start again and again, on many
// threads, keep them: reading them again would cost more than a tenth of such a walk.
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

/// 0, 1, …, n − 1.
inline std::vector<Vertex> all_vertices(std::int64_t n) {
  std::vector<Vertex> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Vertex{0});
  return all;
}

/// `count` of 0 … n − 1, drawn without repetition, rising. Requires: count ≤ n.
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

  /// As `Graph::for_each_arc`.
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
  /// The system may map a large page of 2 MiB around a row: of wide ones that are not neighbours,
  /// 16 are enough. Narrow ones share such pages, which would be mapped again and again.
  static constexpr std::int64_t kWide = 1024;
  static constexpr std::int64_t kWideRow = kArcsAtOnce / 16;

  const Graph& graph_;
  Pages pages_;
  std::int64_t met_ = 0;  // since pages were given back
};

}  // namespace apsp::graph
