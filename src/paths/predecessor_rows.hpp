// A sink that stores predecessors, and computes those that no device has computed.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>

#include "flow/row_sink.hpp"
#include "flow/store_rows.hpp"
#include "paths/path_trees.hpp"
#include "system/pool.hpp"

namespace apsp::paths {

class PredecessorRows final : public flow::RowSink {
 public:
  /// Requires: `to` holds all columns; `to` and `graph` outlive this. The caller commits
  /// `to`. `take` and `finish` throw `Error`: input (distances of another graph), the store's own.
  PredecessorRows(const Graph& graph, store::Store& to, int threads);

  /// Bytes of memory for so many producing threads and bands of `tile` rows, at most.
  static std::int64_t bytes(std::int64_t n, std::int64_t tile, int threads);

  flow::RowPreference preference() const override { return {.rows = 16}; }
  flow::RowTask task() const override { return {"predecessors"}; }

 private:
  void accept(const RowBlock& block) override;
  void complete() override;
  template <class T>
  void write(Vertex source, const T* found);

  store::Store& to_;
  flow::BandWriter bands_;
  system::Pool<PredecessorTree> trees_;
};

}  // namespace apsp::paths
