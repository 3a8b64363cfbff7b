#include "elimination/device_rows.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/control.hpp"

namespace apsp::elimination {
namespace {

/// Pieces under way: while one is taken and another copied, two more last as long as a sweep.
constexpr std::size_t kSlots = 4;
constexpr std::int64_t kPieceBytes = std::int64_t{64} << 20;

/// Sources of one block whose rows are copied out together.
struct Piece {
  std::size_t first, count;
  std::int64_t column;  // of the first, in its block
  bool begins, ends;    // the block
};

/// Adds those of the next block that is to be had; false: there is none.
bool add_pieces(SourceBlocks& blocks, const DeviceRows& how, std::vector<Piece>& pieces) {
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

class Pipeline {
 public:
  Pipeline(const Factor& factor, kernels::ComputeDevice& device, std::span<const Vertex> sources,
           const DeviceRows& how, std::int64_t limit, int threads)
      : device_(device),
        sources_(sources),
        how_(how),
        n_(factor.tree().vertices()),
        size_(size_of(factor.type())),
        sweep_(factor, device, sources, how.lanes, threads),
        positions_(device, n_ * std::int64_t{sizeof(Position)}),
        copies_(device.make_queue(kernels::Priority::high)) {
    const std::int64_t bytes = n_ * std::int64_t{sizeof(Position)};
    device.copy_in(sweep_.queue(), {positions_.data(), 1, bytes, bytes},
                   {factor.tree().order().position_of.data(), 1, bytes, bytes}, 1);
    if (limit > 0) {
      count_.emplace(factor.tree().order(), device, sweep_.queue(), sources, limit);
    }
    for (Slot& slot : slots_) {
      slot.host = base::AlignedMemory(how.piece * n_ * size_);
      slot.rows = places::DeviceBuffer(device, how.piece * n_ * size_);
      slot.pinned.emplace(device, kernels::View{slot.host.data(), how.piece, n_, n_}, size_);
    }
  }
  ~Pipeline() {
    places::drain(device_, sweep_.queue());
    places::drain(device_, copies_);
  }
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  /// Requires: the piece kSlots before was taken.
  void issue(const Piece& piece, std::size_t number) {
    const kernels::QueueId queue = sweep_.queue();
    Slot& slot = slots_[number % kSlots];
    if (piece.begins) {
      const auto lanes = static_cast<std::size_t>(how_.lanes);
      sweep_.begin(sources_.subspan(piece.first, std::min(lanes, sources_.size() - piece.first)));
      if (count_) count_->add(sweep_, piece.first);
    }
    const auto rows = static_cast<std::int64_t>(piece.count);
    const kernels::View turned{slot.rows.data(), rows, n_, n_};
    if (slot.copied >= 0) device_.wait(queue, slot.copied);
    device_.turn_rows(queue, {.out = turned,
                              .x = part(sweep_.distances(), size_, 0, piece.column, n_, rows),
                              .list = reinterpret_cast<const std::int32_t*>(positions_.data())});
    device_.wait(copies_, device_.record(queue));
    if (piece.ends) sweep_.end();
    device_.copy_out(copies_, {slot.host.data(), rows, n_, n_}, turned, size_);
    slot.copied = device_.record(copies_);
  }

  /// The rows of a piece, once they are there.
  const void* rows(std::size_t number) {
    Slot& slot = slots_[number % kSlots];
    device_.await(slot.copied);
    return slot.host.data();
  }

  store::CountedDistances counted() {
    store::CountedDistances all;
    if (count_) all = count_->counted();
    sweep_.finish();
    device_.synchronize(copies_);
    return all;
  }

 private:
  struct Slot {
    base::AlignedMemory host;  // [piece, n]
    std::optional<places::PinnedMemory> pinned;
    places::DeviceBuffer rows;  // the same
    kernels::EventId copied = -1;
  };

  kernels::ComputeDevice& device_;
  std::span<const Vertex> sources_;
  DeviceRows how_;
  std::int64_t n_;
  int size_;  // of a value
  DeviceSweep sweep_;
  std::optional<DeviceCount> count_;
  places::DeviceBuffer positions_;
  kernels::QueueId copies_;
  std::array<Slot, kSlots> slots_;
};

}  // namespace

DeviceRows DeviceRows::of(std::int64_t lanes, std::int64_t vertices, ValueType type) {
  const std::int64_t row = std::max<std::int64_t>(1, vertices) * size_of(type);
  return {lanes, std::clamp<std::int64_t>(kPieceBytes / row, 1, lanes)};
}

std::int64_t DeviceRows::device_bytes(std::int64_t vertices, ValueType type) const {
  return static_cast<std::int64_t>(kSlots) * piece * vertices * size_of(type) +
         vertices * std::int64_t{sizeof(Position)};
}

std::int64_t DeviceRows::host_bytes(std::int64_t vertices, ValueType type) const {
  return static_cast<std::int64_t>(kSlots) * piece * vertices * size_of(type);
}

store::CountedDistances rows_from_device(const Factor& factor, kernels::ComputeDevice& device,
                                         std::span<const Vertex> sources, const DeviceRows& how,
                                         std::int64_t limit, const TakeRows& take,
                                         const Control& control, int threads) {
  SourceBlocks blocks(sources, how.lanes, control);
  return rows_from_device(factor, device, blocks, how, limit, take, threads);
}

store::CountedDistances rows_from_device(const Factor& factor, kernels::ComputeDevice& device,
                                         SourceBlocks& blocks, const DeviceRows& how,
                                         std::int64_t limit, const TakeRows& take, int threads) {
  std::vector<Piece> pieces;
  Pipeline pipeline(factor, device, blocks.sources(), how, limit, threads);
  std::size_t issued = 0;
  for (std::size_t i = 0;; ++i) {
    base::check_cancelled(blocks.control());
    for (; issued < i + kSlots; ++issued) {
      if (issued == pieces.size() && !add_pieces(blocks, how, pieces)) break;
      pipeline.issue(pieces[issued], issued);
    }
    if (i == issued) return pipeline.counted();
    take(blocks.sources().subspan(pieces[i].first, pieces[i].count), pipeline.rows(i),
         factor.tree().vertices());
    blocks.advance(pieces[i].count);
  }
}

}  // namespace apsp::elimination
