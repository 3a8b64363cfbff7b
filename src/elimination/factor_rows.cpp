#include "elimination/factor_rows.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "elimination/sweep.hpp"

namespace apsp::elimination {
namespace {

/// Values of one vertex, all sources of a block: several vectors, so that the work on a vertex with
/// few upper ones outweighs the way to it, and a path of thousands of rows stays in the
/// second-level cache.
constexpr std::int64_t kBlockBytes = 512;
/// Vertices that are held back and written together, so that writes to a row follow each other.
constexpr std::int64_t kHeld = 32;

/// Turns values by vertex into rows by source.
template <class T>
class Turn {
 public:
  Turn(const Order& order, T* rows, std::int64_t stride, std::int64_t sources, T* held)
      : order_(order), rows_(rows), stride_(stride), sources_(sources), held_(held) {}
  ~Turn() { write(); }

  void take(Position first, kernels::ConstView values) {
    const T* from = static_cast<const T*>(values.data);
    for (std::int64_t i = 0; i < values.rows; ++i, from += values.stride) {
      if (count_ == kHeld) write();
      std::copy(from, from + sources_, held_ + count_ * sources_);
      vertices_[count_++] = order_.vertex_at[static_cast<std::size_t>(first + i)];
    }
  }

 private:
  void write() {
    for (std::int64_t source = 0; source < sources_; ++source) {
      T* const row = rows_ + source * stride_;
      for (std::int64_t i = 0; i < count_; ++i) row[vertices_[i]] = held_[i * sources_ + source];
    }
    count_ = 0;
  }

  const Order& order_;
  T* rows_;
  std::int64_t stride_, sources_;
  T* held_;  // [kHeld, sources]
  Vertex vertices_[kHeld];
  std::int64_t count_ = 0;
};

class SweepWorker final : public store::RowSource::Worker {
 public:
  SweepWorker(const Factor& factor, kernels::Sign sign)
      : factor_(factor),
        sweep_(factor, sign, FactorRows::block_rows(factor.type())),
        held_(static_cast<std::size_t>(kHeld * kBlockBytes / 8)) {}

  void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) override {
    switch (size_of(factor_.type())) {
      case 1:
        return turned<std::uint8_t>(sources, rows, stride);
      case 2:
        return turned<std::uint16_t>(sources, rows, stride);
      case 4:
        return turned<std::uint32_t>(sources, rows, stride);
      default:
        return turned<std::uint64_t>(sources, rows, stride);
    }
  }

 private:
  template <class T>
  void turned(std::span<const Vertex> sources, void* rows, std::int64_t stride) {
    Turn<T> turn(factor_.tree().order(), static_cast<T*>(rows), stride, std::ssize(sources),
                 reinterpret_cast<T*>(held_.data()));
    sweep_.run(sources,
               [&](Position first, kernels::ConstView values) { turn.take(first, values); });
  }

  const Factor& factor_;
  Sweep sweep_;
  std::vector<std::uint64_t> held_;
};

}  // namespace

std::int64_t FactorRows::block_rows(ValueType type) { return kBlockBytes / size_of(type); }

std::int64_t FactorRows::worker_bytes(const Tree& tree, ValueType type) {
  return Sweep::bytes(tree, type, block_rows(type)) + kHeld * kBlockBytes;
}

std::unique_ptr<store::RowSource::Worker> FactorRows::worker() const {
  return std::make_unique<SweepWorker>(factor_, sign_);
}

}  // namespace apsp::elimination
