// Rows of distances from a factor, blocks of sources at a time; single rows and distances too.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/pool.hpp"
#include "elimination/factor.hpp"
#include "elimination/target_ways.hpp"
#include "kernels/contract.hpp"
#include "store/row_source.hpp"

namespace apsp::elimination {

/// One distance, or one row of them, from a factor: up from the source to its root, and either up
/// from the target as well and the best of where the two meet, or down over all vertices.
///
/// Queries of a contraction hierarchy (Dibbelt 2014, by the elimination tree) with supernodes.
/// Every best path has a latest vertex in the order, which is an ancestor of both ends: a pair
/// looks only at the two ways to the root. Blocks of rows cost less a row in a `Sweep`.
///
/// Its memory serves one query after another. One a thread.
class FactorQuery {
 public:
  /// The factor outlives this.
  explicit FactorQuery(const Factor& factor);

  /// `value` ← the distance from s to t, of the factor's type; no path is `no_path(semiring,
  /// type)`. Floats may be summed in another order than in a row: they differ by rounding.
  void distance(Vertex s, Vertex t, void* value);
  /// `row` ← [n] the distances from s to all vertices, to the last bit those of a `Sweep`.
  void row(Vertex s, void* row);

  static std::int64_t bytes(const Tree& tree, ValueType type);

 private:
  template <class S>
  void sweep_up_from(Position source);
  template <class S>
  void sweep_up_to(Position target);
  template <class S>
  typename S::Value meet(Position source, Position target) const;
  template <class S>
  void descend(Position source, typename S::Value* row);

  const Factor& factor_;
  const Tree& tree_;
  base::AlignedMemory from_, to_;  // [height] by slot: from the source, and to the target
  base::AlignedMemory product_;    // [height]
  std::vector<SupernodeId> upward_supernodes_;  // from the source to its root
};

/// Values of one vertex, all sources of a block: several vectors, so that the work on a vertex with
/// few upper ones outweighs the way to it, and a path of thousands of rows stays in the
/// second-level cache.
inline constexpr std::int64_t kBlockBytes = 512;

class FactorRows final : public store::RowSource {
 public:
  /// `sign`: of the weights. `targets`: the vertices of the columns.
  FactorRows(std::shared_ptr<const Factor> factor, kernels::Sign sign,
             const store::VertexList& targets = {})
      : factor_(std::move(factor)),
        targets_(factor_->tree(), targets),
        sign_(sign),
        queries_([of = factor_.get()] { return std::make_unique<FactorQuery>(*of); }) {}

  const Factor& factor() const { return *factor_; }

  static std::int64_t block_rows(ValueType type) { return kBlockBytes / size_of(type); }
  /// For rows, up to so many in a call, of so many columns.
  static std::int64_t worker_bytes(const Tree& tree, ValueType type, std::int64_t sources,
                                   std::int64_t targets);
  /// For distances vertex by vertex, from sources that are neighbours in the order.
  static std::int64_t columns_worker_bytes(const Tree& tree, ValueType type);

  std::int64_t vertices() const override { return factor_->tree().vertices(); }
  std::int64_t columns() const override { return targets_.columns(); }
  Semiring semiring() const override { return factor_->semiring(); }
  ValueType type() const override { return factor_->type(); }
  std::span<const Vertex> order() const override { return factor_->tree().order().vertex_at; }
  std::int64_t block_rows() const override { return block_rows(factor_->type()); }
  std::int64_t worker_bytes() const override {
    return worker_bytes(factor_->tree(), factor_->type(), block_rows(), columns());
  }
  bool gives_columns() const override { return true; }
  bool fills_rooms() const override { return true; }
  std::unique_ptr<Worker> worker() const override;
  bool pair(Vertex s, Vertex t, void* value) const override {
    queries_.lend([&](FactorQuery& query) { query.distance(s, t, value); });
    return true;
  }

 private:
  std::shared_ptr<const Factor> factor_;
  TargetWays targets_;
  kernels::Sign sign_;
  mutable base::Pool<FactorQuery> queries_;
};

}  // namespace apsp::elimination
