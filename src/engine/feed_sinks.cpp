#include "engine/feed_sinks.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "base/blocked_signals.hpp"
#include "base/control.hpp"
#include "store/feed.hpp"

namespace apsp::engine {
namespace {

/// How often the progress of a sink that is waited for is shown.
constexpr auto kShown = std::chrono::milliseconds(50);

/// What of a sink is done by a thread of its own.
class Service {
 public:
  /// `from`: whose rows the thread gives before it finishes the sink; null: they have been given.
  /// `stop`: raised by whoever fails first; then nothing more is begun.
  Service(store::RowSink& sink, const store::Store* from, Cancellation& stop)
      : sink_(sink), from_(from), stop_(stop) {
    const base::BlockedSignals blocked;
    thread_ = std::thread([this] { work(); });
  }
  ~Service() {
    stop_.request();
    if (thread_.joinable()) thread_.join();
  }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// Returns when the sink has all; shows how far it is.
  void wait(const Control& control) {
    std::unique_lock lock(mutex_);
    if (!ended_.wait_for(lock, kShown, [this] { return done_; })) {
      const store::RowTask task = sink_.task();
      base::ProgressTask progress(control, task.name, count_.total(), task.unit);
      double shown = 0;
      do {
        if (base::cancelled(control)) stop_.request();
        const double done = count_.done();
        progress.advance(done - shown);
        shown = done;
      } while (!ended_.wait_for(lock, kShown, [this] { return done_; }));
    }
    lock.unlock();
    thread_.join();
  }

  /// What the sink threw. Requires: `wait` has returned.
  std::exception_ptr failure() const { return failure_; }

 private:
  /// Counts for whoever waits; the caller's progress belongs to one thread at a time.
  class Count final : public Progress {
   public:
    void begin(std::string_view, double total, std::string_view) override { total_ = total; }
    void update(double done) override { done_.store(done, std::memory_order_relaxed); }
    void end() override {}
    double done() const { return done_.load(std::memory_order_relaxed); }
    double total() const { return total_.load(std::memory_order_relaxed); }

   private:
    std::atomic<double> done_{0}, total_{0};
  };

  void work() {
    try {
      if (from_ != nullptr) store::feed(*from_, sink_, 1, {&count_, nullptr}, &stop_);
      if (!stop_.requested()) sink_.finish();
    } catch (...) {
      failure_ = std::current_exception();
      stop_.request();
    }
    const std::lock_guard lock(mutex_);
    done_ = true;
    ended_.notify_all();
  }

  store::RowSink& sink_;
  const store::Store* from_;
  Cancellation& stop_;
  Count count_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;  // under the mutex
  std::exception_ptr failure_;
  std::thread thread_;  // the last member: it uses all others
};

}  // namespace

void feed_sinks(const store::Store& matrix, std::span<store::RowSink* const> sinks, int threads,
                const Control& control) {
  if (sinks.empty()) return;
  if (matrix.data(store::Plane::distance) == nullptr) {
    store::feed_all(matrix, sinks, threads, control);
    for (store::RowSink* const sink : sinks) sink->finish();
    return;
  }
  std::vector<store::RowSink*> order(sinks.begin(), sinks.end());
  std::stable_partition(order.begin(), order.end(),
                        [](const store::RowSink* sink) { return sink->preference().beside; });
  Cancellation stop;
  std::list<Service> services;
  for (store::RowSink* const sink : order) {
    const bool last = sink == order.back();
    const bool beside = sink->preference().beside && !last;
    if (!beside) store::feed(matrix, *sink, threads, control, &stop);
    if (stop.requested()) break;
    if (last) {
      sink->finish();
    } else {
      services.emplace_back(*sink, beside ? &matrix : nullptr, stop);
    }
  }
  for (Service& service : services) service.wait(control);
  for (const Service& service : services) {
    if (service.failure()) std::rethrow_exception(service.failure());
  }
  if (stop.requested()) base::check_cancelled(control);
}

}  // namespace apsp::engine
