#include "dense/disk_staying.hpp"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

namespace apsp::dense {
namespace {

using kernels::QueueId;

/// Blocks of rows that are queued ahead.
constexpr std::size_t kBlocksAhead = 2;

class DiskStaying final : public DiskShare {
 public:
  DiskStaying(const DiskArguments& of, const StreamedShare& share)
      : DiskStaying(of, share,
                    disk_blocks(of.matrix.layout().n, of.matrix.checkpoint()->pivots, of.plan.width,
                                share.size)) {}
  ~DiskStaying() override { end(); }

  void drain_queues() noexcept override {
    DiskShare::drain_queues();
    drain(device_, squares_);
  }

 private:
  /// The left operand of a step, packed.
  struct Square {
    std::byte* data = nullptr;
    int set = 0;
    EventId arrived = -1;  // −1: it is made here
  };
  /// Work on a block of rows, with `depth` relaxations of each value.
  struct Ordered {
    EventId done;
    Range rows;
    std::int64_t depth;
  };
  /// A block of rows in one half of the solve.
  struct BlockRow {
    std::size_t block;
    bool forward;
  };

  DiskStaying(const DiskArguments& of, const StreamedShare& share, std::vector<DiskBlock> blocks)
      : DiskShare(of, std::min(of.plan.strip_rows, of.matrix.layout().n) *
                          columns_of(blocks, share.rank)),
        share_(share),
        blocks_(std::move(blocks)),
        columns_(columns_of(blocks_, share.rank)),
        squares_(device_.make_queue(kernels::Priority::high)) {
    for (const DiskBlock& block : blocks_) {
      first_step_ += block.lines.begin < first_pivot_ ? 1 : 0;
      if (block.owner != share.rank) continue;
      const std::int64_t end = (block.lines.end + plan_.band - 1) / plan_.band;
      for (std::int64_t band = block.lines.begin / plan_.band; band < end; ++band) {
        bands_.push_back(band);
      }
    }
    values_ = {device_, n_ * tiles_.stride(columns_) * size_};
    if (blocks_.size() == 1) return;  // no panels
    const std::int64_t side = std::min(plan_.width, n_);
    panel_ = {device_, tiles_.right_bytes(columns_, side)};
    tile_ = {device_, tiles_.right_bytes(side, side)};
    closed_ = {device_, tiles_.left_bytes(side, side)};
    for (int i = 0; i < left_operands(share.size); ++i) {
      lefts_.emplace_back(device_, tiles_.left_bytes(side, side));
    }
    left_used_.assign(lefts_.size(), -1);
  }

  bool mine(std::size_t block) const { return blocks_[block].owner == share_.rank; }
  bool alone() const { return share_.size == 1; }
  Range lines(std::size_t block) const { return blocks_[block].lines; }
  View held(Range rows, Range columns) const {
    const View whole{values_.data(), n_, columns_, tiles_.stride(columns_)};
    return part(whole, size_, rows.begin, columns.begin, length(rows), length(columns));
  }
  View diagonal(std::size_t block) const { return held(lines(block), blocks_[block].held); }
  /// Returns whether any device was asked to end; all devices call it.
  bool stopped() { return share_.transport->least(cancelled() ? 0 : 1) == 0; }

  bool solve() override {
    ordered_.clear();
    const bool solved = take_all_steps();
    if (solved) commit();
    settle_sent();
    device_.synchronize(squares_);
    return solved;
  }

  bool take_all_steps() {
    for (std::size_t block = first_step_; block < blocks_.size(); ++block) {
      pass_rows(lines(block), {.in = true});
      if (stopped()) return false;
      go_forward(block);
      note_ordered(lines(block), lines(block).end - first_pivot_);
    }
    for (std::size_t block = 0; block < first_step_; ++block) {
      pass_rows(lines(block), {.in = true});
    }
    if (stopped()) return false;
    // A block leaves during the work on the one above it.
    EventId ready = -1;
    for (std::size_t block = blocks_.size(); block-- > 0;) {
      go_backward(block);
      const EventId done = device_.record(work_);
      note_ordered(lines(block), n_ - std::max(lines(block).end, first_pivot_));
      if (ready >= 0) pass_rows(lines(block + 1), {.out = true, .ready = ready});
      if (stopped()) return false;
      ready = done;
    }
    pass_rows(lines(0), {.out = true, .ready = ready});
    return !stopped();
  }

