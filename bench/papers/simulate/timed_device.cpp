#include "papers/simulate/timed_device.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <vector>

namespace apsp::kernels::timed {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Seconds that are none: of a remainder that rounding left.
constexpr double kNothing = 1e-13;

/// A part of the GPU that work of one kind shares.
enum class Engine { compute, in, out };
constexpr std::array kEngines = {Engine::compute, Engine::in, Engine::out};

struct TimedJob {
  enum class Kind { work, reach, wait } kind = Kind::work;
  EventId event = -1;
  Engine engine = Engine::compute;
  double latency = 0;  // seconds until it begins
  double work = 0;     // seconds of the whole engine
  double share = 1;    // of the engine, at most
};

struct TimedQueue {
  Priority priority = Priority::low;
  std::deque<TimedJob> jobs{};
  double rate = 0;  // of the first job, now
};

}  // namespace

/// Queues of all processes that share a GPU, and what they have come to.
class Gpu {
 public:
  explicit Gpu(Speeds speeds) : speeds_(std::move(speeds)) {}

  const Speeds& speeds() const { return speeds_; }
  QueueId add_queue(Priority priority) {
    queues_.push_back({.priority = priority});
    return static_cast<QueueId>(queues_.size()) - 1;
  }
  EventId add_event() {
    reached_.push_back(false);
    return static_cast<EventId>(reached_.size()) - 1;
  }
  bool is_reached(EventId event) const { return reached_[static_cast<std::size_t>(event)]; }

  /// Requires: it has advanced to this time.
  void give(QueueId queue, const TimedJob& job) {
    queues_[static_cast<std::size_t>(queue)].jobs.push_back(job);
    settle();
  }
  /// When something in a queue ends, if nothing is given before.
  double next_change() const {
    double least = kNever;
    for (const TimedQueue& queue : queues_) {
      if (works(queue)) least = std::min(least, seconds_left(queue));
    }
    return at_ + least;
  }
  /// Lets everything happen until the clock's time.
  void advance(double now) {
    while (at_ < now) {
      const double until = std::min(now, next_change());
      const double seconds = until - at_;
      for (TimedQueue& queue : queues_) {
        if (!works(queue)) continue;
        TimedJob& job = queue.jobs.front();
        // Work that ends at this time ends completely: a remainder of rounding would never end.
        const bool ends = seconds_left(queue) <= seconds * (1 + 1e-12) + kNothing;
        if (job.latency > kNothing) {
          job.latency = ends ? 0 : job.latency - seconds;
        } else {
          job.work = ends ? 0 : job.work - seconds * queue.rate;
        }
      }
      at_ = until;
      settle();
    }
  }

 private:
  /// Passes over what takes no time, and shares the engines out.
  void settle() {
    for (bool changed = true; changed;) {
      changed = false;
      for (TimedQueue& queue : queues_) changed = pass(queue) || changed;
    }
    for (const Engine engine : kEngines) share_out(engine);
  }
  bool pass(TimedQueue& queue) {
    bool passed = false;
    for (; !queue.jobs.empty(); queue.jobs.pop_front(), passed = true) {
      const TimedJob& job = queue.jobs.front();
      if (job.kind == TimedJob::Kind::wait && !is_reached(job.event)) break;
      if (job.kind == TimedJob::Kind::reach) reached_[static_cast<std::size_t>(job.event)] = true;
      if (job.kind == TimedJob::Kind::work && (job.latency > kNothing || job.work > kNothing))
        break;
    }
    return passed;
  }
  static bool works(const TimedQueue& queue) {
    return !queue.jobs.empty() && queue.jobs.front().kind == TimedJob::Kind::work;
  }
  void share_out(Engine engine) {
    double left = 1;
    for (const Priority priority : {Priority::high, Priority::low}) {
      for (TimedQueue& queue : queues_) {
        if (!works(queue) || queue.priority != priority) continue;
        const TimedJob& job = queue.jobs.front();
        if (job.engine != engine) continue;
        queue.rate = job.latency > kNothing ? 0 : std::min(job.share, left);
        left -= queue.rate;
      }
    }
  }
  static double seconds_left(const TimedQueue& queue) {
    const TimedJob& job = queue.jobs.front();
    if (job.latency > kNothing) return job.latency;
    return queue.rate > 0 ? job.work / queue.rate : kNever;
  }

  Speeds speeds_;
  double at_ = 0;  // the time that queues have come to
  std::deque<TimedQueue> queues_;
  std::vector<bool> reached_;  // events
};

namespace {

class TimedDevice final : public ComputeDevice, private TileKernels {
 public:
  TimedDevice(std::shared_ptr<Gpu> gpu, Clock& clock)
      : gpu_(std::move(gpu)), speeds_(gpu_->speeds()), clock_(clock) {}

  TileKernels& tiles() override { return *this; }

