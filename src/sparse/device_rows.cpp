#include "sparse/device_rows.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "base/control.hpp"

namespace apsp::sparse {

flow::CountedDistances count_on_device(const Order& order, kernels::ComputeDevice& device,
                                       dense::DeviceBlocks& found, SourceBlocks& blocks,
                                       const CountMethod& way) {
  const auto count = statistics::device_counter(device, found.queue(), std::ssize(order.vertex_at),
                                                order.vertex_at, blocks.sources(), way);
  count->begin();
  while (const auto block = blocks.claim()) {
    found.begin(blocks.sources().subspan(block->first, block->count));
    count->add(found.distances(), 0, found.column_labels(), static_cast<std::int64_t>(block->first),
               found.potentials());
    found.end();
    blocks.advance(block->count);
  }
  flow::CountedDistances counted = count->counted();
  found.finish();
  return counted;
}

namespace {

/// Sources of one block whose rows are copied out together.
struct SourceRange {
  std::size_t first, count;
  std::int64_t column;  // the column of the first one in its block
  bool begins, ends;    // they begin or end the block
};

/// Adds the sources of the next block; false: there is none.
bool add_pieces(SourceBlocks& blocks, const DeviceRows& how, std::vector<SourceRange>& pieces) {
  const auto block = blocks.claim();
  if (!block) return false;
  const auto most = static_cast<std::size_t>(how.piece);
  const std::size_t end = block->first + block->count;
  for (std::size_t first = block->first; first < end; first += most) {
    const std::size_t count = std::min(most, end - first);
    pieces.push_back({first, count, static_cast<std::int64_t>(first - block->first),
                      first == block->first, first + count == end});
  }
  return true;
}

/// The positions of the targets.
std::vector<Position> positions_of(const Order& order, const store::VertexList& targets) {
  if (targets.is_all()) return order.position_of;
  std::vector<Position> positions;
  for (const Vertex target : targets.listed()) positions.push_back(order.position_of[target]);
  return positions;
}

/// Pieces of blocks, transposed into rows with a column for each target.
class TransposedPieces {
 public:
  TransposedPieces(const Order& order, const store::VertexList& targets, int value_size,
                   kernels::ComputeDevice& device, dense::DeviceBlocks& found,
                   std::span<const Vertex> sources, const DeviceRows& how, const CountMethod& way,
                   paths::DevicePredecessors* predecessors)
      : device_(device),
        found_(found),
        predecessors_(predecessors),
        sources_(sources),
        how_(how),
        n_(std::ssize(order.vertex_at)),
        size_(value_size),
        found_size_(kernels::listed_size(gathered_.listed_form(), value_size)),
        positions_(device, positions_of(order, targets)) {
    // Copies begin once all memory is claimed: what a claim throws finds none queued.
    for (RowBuffer& slot : slots_)
      slot.rows = dense::DeviceBuffer(device, how.piece * columns() * size_);
    if (way.counts()) {
      count_ = statistics::device_counter(device, found.queue(), n_, order.vertex_at, sources, way);
      count_->begin();
    }
    positions_.copy_in(device, found.queue());
  }
  ~TransposedPieces() {
    dense::drain(device_, found_.queue());
    if (predecessors_ != nullptr) predecessors_->drain();
  }
  TransposedPieces(const TransposedPieces&) = delete;
  TransposedPieces& operator=(const TransposedPieces&) = delete;

  /// Queues the work that brings the piece to the host.
  void issue(const SourceRange& piece, std::size_t number, dense::RowPieces& copies) {
    const kernels::QueueId queue = found_.queue();
    RowBuffer& slot = slots_[number % slots_.size()];
    if (piece.begins) {
      const auto lanes = static_cast<std::size_t>(how_.lanes);
      found_.begin(sources_.subspan(piece.first, std::min(lanes, sources_.size() - piece.first)));
      if (count_) {
        count_->add(found_.distances(), 0, found_.column_labels(),
                    static_cast<std::int64_t>(piece.first));
      }
    }
    const auto rows = static_cast<std::int64_t>(piece.count);
    const kernels::View transposed{slot.rows.data(), rows, columns(), columns()};
    if (slot.copied >= 0) device_.wait(queue, slot.copied);
    gathered_.transpose_rows(queue,
                             {.out = transposed,
                              .x = part(found_.distances(), found_size_, 0, piece.column, n_, rows),
                              .list = reinterpret_cast<const std::int32_t*>(positions_.data())});
    const kernels::EventId ready = device_.record(queue), before = slot.copied;
    slot.copied = copies.copy(ready, transposed);
    if (predecessors_ != nullptr) {
      const auto trees = predecessors_->find(number, ready, before, transposed, piece.first);
      slot.copied = copies.copy_beside(trees.event, trees.rows);
    }
    if (piece.ends) found_.end();
  }

