// Flows of trips along shortest paths, from rows of distances.
//
// One path: the trips of a source go down its tree of paths (path_trees.hpp), or, if distances are
// exact and weights above 0, along the paths to their ends (backward_paths.hpp). All paths: the
// dependencies of betweenness are these flows, if a vertex counts for the volume of the trips to it
// (path_counts.hpp).
#pragma once

#include <apsp/loads.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "flow/row_sink.hpp"
#include "paths/path_counts.hpp"

namespace apsp::paths {

/// The arcs of a graph without loops and heavier parallel arcs, and the loads that they belong to.
struct LoadedArcs {
  explicit LoadedArcs(const Graph& graph);

  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  /// The index of an arc that exists.
  std::size_t index(Vertex from, Vertex to) const;

  CountedArcs<double> arcs;
  std::vector<std::uint32_t> load;      // [arcs] index, or kNone
  std::vector<std::uint32_t> selected;  // [arcs] index in `LoadOptions::select`, or kNone; or empty
  std::size_t loads = 0;
};

/// The trips of a demand by their source.
struct Trips {
  struct OfSource {
    Vertex source;
    std::size_t first, last;  // in `pairs`
  };
  explicit Trips(const Demand& demand);

  const Demand& demand;
  std::size_t columns;
  std::vector<std::size_t> pairs;  // indices in the demand, by source, then target
  std::vector<OfSource> sources;   // ascending
  double greatest = 0;             // volume of a source
};

class LoadRows final : public flow::RowSink {
 public:
  /// Consumes rows of the sources of `trips`. `exact`: no distance is rounded. The references must
  /// outlive this.
  LoadRows(const Graph& graph, const LoadedArcs& arcs, const Trips& trips, ValueType type,
           bool exact, bool split);
  ~LoadRows() override;

  flow::RowPreference preference() const override { return {}; }
  flow::RowTask task() const override { return {"loads of arcs"}; }

  /// Sets all of `loads` but arcs and plan. Requires: `finish` was called.
  void put(Loads& loads) const;
  /// Bytes for so many threads, at most, without selected trips.
  static std::int64_t bytes(const Graph& graph, const Trips& trips, std::size_t loads, bool split,
                            int threads);

  class Loader;

 private:
  void accept(const RowBlock& block) override;

  std::unique_ptr<Loader> loader_;
};

}  // namespace apsp::paths
