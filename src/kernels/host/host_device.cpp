#include "kernels/host/host_device.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <atomic>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "base/rounded_up.hpp"
#include "kernels/transpose.hpp"
#include "system/aligned_memory.hpp"
#include "system/machine.hpp"
#include "system/threads.hpp"

namespace apsp::kernels::host {

HostQueues::HostQueues(int threads) {
  const system::BlockedSignals blocked;
  try {
    for (int i = 1; i < threads; ++i) threads_.emplace_back([this] { serve(); });
  } catch (...) {
    end();
    throw;
  }
}

HostQueues::~HostQueues() { end(); }

void HostQueues::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

QueueId HostQueues::make_queue(Priority priority) {
  const std::lock_guard lock(mutex_);
  queues_.push_back({.priority = priority});
  return static_cast<QueueId>(queues_.size()) - 1;
}

void HostQueues::give(QueueId queue, std::int64_t pieces, std::function<void(std::int64_t)> run) {
  if (pieces == 0) return;
  {
    const std::lock_guard lock(mutex_);
    HostQueue& target = queues_[static_cast<std::size_t>(queue)];
    target.jobs.push_back({.pieces = pieces, .run = std::move(run)});
    ++target.given;
  }
  changed_.notify_all();
}

EventId HostQueues::record(QueueId queue) {
  const std::lock_guard lock(mutex_);
  events_.push_back({queue, queues_[static_cast<std::size_t>(queue)].given});
  return static_cast<EventId>(events_.size()) - 1;
}

void HostQueues::wait(QueueId queue, EventId event) {
  const std::lock_guard lock(mutex_);
  if (is_reached(event)) return;
  HostQueue& target = queues_[static_cast<std::size_t>(queue)];
  target.jobs.push_back({.awaited = event});
  ++target.given;
}

bool HostQueues::is_reached(EventId event) const {
  const HostEvent& at = events_[static_cast<std::size_t>(event)];
  return queues_[static_cast<std::size_t>(at.queue)].done >= at.count;
}

bool HostQueues::reached(EventId event) {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  end_waits();
  return is_reached(event);
}

/// Removes waits at the front of queues whose events are reached, which may reach others.
void HostQueues::end_waits() {
  for (bool more = true; more;) {
    more = false;
    for (HostQueue& queue : queues_) {
      while (!queue.jobs.empty() && queue.jobs.front().awaited >= 0 &&
             is_reached(queue.jobs.front().awaited)) {
        queue.jobs.pop_front();
        ++queue.done;
        more = true;
      }
    }
  }
}

HostQueues::HostQueue* HostQueues::next_queue() {
  end_waits();
  HostQueue* best = nullptr;
  for (HostQueue& queue : queues_) {
    if (queue.jobs.empty()) continue;
    const Job& job = queue.jobs.front();
    if (job.awaited >= 0 || job.claimed == job.pieces) continue;
    if (queue.priority == Priority::high) return &queue;
    if (best == nullptr) best = &queue;
  }
  return best;
}

void HostQueues::run_piece(HostQueue& queue, std::unique_lock<std::mutex>& lock) {
  Job& job = queue.jobs.front();  // stays where it is until its last piece is done
  const std::int64_t piece = job.claimed++;
  const bool failed = failure_ != nullptr;
  lock.unlock();
  std::exception_ptr failure;
  try {
    if (!failed) job.run(piece);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  if (failure && !failure_) failure_ = failure;
  if (++job.done < job.pieces) return;
  queue.jobs.pop_front();
  ++queue.done;
  changed_.notify_all();
}

bool HostQueues::work() {
  std::unique_lock lock(mutex_);
  HostQueue* const queue = next_queue();
  if (queue == nullptr) return false;
  run_piece(*queue, lock);
  return true;
}

void HostQueues::await(EventId event) {
  std::unique_lock lock(mutex_);
  for (;;) {
    HostQueue* const queue = next_queue();
    if (is_reached(event)) break;
    if (queue != nullptr) {
      run_piece(*queue, lock);
    } else if (threads_.empty()) {
      throw Error(ErrorKind::device, "the host's queues wait for an event that nothing reaches");
    } else {
      changed_.wait(lock);
    }
  }
  if (failure_) std::rethrow_exception(failure_);
}

void HostQueues::serve() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    HostQueue* const queue = next_queue();
    queue != nullptr ? run_piece(*queue, lock) : changed_.wait(lock);
  }
}

namespace {

constexpr std::int64_t kAlignment = 256;  // bytes of a tile's packed operand
constexpr std::int64_t kLine = 64;        // bytes of a cache line
/// The least relaxations of a piece: 8 µs at 50 G/s, where claiming one takes some 0.2 µs.
constexpr double kLeastRelaxations = 400'000;

bool within(Range range, std::int64_t line) { return range.begin <= line && line < range.end; }

class HostDevice final : public ComputeDevice, private TileKernels {
 public:
  HostDevice(const TileOperations& operations, const std::optional<WitnessOperations>& witness,
             std::int64_t tile, int threads, const Cancellation* cancellation)
      : operations_(operations),
        witness_(witness),
        tile_(tile),
        cancellation_(cancellation),
        queues_(threads) {}

