#include "dense/staying_disk.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "dense/device_buffer.hpp"
#include "dense/disk_blocks.hpp"
#include "dense/disk_parts.hpp"
#include "dense/resident_matrix.hpp"
#include "dense/streamed_disk_plan.hpp"

namespace apsp::dense {

using kernels::EventId;
using kernels::QueueId;
using kernels::Range;
using kernels::View;

namespace {

/// Blocks of rows that are queued ahead.
constexpr std::size_t kBlocksAhead = 2;

}  // namespace

/// The part of one device, which a thread of its own runs.
class StayingShare {
 public:
  /// Arguments as of `StayingDisk`. `share` has a transport; `threads` are those of this device.
  StayingShare(store::DiskMatrix& matrix, const DiskPlan& plan, kernels::ComputeDevice& device,
               const StreamedShare& share, int threads, const Control& control);
  ~StayingShare();

  void run();
  /// Ends the work that a failed run has left in the queues.
  void drain_queues() noexcept;
  double waited() const { return parts_.waited(); }

 private:
  using Flow = DiskParts::Flow;

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

  bool mine(std::size_t block) const { return blocks_[block].owner == share_.rank; }
  bool alone() const { return share_.size == 1; }
  Range lines(std::size_t block) const { return blocks_[block].lines; }
  View held(Range rows, Range columns) const;
  View diagonal(std::size_t block) const { return held(lines(block), blocks_[block].held); }
  /// Returns whether any device was asked to end; all devices call it.
  bool stopped();
  bool solve();
  void commit();
  /// Waits until others have taken all squares that were sent.
  void settle_sent();
  void pass_rows(Range rows, Flow flow);
  void go_forward(std::size_t block);
  void go_backward(std::size_t block);
  /// Queues the steps [first, end) of some rows.
  EventId take_steps(BlockRow row, std::size_t first, std::size_t end);
  /// Returns A(row, k), packed, on every device.
  Square bring_square(BlockRow row, std::size_t k);
  void make_square(BlockRow row, std::size_t k, std::byte* packed);
  /// Packs the closed diagonal tile on all devices. Returns the event after which it is here.
  EventId bring_closed(std::size_t block);
  void pack_rows(Range rows);
  /// Updates held columns of rows by the packed panel, without those of up to two blocks.
  void multiply(Range rows, Range columns, const std::byte* left, std::int64_t depth,
                Range skipped = {});
  void multiply_all_but(Range rows, const std::byte* left, std::int64_t depth, Range one,
                        Range other);
  /// Notes the work on these rows that was queued last.
  void note_ordered(Range rows, std::int64_t depth);
  /// Waits until at most `kept` blocks of work are not done.
  void settle(std::size_t kept);

