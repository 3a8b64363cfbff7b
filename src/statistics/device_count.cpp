#include "statistics/device_count.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "dense/device_buffer.hpp"

namespace apsp::statistics {
namespace {

using dense::DeviceArray;
using kernels::DistancesWithin;

/// Memory of the count of distances to a component; none where there is no component.
class ComponentCount {
 public:
  /// `columns`: their number. Throws `Error` (does_not_fit).
  ComponentCount(kernels::DeviceAllocator& device, std::span<const std::uint8_t> component,
                 std::int64_t columns)
      : holds_(device, {component.begin(), component.end()}),
        columns_(device, std::vector<DistancesWithin>(
                             static_cast<std::size_t>(component.empty() ? 0 : columns))),
        parts_(device, component.empty() ? 0 : scratch_bytes(std::ssize(component), columns)) {}

  static std::int64_t device_bytes(std::int64_t vertices, std::int64_t columns) {
    return vertices + columns * std::int64_t{sizeof(DistancesWithin)} +
           scratch_bytes(vertices, columns);
  }

  void begin(kernels::DeviceQueues& device, kernels::QueueId queue) {
    if (holds_.host().empty()) return;
    holds_.copy_in(device, queue);
    columns_.copy_in(device, queue);
  }
  kernels::RowsWithin from(std::int64_t first_column) const {
    if (holds_.host().empty()) return {};
    return {.holds = holds_.data(),
            .columns = columns_.data() + first_column,
            .parts = reinterpret_cast<DistancesWithin*>(parts_.data())};
  }
  void copy_out(kernels::DeviceQueues& device, kernels::QueueId queue) {
    if (!holds_.host().empty()) columns_.copy_out(device, queue);
  }
  /// Writes the copied counts of these vertices to `all`.
  void put(std::span<const Vertex> columns, std::vector<DistancesWithin>& all) const {
    const std::vector<std::uint8_t>& holds = holds_.host();
    if (holds.empty()) return;
    all.resize(holds.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (holds[columns[i]] != 0) all[columns[i]] = columns_.host()[i];
    }
  }

 private:
  static std::int64_t scratch_bytes(std::int64_t vertices, std::int64_t columns) {
    return kernels::RowsWithin::scratch_of(vertices, columns) *
           std::int64_t{sizeof(DistancesWithin)};
  }

  DeviceArray<std::uint8_t> holds_;       // [n]
  DeviceArray<DistancesWithin> columns_;  // [columns]
  dense::DeviceBuffer parts_;
};

/// `Totals` of a row: kernels::RowTotals of short integers, or kernels::DistanceTotals.
template <class Totals>
class CounterOf final : public DeviceCounter {
 public:
  CounterOf(kernels::ComputeDevice& device, kernels::QueueId queue, std::int64_t n,
            std::span<const Vertex> rows, std::span<const Vertex> columns,
            const CountMethod& method, std::int64_t most)
      : device_(device),
        queue_(queue),
        n_(static_cast<std::size_t>(n)),
        most_(most),
        columns_(columns),
        method_(method),
        labels_(device, {rows.begin(), rows.end()}),
        totals_(device, std::vector<Totals>(rows.size())),
        best_(device, std::vector<Best>(columns.size())),
        counts_(device, std::vector<std::uint64_t>(static_cast<std::size_t>(method.bins()) + 1)),
        within_(device, method.component, std::ssize(columns)) {
    if constexpr (!kShort) least_.emplace(device, std::vector<std::uint64_t>{kNone});
  }
  ~CounterOf() override { dense::drain(device_, queue_); }
  CounterOf(const CounterOf&) = delete;
  CounterOf& operator=(const CounterOf&) = delete;

  static std::int64_t device_bytes(std::int64_t rows, std::int64_t columns, std::int64_t bins) {
    return rows * std::int64_t{sizeof(Vertex) + sizeof(Totals)} +
           columns * std::int64_t{sizeof(Best)} +
           (bins + (kShort ? 1 : 2)) * std::int64_t{sizeof(std::uint64_t)};
  }

  void begin() override {
    labels_.copy_in(device_, queue_);
    totals_.copy_in(device_, queue_);
    best_.copy_in(device_, queue_);
    if (least_) least_->copy_in(device_, queue_);
    counts_.copy_in(device_, queue_);
    within_.begin(device_, queue_);
  }

  void add(kernels::ConstView distances, std::int64_t first_row, const Vertex* column_labels,
           std::int64_t first_column, const kernels::RowPotentials& potentials) override {
    if constexpr (kShort) {
      // If every call counts other rows, their totals never have more columns than one call.
      if (first_row == 0 && added_ > 0 && added_ + distances.cols > most_) {
        fetch_totals();
        totals_.clear(device_, queue_);
      }
      if (first_row == 0) added_ += distances.cols;
      kernels_.count_rows(queue_, {.x = distances,
                                   .row_labels = labels_.data() + first_row,
                                   .column_labels = column_labels,
                                   .totals = totals_.data() + first_row,
                                   .greatest = best_.data() + first_column,
                                   .counts = counts_.data(),
                                   .limit = method_.limit,
                                   .within = within_.from(first_column),
                                   .potentials = potentials});
    } else {
      kernels_.count_distances(queue_, {.x = distances,
                                        .row_labels = labels_.data() + first_row,
                                        .column_labels = column_labels,
                                        .totals = totals_.data() + first_row,
                                        .farthest = best_.data() + first_column,
                                        .least = least_->data(),
                                        .counts = counts_.data(),
                                        .bins = method_.binned->bins,
                                        .sums = method_.binned->sums,
                                        .reciprocals = method_.binned->reciprocals,
                                        .within = within_.from(first_column)});
    }
  }

