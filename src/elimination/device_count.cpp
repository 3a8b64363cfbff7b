#include "elimination/device_count.hpp"

#include <apsp/error.hpp>

#include "places/device_array.hpp"

namespace apsp::elimination {
namespace {

using kernels::RowTotals;
using places::DeviceArray;

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

struct DeviceCount::Arrays {
  DeviceArray<Vertex> labels;
  DeviceArray<RowTotals> totals;
  DeviceArray<std::uint64_t> greatest, counts;
};

DeviceCount::DeviceCount(const Order& order, kernels::ComputeDevice& device, kernels::QueueId queue,
                         std::span<const Vertex> sources, std::int64_t limit)
    : order_(order), device_(device), queue_(queue), sources_(sources), limit_(limit) {
  const auto n = std::ssize(order.vertex_at);
  arrays_ = std::make_unique<Arrays>(Arrays{{device, order.vertex_at},
                                            {device, zeros<RowTotals>(n)},
                                            {device, zeros<std::uint64_t>(std::ssize(sources))},
                                            {device, zeros<std::uint64_t>(limit + 1)}});
  arrays_->labels.copy_in(device, queue);
  arrays_->totals.copy_in(device, queue);
  arrays_->greatest.copy_in(device, queue);
  arrays_->counts.copy_in(device, queue);
}

DeviceCount::~DeviceCount() { places::drain(device_, queue_); }

std::int64_t DeviceCount::device_bytes(std::int64_t vertices, std::int64_t sources,
                                       std::int64_t limit) {
  return vertices * std::int64_t{sizeof(Vertex) + sizeof(RowTotals)} +
         (sources + limit + 1) * std::int64_t{sizeof(std::uint64_t)};
}

void DeviceCount::add(const places::DeviceBlocks& found, std::size_t first) {
  device_.count_rows(queue_, {.x = found.distances(),
                              .row_labels = arrays_->labels.data(),
                              .column_labels = found.column_labels(),
                              .totals = arrays_->totals.data(),
                              .greatest = arrays_->greatest.data() + first,
                              .counts = arrays_->counts.data(),
                              .limit = limit_});
}

store::CountedDistances DeviceCount::counted() {
  arrays_->totals.copy_out(device_, queue_);
  arrays_->greatest.copy_out(device_, queue_);
  arrays_->counts.copy_out(device_, queue_);
  device_.synchronize(queue_);
  return elimination::counted(order_, sources_, arrays_->totals.host(), arrays_->greatest.host(),
                              arrays_->counts.host());
}

store::CountedDistances count_on_device(const Factor& factor, kernels::ComputeDevice& device,
                                        std::span<const Vertex> sources, std::int64_t lanes,
                                        std::int64_t limit, const Control& control, int threads,
                                        const SweepCut& cut) {
  SourceBlocks blocks(sources, lanes, control);
  return count_on_device(factor, device, blocks, limit, threads, cut);
}

store::CountedDistances count_on_device(const Factor& factor, kernels::ComputeDevice& device,
                                        SourceBlocks& blocks, std::int64_t limit, int threads,
                                        const SweepCut& cut) {
  DeviceSweep sweep(factor, device, blocks.sources(), blocks.lanes(), threads, cut);
  return count_on_device(factor.tree().order(), device, sweep, blocks, limit);
}

store::CountedDistances count_on_device(const Order& order, kernels::ComputeDevice& device,
                                        places::DeviceBlocks& found, SourceBlocks& blocks,
                                        std::int64_t limit) {
  DeviceCount count(order, device, found.queue(), blocks.sources(), limit);
  while (const auto block = blocks.claim()) {
    found.begin(blocks.sources().subspan(block->first, block->count));
    count.add(found, block->first);
    found.end();
    blocks.advance(block->count);
  }
  store::CountedDistances counted = count.counted();
  found.finish();
  return counted;
}

}  // namespace apsp::elimination
