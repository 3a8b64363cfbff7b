#include "sparse/factor_rows.hpp"

#include <algorithm>

#include "base/control.hpp"
#include "kernels/cpu/row_operations.hpp"
#include "sparse/sweep.hpp"
#include "statistics/lane_counts.hpp"

namespace apsp::sparse {
namespace {

static_assert(kBlockBytes / sizeof(std::uint16_t) <= statistics::kMostLanes<double>,
              "columns of most_column_sources() are counted in one pass over lanes");

/// Fewer rows are cheaper one by one than in a sweep, whose vectors would be nearly empty.
constexpr std::size_t kFewRows = 2;

class SweepWorker final : public flow::RowSource::Worker {
 public:
  SweepWorker(const Factor& factor, const TargetSelection& targets, kernels::Sign sign,
              DownwardCopies& copies)
      : factor_(factor),
        targets_(targets),
        query_(factor, sign, &copies),
        sweep_(factor, sign, FactorRows::most_column_sources(factor.type()), targets.ways()),
        turn_(kernels::cpu::transpose_rows(size_of(factor.type()))) {}

  void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) override {
    const bool few = sources.size() <= kFewRows && targets_.ways().empty();
    if (!few) return fill(sources, view_of(rows, stride, sources), nullptr);
    auto* row = static_cast<std::byte*>(rows);
    for (const Vertex source : sources) {
      query_.row(source, row);
      row += stride * size_of(factor_.type());
    }
  }

  void compute_both(std::span<const Vertex> sources, void* rows, std::int64_t stride,
                    flow::ColumnSink::Writer& part) override {
    fill(sources, view_of(rows, stride, sources), &part);
  }

  void compute_into(std::span<const Vertex> sources, const store::RowView& view,
                    flow::ColumnSink::Writer* part) override {
    fill(sources, view, part);
  }

  void compute_columns(std::span<const Vertex> sources, flow::ColumnSink::Writer& part,
                       bool pairs_once) override {
    part.begin(sources);
    sweep_.run(
        sources, [&](Position first, kernels::ConstView values) { give(part, first, values); },
        pairs_once ? factor_.tree().order().position_of[sources.front()] : 0);
    part.end();
  }

  void compute_within(std::span<const Vertex> sources, double limit,
                      flow::ColumnSink::Writer& part) override {
    part.begin(sources);
    sweep_.run_within(sources, limit, [&](Position first, kernels::ConstView values) {
      give(part, first, values);
    });
    part.end();
  }

 private:
  void give(flow::ColumnSink::Writer& part, Position first, kernels::ConstView values) const {
    for_each_run(first, values, [&](Position p, std::span<const std::uint32_t> columns, auto* run) {
      part.take({factor_.tree().order().vertex_at.data() + p, columns.size()}, run, values.stride);
    });
  }

  template <class F>
  void for_each_run(Position first, kernels::ConstView values, F&& act) const {
    targets_.for_each_run(
        first, values.rows, [&](Position p, std::span<const std::uint32_t> columns) {
          const std::int64_t skipped = (p - first) * values.stride * size_of(factor_.type());
          act(p, columns, static_cast<const std::byte*>(values.data) + skipped);
        });
  }

  store::RowView view_of(void* rows, std::int64_t stride, std::span<const Vertex> sources) const {
    store::RowView view{.group = targets_.columns()};
    auto* row = static_cast<std::byte*>(rows);
    for (std::size_t i = 0; i < sources.size(); ++i, row += stride * size_of(factor_.type())) {
      view.rows.push_back(row);
    }
    return view;
  }

  /// Distances are stored by vertex in the order of columns, and then transposed. `part`: null, or
  /// receives the distances as well.
  void fill(std::span<const Vertex> sources, const store::RowView& view,
            flow::ColumnSink::Writer* part) {
    const std::int64_t count = targets_.columns(), size = size_of(factor_.type());
    const std::int64_t lanes = Sweep::lanes_of(std::ssize(sources), factor_.type());
    by_vertex_.require(count * lanes * size);
    if (part != nullptr) part->begin(sources);
    sweep_.run(sources, [&](Position first, kernels::ConstView values) {
      if (part != nullptr) give(*part, first, values);
      for_each_run(first, values, [&](Position, std::span<const std::uint32_t> columns, auto* run) {
        spread(run, columns, lanes * size);
      });
    });
    if (part != nullptr) part->end();
    std::vector<void*> to(view.rows.begin(), view.rows.end());
    for (std::int64_t col = 0; col < count; col += view.group) {
      turn(col, std::min(view.group, count - col), to);
      for (void*& row : to) row = static_cast<std::byte*>(row) + view.apart;
    }
  }

  /// Writes `row_bytes` of each column to its row. A separator's columns are spread over the graph,
  /// and each may be the first on a page of 2 MiB, which the system takes milliseconds to provide,
  /// so few are written at a time.
  void spread(const std::byte* rows, std::span<const std::uint32_t> columns,
              std::int64_t row_bytes) {
    constexpr std::size_t kSome = 8;
    for (std::size_t i = 0; i < columns.size(); i += kSome) {
      base::check_cancelled();
      kernels::cpu::spread_rows(rows + static_cast<std::int64_t>(i) * row_bytes,
                                columns.subspan(i, std::min(kSome, columns.size() - i)), row_bytes,
                                by_vertex_.data());
    }
  }

  /// Transposes columns [first, first + count) into `to`, in pieces, so that a thread notices a
  /// cancellation: a million columns take a second.
  void turn(std::int64_t first, std::int64_t count, std::vector<void*> to) const {
    constexpr std::int64_t kSome = 1 << 14;  // whole lines of any type
    const std::int64_t lanes = Sweep::lanes_of(std::ssize(to), factor_.type());
    const std::int64_t size = size_of(factor_.type());
    for (std::int64_t col = 0; col < count; col += kSome) {
      base::check_cancelled();
      turn_({by_vertex_.data() + (first + col) * lanes * size, std::min(kSome, count - col), lanes,
             lanes},
            to.data(), std::ssize(to));
      for (void*& row : to) row = static_cast<std::byte*>(row) + kSome * size;
    }
  }

  const Factor& factor_;
  const TargetSelection& targets_;
  FactorQuery query_;
  Sweep sweep_;
  kernels::cpu::TransposeRows turn_;
  system::AlignedMemory by_vertex_;  // [columns, lanes]; allocated for the first rows
};

}  // namespace

std::int64_t FactorRows::worker_bytes(const Tree& tree, ValueType type, std::int64_t sources,
                                      std::int64_t targets) {
  const std::int64_t lanes = Sweep::lanes_of(std::min(sources, block_rows(type)), type);
  return Sweep::bytes(tree, type, block_rows(type), false) + FactorQuery::bytes(tree, type) +
         targets * lanes * size_of(type);
}

std::int64_t FactorRows::columns_worker_bytes(const Tree& tree, ValueType type,
                                              std::int64_t sources) {
  return Sweep::bytes(tree, type, sources, true) + FactorQuery::bytes(tree, type);
}

std::unique_ptr<flow::RowSource::Worker> FactorRows::worker() const {
  return std::make_unique<SweepWorker>(*factor_, targets_, sign_, copies_);
}

}  // namespace apsp::sparse