  std::byte* allocate(std::int64_t bytes) override {
    constexpr std::uintptr_t kBetween = 4096;
    const std::uintptr_t address = next_;
    next_ += static_cast<std::uintptr_t>(bytes) + kBetween;
    return reinterpret_cast<std::byte*>(address);  // NOLINT: nobody reads there
  }
  void release(std::byte*) override {}
  std::int64_t memory_free() const override { return std::numeric_limits<std::int64_t>::max(); }
  bool host_sees_memory() const override { return speeds_.host_sees_memory; }

  QueueId make_queue(Priority priority) override { return gpu_->add_queue(priority); }
  EventId record(QueueId queue) override {
    const EventId event = gpu_->add_event();
    give(queue, {.kind = TimedJob::Kind::reach, .event = event});
    return event;
  }
  void wait(QueueId queue, EventId event) override {
    give(queue, {.kind = TimedJob::Kind::wait, .event = event});
  }
  bool reached(EventId event) override {
    gpu_->advance(clock_.now());
    return gpu_->is_reached(event);
  }
  void await(EventId event) override {
    while (!reached(event)) work();
  }
  /// Lets time pass until the next of its operations ends, or something else happens.
  bool work() override {
    gpu_->advance(clock_.now());
    clock_.sleep_until(gpu_->next_change());
    return true;
  }
  void copy_in(QueueId queue, View device, ConstView, int value_size) override {
    copy(queue, Engine::in, device, value_size);
  }
  void copy_out(QueueId queue, View host, ConstView, int value_size) override {
    copy(queue, Engine::out, host, value_size);
  }

 private:
  std::int64_t granule() const override { return 1; }
  std::int64_t stride(std::int64_t cols) const override { return cols; }
  std::int64_t left_bytes(std::int64_t rows, std::int64_t depth) const override {
    return rows * depth * speeds_.value_size;
  }
  std::int64_t right_bytes(std::int64_t cols, std::int64_t depth) const override {
    return cols * depth * speeds_.value_size;
  }
  std::int64_t close_bytes(std::int64_t) const override { return 1; }

  void mirror(QueueId queue, View matrix, int value_size, std::int64_t) override {
    move(queue, matrix.rows, matrix.cols, value_size);
  }
  void transpose(QueueId queue, View to, ConstView, int value_size) override {
    move(queue, to.rows, to.cols, value_size);
  }
  void pack_left(QueueId queue, ConstView a, bool, std::byte*) override {
    move(queue, a.rows, a.cols, speeds_.value_size);
  }
  void pack_right(QueueId queue, ConstView b, bool, std::byte*) override {
    move(queue, b.rows, b.cols, speeds_.value_size);
  }

  void multiply_add(QueueId queue, const Update& update) override {
    const std::int64_t rows = update.c.rows - length(update.skipped_rows);
    const std::int64_t cols = update.c.cols - length(update.skipped_cols);
    if (rows <= 0 || cols <= 0) return;
    product(queue, rows, cols, static_cast<double>(update.depth));
  }
  void close(QueueId queue, View d, View, Cycles, std::int64_t, std::byte*) override {
    const auto side = static_cast<double>(d.rows);
    if (speeds_.pivot_seconds <= 0) return product(queue, d.rows, d.cols, side * std::log2(side));
    const double share = speeds_.fill(1, 1);  // one block does it
    give(queue, {.latency = speeds_.launch_seconds,
                 .work = side * speeds_.pivot_seconds * share,
                 .share = share});
  }
  std::int64_t take_pivot() override { return -1; }

  void product(QueueId queue, std::int64_t rows, std::int64_t cols, double depth) {
    give(queue, {.latency = speeds_.launch_seconds,
                 .work = static_cast<double>(rows) * static_cast<double>(cols) * depth /
                         speeds_.relaxations,
                 .share = speeds_.fill(rows, cols)});
  }
  void move(QueueId queue, std::int64_t rows, std::int64_t cols, int value_size) {
    const double bytes = 2.0 * static_cast<double>(rows * cols) * value_size;
    give(queue, {.latency = speeds_.launch_seconds, .work = bytes / speeds_.memory_rate});
  }
  void copy(QueueId queue, Engine engine, View piece, int value_size) {
    give(queue,
         {.engine = engine,
          .latency = speeds_.launch_seconds,
          .work = static_cast<double>(piece.rows * piece.cols) * value_size / speeds_.copy_rate});
  }

  void give(QueueId queue, const TimedJob& job) {
    gpu_->advance(clock_.now());
    gpu_->give(queue, job);
  }

  std::shared_ptr<Gpu> gpu_;
  const Speeds& speeds_;
  Clock& clock_;
  std::uintptr_t next_ = std::uintptr_t{1} << 20;  // the next address
};

}  // namespace

std::shared_ptr<Gpu> make_gpu(Speeds speeds) { return std::make_shared<Gpu>(std::move(speeds)); }

std::unique_ptr<ComputeDevice> make_device(std::shared_ptr<Gpu> gpu, Clock& clock) {
  return std::make_unique<TimedDevice>(std::move(gpu), clock);
}

}  // namespace apsp::kernels::timed
