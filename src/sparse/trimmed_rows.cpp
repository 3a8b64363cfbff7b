#include "sparse/trimmed_rows.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

#include "base/control.hpp"
#include "base/value_types.hpp"
#include "semiring/dispatch.hpp"
#include "semiring/semirings.hpp"
#include "sparse/factor_rows.hpp"
#include "sparse/sweep.hpp"

namespace apsp::sparse {

using kernels::ConstView;
using kernels::View;

constexpr std::size_t kColumnsHeld = 64;

void TrimmedRows::Products::append(const ArcsInto& arcs, std::size_t vertex,
                                   const std::vector<std::int32_t>& row_of_place) {
  for (std::int64_t i = arcs.offsets[vertex]; i < arcs.offsets[vertex + 1]; ++i) {
    const auto arc = static_cast<std::size_t>(i);
    rows.push_back(at(row_of_place, arcs.from[arc]));
    exact_weights.push_back(arcs.weight[arc]);
  }
}

void TrimmedRows::Products::convert(Semiring semiring, ValueType type) {
  weights = system::AlignedMemory(std::ssize(rows) * size_of(type));
  semiring::dispatch(semiring, type, [&]<class S>() {
    auto* const values = weights.as<typename S::Value>();
    for (std::size_t i = 0; i < exact_weights.size(); ++i) {
      values[i] = semiring::weight_as<S>(exact_weights[i]);
    }
  });
  exact_weights = {};
}

TrimmedRows::TrimmedRows(const Trim& trim, Factor core, kernels::Sign sign)
    : core_(std::move(core)),
      sign_(sign),
      worker_bytes_(worker_bytes(trim, core_.tree(), core_.type())),
      core_count_(std::ssize(trim.core)),
      start_count_(std::ssize(trim.starts)) {
  const Order& order = core_.tree().order();
  for (const Vertex place : order.vertex_at) order_.push_back(trim.core[place]);
  order_.insert(order_.end(), trim.starts.begin(), trim.starts.end());
  order_.insert(order_.end(), trim.ends.begin(), trim.ends.end());
  place_of_.resize(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) {
    place_of_[order_[i]] = static_cast<std::int32_t>(i);
  }

  std::vector<std::int32_t> row_of_start(trim.starts.size());
  std::iota(row_of_start.begin(), row_of_start.end(), 0);
  std::vector<std::int32_t> row_of_core(trim.core.size());
  for (std::size_t v = 0; v < row_of_core.size(); ++v) {
    row_of_core[v] = static_cast<std::int32_t>(start_count_) + order.position_of[v];
  }
  std::vector<bool> leads_on(trim.ends.size());
  for (const std::int32_t end : trim.ends_from_ends.from) at(leads_on, end) = true;
  rows_ = start_count_ + core_count_ + 1;
  for (std::size_t i = 0; i < trim.ends.size(); ++i) {
    row_of_end_.push_back(
        static_cast<std::int32_t>(leads_on[i] ? rows_++ : start_count_ + core_count_));
  }

  for (std::size_t i = 0; i < trim.starts.size(); ++i) {
    into_starts_.append(trim.starts_from_starts, i, row_of_start);
    into_starts_.end_vertex();
  }
  for (Position p = 0; p < core_count_; ++p) {
    const Vertex place = at(order.vertex_at, p);
    if (trim.core_from_starts.offsets[place] == trim.core_from_starts.offsets[place + 1]) continue;
    entered_.push_back(p);
    into_entered_.append(trim.core_from_starts, place, row_of_start);
    into_entered_.end_vertex();
  }
  for (std::size_t i = 0; i < trim.ends.size(); ++i) {
    into_ends_.append(trim.ends_from_starts, i, row_of_start);
    into_ends_.append(trim.ends_from_core, i, row_of_core);
    into_ends_.append(trim.ends_from_ends, i, row_of_end_);
    into_ends_.end_vertex();
    ends_to_ends_.append(trim.ends_from_ends, i, row_of_end_);
    ends_to_ends_.end_vertex();
  }
  for (Products* const products : {&into_starts_, &into_entered_, &into_ends_, &ends_to_ends_}) {
    products->convert(core_.semiring(), core_.type());
  }
}

std::int64_t TrimmedRows::bytes(const Trim& trim, ValueType type) {
  const auto arcs = std::ssize(trim.starts_from_starts.from) +
                    std::ssize(trim.core_from_starts.from) +
                    std::ssize(trim.ends_from_starts.from) + std::ssize(trim.ends_from_core.from) +
                    2 * std::ssize(trim.ends_from_ends.from);
  constexpr std::int64_t kVertexBytes = 4 * 4 + 3 * 8;
  return arcs * (4 + 8 + size_of(type)) + trim.vertices() * kVertexBytes;
}

std::int64_t TrimmedRows::worker_bytes(const Trim& trim, const Tree& tree, ValueType type) {
  const std::int64_t lanes = FactorRows::block_rows(type);
  const std::int64_t entries = std::ssize(trim.core) + lanes;
  return Sweep::bytes(tree, type, lanes, false) + (trim.vertices() + 2 + entries) * kBlockBytes +
         static_cast<std::int64_t>(kColumnsHeld) * kBlockBytes + trim.vertices() * 8;
}

std::int64_t TrimmedRows::block_rows() const { return FactorRows::block_rows(type()); }

class TrimmedWorker final : public flow::RowSource::Worker {
 public:
  explicit TrimmedWorker(const TrimmedRows& of)
      : of_(of),
        operations_(kernels::cpu::row_operations(of.semiring(), of.type(), of.sign_)),
        sweep_(of.core_, of.sign_, FactorRows::block_rows(of.type())),
        rows_(of.rows_ * kBlockBytes),
        entry_rows_((std::ssize(of.entered_) + FactorRows::block_rows(of.type())) * kBlockBytes),
        none_(kBlockBytes),
        lane_of_(of.order_.size(), -1) {
    semiring::dispatch(of.semiring(), of.type(), [&]<class S>() {
      using T = typename S::Value;
      std::fill_n(none_.as<T>(), kBlockBytes / std::int64_t{sizeof(T)}, S::zero());
      const T one = S::one();
      std::memcpy(one_.data(), &one, sizeof(T));
    });
  }

