// Distances from a source of reduced lengths: every value of its rows and columns becomes
// d' + h(t) − h(s), rounded once (base/double_double.hpp).
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/double_double.hpp"
#include "flow/row_source.hpp"

namespace apsp::flow {

class RestoredRows final : public RowSource {
 public:
  /// `reduced`: min-plus over f32 or f64. `h`: [n], must outlive this. `targets`: the vertices of
  /// the columns of `reduced`. `semiring`: max-plus negates the restored lengths.
  RestoredRows(std::unique_ptr<RowSource> reduced, std::span<const base::Potential> h,
               const store::VertexList& targets, Semiring semiring);

  /// Bytes of a worker in addition to that of the reduced source.
  static constexpr std::int64_t kWorkerBytes = std::int64_t{1} << 15;

  /// The largest reduced length and |distance| of all workers that have ended.
  double largest_reduced() const { return largest_reduced_; }
  double largest_distance() const { return largest_distance_; }

  std::int64_t vertices() const override { return reduced_->vertices(); }
  std::int64_t columns() const override { return reduced_->columns(); }
  Semiring semiring() const override { return semiring_; }
  ValueType type() const override { return reduced_->type(); }
  std::span<const Vertex> order() const override { return reduced_->order(); }
  std::int64_t block_rows() const override { return reduced_->block_rows(); }
  std::int64_t worker_bytes() const override { return reduced_->worker_bytes() + kWorkerBytes; }
  RowAbilities abilities() const override { return reduced_->abilities(); }
  std::unique_ptr<Worker> worker() const override;
  bool pair(Vertex s, Vertex t, void* value) const override {
    if (!reduced_->pair(s, t, value)) return false;
    restore(s, {&h_[t], 1}, value);
    return true;
  }
  bool row_by(int threads, Vertex s, void* row) const override {
    if (!reduced_->row_by(threads, s, row)) return false;
    restore(s, targets(), row);
    return true;
  }
  /// values[i] ← the distance from s to a vertex of potential to[i], from its reduced length.
  void restore(Vertex s, std::span<const base::Potential> to, void* values) const;

 private:
  std::span<const base::Potential> targets() const { return selected_.empty() ? h_ : selected_; }

  friend class RestoringWorker;

  std::unique_ptr<RowSource> reduced_;
  std::span<const base::Potential> h_;
  std::vector<base::Potential> selected_;  // [columns], or empty: all
  Semiring semiring_;
  mutable std::atomic<double> largest_reduced_ = 0, largest_distance_ = 0;
};

}  // namespace apsp::flow
