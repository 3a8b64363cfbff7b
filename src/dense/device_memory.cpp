#include "dense/device_memory.hpp"

#include <algorithm>
#include <utility>

namespace apsp::dense {

using kernels::EventId;
using kernels::QueueId;
using kernels::View;

namespace {

std::int64_t plane_bytes(const kernels::DeviceSizes& device, const TiledMatrix& held) {
  return held.matrix.rows * device.stride(held.matrix.cols) * held.value_size;
}

/// Bytes of a column of tiles, transposed.
std::int64_t transposed_bytes(const kernels::DeviceSizes& device, const TiledMatrix& held) {
  return std::min(held.tile, held.matrix.cols) * device.stride(held.matrix.rows) * held.value_size;
}

TiledMatrix on_device(const kernels::DeviceSizes& device, TiledMatrix held,
                      const DeviceBuffer& memory) {
  held.matrix.data = memory.data();
  held.matrix.stride = device.stride(held.matrix.cols);
  return held;
}

/// The memory that one device pins: on a grid whoever has the parts pins it once.
View pinned(const TiledMatrix& host, const GridPart& part) {
  return part.transport == nullptr ? host.matrix : View{};
}

}  // namespace

DeviceMemory::DeviceMemory(kernels::ComputeDevice& device, const TiledMatrix& host, Shape shape,
                           kernels::Cycles cycles, const Control& control, const TiledMatrix& via,
                           const GridPart& part)
    : device_(device),
      host_{host, via},
      shape_(shape),
      control_(control),
      part_(part),
      in_(device.make_queue()),
      out_(device.make_queue()),
      values_(device, plane_bytes(tiles_, part.held(host))),
      pinned_values_(device, pinned(host, part), host.value_size),
      pinned_via_(device, pinned(via, part), via.value_size),
      matrix_(device, part.held(host), shape, cycles, &control, part) {
  there_.values = on_device(tiles_, part.held(host), values_);
  if (transposes()) transposed_ = {device, transposed_bytes(tiles_, there_.values)};
  if (via.matrix.data == nullptr) return;
  via_ = {device, plane_bytes(tiles_, part.held(via))};
  there_.via = on_device(tiles_, part.held(via), via_);
}

std::int64_t DeviceMemory::device_bytes(const kernels::DeviceSizes& device, const TiledMatrix& host,
                                        bool tracks_via, int rows, int cols, bool transposed) {
  const GridPart part{host.n(), {rows, 0}, {cols, 0}};
  const TiledMatrix held = part.held(host);
  const TiledMatrix via = part.held({host.matrix, kernels::kViaSize, host.tile});
  return plane_bytes(device, held) + (tracks_via ? plane_bytes(device, via) : 0) +
         ResidentMatrix::device_bytes(device, held, host.n(), transposed) +
         (transposed ? transposed_bytes(device, held) : 0);
}

DeviceMemory::~DeviceMemory() {
  for (const QueueId queue : {in_, out_}) drain(device_, queue);
}

template <class F>
void DeviceMemory::for_each_piece(TileSpan rows, TileSpan columns, F&& copy) {
  const auto held = [](const BlockCyclic& distribution, TileSpan span) {
    return TileSpan{Tile(distribution.before(span.begin)), Tile(distribution.before(span.end))};
  };
  for_each_plane(there_, host_, [&](const TiledMatrix& here, const TiledMatrix& host) {
    part_.rows.for_each_stretch(rows, [&](TileSpan some_rows) {
      part_.columns.for_each_stretch(columns, [&](TileSpan some_columns) {
        const View of_host = host.span(some_rows, some_columns);
        if (of_host.rows == 0 || of_host.cols == 0) return;
        copy(here.span(held(part_.rows, some_rows), held(part_.columns, some_columns)), of_host,
             host.value_size);
      });
    });
  });
}

void DeviceMemory::copy_in(TileSpan rows, TileSpan columns) {
  for_each_piece(rows, columns,
                 [&](View here, View host, int size) { device_.copy_in(in_, here, host, size); });
}

void DeviceMemory::copy_out(TileSpan rows, TileSpan columns) {
  for_each_piece(rows, columns,
                 [&](View here, View host, int size) { device_.copy_out(out_, host, here, size); });
}

void DeviceMemory::copy_out_all() {
  if (!transposes()) return copy_out(host_.values.all(), host_.values.all());
  for (Tile t = kFirstTile; t < host_.values.end(); ++t) {
    if (part_.rows.mine(t)) copy_out(only(t), {kFirstTile, t + 1});
    if (part_.columns.mine(t)) copy_out_transposed(t);
  }
}

/// Copies this device's tiles A(ti, t), ti > t, to A(t, ti), along a row of the host's tiles, so
/// that copies write to few pages at a time.
void DeviceMemory::copy_out_transposed(Tile t) {
  const TiledMatrix& held = there_.values;
  const auto held_row = [&](Tile ti) { return Tile(part_.rows.before(ti)); };
  const TileSpan behind{held_row(t + 1), held_row(host_.values.end())};
  const View below = held.span(behind, only(Tile(part_.columns.before(t))));
  if (below.rows == 0) return;
  const View transposed{transposed_.data(), below.cols, below.rows,
                        tiles_.stride(held.matrix.rows)};
  tiles_.transpose(out_, transposed, below, held.value_size);
  for (Tile ti = part_.rows.next(t + 1); ti < host_.values.end(); ti = part_.rows.next(ti + 1)) {
    const View host = host_.values.at(t, ti);
    const std::int64_t first = held.row(held_row(ti)) - held.row(behind.begin);
    device_.copy_out(out_, host,
                     kernels::part(transposed, held.value_size, 0, first, host.rows, host.cols),
                     held.value_size);
  }
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
  overlap.strip = (end.number() + Overlap::kStrips - 1) / Overlap::kStrips;
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
  copy_out_all();
  device_.synchronize(out_);
}

void DeviceMemory::run() {
  Overlap overlap = copy_in_by_strips();
  const bool leaves = !transposes();
  if (leaves) {
    overlap.leave = [this](TileSpan rows, EventId ready) {
      device_.wait(out_, ready);
      copy_out(rows, host_.values.all());
    };
  }
  matrix_.solve(there_, std::move(overlap));
  finish();
  if (!leaves) copy_out_all();
  device_.synchronize(out_);
}

void DeviceMemory::finish() {
  throw_if_interrupted(part_.transport, control_);
  device_.synchronize(in_);
  device_.synchronize(out_);
  throw_agreed_cycle(part_.transport, tiles_.take_pivot());
}

}  // namespace apsp::dense
