#include "elimination/device_count.hpp"

#include <apsp/error.hpp>

#include <algorithm>

#include "base/control.hpp"

namespace apsp::elimination {
namespace {

using kernels::RowTotals;

/// An array of a device and of the host.
template <class T>
class Array {
 public:
  Array(kernels::ComputeDevice& device, std::vector<T> values)
      : host_(std::move(values)), buffer_(device, bytes()) {}

  T* data() const { return reinterpret_cast<T*>(buffer_.data()); }
  void copy_in(kernels::ComputeDevice& device, kernels::QueueId queue) {
    device.copy_in(queue, {buffer_.data(), 1, bytes(), bytes()},
                   {host_.data(), 1, bytes(), bytes()}, 1);
  }
  void copy_out(kernels::ComputeDevice& device, kernels::QueueId queue) {
    device.copy_out(queue, {host_.data(), 1, bytes(), bytes()},
                    {buffer_.data(), 1, bytes(), bytes()}, 1);
  }
  const std::vector<T>& host() const { return host_; }

 private:
  std::int64_t bytes() const { return std::ssize(host_) * std::int64_t{sizeof(T)}; }

  std::vector<T> host_;
  places::DeviceBuffer buffer_;
};

template <class T>
std::vector<T> zeros(std::int64_t count) {
  return std::vector<T>(static_cast<std::size_t>(count));
}

store::CountedDistances counted(const Order& order, std::span<const Vertex> sources,
                                const std::vector<RowTotals>& totals,
                                const std::vector<std::uint64_t>& greatest,
                                const std::vector<std::uint64_t>& counts) {
  if (counts.back() != 0) throw Error(ErrorKind::defect, "a distance lies beyond its bound");
  store::CountedDistances all;
  all.to.resize(totals.size());
  all.from.resize(totals.size());
  for (std::size_t p = 0; p < totals.size(); ++p) {
    const RowTotals& row = totals[p];
    all.to[order.vertex_at[p]] = {row.sum, row.high, row.low,
                                  static_cast<std::uint32_t>(row.reached)};
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (greatest[i] == 0) continue;
    all.from[sources[i]] = {true, kernels::greatest_of(greatest[i]),
                            kernels::label_of(greatest[i])};
  }
  all.counts.assign(counts.begin(), counts.end() - 1);
  return all;
}

}  // namespace

std::int64_t device_count_bytes(std::int64_t vertices, std::int64_t sources, std::int64_t limit) {
  return vertices * std::int64_t{sizeof(Vertex) + sizeof(RowTotals)} +
         (sources + limit + 1) * std::int64_t{sizeof(std::uint64_t)};
}

store::CountedDistances count_on_device(const Factor& factor, kernels::ComputeDevice& device,
                                        std::span<const Vertex> sources, std::int64_t lanes,
                                        std::int64_t limit, const Control& control) {
  const Order& order = factor.tree().order();
  const auto n = factor.tree().vertices();
  Array<Vertex> labels(device, order.vertex_at);
  Array<RowTotals> totals(device, zeros<RowTotals>(n));
  Array<std::uint64_t> greatest(device, zeros<std::uint64_t>(std::ssize(sources)));
  Array<std::uint64_t> counts(device, zeros<std::uint64_t>(limit + 1));
  DeviceSweep sweep(factor, device, sources, lanes);
  const kernels::QueueId queue = sweep.queue();
  labels.copy_in(device, queue);
  totals.copy_in(device, queue);
  greatest.copy_in(device, queue);
  counts.copy_in(device, queue);
  base::ProgressTask progress(control, "solving", static_cast<double>(sources.size()), "row");
  for (std::size_t first = 0; first < sources.size(); first += static_cast<std::size_t>(lanes)) {
    base::check_cancelled(control);
    const auto block =
        sources.subspan(first, std::min(static_cast<std::size_t>(lanes), sources.size() - first));
    sweep.begin(block);
    device.count_rows(queue, {.x = sweep.distances(),
                              .row_labels = labels.data(),
                              .column_labels = sweep.column_labels(),
                              .totals = totals.data(),
                              .greatest = greatest.data() + first,
                              .counts = counts.data(),
                              .limit = limit});
    sweep.end();
    progress.advance(static_cast<double>(block.size()));
  }
  totals.copy_out(device, queue);
  greatest.copy_out(device, queue);
  counts.copy_out(device, queue);
  sweep.finish();
  return counted(order, sources, totals.host(), greatest.host(), counts.host());
}

}  // namespace apsp::elimination
