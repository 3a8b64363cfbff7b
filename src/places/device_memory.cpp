#include "places/device_memory.hpp"

#include <algorithm>
#include <utility>

#include "places/negative_cycle.hpp"

namespace apsp::places {

using kernels::EventId;
using kernels::QueueId;
using kernels::View;

namespace {

// Strips that copies and work take turns on. More strips hide more, fewer keep launches large.
constexpr std::int64_t kStrips = 16;

std::int64_t plane_bytes(const kernels::DeviceSizes& device, const TiledMatrix& host) {
  return host.n() * device.stride(host.matrix.cols) * host.value_size;
}

TiledMatrix on_device(const kernels::DeviceSizes& device, TiledMatrix plane,
                      const DeviceBuffer& memory) {
  plane.matrix.data = memory.data();
  plane.matrix.stride = device.stride(plane.matrix.cols);
  return plane;
}

}  // namespace

DeviceMemory::DeviceMemory(kernels::ComputeDevice& device, const TiledMatrix& host, Shape shape,
                           kernels::Cycles cycles, const Control& control, const TiledMatrix& via)
    : device_(device),
      host_{host, via},
      shape_(shape),
      control_(control),
      in_(device.make_queue()),
      out_(device.make_queue()),
      values_(device, plane_bytes(device, host)),
      pinned_values_(device, host.matrix, host.value_size),
      pinned_via_(device, via.matrix, via.value_size),
      matrix_(device, host, shape, cycles, &control) {
  there_.values = on_device(device, host, values_);
  if (via.matrix.data == nullptr) return;
  via_ = {device, plane_bytes(device, via)};
  there_.via = on_device(device, via, via_);
}

std::int64_t DeviceMemory::device_bytes(const kernels::DeviceSizes& device, const TiledMatrix& host,
                                        bool tracks_via) {
  const TiledMatrix via{host.matrix, kernels::kViaSize, host.tile};
  return plane_bytes(device, host) + (tracks_via ? plane_bytes(device, via) : 0) +
         ResidentMatrix::device_bytes(device, host);
}

DeviceMemory::~DeviceMemory() {
  for (const QueueId queue : {in_, out_}) drain(device_, queue);
}

void DeviceMemory::copy_in(TileSpan rows, TileSpan columns) {
  for_each_plane(there_, host_, [&](const TiledMatrix& to, const TiledMatrix& from) {
    const View target = to.span(rows, columns);
    if (target.rows == 0 || target.cols == 0) return;
    device_.copy_in(in_, target, from.span(rows, columns), from.value_size);
  });
}

void DeviceMemory::copy_out(TileSpan rows) {
  const TileSpan columns = host_.values.all();
  for_each_plane(there_, host_, [&](const TiledMatrix& from, const TiledMatrix& to) {
    const View target = to.span(rows, columns);
    if (target.rows == 0 || target.cols == 0) return;
    device_.copy_out(out_, target, from.span(rows, columns), from.value_size);
  });
}

Overlap DeviceMemory::copy_in_by_strips() {
  Overlap overlap;
  const Tile end = host_.values.end();
  if (end == kFirstTile) return overlap;
  // A symmetric matrix is copied as its lower triangle of tiles.
  const auto columns_end = [&](Tile rows_end) { return shape_ == Shape::full ? end : rows_end; };
  const Tile second(1);
  copy_in(only(kFirstTile), {kFirstTile, columns_end(second)});
  overlap.first_row = device_.record(in_);
  copy_in({second, end}, only(kFirstTile));
  overlap.first_column = device_.record(in_);
  overlap.strip = (end.number() + kStrips - 1) / kStrips;
  for (Tile first = kFirstTile; first < end; first = first + overlap.strip) {
    const Tile last = std::min(first + overlap.strip, end);
    copy_in({std::max(first, second), last}, {second, columns_end(last)});
    overlap.strips.push_back(device_.record(in_));
  }
  return overlap;
}

void DeviceMemory::upload() {
  copy_in_by_strips();
  device_.synchronize(in_);
}

void DeviceMemory::solve() {
  matrix_.solve(there_);
  finish();
}

void DeviceMemory::download() {
  copy_out(host_.values.all());
  device_.synchronize(out_);
}

void DeviceMemory::run() {
  Overlap overlap = copy_in_by_strips();
  const bool full = shape_ == Shape::full;
  if (full) {
    overlap.leave = [this](TileSpan rows, EventId ready) {
      device_.wait(out_, ready);
      copy_out(rows);
    };
  }
  matrix_.solve(there_, std::move(overlap));
  finish();
  if (!full) copy_out(host_.values.all());
  device_.synchronize(out_);
}

void DeviceMemory::finish() {
  base::check_cancelled(control_);
  device_.synchronize(in_);
  device_.synchronize(out_);
  throw_negative_cycle(device_.take_pivot());
}

}  // namespace apsp::places
