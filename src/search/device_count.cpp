#include "search/device_count.hpp"

#include <apsp/error.hpp>
#include <vector>

namespace apsp::search {

using kernels::RowTotals;

DeviceCount::DeviceCount(kernels::ComputeDevice& device, kernels::QueueId queue, std::int64_t n,
                         std::span<const Vertex> rows, std::span<const Vertex> columns,
                         std::int64_t limit, std::int64_t most)
    : device_(device),
      queue_(queue),
      n_(n),
      limit_(limit),
      most_(most),
      columns_(columns),
      labels_(device, {rows.begin(), rows.end()}),
      totals_(device, std::vector<RowTotals>(rows.size())),
      greatest_(device, std::vector<std::uint64_t>(columns.size())),
      counts_(device, std::vector<std::uint64_t>(static_cast<std::size_t>(limit) + 1)) {}

void DeviceCount::begin() {
  labels_.copy_in(device_, queue_);
  totals_.copy_in(device_, queue_);
  greatest_.copy_in(device_, queue_);
  counts_.copy_in(device_, queue_);
}

std::int64_t DeviceCount::device_bytes(std::int64_t rows, std::int64_t columns,
                                       std::int64_t limit) {
  return rows * std::int64_t{sizeof(Vertex) + sizeof(RowTotals)} +
         (columns + limit + 1) * std::int64_t{sizeof(std::uint64_t)};
}

void DeviceCount::add(kernels::ConstView distances, std::int64_t first_row,
                      const Vertex* column_labels, std::int64_t first_column) {
  // Where each add counts rows of its own, their totals never have more columns than these.
  if (first_row == 0 && columns_there_ > 0 && columns_there_ + distances.cols > most_) {
    fetch_totals();
    totals_.clear(device_, queue_);
  }
  if (first_row == 0) columns_there_ += distances.cols;
  device_.count_rows(queue_, {.x = distances,
                              .row_labels = labels_.data() + first_row,
                              .column_labels = column_labels,
                              .totals = totals_.data() + first_row,
                              .greatest = greatest_.data() + first_column,
                              .counts = counts_.data(),
                              .limit = limit_});
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

store::CountedDistances DeviceCount::counted() {
  fetch_totals();
  greatest_.copy_out(device_, queue_);
  counts_.copy_out(device_, queue_);
  device_.synchronize(queue_);
  const std::vector<std::uint64_t>&greatest = greatest_.host(), &counts = counts_.host();
  if (counts.back() != 0) throw Error(ErrorKind::defect, "a distance lies beyond its bound");
  store::CountedDistances all;
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
  return all;
}

}  // namespace apsp::search