  void commit() {
    settle(0);
    wait_for_disk(post([] {}));  // all is written
    share_.transport->least(0);  // by all
    if (share_.rank == 0) matrix_.commit_step(n_);
  }

  /// Waits until others have taken all squares that were sent.
  void settle_sent() {
    if (closed_.data() != nullptr) share_.transport->settle(squares_, closed_.data());
    for (const DeviceBuffer& left : lefts_) share_.transport->settle(squares_, left.data());
  }

  void pass_rows(Range rows, Flow flow) {
    if (bands_.empty()) return;
    const std::int64_t height = plan_.strip_rows;
    pass({.flow = flow,
          .count = (length(rows) + height - 1) / height,
          .part_of =
              [&](std::int64_t item) {
                const std::int64_t first = rows.begin + item * height;
                return DiskPart{{first, std::min(first + height, rows.end)}, bands_};
              },
          .view_of =
              [&](const DiskPart& part, std::int64_t) {
                return held(part.rows, {0, columns_});
              }});
  }

  /// Notes the work on these rows that was queued last.
  void note_ordered(Range rows, std::int64_t depth) {
    ordered_.push_back({device_.record(work_), rows, depth});
    settle(kBlocksAhead);
  }

  /// Waits until at most `kept` blocks of work are not done.
  void settle(std::size_t kept) {
    for (; ordered_.size() > kept; ordered_.pop_front()) {
      const Ordered& first = ordered_.front();
      device_.await(first.done);
      advance(length(first.rows), n_, first.depth);
    }
  }

  void go_forward(std::size_t block) {
    const EventId closed = take_steps({block, true}, first_step_, block);
    device_.wait(work_, closed);
    if (blocks_.size() == 1) return;
    const Range own = lines(block);
    pack_rows(own);
    multiply_all_but(own, closed_.data(), length(own), mine(block) ? blocks_[block].held : Range{},
                     {});
    closed_used_ = device_.record(work_);
  }

  void go_backward(std::size_t block) {
    take_steps({block, false}, std::max(block + 1, first_step_), blocks_.size());
  }

  /// Queues the steps [first, end) of some rows.
  EventId take_steps(BlockRow row, std::size_t first, std::size_t end) {
    const Range rows = lines(row.block);
    EventId closed = -1;
    Square next;
    const auto bring = [&](std::size_t k) {
      if (k < end) next = bring_square(row, k);
      if (k == end && row.forward) closed = bring_closed(row.block);
    };
    bring(first);
    for (std::size_t k = first; k < end; ++k) {
      const Square square = next;
      wait_for(device_, work_, square.arrived);
      pack_rows(lines(k));
      const std::int64_t depth = length(lines(k));
      const Range done = row.forward && mine(k) ? blocks_[k].held : Range{};
      const bool follows = k + 1 < end || row.forward;
      Range ahead{};
      if (!alone() && follows && mine(k + 1)) {
        ahead = blocks_[k + 1].held;
        multiply(rows, ahead, square.data, depth);
        bring(k + 1);
      }
      multiply_all_but(rows, square.data, depth, done, ahead);
      left_used_[static_cast<std::size_t>(square.set)] = device_.record(work_);
      if (length(ahead) == 0) bring(k + 1);
    }
    return closed;
  }

  /// Returns A(row, k), packed, on every device.
  Square bring_square(BlockRow row, std::size_t k) {
    const std::size_t set = squares_brought_++ % lefts_.size();
    std::byte* const packed = lefts_[set].data();
    const QueueId queue = mine(k) ? work_ : squares_;
    if (!mine(k)) wait_for(device_, squares_, left_used_[set]);
    share_.transport->settle(queue, packed);
    if (mine(k)) make_square(row, k, packed);
    share_.transport->broadcast(Payload::panel, Along::column, blocks_[k].owner, queue, packed,
                                tiles_.left_bytes(length(lines(row.block)), length(lines(k))));
    return {packed, static_cast<int>(set), mine(k) ? -1 : device_.record(squares_)};
  }