  void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) override {
    fill_rows(sources, rows, stride, nullptr);
  }

  void compute_both(std::span<const Vertex> sources, void* rows, std::int64_t stride,
                    flow::ColumnSink::Writer& part) override {
    fill_rows(sources, rows, stride, &part);
  }

  void compute_columns(std::span<const Vertex> sources, flow::ColumnSink::Writer& part,
                       bool /*pairs_once*/) override {
    part.begin(sources);
    run(sources, [&](std::span<const Vertex> vertices, const void* values) {
      part.take(vertices, values, lanes_);
    });
    part.end();
  }

 private:
  using Take = std::function<void(std::span<const Vertex>, const void* values)>;

  void fill_rows(std::span<const Vertex> sources, void* rows, std::int64_t stride,
                 flow::ColumnSink::Writer* part) {
    if (part != nullptr) part->begin(sources);
    semiring::dispatch(of_.semiring(), of_.type(), [&]<class S>() {
      auto* const to = static_cast<typename S::Value*>(rows);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        std::fill_n(to + static_cast<std::int64_t>(i) * stride, of_.vertices(), S::zero());
      }
    });
    run(sources, [&](std::span<const Vertex> vertices, const void* values) {
      if (part != nullptr) part->take(vertices, values, lanes_);
      base::with_type(of_.type(), [&]<class T>() {
        transpose(vertices, static_cast<const T*>(values), std::ssize(sources),
                  static_cast<T*>(rows), stride);
      });
    });
    if (part != nullptr) part->end();
  }

  template <class T>
  void transpose(std::span<const Vertex> vertices, const T* from, std::int64_t sources, T* to,
                 std::int64_t stride) const {
    for (std::size_t first = 0; first < vertices.size(); first += kColumnsHeld) {
      const auto some = vertices.subspan(first, std::min(kColumnsHeld, vertices.size() - first));
      for (std::int64_t i = 0; i < sources; ++i) {
        const T* value = from + static_cast<std::int64_t>(first) * lanes_ + i;
        for (std::size_t k = 0; k < some.size(); ++k, value += lanes_) {
          to[i * stride + some[k]] = *value;
        }
      }
    }
  }

  void run(std::span<const Vertex> sources, const Take& take) {
    lanes_ = Sweep::lanes_of(std::ssize(sources), of_.type());
    bool from_core = false, from_start = false;
    for (std::size_t lane = 0; lane < sources.size(); ++lane) {
      const std::int32_t place = of_.place_of_[sources[lane]];
      at(lane_of_, place) = static_cast<std::int32_t>(lane);
      from_core = from_core || place < of_.core_count_;
      from_start =
          from_start || (place >= of_.core_count_ && place < of_.core_count_ + of_.start_count_);
    }
    const bool from_ends_alone = !from_core && !from_start;
    if (!from_ends_alone) {
      pass_starts(from_start, take);
      pass_core(sources, from_start, take);
    }
    pass_ends(from_ends_alone, take);
    for (const Vertex source : sources) {
      at(lane_of_, of_.place_of_[source]) = -1;
    }
  }

  void pass_starts(bool reached, const Take& take) {
    const auto first = static_cast<std::size_t>(of_.core_count_);
    for (std::int64_t i = 0; i < of_.start_count_; ++i) {
      base::poll(static_cast<std::size_t>(i));
      const std::size_t place = first + static_cast<std::size_t>(i);
      begin_row(row(i), lane_of_[place]);
      if (!reached) continue;
      relax(row(i), of_.into_starts_, static_cast<std::size_t>(i));
      take({of_.order_.data() + place, 1}, row(i));
    }
  }

  void pass_core(std::span<const Vertex> sources, bool from_start, const Take& take) {
    entries_.clear();
    if (from_start) entries_ = of_.entered_;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      begin_row(entry_row(i), at(lane_of_, entries_[i]));
      relax(entry_row(i), of_.into_entered_, i);
    }
    const std::size_t entered = entries_.size();
    for (const Vertex source : sources) {
      const Position p = of_.place_of_[source];
      const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(entered);
      if (p >= of_.core_count_ || std::binary_search(entries_.begin(), end, p)) continue;
      begin_row(entry_row(entries_.size()), at(lane_of_, p));
      entries_.push_back(p);
    }
    const ConstView rows{entry_rows_.data(), std::ssize(entries_), lanes_, lanes_};
    sweep_.run_from(entries_, rows, [&](Position first, ConstView values) {
      const auto bytes = static_cast<std::size_t>(values.rows * lanes_ * size_of(of_.type()));
      std::memcpy(row(of_.start_count_ + first), values.data, bytes);
      take({of_.order_.data() + first, static_cast<std::size_t>(values.rows)}, values.data);
    });
  }

  void pass_ends(bool from_ends_alone, const Take& take) {
    const auto first = static_cast<std::size_t>(of_.core_count_ + of_.start_count_);
    const auto shared = static_cast<std::int32_t>(of_.start_count_ + of_.core_count_);
    const TrimmedRows::Products& arcs = from_ends_alone ? of_.ends_to_ends_ : of_.into_ends_;
    for (std::size_t i = 0; i < of_.row_of_end_.size(); ++i) {
      base::poll(i);
      const std::int32_t lane = lane_of_[first + i];
      const bool reached = lane >= 0 || arcs.offsets[i] < arcs.offsets[i + 1];
      if (!reached && of_.row_of_end_[i] == shared) continue;
      void* const end = row(of_.row_of_end_[i]);
      begin_row(end, lane);
      if (!reached) continue;
      relax(end, arcs, i);
      take({of_.order_.data() + first + i, 1}, end);
    }
  }

  /// Row ← no path, and the empty path in the lane of the source.
  void begin_row(void* row, std::int32_t lane) const {
    const std::int64_t size = size_of(of_.type());
    std::memcpy(row, none_.data(), static_cast<std::size_t>(lanes_ * size));
    if (lane < 0) return;
    std::memcpy(static_cast<std::byte*>(row) + lane * size, one_.data(),
                static_cast<std::size_t>(size));
  }

  /// row ← row ⊕ the rows of the tails of arcs ⊗ their weights.
  void relax(void* row, const TrimmedRows::Products& arcs, std::size_t vertex) {
    const std::int64_t begin = arcs.offsets[vertex], count = arcs.offsets[vertex + 1] - begin;
    if (count == 0) return;
    const View to{row, 1, lanes_, lanes_};
    const ConstView all{rows_.data(), of_.rows_, lanes_, lanes_};
    const ConstView weights{
        static_cast<const std::byte*>(arcs.weights.data()) + begin * size_of(of_.type()), 1, count,
        count};
    operations_.multiply_gathered(to, weights, all, arcs.rows.data() + begin);
  }

  void* row(std::int64_t number) { return rows_.data() + number * lanes_ * size_of(of_.type()); }
  void* entry_row(std::size_t number) {
    return entry_rows_.data() + static_cast<std::int64_t>(number) * lanes_ * size_of(of_.type());
  }

  const TrimmedRows& of_;
  kernels::cpu::RowOperations operations_;
  Sweep sweep_;
  std::int64_t lanes_ = 0;
  system::AlignedMemory rows_;         // [rows, lanes]
  system::AlignedMemory entry_rows_;   // [entries, lanes]
  system::AlignedMemory none_;         // [kBlockBytes]
  std::array<std::byte, 8> one_{};     // the empty path
  std::vector<Position> entries_;      // core positions where sources enter
  std::vector<std::int32_t> lane_of_;  // [n] by index in the order; −1: no source
};

std::unique_ptr<flow::RowSource::Worker> TrimmedRows::worker() const {
  return std::make_unique<TrimmedWorker>(*this);
}

}  // namespace apsp::sparse