  store::DiskMatrix& matrix_;
  DiskPlan plan_;
  kernels::ComputeDevice& device_;
  kernels::TileKernels& tiles_ = device_.tiles();
  StreamedShare share_;
  const Control& control_;
  std::int64_t n_, first_pivot_;
  int size_;                       // bytes of a value
  std::vector<DiskBlock> blocks_;  // earlier pivots, then steps
  std::size_t first_step_ = 0;     // the first block of these
  std::int64_t columns_;           // held
  std::vector<std::int64_t> bands_;
  QueueId in_, work_, out_, squares_;
  DiskParts parts_;
  DeviceBuffer values_;              // [n, columns held]
  DeviceBuffer panel_;               // packed: rows of a step, right operands
  DeviceBuffer tile_;                // packed: its closed diagonal tile, a right operand
  DeviceBuffer closed_;              // the same of the rows that are worked on, a left one
  std::vector<DeviceBuffer> lefts_;  // squares
  std::vector<EventId> left_used_;   // by the last step that had the square
  EventId closed_used_ = -1;
  std::size_t squares_brought_ = 0;
  ResidentMatrix closing_;  // the diagonal tile, by tiles of its own
  std::deque<Ordered> ordered_;
  std::unique_ptr<base::ProgressTask> progress_;
};

StayingShare::StayingShare(store::DiskMatrix& matrix, const DiskPlan& plan,
                           kernels::ComputeDevice& device, const StreamedShare& share, int threads,
                           const Control& control)
    : matrix_(matrix),
      plan_(plan),
      device_(device),
      share_(share),
      control_(control),
      n_(matrix.layout().n),
      first_pivot_(matrix.cut()->pivots),
      size_(static_cast<int>(size_of(matrix.layout().type))),
      blocks_(disk_blocks(n_, first_pivot_, plan.width, share.size)),
      columns_(columns_of(blocks_, share.rank)),
      in_(device.make_queue()),
      work_(device.make_queue()),
      out_(device.make_queue()),
      squares_(device.make_queue(kernels::Priority::high)),
      parts_(matrix, device, {in_, work_, out_},
             {plan.buffers, std::min(plan.strip_rows, n_) * columns_}, threads,
             [this] { return base::cancelled(control_); }),
      closing_(device, closing_tiling(plan, n_, size_), Shape::full, kernels::Cycles::excluded,
               nullptr) {
  for (const DiskBlock& block : blocks_) {
    first_step_ += block.lines.begin < first_pivot_ ? 1 : 0;
    if (block.owner != share.rank) continue;
    const std::int64_t end = (block.lines.end + plan.band - 1) / plan.band;
    for (std::int64_t band = block.lines.begin / plan.band; band < end; ++band) {
      bands_.push_back(band);
    }
  }
  values_ = {device, n_ * tiles_.stride(columns_) * size_};
  if (blocks_.size() == 1) return;  // no panels
  const std::int64_t side = std::min(plan.width, n_);
  panel_ = {device, tiles_.right_bytes(columns_, side)};
  tile_ = {device, tiles_.right_bytes(side, side)};
  closed_ = {device, tiles_.left_bytes(side, side)};
  for (int i = 0; i < left_operands(share.size); ++i) {
    lefts_.emplace_back(device, tiles_.left_bytes(side, side));
  }
  left_used_.assign(lefts_.size(), -1);
}

StayingShare::~StayingShare() {
  parts_.end();
  drain_queues();
}

void StayingShare::drain_queues() noexcept {
  for (const QueueId queue : {in_, work_, out_, squares_}) drain(device_, queue);
}

View StayingShare::held(Range rows, Range columns) const {
  const View whole{values_.data(), n_, columns_, tiles_.stride(columns_)};
  return part(whole, size_, rows.begin, columns.begin, length(rows), length(columns));
}

bool StayingShare::stopped() {
  return share_.transport->least(base::cancelled(control_) ? 0 : 1) == 0;
}

void StayingShare::run() {
  if (first_pivot_ == n_) return;
  const auto n = static_cast<double>(n_);
  const double left = n * n * static_cast<double>(n_ - first_pivot_);
  progress_ = std::make_unique<base::ProgressTask>(control_, "Floyd-Warshall", left, "relaxation");
  parts_.begin();
  ordered_.clear();
  const bool solved = solve();
  if (solved) commit();
  settle_sent();
  parts_.end();
  for (const QueueId queue : {in_, work_, out_, squares_}) device_.synchronize(queue);
  progress_.reset();
  if (!solved) throw Error(ErrorKind::interrupted, "interrupted");
  base::check_cancelled(control_);
}

bool StayingShare::solve() {
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

void StayingShare::commit() {
  settle(0);
  parts_.wait(parts_.post([] {}));  // all is written
  share_.transport->least(0);       // by all
  if (share_.rank == 0) matrix_.commit_step(n_);
}

void StayingShare::settle_sent() {
  if (closed_.data() != nullptr) share_.transport->settle(squares_, closed_.data());
  for (const DeviceBuffer& left : lefts_) share_.transport->settle(squares_, left.data());
}

void StayingShare::pass_rows(Range rows, Flow flow) {
  if (bands_.empty()) return;
  const std::int64_t height = plan_.strip_rows;
  parts_.pass({.flow = flow,
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

void StayingShare::note_ordered(Range rows, std::int64_t depth) {
  ordered_.push_back({device_.record(work_), rows, depth});
  settle(kBlocksAhead);
}

void StayingShare::settle(std::size_t kept) {
  for (; ordered_.size() > kept; ordered_.pop_front()) {
    const Ordered& first = ordered_.front();
    device_.await(first.done);
    progress_->advance(static_cast<double>(length(first.rows)) * static_cast<double>(n_) *
                       static_cast<double>(first.depth));
  }
}

void StayingShare::go_forward(std::size_t block) {
  const BlockRow row{block, true};
  const EventId closed = take_steps(row, first_step_, block);
  device_.wait(work_, closed);
  if (blocks_.size() == 1) return;
  const Range own = lines(block);
  pack_rows(own);
  multiply_all_but(own, closed_.data(), length(own), mine(block) ? blocks_[block].held : Range{},
                   {});
  closed_used_ = device_.record(work_);
}

void StayingShare::go_backward(std::size_t block) {
  take_steps({block, false}, std::max(block + 1, first_step_), blocks_.size());
}

EventId StayingShare::take_steps(BlockRow row, std::size_t first, std::size_t end) {
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

StayingShare::Square StayingShare::bring_square(BlockRow row, std::size_t k) {
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

void StayingShare::make_square(BlockRow row, std::size_t k, std::byte* packed) {
  const View square = held(lines(row.block), blocks_[k].held);
  tiles_.pack_left(work_, square, false, packed);
  if (!row.forward) return;
  tiles_.pack_right(work_, diagonal(k), false, tile_.data());
  tiles_.multiply_add(
      work_, {.c = square, .left = packed, .right = tile_.data(), .depth = length(lines(k))});
  tiles_.pack_left(work_, square, false, packed);
}

EventId StayingShare::bring_closed(std::size_t block) {
  const std::int64_t side = length(lines(block));
  const bool owned = mine(block), only = blocks_.size() == 1;
  if (owned) {
    const TiledMatrix tile{diagonal(block), size_, plan_.tile};
    const EventId closed = closing_.solve({.values = tile, .first_vertex = lines(block).begin},
                                          {.first_row = device_.record(work_)});
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

void StayingShare::pack_rows(Range rows) {
  if (columns_ == 0) return;
  tiles_.pack_right(work_, held(rows, {0, columns_}), false, panel_.data());
}

void StayingShare::multiply(Range rows, Range columns, const std::byte* left, std::int64_t depth,
                            Range skipped) {
  if (length(columns) <= length(skipped)) return;
  tiles_.multiply_add(work_, {.c = held(rows, columns),
                              .left = left,
                              .right = panel_.data() + tiles_.right_bytes(columns.begin, depth),
                              .depth = depth,
                              .skipped_cols = skipped});
}

void StayingShare::multiply_all_but(Range rows, const std::byte* left, std::int64_t depth,
                                    Range one, Range other) {
  if (length(other) == 0 || (length(one) > 0 && other.begin < one.begin)) std::swap(one, other);
  // `one` comes first, or is empty.
  if (length(one) == 0) return multiply(rows, {0, columns_}, left, depth, other);
  multiply(rows, {0, other.begin}, left, depth, one);
  multiply(rows, {other.end, columns_}, left, depth);
}

StayingDisk::StayingDisk(store::DiskMatrix& matrix, const DiskPlan& plan,
                         const std::vector<kernels::ComputeDevice*>& devices, int threads,
                         const Control& control, std::int64_t piece_bytes)
    : PeerTeam(devices, 1, TiledMatrix{}, control, TiledMatrix{}, piece_bytes) {
  const int each = std::max(1, threads / size());
  for (int i = 0; i < size(); ++i) {
    const StreamedShare share{size(), i, transport(i)};
    shares_.push_back(std::make_unique<StayingShare>(
        matrix, plan, *devices[static_cast<std::size_t>(i)], share, each, this->control(i)));
  }
}

StayingDisk::~StayingDisk() {
  for (const auto& share : shares_) share->drain_queues();
}

void StayingDisk::run() {
  together([&](std::size_t number) { shares_[number]->run(); });
}

double StayingDisk::waited() const {
  double most = 0;
  for (const auto& share : shares_) most = std::max(most, share->waited());
  return most;
}

}  // namespace apsp::dense
