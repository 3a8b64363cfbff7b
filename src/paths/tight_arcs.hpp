// All arcs on shortest paths from a source, and the number of these paths.
//
// An arc u → v of weight w is on a shortest path if d(u) + w = d(v) (tight). Weights may be 0, so
// an order by distance is not topological: a vertex is counted when all its predecessors are (Kahn
// 1962), and cycles of length 0 are what remains. O(n + m) a source.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "flow/row_sink.hpp"
#include "system/pool.hpp"

namespace apsp::paths {

class TightArcs {
 public:
  /// `graph` must outlive this.
  explicit TightArcs(const Graph& graph);

  /// Finds the tight arcs. `distance`: [n] sums that are exact, or rounded along paths from the
  /// source; infinity without a path.
  void find(Vertex source, std::span<const double> distance);
  /// [n + 1] and the predecessors of each vertex, ascending; none of the source.
  std::span<const std::int64_t> first() const { return first_; }
  std::span<const Vertex> predecessors() const { return predecessors_; }
  /// Counts the paths to every vertex that no cycle of length 0 leads to.
  void count();
  /// The number of paths to v. Requires: `count` was called. Throws `Error` (usage): infinitely
  /// many, or a number beyond 64 bits.
  std::uint64_t paths_to(Vertex v) const;

  /// Bytes of memory, at most.
  static std::int64_t bytes(const Graph& graph);

 private:
  template <class Visit>
  void for_each(Vertex u, Visit&& visit) const;
  [[noreturn]] void refuse_cycle(Vertex to) const;

  const Graph& graph_;
  Vertex source_ = 0;
  bool returns_ = false;  // a tight arc enters the source
  std::span<const double> distance_;
  std::vector<std::int64_t> first_, left_;  // [n + 1]; predecessors that are not counted yet
  std::vector<Vertex> predecessors_, queue_;
  std::vector<std::uint64_t> counts_;  // [n]; the greatest value: beyond 64 bits
};

/// Passes the tight arcs of every row to a function, which several threads call at once.
class TightArcRows final : public flow::RowSink {
 public:
  using Visit = std::function<void(Vertex source, TightArcs& arcs)>;

  /// `graph` must outlive this. Requires: distances as `TightArcs::find` takes them.
  TightArcRows(const Graph& graph, ValueType type, const store::Selection& rows, Visit visit);

  flow::RowPreference preference() const override { return {.rows = 16}; }
  flow::RowTask task() const override { return {"counting paths"}; }

 private:
  struct Part {
    explicit Part(const Graph& graph)
        : arcs(graph), distance(static_cast<std::size_t>(graph.vertex_count())) {}
    TightArcs arcs;
    std::vector<double> distance;
  };
  void accept(const RowBlock& block) override;

  Visit visit_;
  system::Pool<Part> parts_;
};

}  // namespace apsp::paths