  void make_square(BlockRow row, std::size_t k, std::byte* packed) {
    const View square = held(lines(row.block), blocks_[k].held);
    tiles_.pack_left(work_, square, false, packed);
    if (!row.forward) return;
    tiles_.pack_right(work_, diagonal(k), false, tile_.data());
    tiles_.multiply_add(
        work_, {.c = square, .left = packed, .right = tile_.data(), .depth = length(lines(k))});
    tiles_.pack_left(work_, square, false, packed);
  }

  /// Packs the closed diagonal tile on all devices. Returns the event after which it is here.
  EventId bring_closed(std::size_t block) {
    const std::int64_t side = length(lines(block));
    const bool owned = mine(block), only = blocks_.size() == 1;
    if (owned) {
      const EventId closed = close_tile(diagonal(block), lines(block).begin, device_.record(work_));
      device_.wait(squares_, closed);
      // The device has nothing else to do while it closes a tile as a whole.
      if (side <= plan_.tile) device_.wait(work_, closed);
    }
    if (only) return device_.record(squares_);
    wait_for(device_, squares_, closed_used_);
    share_.transport->settle(squares_, closed_.data());
    if (owned) tiles_.pack_left(squares_, diagonal(block), false, closed_.data());
    share_.transport->broadcast(Payload::diagonal, Along::column, blocks_[block].owner, squares_,
                                closed_.data(), tiles_.left_bytes(side, side));
    return device_.record(squares_);
  }

  void pack_rows(Range rows) {
    if (columns_ == 0) return;
    tiles_.pack_right(work_, held(rows, {0, columns_}), false, panel_.data());
  }

  /// Updates held columns of rows by the packed panel, without those of up to two blocks.
  void multiply(Range rows, Range columns, const std::byte* left, std::int64_t depth,
                Range skipped = {}) {
    if (length(columns) <= length(skipped)) return;
    tiles_.multiply_add(work_, {.c = held(rows, columns),
                                .left = left,
                                .right = panel_.data() + tiles_.right_bytes(columns.begin, depth),
                                .depth = depth,
                                .skipped_cols = skipped});
  }

  void multiply_all_but(Range rows, const std::byte* left, std::int64_t depth, Range one,
                        Range other) {
    if (length(other) == 0 || (length(one) > 0 && other.begin < one.begin)) std::swap(one, other);
    // `one` comes first, or is empty.
    if (length(one) == 0) return multiply(rows, {0, columns_}, left, depth, other);
    multiply(rows, {0, other.begin}, left, depth, one);
    multiply(rows, {other.end, columns_}, left, depth);
  }

  StreamedShare share_;
  std::vector<DiskBlock> blocks_;  // earlier pivots, then steps
  std::size_t first_step_ = 0;     // the first block of these
  std::int64_t columns_;           // held
  std::vector<std::int64_t> bands_;
  QueueId squares_;
  DeviceBuffer values_;              // [n, columns held]
  DeviceBuffer panel_;               // packed: rows of a step, right operands
  DeviceBuffer tile_;                // packed: its closed diagonal tile, a right operand
  DeviceBuffer closed_;              // the same of the rows that are worked on, a left one
  std::vector<DeviceBuffer> lefts_;  // squares
  std::vector<EventId> left_used_;   // by the last step that had the square
  EventId closed_used_ = -1;
  std::size_t squares_brought_ = 0;
  std::deque<Ordered> ordered_;
};

}  // namespace

std::unique_ptr<DiskShare> disk_staying(const DiskArguments& arguments,
                                        const StreamedShare& share) {
  return std::make_unique<DiskStaying>(arguments, share);
}

}  // namespace apsp::dense
