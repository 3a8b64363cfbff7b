#include "dense/tile_stream.hpp"

#include <algorithm>
#include <array>

namespace apsp::dense {

using kernels::EventId;
using kernels::QueueId;
using kernels::Range;
using kernels::View;

namespace {

/// The columns that travel, left and right of the skipped ones.
std::array<Range, 2> travelling(const TileStream::StreamedBlock& piece) {
  const auto [begin, end] = piece.columns;
  if (length(piece.skipped) == 0) return {piece.columns, Range{end, end}};
  return {Range{begin, std::clamp(piece.skipped.begin, begin, end)},
          Range{std::clamp(piece.skipped.end, begin, end), end}};
}

}  // namespace

TileStream::TileStream(kernels::ComputeDevice& device, const ResidentPlanes& host,
                       std::int64_t buffers, std::int64_t buffer_values, Transport* transport)
    : device_(device),
      host_(host),
      buffer_values_(buffer_values),
      granule_(device.tiles().granule()),
      transport_(transport),
      in_(device.make_queue()),
      out_(device.make_queue()),
      slots_(static_cast<std::size_t>(buffers)),
      last_out_(static_cast<std::size_t>((host.values.n() + granule_ - 1) / granule_), -1) {
  for (StreamBuffer& slot : slots_) {
    slot.values = {device, buffer_values * host.values.value_size};
    if (host.via.matrix.data != nullptr) slot.via = {device, buffer_values * kernels::kViaSize};
  }
}

TileStream::~TileStream() {
  for (const QueueId queue : {in_, out_}) drain(device_, queue);
}

EventId TileStream::rows_out(Range rows) const {
  std::int64_t last = -1;
  for (std::int64_t row = rows.begin; row < rows.end; row += granule_) {
    last = std::max(last, last_out_[unit(row)]);
  }
  return last < 0 ? -1 : outs_[static_cast<std::size_t>(last)];
}

void TileStream::begin_phase() {
  auto out = static_cast<std::int64_t>(outs_.size() - phase_.size());
  for (const Range rows : phase_) {
    for (std::int64_t row = rows.begin; row < rows.end; row += granule_) last_out_[unit(row)] = out;
    ++out;
  }
  phase_.clear();
}

void TileStream::copy(const StreamedBlock& piece, const TilePlanes& planes, bool in) const {
  for_each_plane(planes, host_, [&](View device, const TiledMatrix& host) {
    for (const Range columns : travelling(piece)) {
      if (length(columns) == 0 || device.rows == 0) continue;
      const Range values =
          host.values_of({columns.begin - piece.columns.begin, columns.end - piece.columns.begin});
      const View here = part(device, host.value_size, 0, values.begin, device.rows, length(values));
      const View at_host = host.block(piece.rows, columns);
      in ? device_.copy_in(in_, here, at_host, host.value_size)
         : device_.copy_out(out_, at_host, here, host.value_size);
    }
  });
}

void TileStream::pass(const StreamedBlock& piece, QueueId queue, double mark, const Work& work) {
  StreamBuffer& slot = slots_[next_++ % slots_.size()];
  if (slot.freed_before >= 0) {
    transport_ != nullptr ? transport_->await(slot.freed_before) : device_.await(slot.freed_before);
    reached_ = slot.mark_before;
  }
  if (slot.freed >= 0) device_.wait(in_, slot.freed);
  if (const EventId out = rows_out(piece.rows); out >= 0) device_.wait(in_, out);

  const std::int64_t rows = length(piece.rows);
  const std::int64_t columns = host_.values.values_of(length(piece.columns));
  const TilePlanes planes = slot.planes(rows, columns, tiles_.stride(columns));
  copy(piece, planes, true);
  device_.wait(queue, device_.record(in_));
  work(planes.values, planes.via);
  device_.wait(out_, device_.record(queue));
  copy(piece, planes, false);
  if (length(piece.transposed) > 0) copy_out_transposed(piece, queue, planes);

  slot.free_at(device_.record(out_), mark);
  outs_.push_back(slot.freed);
  phase_.push_back(piece.rows);
}

void TileStream::copy_out_transposed(const StreamedBlock& piece, QueueId queue,
                                     const TilePlanes& planes) {
  StreamBuffer& slot = slots_[next_++ % slots_.size()];
  if (slot.freed >= 0) device_.wait(queue, slot.freed);
  const std::int64_t rows = length(piece.transposed), columns = length(piece.rows);
  const TilePlanes transposed = slot.planes(rows, columns, columns);
  const auto transpose = [&](View to, View from, int value_size) {
    const std::int64_t first = piece.transposed.begin - piece.columns.begin;
    tiles_.transpose(queue, to, part(from, value_size, 0, first, columns, rows), value_size);
  };
  transpose(transposed.values, planes.values, host_.values.value_size);
  if (transposed.via.data != nullptr) transpose(transposed.via, planes.via, kernels::kViaSize);
  device_.wait(out_, device_.record(queue));
  for_each_plane(transposed, host_, [&](View from, const TiledMatrix& to) {
    device_.copy_out(
        out_,
        part(to.matrix, to.value_size, piece.transposed.begin, piece.rows.begin, rows, columns),
        from, to.value_size);
  });
  slot.free_at(device_.record(out_), slot.mark);
}

}  // namespace apsp::dense
