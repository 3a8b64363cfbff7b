#include "elimination/factor_rows.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "elimination/sweep.hpp"

namespace apsp::elimination {
namespace {

/// Positions that are held back and written together: a cache line of each row and more.
constexpr std::int64_t kHeld = 64;
/// So many rows cost less one by one than in a sweep, whose vectors would be nearly empty.
constexpr std::size_t kFewRows = 2;

/// Turns values by position into rows by source: first by position, so that writes to a row follow
/// each other, then row by row into the numbers of the graph, while the row is in the cache.
template <class T>
class Turn {
 public:
  Turn(const Order& order, T* rows, std::int64_t stride, std::int64_t sources, T* held)
      : order_(order), rows_(rows), stride_(stride), sources_(sources), held_(held) {}

  /// Positions come from the last one down, each once.
  void take(Position first, kernels::ConstView values) {
    const T* from = static_cast<const T*>(values.data) + (values.rows - 1) * values.stride;
    for (Position p = first + static_cast<Position>(values.rows) - 1; p >= first;
         --p, from -= values.stride) {
      std::copy(from, from + sources_, held_ + p % kHeld * sources_);
      if (p % kHeld == 0) write(p);
    }
  }

  /// `spare`: [n].
  void number(T* spare) const {
    const std::int64_t n = std::ssize(order_.position_of);
    for (std::int64_t source = 0; source < sources_; ++source) {
      T* const row = rows_ + source * stride_;
      std::copy(row, row + n, spare);
      for (std::int64_t v = 0; v < n; ++v) {
        row[v] = spare[order_.position_of[static_cast<std::size_t>(v)]];
      }
    }
  }

 private:
  void write(Position first) {
    const std::int64_t count = std::min(kHeld, std::ssize(order_.vertex_at) - first);
    for (std::int64_t source = 0; source < sources_; ++source) {
      T* const row = rows_ + source * stride_ + first;
      for (std::int64_t i = 0; i < count; ++i) row[i] = held_[i * sources_ + source];
    }
  }

  const Order& order_;
  T* rows_;
  std::int64_t stride_, sources_;
  T* held_;  // [kHeld, sources]
};

class SweepWorker final : public store::RowSource::Worker {
 public:
  SweepWorker(const Factor& factor, kernels::Sign sign)
      : factor_(factor),
        query_(factor),
        sweep_(factor, sign, FactorRows::block_rows(factor.type())),
        held_(static_cast<std::size_t>(kHeld * kBlockBytes / 8)),
        spare_(
            static_cast<std::size_t>(factor.tree().vertices() * size_of(factor.type()) / 8 + 1)) {}

  void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) override {
    if (sources.size() <= kFewRows) {
      for (std::size_t i = 0; i < sources.size(); ++i) {
        query_.row(sources[i], static_cast<std::byte*>(rows) +
                                   static_cast<std::int64_t>(i) * stride * size_of(factor_.type()));
      }
      return;
    }
    sweep_rows(sources, rows, stride, nullptr);
  }

  void compute_both(std::span<const Vertex> sources, void* rows, std::int64_t stride,
                    store::ColumnSink::Part& part) override {
    part.begin(sources);
    sweep_rows(sources, rows, stride, &part);
    part.end();
  }

  void compute_columns(std::span<const Vertex> sources, store::ColumnSink::Part& part,
                       bool pairs_once) override {
    part.begin(sources);
    sweep_.run(
        sources, [&](Position first, kernels::ConstView values) { give(part, first, values); },
        pairs_once ? factor_.tree().order().position_of[sources.front()] : 0);
    part.end();
  }

 private:
  void give(store::ColumnSink::Part& part, Position first, kernels::ConstView values) const {
    const Vertex* const vertices = factor_.tree().order().vertex_at.data() + first;
    part.take({vertices, static_cast<std::size_t>(values.rows)}, values.data, values.stride);
  }

  /// `part`: null, or takes the distances as well.
  void sweep_rows(std::span<const Vertex> sources, void* rows, std::int64_t stride,
                  store::ColumnSink::Part* part) {
    switch (size_of(factor_.type())) {
      case 1:
        return turned<std::uint8_t>(sources, rows, stride, part);
      case 2:
        return turned<std::uint16_t>(sources, rows, stride, part);
      case 4:
        return turned<std::uint32_t>(sources, rows, stride, part);
      default:
        return turned<std::uint64_t>(sources, rows, stride, part);
    }
  }

  template <class T>
  void turned(std::span<const Vertex> sources, void* rows, std::int64_t stride,
              store::ColumnSink::Part* part) {
    Turn<T> turn(factor_.tree().order(), static_cast<T*>(rows), stride, std::ssize(sources),
                 reinterpret_cast<T*>(held_.data()));
    sweep_.run(sources, [&](Position first, kernels::ConstView values) {
      if (part != nullptr) give(*part, first, values);
      turn.take(first, values);
    });
    turn.number(reinterpret_cast<T*>(spare_.data()));
  }

  const Factor& factor_;
  FactorQuery query_;
  Sweep sweep_;
  std::vector<std::uint64_t> held_, spare_;
};

}  // namespace

std::int64_t FactorRows::block_rows(ValueType type) { return kBlockBytes / size_of(type); }

std::int64_t FactorRows::worker_bytes(const Tree& tree, ValueType type, bool neighbours) {
  return Sweep::bytes(tree, type, block_rows(type), neighbours) + kHeld * kBlockBytes +
         tree.vertices() * size_of(type) + FactorQuery::bytes(tree, type);
}

std::unique_ptr<store::RowSource::Worker> FactorRows::worker() const {
  return std::make_unique<SweepWorker>(*factor_, sign_);
}

}  // namespace apsp::elimination
