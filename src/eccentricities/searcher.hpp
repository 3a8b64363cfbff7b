// Rows of distances from and to chosen vertices, for bounds of eccentricities.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "eccentricities/bounds.hpp"
#include "flow/row_source.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::eccentricities {

/// Sources of distances from a vertex, and to it; `to` is null if distances are symmetric.
struct RowSources {
  std::unique_ptr<flow::RowSource> from, to;
};

class Searcher {
 public:
  /// Distances are u16, i32 or f64.
  Searcher(RowSources rows, int threads);

  /// The number of vertices that keep all threads busy. Rounds of more would take more rows, as
  /// rows of a round do not help to choose each other.
  std::size_t round_size() const;
  static double bytes(std::int64_t vertices, bool symmetric, int threads);

  /// Adds the rows of at most `round_size` distinct vertices to `bounds`. Throws `Error`
  /// (interrupted).
  void search(std::span<const Vertex> vertices, Bounds& bounds);

 private:
  struct Member {
    std::unique_ptr<flow::RowWorker> workers[2];
    system::AlignedMemory values;  // [block, n]
  };

  const flow::RowSource& source(std::size_t way) const {
    return way == 0 ? *rows_.from : *rows_.to;
  }
  std::size_t ways() const { return rows_.to ? 2 : 1; }
  /// Computes the rows of some vertices into `distances`, [vertices, n].
  void compute(std::size_t way, std::span<const Vertex> vertices, Member& member,
               double* distances);

  RowSources rows_;
  int threads_;
  std::vector<Member> members_;       // [threads]
  std::vector<double> distances_[2];  // [vertices, n] from and to the vertices
};

}  // namespace apsp::eccentricities
