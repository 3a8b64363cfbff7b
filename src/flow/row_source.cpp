#include "flow/row_source.hpp"

#include <algorithm>
#include <utility>

#include "flow/derived_store.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::flow {

void RowWorker::compute_both(std::span<const Vertex> sources, void* rows, std::int64_t stride,
                             ColumnSink::Writer& part) {
  compute(sources, rows, stride);
  compute_columns(sources, part, false);
}

std::vector<Vertex> in_bands(std::span<const Vertex> order, std::span<const Vertex> vertices,
                             std::int64_t band) {
  std::vector<Vertex> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<Vertex>(i);
  std::vector<Vertex> banded(vertices.begin(), vertices.end());
  const auto count = std::ssize(banded);
  if (band == 0) band = std::max<std::int64_t>(1, count);
  for (std::int64_t first = 0; first < count; first += band) {
    std::sort(banded.begin() + first, banded.begin() + std::min(first + band, count),
              [&](Vertex a, Vertex b) { return place[a] < place[b]; });
  }
  return banded;
}

namespace {

class TargetPart final : public ColumnSink::Writer {
 public:
  TargetPart(ColumnSink::Writer& to, const std::vector<bool>& is_target, std::int64_t value_size)
      : to_(to), is_target_(is_target), size_(value_size) {}

  void begin(std::span<const Vertex> sources) override { to_.begin(sources); }
  void take(std::span<const Vertex> vertices, const void* values, std::int64_t lanes) override {
    const auto* const rows = static_cast<const std::byte*>(values);
    for (std::size_t first = 0, last = 0; first < vertices.size(); first = last) {
      last = first + 1;
      if (!is_target_[vertices[first]]) continue;
      while (last < vertices.size() && is_target_[vertices[last]]) ++last;
      to_.take(vertices.subspan(first, last - first),
               rows + static_cast<std::int64_t>(first) * lanes * size_, lanes);
    }
  }
  void end() override { to_.end(); }

 private:
  ColumnSink::Writer& to_;
  const std::vector<bool>& is_target_;
  std::int64_t size_;
};

class TargetWorker final : public RowSource::Worker {
 public:
  TargetWorker(const RowSource& all, std::span<const Vertex> targets,
               const std::vector<bool>& is_target)
      : worker_(all.worker()),
        n_(all.vertices()),
        size_(size_of(all.type())),
        targets_(targets),
        is_target_(is_target) {}

  void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) override {
    whole_.require(std::ssize(sources) * n_ * size_);
    worker_->compute(sources, whole_.data(), n_);
    pick(sources, rows, stride);
  }
  void compute_both(std::span<const Vertex> sources, void* rows, std::int64_t stride,
                    ColumnSink::Writer& part) override {
    whole_.require(std::ssize(sources) * n_ * size_);
    TargetPart targets(part, is_target_, size_);
    worker_->compute_both(sources, whole_.data(), n_, targets);
    pick(sources, rows, stride);
  }
  void compute_columns(std::span<const Vertex> sources, ColumnSink::Writer& part,
                       bool pairs_once) override {
    TargetPart targets(part, is_target_, size_);
    worker_->compute_columns(sources, targets, pairs_once);
  }

 private:
  void pick(std::span<const Vertex> sources, void* rows, std::int64_t stride) const {
    auto* to = static_cast<std::byte*>(rows);
    for (std::int64_t i = 0; i < std::ssize(sources); ++i, to += stride * size_) {
      gather_columns(whole_.data() + i * n_ * size_, targets_, size_, to);
    }
  }

  std::unique_ptr<RowSource::Worker> worker_;
  std::int64_t n_, size_;
  std::span<const Vertex> targets_;
  const std::vector<bool>& is_target_;
  system::AlignedMemory whole_;  // [sources, n]
};

}  // namespace

TargetRows::TargetRows(std::unique_ptr<RowSource> all, std::vector<Vertex> targets)
    : all_(std::move(all)),
      targets_(std::move(targets)),
      is_target_(static_cast<std::size_t>(all_->vertices())) {
  for (const Vertex target : targets_) is_target_[target] = true;
}

std::int64_t TargetRows::worker_bytes() const {
  return all_->worker_bytes() + block_rows() * vertices() * size_of(type());
}

std::unique_ptr<RowSource::Worker> TargetRows::worker() const {
  return std::make_unique<TargetWorker>(*all_, targets_, is_target_);
}

}  // namespace apsp::flow
