#include "statistics/device_count.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <limits>
#include <utility>
#include <vector>

namespace apsp::statistics {

using kernels::RowTotals;

ComponentCount::ComponentCount(kernels::DeviceAllocator& device,
                               std::span<const std::uint8_t> component, std::int64_t columns)
    : holds_(device, {component.begin(), component.end()}),
      columns_(device, std::vector<kernels::ColumnWithin>(
                           static_cast<std::size_t>(component.empty() ? 0 : columns))),
      parts_(device, component.empty()
                         ? 0
                         : kernels::RowsWithin::scratch_of(std::ssize(component), columns) *
                               std::int64_t{sizeof(kernels::ColumnWithin)}) {}

std::int64_t ComponentCount::device_bytes(std::int64_t vertices, std::int64_t columns) {
  return vertices + (columns + kernels::RowsWithin::scratch_of(vertices, columns)) *
                        std::int64_t{sizeof(kernels::ColumnWithin)};
}

void ComponentCount::begin(kernels::DeviceQueues& device, kernels::QueueId queue) {
  if (holds_.host().empty()) return;
  holds_.copy_in(device, queue);
  columns_.copy_in(device, queue);
}

kernels::RowsWithin ComponentCount::from(std::int64_t first_column) const {
  if (holds_.host().empty()) return {};
  return {.holds = holds_.data(),
          .columns = columns_.data() + first_column,
          .parts = reinterpret_cast<kernels::ColumnWithin*>(parts_.data())};
}

void ComponentCount::copy_out(kernels::DeviceQueues& device, kernels::QueueId queue) {
  if (!holds_.host().empty()) columns_.copy_out(device, queue);
}

void ComponentCount::put(std::span<const Vertex> columns, flow::CountedDistances& all) const {
  const std::vector<std::uint8_t>& holds = holds_.host();
  if (holds.empty()) return;
  all.within.resize(holds.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (holds[columns[i]] != 0) all.within[columns[i]] = columns_.host()[i];
  }
}

DeviceCount::DeviceCount(kernels::ComputeDevice& device, kernels::QueueId queue, std::int64_t n,
                         std::span<const Vertex> rows, std::span<const Vertex> columns,
                         const CountMethod& way, std::int64_t most)
    : device_(device),
      queue_(queue),
      n_(n),
      limit_(way.limit),
      most_(most),
      columns_(columns),
      labels_(device, {rows.begin(), rows.end()}),
      totals_(device, std::vector<RowTotals>(rows.size())),
      greatest_(device, std::vector<std::uint64_t>(columns.size())),
      counts_(device, std::vector<std::uint64_t>(static_cast<std::size_t>(way.limit) + 1)),
      within_(device, way.component, std::ssize(columns)) {}

void DeviceCount::begin() {
  labels_.copy_in(device_, queue_);
  totals_.copy_in(device_, queue_);
  greatest_.copy_in(device_, queue_);
  counts_.copy_in(device_, queue_);
  within_.begin(device_, queue_);
}

std::int64_t DeviceCount::device_bytes(std::int64_t rows, std::int64_t columns,
                                       std::int64_t limit) {
  return rows * std::int64_t{sizeof(Vertex) + sizeof(RowTotals)} +
         (columns + limit + 1) * std::int64_t{sizeof(std::uint64_t)};
}

void DeviceCount::add(kernels::ConstView distances, std::int64_t first_row,
                      const Vertex* column_labels, std::int64_t first_column) {
  // If every call counts other rows, their totals never have more columns than one call.
  if (first_row == 0 && columns_there_ > 0 && columns_there_ + distances.cols > most_) {
    fetch_totals();
    totals_.clear(device_, queue_);
  }
  if (first_row == 0) columns_there_ += distances.cols;
  kernels_.count_rows(queue_, {.x = distances,
                               .row_labels = labels_.data() + first_row,
                               .column_labels = column_labels,
                               .totals = totals_.data() + first_row,
                               .greatest = greatest_.data() + first_column,
                               .counts = counts_.data(),
                               .limit = limit_,
                               .within = within_.from(first_column)});
}

void DeviceCount::fetch_totals() {
  totals_.copy_out(device_, queue_);
  device_.synchronize(queue_);
  fetched_.resize(totals_.host().size());
  for (std::size_t i = 0; i < fetched_.size(); ++i) {
    const RowTotals& row = totals_.host()[i];
    fetched_[i].add({row.sum, row.high, row.low, static_cast<std::uint32_t>(row.reached)});
  }
  columns_there_ = 0;
}

flow::CountedDistances DeviceCount::counted() {
  fetch_totals();
  greatest_.copy_out(device_, queue_);
  counts_.copy_out(device_, queue_);
  within_.copy_out(device_, queue_);
  device_.synchronize(queue_);
  const std::vector<std::uint64_t>&greatest = greatest_.host(), &counts = counts_.host();
  if (counts.back() != 0) throw Error(ErrorKind::defect, "a distance lies beyond its bound");
  flow::CountedDistances all;
  all.to.resize(static_cast<std::size_t>(n_));
  all.from.resize(static_cast<std::size_t>(n_));
  for (std::size_t i = 0; i < labels_.host().size(); ++i) {
    all.to[labels_.host()[i]] = fetched_[i];
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (greatest[i] == 0) continue;
    all.from[columns_[i]] = {true, kernels::greatest_of(greatest[i]),
                             kernels::label_of(greatest[i])};
  }
  all.counts.assign(counts.begin(), counts.end() - 1);
  within_.put(columns_, all);
  return all;
}

namespace {

/// The count of any distances, each at its place.
class PlacedCount final : public DeviceCounter {
 public:
  PlacedCount(kernels::ComputeDevice& device, kernels::QueueId queue, std::int64_t n,
              std::span<const Vertex> rows, std::span<const Vertex> columns, const CountMethod& way)
      : device_(device),
        queue_(queue),
        n_(n),
        columns_(columns),
        way_(*way.placed),
        labels_(device, {rows.begin(), rows.end()}),
        totals_(device, std::vector<kernels::DistanceTotals>(rows.size())),
        farthest_(device, std::vector<kernels::FarthestRow>(columns.size())),
        least_(device, {kNone}),
        counts_(device, std::vector<std::uint64_t>(static_cast<std::size_t>(way.places()) + 1)),
        within_(device, way.component, std::ssize(columns)) {}
  ~PlacedCount() override { dense::drain(device_, queue_); }
  PlacedCount(const PlacedCount&) = delete;
  PlacedCount& operator=(const PlacedCount&) = delete;

