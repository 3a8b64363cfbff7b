// Rows of distances between the vertices of a strong component, from the factor of the whole graph.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "flow/row_source.hpp"
#include "sparse/factor_rows.hpp"

namespace apsp::sparse {

/// Rows are computed one by one and share the copy of the factor that `FactorRows` keeps for them.
class ComponentRows final : public flow::RowSource {
 public:
  /// `part`: the vertices of the component, numbered by their places here; empty: all vertices.
  /// `end`: source: rows from a vertex; target: rows to it. `rows` must outlive this.
  ComponentRows(const FactorRows& rows, std::vector<Vertex> part, End end);

  std::int64_t vertices() const override { return part_.empty() ? rows_.vertices() : size(); }
  Semiring semiring() const override { return rows_.semiring(); }
  ValueType type() const override { return rows_.type(); }
  std::span<const Vertex> order() const override { return part_.empty() ? rows_.order() : order_; }
  std::int64_t block_rows() const override { return 1; }
  std::int64_t worker_bytes() const override {
    return part_.empty() ? 0 : rows_.vertices() * size_of(type());
  }
  std::unique_ptr<Worker> worker() const override;

 private:
  std::int64_t size() const { return std::ssize(part_); }

  const FactorRows& rows_;
  std::vector<Vertex> part_;
  std::vector<Vertex> order_;  // [part]
  End end_;
};

}  // namespace apsp::sparse
