#include "system/threads.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <apsp/error.hpp>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "system/event_count.hpp"

namespace apsp::system {
namespace {

using Member = std::function<void(int)>;

class FirstFailure {
 public:
  template <class F>
  void guard(
      F&& work, const std::function<void()>& then = [] {}) {
    try {
      work();
    } catch (...) {
      {
        const std::lock_guard lock(mutex_);
        if (!first_) first_ = std::current_exception();
      }
      then();
    }
  }
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

/// A thread of the pool. Offered work may be withdrawn until it has begun.
class TeamThread {
 public:
  TeamThread() {
    // Signals should reach the threads of the caller.
    const BlockedSignals blocked;
    std::thread([this] { live(); }).detach();
  }

  void offer(const Member& member, int index, FirstFailure& failure) {
    member_ = &member;
    index_ = index;
    failure_ = &failure;
    cancellation_ = base::cancellation_of_thread;
    state_.store(kOffered, std::memory_order_release);
    state_.notify_one();
  }

  /// Returns when this worker no longer refers to the team.
  void take_back() {
    std::uint32_t state = kOffered;
    if (state_.compare_exchange_strong(state, kIdle, std::memory_order_acquire)) return;
    const auto idle = [this] { return state_.load(std::memory_order_acquire) == kIdle; };
    ending_.wait(idle, [&] {
      while ((state = state_.load(std::memory_order_acquire)) != kIdle) {
        state_.wait(state, std::memory_order_acquire);
      }
    });
  }

 private:
  static constexpr std::uint32_t kIdle = 0, kOffered = 1, kBegun = 2;
  // Polling time between teams: between filling and solving a matrix, the caller reserves panels
  // for some 200 µs (n = 512). Waking a sleeper would take 50 to 80 µs more.
  static constexpr std::int64_t kIdleNanoseconds = 300'000;

  void live() {
    for (;;) {
      std::uint32_t state = state_.load(std::memory_order_acquire);
      if (state == kIdle) {
        const auto asked = [this] { return state_.load(std::memory_order_acquire) != kIdle; };
        if (!spin_until(asked, kIdleNanoseconds)) state_.wait(kIdle, std::memory_order_acquire);
        continue;
      }
      if (!state_.compare_exchange_strong(state, kBegun, std::memory_order_acquire)) continue;
      {
        const Cancellable listening(cancellation_);
        failure_->guard([this] { (*member_)(index_); });
      }
      state_.store(kIdle, std::memory_order_release);
      // The worker outlives the team, whose members may still refer to it.
      state_.notify_all();
    }
  }

  alignas(64) std::atomic<std::uint32_t> state_{kIdle};
  const Member* member_ = nullptr;
  int index_ = 0;
  FirstFailure* failure_ = nullptr;
  const Cancellation* cancellation_ = nullptr;
  Backoff ending_;
};

/// Idle workers. Never destroyed: its threads sleep until the process ends.
class Pool {
 public:
  const pid_t process = getpid();

  /// Returns up to `count` workers; fewer if the system provides no more threads.
  std::vector<TeamThread*> take(int count) {
    std::vector<TeamThread*> taken;
    taken.reserve(static_cast<std::size_t>(count));
    const std::lock_guard lock(mutex_);
    while (static_cast<int>(taken.size()) < count && (!idle_.empty() || make_one())) {
      taken.push_back(idle_.back());
      idle_.pop_back();
    }
    return taken;
  }

  void give_back(const std::vector<TeamThread*>& workers) noexcept {
    const std::lock_guard lock(mutex_);
    idle_.insert(idle_.end(), workers.rbegin(), workers.rend());
  }

 private:
  /// Adds a worker, if possible. Reserves memory first, so that returning workers needs none.
  bool make_one() {
    try {
      idle_.reserve(made_ + 1);
      idle_.push_back(std::make_unique<TeamThread>().release());
    } catch (const std::system_error&) {
      return false;
    } catch (const std::bad_alloc&) {
      return false;
    }
    ++made_;
    return true;
  }

  std::mutex mutex_;
  std::vector<TeamThread*> idle_;
  std::size_t made_ = 0;
};

/// Threads do not survive fork(): a child starts with a new pool.
Pool& pool() {
  static std::atomic<Pool*> current{new Pool};
  Pool* known = current.load(std::memory_order_acquire);
  if (known->process == getpid()) return *known;
  auto fresh = std::make_unique<Pool>();
  if (current.compare_exchange_strong(known, fresh.get(), std::memory_order_acq_rel)) {
    return *fresh.release();
  }
  return *known;
}

}  // namespace

void run_threads(int threads, const Member& member) {
  if (threads <= 1) return member(0);
  FirstFailure failure;
  Pool& workers = pool();
  const std::vector<TeamThread*> taken = workers.take(threads - 1);
  for (std::size_t i = 0; i < taken.size(); ++i) {
    taken[i]->offer(member, static_cast<int>(i) + 1, failure);
  }
  failure.guard([&] { member(0); });
  for (TeamThread* worker : taken) worker->take_back();
  workers.give_back(taken);
  failure.rethrow();
}

void on_threads(int count, const std::function<void(int)>& each,
                const std::function<void()>& fail) {
  FirstFailure failure;
  std::vector<std::thread> threads;
  const auto begin_others = [&] {
    const BlockedSignals blocked;
    try {
      for (int number = 1; number < count; ++number) {
        threads.emplace_back([&, number, asked = base::cancellation_of_thread] {
          const Cancellable listening(asked);
          failure.guard([&] { each(number); }, fail);
        });
      }
    } catch (const std::system_error& refusal) {
      throw Error(ErrorKind::does_not_fit,
                  fmt::format("{} threads are needed, and the system gives "
                              "this process only {}: {}",
                              count, threads.size() + 1, refusal.what()));
    }
  };
  const auto begin_all = [&] {
    begin_others();
    each(0);
  };
  failure.guard(begin_all, fail);
  for (std::thread& thread : threads) thread.join();
  failure.rethrow();
}

}  // namespace apsp::system
