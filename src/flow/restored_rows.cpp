#include "flow/restored_rows.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/cpu/row_operations.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::flow {
namespace {

using base::Potential;
using kernels::cpu::LargestOfRow;

Potential negated(Potential h) { return {-h.high, -h.low}; }

void raise(std::atomic<double>& largest, double value) {
  double known = largest;
  while (known < value && !largest.compare_exchange_weak(known, value)) {
  }
}

/// Restores rows of one source, or columns of a block of sources.
class Restorer {
 public:
  Restorer(ValueType type, std::span<const Potential> h, Semiring semiring)
      : operations_(kernels::cpu::potential_operations(type)),
        h_(h),
        sign_(semiring == Semiring::max_plus ? -1 : 1) {}

  std::span<const Potential> h() const { return h_; }
  /// `to`: [columns] potentials of the targets.
  void row(Vertex source, std::span<const Potential> to, void* values) {
    note(operations_.restore(values, std::ssize(to), h_[source], to.data(), sign_));
  }
  /// `from`: [lanes] negated potentials of the sources.
  void column(Vertex target, std::span<const Potential> from, void* values) {
    note(operations_.restore(values, std::ssize(from), negated(h_[target]), from.data(), sign_));
  }
  const LargestOfRow& largest() const { return largest_; }

 private:
  void note(const LargestOfRow& row) {
    largest_.reduced = std::max(largest_.reduced, row.reduced);
    largest_.distance = std::max(largest_.distance, row.distance);
  }

  kernels::cpu::PotentialOperations operations_;
  std::span<const Potential> h_;
  double sign_;
  LargestOfRow largest_{};
};

/// Passes restored columns on, some at a time.
class RestoringPart final : public ColumnSink::Writer {
 public:
  RestoringPart(ColumnSink::Writer& to, Restorer& restorer, system::AlignedMemory& some, int size)
      : to_(to), restorer_(restorer), some_(some), size_(size) {}

  void begin(std::span<const Vertex> sources) override {
    from_.clear();
    for (const Vertex source : sources) from_.push_back(negated(restorer_.h()[source]));
    to_.begin(sources);
  }
  void take(std::span<const Vertex> vertices, const void* values, std::int64_t lanes) override {
    const auto* column = static_cast<const std::byte*>(values);
    const std::int64_t bytes = lanes * size_;
    const auto most =
        static_cast<std::size_t>(std::max<std::int64_t>(1, RestoredRows::kWorkerBytes / bytes));
    some_.require(static_cast<std::int64_t>(most) * bytes);
    for (std::size_t first = 0; first < vertices.size(); first += most) {
      const auto taken = vertices.subspan(first, std::min(most, vertices.size() - first));
      std::byte* restored = some_.data();
      std::memcpy(restored, column, taken.size() * static_cast<std::size_t>(bytes));
      for (const Vertex target : taken) {
        restorer_.column(target, from_, restored);
        restored += bytes;
      }
      to_.take(taken, some_.data(), lanes);
      column += std::ssize(taken) * bytes;
    }
  }
  void end() override { to_.end(); }

 private:
  ColumnSink::Writer& to_;
  Restorer& restorer_;
  system::AlignedMemory& some_;
  int size_;
  std::vector<Potential> from_;  // [sources] negated
};

}  // namespace

class RestoringWorker final : public RowSource::Worker {
 public:
  explicit RestoringWorker(const RestoredRows& of)
      : of_(of),
        worker_(of.reduced_->worker()),
        to_(of.targets()),
        restorer_(of.type(), of.h_, of.semiring()),
        size_(size_of(of.type())) {}
  RestoringWorker(const RestoringWorker&) = delete;
  RestoringWorker& operator=(const RestoringWorker&) = delete;
  ~RestoringWorker() override {
    raise(of_.largest_reduced_, restorer_.largest().reduced);
    raise(of_.largest_distance_, restorer_.largest().distance);
  }

  void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) override {
    worker_->compute(sources, rows, stride);
    restore(sources, rows, stride);
  }
  void compute_columns(std::span<const Vertex> sources, ColumnSink::Writer& part,
                       bool pairs_once) override {
    RestoringPart restoring(part, restorer_, some_, size_);
    worker_->compute_columns(sources, restoring, pairs_once);
  }
  void compute_both(std::span<const Vertex> sources, void* rows, std::int64_t stride,
                    ColumnSink::Writer& part) override {
    RestoringPart restoring(part, restorer_, some_, size_);
    worker_->compute_both(sources, rows, stride, restoring);
    restore(sources, rows, stride);
  }
  void compute_into(std::span<const Vertex> sources, const store::RowView& view,
                    ColumnSink::Writer* part) override {
    if (part != nullptr) {
      RestoringPart restoring(*part, restorer_, some_, size_);
      worker_->compute_into(sources, view, &restoring);
    } else {
      worker_->compute_into(sources, view, nullptr);
    }
    const auto group = static_cast<std::size_t>(view.group);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      std::byte* values = view.rows[i];
      for (std::size_t first = 0; first < to_.size(); first += group, values += view.apart) {
        restorer_.row(sources[i], to_.subspan(first, std::min(group, to_.size() - first)), values);
      }
    }
  }

 private:
  void restore(std::span<const Vertex> sources, void* rows, std::int64_t stride) {
    auto* row = static_cast<std::byte*>(rows);
    for (const Vertex source : sources) {
      restorer_.row(source, to_, row);
      row += stride * size_;
    }
  }

  const RestoredRows& of_;
  std::unique_ptr<RowSource::Worker> worker_;
  std::span<const Potential> to_;  // [columns]
  Restorer restorer_;
  int size_;
  system::AlignedMemory some_;  // [columns, lanes] of a `RestoringPart`
};

RestoredRows::RestoredRows(std::unique_ptr<RowSource> reduced, std::span<const base::Potential> h,
                           const store::VertexList& targets, Semiring semiring)
    : reduced_(std::move(reduced)), h_(h), semiring_(semiring) {
  if (targets.is_all()) return;
  for (const Vertex target : targets.listed()) selected_.push_back(h[target]);
}

void RestoredRows::restore(Vertex s, std::span<const Potential> to, void* values) const {
  Restorer(type(), h_, semiring_).row(s, to, values);
}

std::unique_ptr<RowSource::Worker> RestoredRows::worker() const {
  return std::make_unique<RestoringWorker>(*this);
}

}  // namespace apsp::flow