  flow::CountedDistances counted() override {
    best_.copy_out(device_, queue_);
    counts_.copy_out(device_, queue_);
    if (least_) least_->copy_out(device_, queue_);
    within_.copy_out(device_, queue_);
    fetch_totals();
    const std::vector<std::uint64_t>& counts = counts_.host();
    if (counts.back() != 0) throw Error(ErrorKind::defect, "a distance lies beyond its bounds");
    flow::CountedDistances all;
    if constexpr (kShort) {
      all.to = std::move(to_);
    } else {
      const auto& [bins, sums, reciprocals] = *method_.binned;
      all.binned = {bins, sums, reciprocals, least_->host().front(), std::move(to_)};
    }
    all.from.resize(n_);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      all.from[columns_[i]] = farthest(best_.host()[i]);
    }
    all.counts.assign(counts.begin(), counts.end() - 1);
    within_.put(columns_, all.within);
    return all;
  }

 private:
  static constexpr bool kShort = std::is_same_v<Totals, kernels::RowTotals>;
  using Best = std::conditional_t<kShort, std::uint64_t, kernels::Farthest>;
  /// Greater than the bits of any distance.
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  static kernels::Farthest farthest(const kernels::Farthest& best) { return best; }
  static kernels::Farthest farthest(std::uint64_t best) {
    if (best == 0) return {};
    return {static_cast<double>(kernels::greatest_of(best)), kernels::label_of(best)};
  }

  void fetch_totals() {
    totals_.copy_out(device_, queue_);
    device_.synchronize(queue_);
    to_.resize(n_);
    for (std::size_t i = 0; i < totals_.host().size(); ++i) {
      to_[labels_.host()[i]].add(totals_.host()[i]);
    }
    added_ = 0;
  }

  kernels::ComputeDevice& device_;
  kernels::CountKernels& kernels_ = kernels::required(device_.counts());
  kernels::QueueId queue_;
  std::size_t n_;
  std::int64_t most_;
  std::int64_t added_ = 0;  // columns in the totals on the device, at most
  std::vector<Totals> to_;  // [n] totals that were fetched
  std::span<const Vertex> columns_;
  CountMethod method_;
  DeviceArray<Vertex> labels_;                         // [rows]
  DeviceArray<Totals> totals_;                         // [rows]
  DeviceArray<Best> best_;                             // [columns]
  DeviceArray<std::uint64_t> counts_;                  // [bins + 1]
  std::optional<DeviceArray<std::uint64_t>> least_{};  // [1], or none for short integers
  ComponentCount within_;
};

using ShortCounter = CounterOf<kernels::RowTotals>;
using BinnedCounter = CounterOf<kernels::DistanceTotals>;

int binary_digits_of(ValueType type) {
  switch (type) {
    case ValueType::f32:
      return std::numeric_limits<float>::digits;
    case ValueType::f64:
      return std::numeric_limits<double>::digits;
    default:
      return std::numeric_limits<std::int32_t>::digits;
  }
}

}  // namespace

std::optional<CountMethod> CountMethod::binned_between(ValueType type, std::int64_t n, bool whole,
                                                       double least, double greatest) {
  // Places and reciprocals of subnormal and very great numbers would lose digits.
  constexpr double kLeast = 0x1p-126, kGreatest = 0x1p127;
  if (!(least >= kLeast && least <= greatest && greatest <= kGreatest)) return std::nullopt;
  const int width = base::SliceRange::width_for(n);
  CountMethod method;
  method.binned =
      Binned{.bins = {whole, least, greatest},
             // Whole numbers have no digits below 1.
             .sums = {width, whole ? 1 : least, greatest, whole ? 1 : binary_digits_of(type)},
             .reciprocals = {width, 1 / greatest, 1 / least, std::numeric_limits<double>::digits}};
  const Binned& binned = *method.binned;
  const int slices = std::max(binned.sums.count(), binned.reciprocals.count());
  if (slices > kernels::DistanceTotals::kSlices) return std::nullopt;
  return method;
}

std::unique_ptr<DeviceCounter> device_counter(kernels::ComputeDevice& device,
                                              kernels::QueueId queue, std::int64_t n,
                                              std::span<const Vertex> rows,
                                              std::span<const Vertex> columns,
                                              const CountMethod& method, std::int64_t most) {
  if (method.binned) {
    return std::make_unique<BinnedCounter>(device, queue, n, rows, columns, method, most);
  }
  return std::make_unique<ShortCounter>(device, queue, n, rows, columns, method, most);
}

std::int64_t device_count_bytes(std::int64_t rows, std::int64_t columns,
                                const CountMethod& method) {
  const std::int64_t within =
      method.may_have_component ? ComponentCount::device_bytes(rows, columns) : 0;
  return within + (method.binned ? BinnedCounter::device_bytes(rows, columns, method.bins())
                                 : ShortCounter::device_bytes(rows, columns, method.bins()));
}

}  // namespace apsp::statistics
