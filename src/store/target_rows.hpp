// The rows of a source, of which only the columns of some vertices are passed on.
//
// Rows are computed whole and their columns picked: a search that stops early would save at most
// that, and most of what it looks at leads to some target. Sweeps over a factor do better
// (elimination/target_ways.hpp).
#pragma once

#include <memory>
#include <vector>

#include "store/row_source.hpp"

namespace apsp::store {

class TargetRows final : public RowSource {
 public:
  /// `targets`: distinct, at least one.
  TargetRows(std::unique_ptr<RowSource> all, std::vector<Vertex> targets);

  std::int64_t vertices() const override { return all_->vertices(); }
  std::int64_t columns() const override { return std::ssize(targets_); }
  Semiring semiring() const override { return all_->semiring(); }
  ValueType type() const override { return all_->type(); }
  std::span<const Vertex> order() const override { return all_->order(); }
  std::int64_t block_rows() const override { return all_->block_rows(); }
  std::int64_t worker_bytes() const override;
  bool gives_columns() const override { return all_->gives_columns(); }
  std::unique_ptr<Worker> worker() const override;

 private:
  std::unique_ptr<RowSource> all_;
  std::vector<Vertex> targets_;
  std::vector<bool> is_target_;  // [n]
};

}  // namespace apsp::store
