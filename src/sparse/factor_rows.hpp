// Rows of distances from a factor, a block of sources at a time; few rows and pairs one by one.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <cstdint>
#include <memory>
#include <span>

#include "flow/row_source.hpp"
#include "kernels/contract.hpp"
#include "sparse/factor.hpp"
#include "sparse/factor_query.hpp"
#include "sparse/target_selection.hpp"
#include "system/pool.hpp"

namespace apsp::sparse {

/// Bytes of one vertex for all sources of a block: several vectors, so that the work on a vertex
/// with a small row structure outweighs its overhead, and a path of thousands of rows fits the
/// second-level cache.
inline constexpr std::int64_t kBlockBytes = 512;

class FactorRows final : public flow::RowSource {
 public:
  /// `sign`: of the weights. `targets`: the vertices of the columns.
  FactorRows(std::shared_ptr<const Factor> factor, kernels::Sign sign,
             const store::VertexList& targets = {})
      : factor_(std::move(factor)),
        targets_(factor_->tree(), targets),
        sign_(sign),
        copies_(*factor_),
        queries_([this] { return std::make_unique<FactorQuery>(*factor_, sign_, &copies_); }) {}

  const Factor& factor() const { return *factor_; }
  const std::shared_ptr<const Factor>& shared_factor() const { return factor_; }
  kernels::Sign sign() const { return sign_; }

  static std::int64_t block_rows(ValueType type) { return kBlockBytes / size_of(type); }
  using RowSource::column_sources;
  static std::int64_t column_sources(ValueType type, std::int64_t sources, int threads) {
    return flow::shared_column_sources(most_column_sources(type), block_rows(type), sources,
                                       threads);
  }
  /// A vertex costs counters a miss of the cache for each block. That outweighs paths that exceed
  /// the second-level cache, so no type has fewer sources than u16.
  static std::int64_t most_column_sources(ValueType type) {
    return std::max(block_rows(type), block_rows(ValueType::u16));
  }
  /// Bytes of a worker that computes up to `sources` rows in a call.
  static std::int64_t worker_bytes(const Tree& tree, ValueType type, std::int64_t sources,
                                   std::int64_t targets);
  /// Bytes of a worker that computes distances by column, from so many sources at a time that are
  /// adjacent in the order.
  static std::int64_t columns_worker_bytes(const Tree& tree, ValueType type, std::int64_t sources);

  std::int64_t vertices() const override { return factor_->tree().vertices(); }
  std::int64_t columns() const override { return targets_.columns(); }
  Semiring semiring() const override { return factor_->semiring(); }
  ValueType type() const override { return factor_->type(); }
  std::span<const Vertex> order() const override { return factor_->tree().order().vertex_at; }
  std::int64_t block_rows() const override { return block_rows(factor_->type()); }
  std::int64_t worker_bytes() const override {
    return worker_bytes(factor_->tree(), factor_->type(), block_rows(), columns());
  }
  flow::RowAbilities abilities() const override {
    return {.columns = true, .views = true, .column_sources = most_column_sources(type())};
  }
  std::unique_ptr<Worker> worker() const override;
  bool pair(Vertex s, Vertex t, void* value) const override {
    queries_.use([&](FactorQuery& query) { query.distance(s, t, value); });
    return true;
  }
  /// Calls work(FactorQuery&). Thread-safe.
  template <class F>
  void query(F&& work) const {
    queries_.use(std::forward<F>(work));
  }
  bool row_by(int threads, Vertex s, void* row) const override {
    if (columns() != vertices()) return false;
    // A row with fewer entries takes about as long as waking threads.
    constexpr std::int64_t kFewestShared = std::int64_t{1} << 19;  // entries
    const bool shared = factor_->tree().upper_entries() >= kFewestShared;
    queries_.use([&](FactorQuery& query) { query.row(s, row, shared ? threads : 1); });
    return true;
  }

 private:
  std::shared_ptr<const Factor> factor_;
  TargetSelection targets_;
  kernels::Sign sign_;
  mutable DownwardCopies copies_;
  mutable system::Pool<FactorQuery> queries_;
};

}  // namespace apsp::sparse