  TileKernels& tiles() override { return *this; }

  std::byte* allocate(std::int64_t bytes) override {
    system::AlignedMemory memory(std::max<std::int64_t>(bytes, 1));
    std::byte* const data = memory.data();
    memory_.emplace(data, std::move(memory));
    return data;
  }
  void release(std::byte* memory) override { memory_.erase(memory); }
  std::int64_t memory_free() const override { return system::available_memory(); }
  bool host_sees_memory() const override { return true; }

  QueueId make_queue(Priority priority) override { return queues_.make_queue(priority); }
  EventId record(QueueId queue) override { return queues_.record(queue); }
  void wait(QueueId queue, EventId event) override { queues_.wait(queue, event); }
  void await(EventId event) override { queues_.await(event); }
  bool reached(EventId event) override { return queues_.reached(event); }
  bool work() override { return queues_.work(); }
  void copy_in(QueueId queue, View device, ConstView host, int value_size) override {
    copy(queue, device, host, value_size);
  }
  void copy_out(QueueId queue, View host, ConstView device, int value_size) override {
    copy(queue, host, device, value_size);
  }

 private:
  std::int64_t granule() const override { return tile_; }
  std::int64_t stride(std::int64_t cols) const override {
    // Rows of an odd number of cache lines use all sets of the caches.
    const std::int64_t a_line = kLine / operations_.value_size;
    return (base::rounded_up(cols, a_line) / a_line | 1) * a_line;
  }
  std::int64_t left_bytes(std::int64_t rows, std::int64_t depth) const override {
    return panel_bytes(operations_.packed.left_bytes, rows, depth);
  }
  std::int64_t right_bytes(std::int64_t cols, std::int64_t depth) const override {
    return panel_bytes(operations_.packed.right_bytes, cols, depth);
  }
  std::int64_t close_bytes(std::int64_t) const override { return 0; }

  void mirror(QueueId queue, View matrix, int value_size, std::int64_t tile) override {
    queues_.give(queue, (matrix.rows + tile - 1) / tile, [=](std::int64_t piece) {
      const std::int64_t i = piece * tile, rows = std::min(tile, matrix.rows - i);
      for (std::int64_t j = 0; j < i; j += tile) {
        kernels::transpose(part(matrix, value_size, j, i, tile, rows),
                           part(matrix, value_size, i, j, rows, tile), value_size);
      }
    });
  }

  void transpose(QueueId queue, View to, ConstView from, int value_size) override {
    queues_.give(queue, 1, [=](std::int64_t) { kernels::transpose(to, from, value_size); });
  }

  void pack_left(QueueId queue, ConstView a, bool transposed, std::byte* out) override {
    pack(queue, a, !transposed, transposed, operations_.packed.left_bytes,
         operations_.packed.pack_left, out);
  }
  void pack_right(QueueId queue, ConstView b, bool transposed, std::byte* out) override {
    pack(queue, b, transposed, transposed, operations_.packed.right_bytes,
         operations_.packed.pack_right, out);
  }

  void multiply_add(QueueId queue, const Update& update) override {
    if (update.c.rows == 0 || update.c.cols == 0) return;
    const double side = static_cast<double>(tile_), depth = static_cast<double>(update.depth);
    const std::int64_t across = tiles(update.c.cols);
    const auto width = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(std::ceil(kLeastRelaxations / (side * side * depth))), 1, across);
    const std::int64_t a_row = (across + width - 1) / width, down = tiles(update.c.rows);
    // Where operands are deep, tiles of one column come one after another: they have the same part
    // of the right operand.
    const bool by_columns = update.depth > tile_;
    queues_.give(queue, down * a_row, [=, this](std::int64_t piece) {
      if (stopped()) return;
      const std::int64_t row = by_columns ? piece % down : piece / a_row;
      const std::int64_t first = (by_columns ? piece / down : piece % a_row) * width;
      for (std::int64_t tj = first; tj < std::min(first + width, across); ++tj) {
        multiply_tile(update, row * tile_, tj * tile_);
      }
    });
  }

  void close(QueueId queue, View d, View via, Cycles cycles, std::int64_t first_pivot,
             std::byte*) override {
    queues_.give(queue, 1, [=, this](std::int64_t) {
      if (stopped()) return;
      const std::int64_t index = via.data == nullptr ? operations_.close(d, cycles)
                                                     : witness_->close(d, via, cycles, first_pivot);
      if (index >= 0) pivot_ = first_pivot + index;
    });
  }