  void begin() override {
    labels_.copy_in(device_, queue_);
    totals_.copy_in(device_, queue_);
    farthest_.copy_in(device_, queue_);
    least_.copy_in(device_, queue_);
    counts_.copy_in(device_, queue_);
    within_.begin(device_, queue_);
  }

  void add(kernels::ConstView distances, std::int64_t first_row, const Vertex* column_labels,
           std::int64_t first_column) override {
    kernels_.count_distances(queue_, {.x = distances,
                                      .row_labels = labels_.data() + first_row,
                                      .column_labels = column_labels,
                                      .totals = totals_.data() + first_row,
                                      .farthest = farthest_.data() + first_column,
                                      .least = least_.data(),
                                      .counts = counts_.data(),
                                      .places = way_.places,
                                      .sums = way_.sums,
                                      .reciprocals = way_.reciprocals,
                                      .within = within_.from(first_column)});
  }

  flow::CountedDistances counted() override {
    totals_.copy_out(device_, queue_);
    farthest_.copy_out(device_, queue_);
    least_.copy_out(device_, queue_);
    counts_.copy_out(device_, queue_);
    within_.copy_out(device_, queue_);
    device_.synchronize(queue_);
    const std::vector<std::uint64_t>& counts = counts_.host();
    if (counts.back() != 0) throw Error(ErrorKind::defect, "a distance lies beyond its bounds");
    flow::CountedDistances all;
    flow::PlacedDistances& found = all.placed.emplace();
    found.places = way_.places;
    found.sums = way_.sums;
    found.reciprocals = way_.reciprocals;
    found.least = least_.host().front();
    found.to.resize(static_cast<std::size_t>(n_));
    found.from.resize(static_cast<std::size_t>(n_));
    for (std::size_t i = 0; i < labels_.host().size(); ++i) {
      found.to[labels_.host()[i]] = totals_.host()[i];
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      found.from[columns_[i]] = farthest_.host()[i];
    }
    found.counts.assign(counts.begin(), counts.end() - 1);
    within_.put(columns_, all);
    return all;
  }

 private:
  static constexpr std::uint64_t kNone =
      ~std::uint64_t{0};  // greater than the bits of any distance

  kernels::ComputeDevice& device_;
  kernels::CountKernels& kernels_ = kernels::required(device_.counts());
  kernels::QueueId queue_;
  std::int64_t n_;
  std::span<const Vertex> columns_;
  CountMethod::Placed way_;
  dense::DeviceArray<Vertex> labels_;
  dense::DeviceArray<kernels::DistanceTotals> totals_;  // [rows]
  dense::DeviceArray<kernels::FarthestRow> farthest_;   // [columns]
  dense::DeviceArray<std::uint64_t> least_, counts_;    // [1], [places + 1]
  ComponentCount within_;
};

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

std::optional<CountMethod> CountMethod::placed_between(ValueType type, std::int64_t n, bool whole,
                                                       double least, double greatest) {
  // Places and reciprocals of subnormal and very great numbers would lose digits.
  constexpr double kLeast = 0x1p-126, kGreatest = 0x1p127;
  if (!(least >= kLeast && least <= greatest && greatest <= kGreatest)) return std::nullopt;
  const int width = base::SliceRange::width_for(n);
  CountMethod way;
  way.placed =
      Placed{.places = {whole, least, greatest},
             // Whole numbers have no digits below 1.
             .sums = {width, whole ? 1 : least, greatest, whole ? 1 : binary_digits_of(type)},
             .reciprocals = {width, 1 / greatest, 1 / least, std::numeric_limits<double>::digits}};
  const Placed& placed = *way.placed;
  const int slices = std::max(placed.sums.count(), placed.reciprocals.count());
  if (slices > kernels::DistanceTotals::kSlices) {
    return std::nullopt;
  }
  return way;
}

std::unique_ptr<DeviceCounter> device_counter(kernels::ComputeDevice& device,
                                              kernels::QueueId queue, std::int64_t n,
                                              std::span<const Vertex> rows,
                                              std::span<const Vertex> columns,
                                              const CountMethod& way) {
  if (way.placed) {
    return std::make_unique<PlacedCount>(device, queue, n, rows, columns, way);
  }
  return std::make_unique<DeviceCount>(device, queue, n, rows, columns, way);
}

std::int64_t device_count_bytes(std::int64_t rows, std::int64_t columns, const CountMethod& way) {
  const std::int64_t within =
      way.may_have_component ? ComponentCount::device_bytes(rows, columns) : 0;
  if (!way.placed) return within + DeviceCount::device_bytes(rows, columns, way.limit);
  return within + rows * std::int64_t{sizeof(Vertex) + sizeof(kernels::DistanceTotals)} +
         columns * std::int64_t{sizeof(kernels::FarthestRow)} +
         (way.places() + 2) * std::int64_t{sizeof(std::uint64_t)};
}

}  // namespace apsp::statistics
