// A sink that fills a store's plane of predecessors: it takes rows of distances in any order, finds
// the tree of best paths for each, and writes full bands of tiles while more rows come. Where a
// device has found the predecessors, they come with the distances.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>

#include "base/pool.hpp"
#include "flow/row_sink.hpp"
#include "flow/store_rows.hpp"
#include "paths/path_trees.hpp"

namespace apsp::paths {

class PredecessorRows final : public flow::RowSink {
 public:
  /// Requires: `to` holds all rows and columns, and outlives this as the graph does; its `commit`
  /// stays the caller's. `threads`: that bring rows. Throws, from `take` and `finish`, `Error`:
  /// input (the distances do not belong to the graph), what the store throws.
  PredecessorRows(const Graph& graph, store::Store& to, int threads);

  /// At most, also where trees are found here, for so many threads that bring rows of n distances
  /// into bands of `tile` rows.
  static std::int64_t bytes(std::int64_t n, std::int64_t tile, int threads);

  flow::RowPreference preference() const override { return {.rows = 16}; }
  flow::RowTask task() const override { return {"predecessors"}; }

 private:
  void accept(const RowBlock& block) override;
  void complete() override;
  /// Row [columns] of predecessors, of any type of integer.
  template <class T>
  void write(Vertex source, const T* found);

  store::Store& to_;
  flow::BandWriter bands_;
  base::Pool<PredecessorTree> trees_;
};

}  // namespace apsp::paths