  std::int64_t take_pivot() override { return pivot_.exchange(-1); }
  bool pivot_met() const override { return pivot_.load(std::memory_order_relaxed) >= 0; }

  using OperandBytes = std::int64_t (*)(std::int64_t lines, std::int64_t depth);

  bool stopped() const {
    return pivot_met() || (cancellation_ != nullptr && cancellation_->requested());
  }
  std::int64_t tiles(std::int64_t lines) const { return (lines + tile_ - 1) / tile_; }
  /// Bytes of the operands of one tile's lines: one operand for each tile of the depth, so that
  /// kernels find them in the caches.
  std::int64_t tile_bytes(OperandBytes bytes, std::int64_t lines, std::int64_t depth) const {
    const auto operand = [&](std::int64_t of) {
      return base::rounded_up(bytes(lines, of), kAlignment);
    };
    const std::int64_t rest = depth % tile_;
    return depth / tile_ * operand(tile_) + (rest > 0 ? operand(rest) : 0);
  }
  std::int64_t panel_bytes(OperandBytes bytes, std::int64_t lines, std::int64_t depth) const {
    const std::int64_t whole = lines / tile_, rest = lines % tile_;
    return whole * tile_bytes(bytes, tile_, depth) +
           (rest > 0 ? tile_bytes(bytes, rest, depth) : 0);
  }

  void copy(QueueId queue, View to, ConstView from, int value_size) {
    queues_.give(queue, to.cols > 0 ? tiles(to.rows) : 0, [=, this](std::int64_t piece) {
      const std::int64_t end = std::min((piece + 1) * tile_, to.rows);
      for (std::int64_t r = piece * tile_; r < end; ++r) {
        std::memcpy(static_cast<std::byte*>(to.data) + r * to.stride * value_size,
                    static_cast<const std::byte*>(from.data) + r * from.stride * value_size,
                    static_cast<std::size_t>(to.cols * value_size));
      }
    });
  }

  void pack(QueueId queue, ConstView a, bool lines_are_rows, bool transposed, OperandBytes bytes,
            void (*pack_tile)(ConstView, bool, void*), std::byte* out) {
    const std::int64_t lines = lines_are_rows ? a.rows : a.cols;
    const std::int64_t depth = lines_are_rows ? a.cols : a.rows;
    const std::int64_t whole = tile_bytes(bytes, tile_, depth), deep = tiles(depth);
    queues_.give(queue, tiles(lines) * deep, [=, this](std::int64_t piece) {
      const std::int64_t tile = piece / deep, first = tile * tile_;
      const std::int64_t behind = piece % deep * tile_;  // depth before this operand
      const std::int64_t count = std::min(tile_, lines - first),
                         some = std::min(tile_, depth - behind);
      const int size = operations_.value_size;
      pack_tile(lines_are_rows ? part(a, size, first, behind, count, some)
                               : part(a, size, behind, first, some, count),
                transposed, out + tile * whole + tile_bytes(bytes, count, behind));
    });
  }

  /// The tile of C whose corner is at (row, col), whole or at the edge.
  void multiply_tile(const Update& u, std::int64_t row, std::int64_t col) const {
    if (within(u.skipped_rows, row) || within(u.skipped_cols, col)) return;
    if (u.triangle > 0 && row / u.triangle < col / u.triangle) return;
    const std::int64_t rows = std::min(tile_, u.c.rows - row),
                       cols = std::min(tile_, u.c.cols - col);
    const View c = part(u.c, operations_.value_size, row, col, rows, cols);
    const std::byte* left = u.left + left_bytes(row, u.depth);
    const std::byte* right = u.right + right_bytes(col, u.depth);
    for (std::int64_t first = 0; first < u.depth; first += tile_) {
      const std::int64_t depth = std::min(tile_, u.depth - first);
      if (u.via.data == nullptr) {
        operations_.packed.multiply_add(c, left, right, depth);
      } else {
        witness_->multiply_packed(c, part(u.via, kViaSize, row, col, rows, cols), left, right,
                                  depth, u.first_pivot + first);
      }
      left += tile_bytes(operations_.packed.left_bytes, rows, depth);
      right += tile_bytes(operations_.packed.right_bytes, cols, depth);
    }
  }

  TileOperations operations_;
  std::optional<WitnessOperations> witness_;
  std::int64_t tile_;
  const Cancellation* cancellation_;
  std::map<std::byte*, system::AlignedMemory> memory_;
  std::atomic<std::int64_t> pivot_{-1};
  HostQueues queues_;  // destroyed first: its threads use the other members
};

}  // namespace

std::unique_ptr<ComputeDevice> make_device(const TileOperations& operations,
                                           const std::optional<WitnessOperations>& witness,
                                           std::int64_t tile, int threads,
                                           const Cancellation* cancellation) {
  return std::make_unique<HostDevice>(operations, witness, tile, threads, cancellation);
}

}  // namespace apsp::kernels::host
