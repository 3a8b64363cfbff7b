// Times of a timed device against sums done by hand; whole solves of it are beside it.
#include "papers/simulate/timed_device.hpp"
#include "support/test.hpp"

namespace apsp::kernels::timed::timed_device_test {
namespace {

/// Goes on as far as it is asked to.
class HandClock final : public Clock {
 public:
  double now() const override { return now_; }
  void sleep_until(double time) override { now_ = std::max(now_, time); }

 private:
  double now_ = 0;
};

/// A million relaxations a second; an operation begins a second after it could.
Speeds slow() {
  return {.relaxations = 1e6,
          .launch_seconds = 1,
          .memory_rate = 1e6,
          .copy_rate = 1e3,
          .value_size = 4,
          .fill = [](std::int64_t rows, std::int64_t) { return rows < 100 ? 0.25 : 1.0; }};
}

Update product(std::int64_t rows, std::int64_t cols, std::int64_t depth) {
  return {.c = {nullptr, rows, cols, cols}, .depth = depth};
}

struct Bench {
  HandClock clock;
  std::unique_ptr<ComputeDevice> device;
  explicit Bench(const Speeds& speeds = slow()) : device(make_device(make_gpu(speeds), clock)) {}
  double at(EventId event) {
    device->await(event);
    return clock.now();
  }
};

TEST(TimedDevice, ProductsTakeTheirRelaxations) {
  Bench bench;
  const QueueId queue = bench.device->make_queue();
  bench.device->tiles().multiply_add(queue, product(100, 200, 300));  // 6 s after 1 s
  EXPECT_NEAR(bench.at(bench.device->record(queue)), 7, 1e-9);
  Update skipping = product(200, 100, 300);
  skipping.skipped_rows = {50, 150};
  skipping.skipped_cols = {0, 50};
  bench.device->tiles().multiply_add(queue, skipping);  // 100 × 50 of it: 1.5 s
  EXPECT_NEAR(bench.at(bench.device->record(queue)), 7 + 2.5, 1e-9);
  skipping.skipped_rows = {0, 200};  // nothing is left: no time at all
  bench.device->tiles().multiply_add(queue, skipping);
  EXPECT_NEAR(bench.at(bench.device->record(queue)), 9.5, 1e-9);
}

TEST(TimedDevice, SmallProductsFillAPart) {
  Bench bench;
  const QueueId queue = bench.device->make_queue();
  bench.device->tiles().multiply_add(queue, product(10, 1000, 100));  // 1 s of a quarter
  EXPECT_NEAR(bench.at(bench.device->record(queue)), 1 + 4, 1e-9);
}

TEST(TimedDevice, UrgentWorkGoesFirstAndLeavesTheRest) {
  Bench bench;
  const QueueId low = bench.device->make_queue(Priority::low);
  const QueueId high = bench.device->make_queue(Priority::high);
  bench.device->tiles().multiply_add(low, product(1000, 100, 60));   // 6 s of all of it
  bench.device->tiles().multiply_add(high, product(10, 1000, 100));  // 1 s of at most a quarter
  const EventId urgent = bench.device->record(high), rest = bench.device->record(low);
  // From 1 s to 5 s the urgent has a quarter, the rest does 3 of its 6 s.
  EXPECT_NEAR(bench.at(urgent), 5, 1e-9);
  EXPECT_NEAR(bench.at(rest), 8, 1e-9);
}

TEST(TimedDevice, EventsOrderQueues) {
  Bench bench;
  const QueueId first = bench.device->make_queue(), second = bench.device->make_queue();
  bench.device->tiles().multiply_add(first, product(100, 100, 100));  // until 2 s
  bench.device->wait(second, bench.device->record(first));
  bench.device->tiles().multiply_add(second, product(100, 100, 200));  // until 2 + 1 + 2 s
  const EventId end = bench.device->record(second);
  EXPECT_FALSE(bench.device->reached(end));
  EXPECT_NEAR(bench.at(end), 5, 1e-9);
}

TEST(TimedDevice, ClosingIsLogarithmicallyManyProductsUnlessPivotsAreTimed) {
  Bench bench;
  const QueueId queue = bench.device->make_queue();
  bench.device->tiles().close(queue, {nullptr, 128, 128, 128}, {}, Cycles::possible, 0, nullptr);
  const double product_seconds = std::pow(128, 3) / 1e6;
  EXPECT_NEAR(bench.at(bench.device->record(queue)), 1 + 7 * product_seconds, 1e-9);
  Speeds pivots = slow();
  pivots.pivot_seconds = 0.5;
  Bench other(pivots);
  const QueueId its = other.device->make_queue();
  other.device->tiles().close(its, {nullptr, 128, 128, 128}, {}, Cycles::possible, 0, nullptr);
  EXPECT_NEAR(other.at(other.device->record(its)), 1 + 64, 1e-9);
}

TEST(TimedDevice, CopiesTakeTurnsEachWay) {
  Bench bench;
  const QueueId one = bench.device->make_queue(), two = bench.device->make_queue();
  const View kilobytes{nullptr, 1, 250, 250};  // a second each way
  bench.device->copy_in(one, kilobytes, kilobytes, 4);
  bench.device->copy_in(two, kilobytes, kilobytes, 4);
  const EventId first = bench.device->record(one), second = bench.device->record(two);
  EXPECT_NEAR(bench.at(first), 2, 1e-9);
  EXPECT_NEAR(bench.at(second), 3, 1e-9);
  bench.device->copy_in(one, kilobytes, kilobytes, 4);
  bench.device->copy_out(two, kilobytes, kilobytes, 4);
  EXPECT_NEAR(bench.at(bench.device->record(one)), 5, 1e-9);
  EXPECT_NEAR(bench.at(bench.device->record(two)), 5, 1e-9);
}

TEST(TimedDevice, ProcessesOfOneGpuShareIt) {
  HandClock clock;
  const auto gpu = make_gpu(slow());
  const auto mine = make_device(gpu, clock), theirs = make_device(gpu, clock);
  const QueueId here = mine->make_queue(), there = theirs->make_queue();
  mine->tiles().multiply_add(here, product(1000, 100, 20));     // 2 s
  theirs->tiles().multiply_add(there, product(1000, 100, 30));  // 3 s, after that
  const EventId first = mine->record(here), second = theirs->record(there);
  mine->await(first);
  EXPECT_NEAR(clock.now(), 3, 1e-9);
  theirs->await(second);
  EXPECT_NEAR(clock.now(), 6, 1e-9);
}

}  // namespace
}  // namespace apsp::kernels::timed::timed_device_test
