#include "sparse/component_rows.hpp"

#include <algorithm>
#include <numeric>

#include "base/value_types.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::sparse {
namespace {

class PartWorker final : public flow::RowSource::Worker {
 public:
  PartWorker(const FactorRows& rows, std::span<const Vertex> part, End end)
      : rows_(rows), part_(part), end_(end) {}

  void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) override {
    auto* row = static_cast<std::byte*>(rows);
    for (const Vertex source : sources) {
      rows_.query([&](FactorQuery& query) { find(query, source, row); });
      row += stride * size_of(rows_.type());
    }
  }

 private:
  void find(FactorQuery& query, Vertex source, void* row) {
    if (part_.empty()) return query.row(source, end_, row, 1);
    whole_.require(rows_.vertices() * size_of(rows_.type()));
    query.row(part_[source], end_, whole_.data(), 1);
    base::with_type(rows_.type(), [&]<class T>() {
      const T* const from = whole_.as<T>();
      std::ranges::transform(part_, static_cast<T*>(row), [&](Vertex v) { return from[v]; });
    });
  }

  const FactorRows& rows_;
  std::span<const Vertex> part_;
  End end_;
  system::AlignedMemory whole_;
};

}  // namespace

ComponentRows::ComponentRows(const FactorRows& rows, std::vector<Vertex> part, End end)
    : rows_(rows), part_(std::move(part)), order_(part_.size()), end_(end) {
  const std::vector<Position>& position_of = rows.factor().tree().order().position_of;
  std::iota(order_.begin(), order_.end(), Vertex{0});
  std::ranges::sort(order_, {}, [&](Vertex v) { return position_of[part_[v]]; });
}

std::unique_ptr<flow::RowSource::Worker> ComponentRows::worker() const {
  return std::make_unique<PartWorker>(rows_, part_, end_);
}

}  // namespace apsp::sparse