  std::int64_t columns() const { return std::ssize(positions_.host()); }

  flow::CountedDistances counted() {
    flow::CountedDistances all;
    if (count_) all = count_->counted();
    found_.finish();
    if (predecessors_ != nullptr) predecessors_->finish();
    return all;
  }

 private:
  struct RowBuffer {
    dense::DeviceBuffer rows;  // [piece, columns]
    kernels::EventId copied = -1;
  };

  kernels::ComputeDevice& device_;
  kernels::GatheredRowKernels& gathered_ = kernels::required(device_.gathered_rows());
  dense::DeviceBlocks& found_;
  paths::DevicePredecessors* predecessors_;  // or null
  std::span<const Vertex> sources_;
  DeviceRows how_;
  std::int64_t n_;
  int size_, found_size_;  // bytes of a value in rows, and in blocks
  std::unique_ptr<statistics::DeviceCounter> count_;
  dense::DeviceArray<Position> positions_;  // targets
  std::array<RowBuffer, dense::RowPieces::kSlots> slots_;
};

flow::CountedDistances pass_on(const Order& order, const store::VertexList& targets, ValueType type,
                               kernels::ComputeDevice& device, dense::DeviceBlocks& found,
                               paths::DevicePredecessors* predecessors, SourceBlocks& blocks,
                               const DeviceRows& how, const CountMethod& way, const TakeTrees& take,
                               const dense::TakeOnDevice& on_device) {
  std::vector<SourceRange> pieces;
  TransposedPieces transposed(order, targets, size_of(type), device, found, blocks.sources(), how,
                              way, predecessors);
  dense::RowPieces copies(
      device, take ? how.piece : 0, transposed.columns(), size_of(type),
      predecessors == nullptr ? 0 : kernels::predecessor_size(transposed.columns()));
  copies.pass_on(
      [&](std::size_t i) {
        if (i == pieces.size() && !add_pieces(blocks, how, pieces)) return false;
        transposed.issue(pieces[i], i, copies);
        return true;
      },
      [&](std::size_t i, const void* rows) {
        base::check_cancelled(blocks.control());
        const auto sources = blocks.sources().subspan(pieces[i].first, pieces[i].count);
        if (on_device) on_device(sources, copies.on_device(i));
        if (take) take(sources, rows, transposed.columns(), copies.beside(i));
        blocks.advance(pieces[i].count);
      });
  return transposed.counted();
}

}  // namespace

DeviceRows DeviceRows::of(std::int64_t lanes, std::int64_t columns, ValueType type) {
  return {lanes, dense::RowPieces::rows_of(columns, size_of(type), lanes)};
}

std::int64_t DeviceRows::device_bytes(std::int64_t columns, ValueType type) const {
  return host_bytes(columns, type) + columns * std::int64_t{sizeof(Position)};
}

std::int64_t DeviceRows::host_bytes(std::int64_t columns, ValueType type) const {
  return dense::RowPieces::bytes(piece, columns, size_of(type));
}

flow::CountedDistances rows_from_device(const Order& order, const store::VertexList& targets,
                                        ValueType type, kernels::ComputeDevice& device,
                                        dense::DeviceBlocks& found, SourceBlocks& blocks,
                                        const DeviceRows& how, const CountMethod& way,
                                        const TakeRows& take,
                                        const dense::TakeOnDevice& on_device) {
  TakeTrees on_host;
  if (take) {
    on_host = [&](std::span<const Vertex> sources, const void* rows, std::int64_t stride,
                  const std::byte*) { take(sources, rows, stride); };
  }
  return pass_on(order, targets, type, device, found, nullptr, blocks, how, way, on_host,
                 on_device);
}

flow::CountedDistances trees_from_device(const Order& order, ValueType type,
                                         kernels::ComputeDevice& device, dense::DeviceBlocks& found,
                                         paths::DevicePredecessors& predecessors,
                                         SourceBlocks& blocks, const DeviceRows& how,
                                         const CountMethod& way, const TakeTrees& take,
                                         const dense::TakeOnDevice& on_device) {
  return pass_on(order, {}, type, device, found, &predecessors, blocks, how, way, take, on_device);
}

}  // namespace apsp::sparse
