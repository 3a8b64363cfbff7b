#include "kernels/strict/strict_device.hpp"

#include <apsp/error.hpp>
#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "kernels/strict/strict_memory.hpp"
#include "kernels/strict/strict_operations.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::kernels::strict {
namespace {

[[noreturn]] void misuse(const char* message) {
  throw Error(ErrorKind::device, std::string("strict device: ") + message);
}

class StrictDevice final : public Device {
 public:
  StrictDevice(Semiring semiring, ValueType type, std::int64_t memory)
      : memory_(memory), operations_(semiring::dispatch(semiring, type, [&]<class S>() {
          return operations_of<Kernels<S>>(type);
        })) {}

  std::string_view name() const override { return "strict"; }

  std::byte* allocate(std::int64_t bytes) override { return memory_.allocate(bytes); }
  void release(std::byte* memory) override {
    for (const Queue& queue : queues_) {
      if (!queue.work.empty()) misuse("memory released while queued work may use it");
    }
    memory_.release(memory);
  }
  std::int64_t memory_free() const override { return memory_.free_bytes(); }

  QueueId make_queue() override {
    queues_.emplace_back();
    return static_cast<QueueId>(queues_.size()) - 1;
  }

  EventId record(QueueId queue) override {
    events_.push_back({queue, at(queue).given});
    return static_cast<EventId>(events_.size()) - 1;
  }

  void wait(QueueId queue, EventId event) override {
    const Event reached = events_.at(static_cast<std::size_t>(event));
    give(queue, [this, queue, reached] {
      run_until(reached.queue, reached.count);
      learn(at(queue).clock, at(reached.queue).history.at(reached.count));
    });
  }

  void synchronize(QueueId queue) override {
    run_until(queue, at(queue).given);
    // The host has seen this queue's end: whatever is given from now on comes after it.
    learn(host_clock_, at(queue).clock);
  }

  void copy_in(QueueId queue, Tile device, ConstTile host, int value_size) override {
    if (memory_.owns(host.data)) misuse("copy_in from device memory");
    give(queue, [=, this] {
      memory_.write(device, value_size, queue, at(queue).clock, "copy_in", "target");
      copy(device, host, value_size);
    });
  }

  void copy_out(QueueId queue, Tile host, ConstTile device, int value_size) override {
    if (memory_.owns(host.data)) misuse("copy_out to device memory");
    give(queue, [=, this] {
      memory_.read(device, value_size, queue, at(queue).clock, "copy_out", "source");
      copy(host, device, value_size);
    });
  }

  void multiply_add(QueueId queue, Tile c, ConstTile a, ConstTile b) override {
    if (c.rows != a.rows || a.cols != b.rows || b.cols != c.cols) misuse("multiply_add: shapes");
    give(queue, [=, this] {
      read(queue, a, "multiply_add", "A");
      read(queue, b, "multiply_add", "B");
      update(queue, c, "multiply_add", "C");
      operations_.multiply_add(c, a, b);
    });
  }

  void close(QueueId queue, Tile d, Cycles cycles, std::int64_t tag) override {
    if (d.rows != d.cols) misuse("close: the tile is not square");
    give(queue, [=, this] {
      update(queue, d, "close", "D");
      const std::int64_t index = operations_.close(d, cycles);
      if (index >= 0 && pivot_.index < 0) pivot_ = {tag, index};
    });
  }

  void multiply_left(QueueId queue, ConstTile d, Tile r) override {
    if (d.rows != d.cols || d.cols != r.rows) misuse("multiply_left: shapes");
    give(queue, [=, this] {
      read(queue, d, "multiply_left", "D");
      update(queue, r, "multiply_left", "R");
      operations_.multiply_left(d, r);
    });
  }

  void multiply_right(QueueId queue, Tile c, ConstTile d) override {
    if (d.rows != d.cols || c.cols != d.rows) misuse("multiply_right: shapes");
    give(queue, [=, this] {
      read(queue, d, "multiply_right", "D");
      update(queue, c, "multiply_right", "C");
      operations_.multiply_right(c, d);
    });
  }

  Pivot first_pivot() override { return std::exchange(pivot_, {}); }

 private:
  struct Queue {
    std::deque<std::function<void()>> work;  // given and not yet run
    std::size_t given = 0;                   // how many were ever given
    std::size_t done = 0;
    Clock clock;                 // what this queue's next operation comes after
    std::vector<Clock> history;  // [done + 1] the clock after each operation
  };
  struct Event {
    QueueId queue = 0;
    std::size_t count = 0;  // reached once so many operations of the queue are done
  };

  Queue& at(QueueId queue) { return queues_.at(static_cast<std::size_t>(queue)); }

  static void learn(Clock& clock, const Clock& other) {
    if (clock.size() < other.size()) clock.resize(other.size(), 0);
    for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
  }

  void give(QueueId queue, std::function<void()> work) {
    at(queue).work.push_back([this, queue, seen = host_clock_, work = std::move(work)] {
      learn(at(queue).clock, seen);
      work();
    });
    ++at(queue).given;
  }

  void run_until(QueueId id, std::size_t count) {
    Queue& queue = at(id);
    if (queue.history.empty()) queue.history.emplace_back();
    while (queue.done < count) {
      const std::function<void()> work = std::move(queue.work.front());
      queue.work.pop_front();
      if (queue.clock.size() < queues_.size()) queue.clock.resize(queues_.size(), 0);
      ++queue.clock[static_cast<std::size_t>(id)];
      work();
      ++queue.done;
      queue.history.push_back(queue.clock);
    }
  }

  void read(QueueId queue, ConstTile tile, const char* operation, const char* operand) {
    memory_.read(tile, operations_.value_size, queue, at(queue).clock, operation, operand);
  }
  void update(QueueId queue, ConstTile tile, const char* operation, const char* operand) {
    read(queue, tile, operation, operand);
    memory_.write(tile, operations_.value_size, queue, at(queue).clock, operation, operand);
  }

  static void copy(Tile to, ConstTile from, int value_size) {
    for (std::int64_t r = 0; r < to.rows; ++r) {
      std::memcpy(static_cast<std::byte*>(to.data) + r * to.stride * value_size,
                  static_cast<const std::byte*>(from.data) + r * from.stride * value_size,
                  static_cast<std::size_t>(to.cols * value_size));
    }
  }

  Memory memory_;
  TileOperations operations_;
  std::deque<Queue> queues_;
  std::vector<Event> events_;
  Clock host_clock_;
  Pivot pivot_;
};

}  // namespace

std::unique_ptr<Device> make_device(Semiring semiring, ValueType type, std::int64_t memory) {
  return std::make_unique<StrictDevice>(semiring, type, memory);
}

}  // namespace apsp::kernels::strict
