#include "call.hpp"

#include <nanobind/stl/string.h>

#include <apsp/error.hpp>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "kept_array.hpp"
#include "running.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBetweenReports{100};  // rate of progress bars

/// Stores progress for the calling thread.
class Heard final : public Progress {
 public:
  struct State {
    std::string task, unit;
    double done = 0, total = 0;
    bool running = false;
  };

  void begin(std::string_view task, double total, std::string_view unit) override {
    const std::lock_guard lock(mutex_);
    state_ = {std::string(task), std::string(unit), 0, total, true};
  }
  void update(double done) override {
    const std::lock_guard lock(mutex_);
    state_.done = done;
  }
  void end() override {
    const std::lock_guard lock(mutex_);
    state_.running = false;
  }
  State state() {
    const std::lock_guard lock(mutex_);
    return state_;
  }

 private:
  std::mutex mutex_;
  State state_;
};

/// Work on its own thread, with signals blocked. Destroyed by the last of both threads.
class Session {
 public:
  explicit Session(std::function<void(const Control&)> work, bool reports)
      : work_(std::move(work)), control_{reports ? &heard_ : nullptr, &cancellation_} {}

  static void begin(const std::shared_ptr<Session>& session) {
    run_apart([session] { session->run(); });
  }
  bool ends_within(milliseconds time) {
    std::unique_lock lock(mutex_);
    return ending_.wait_for(lock, time, [this] { return ended_; });
  }
  void cancel() { cancellation_.request(); }
  bool cancelled() const { return cancellation_.requested(); }
  Heard& heard() { return heard_; }
  /// Requires: the work has ended.
  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void run() {
    leave_python_alone();
    const Cancellable listening(&cancellation_);
    try {
      work_(control_);
    } catch (...) {
      failure_ = std::current_exception();
    }
    work_ = nullptr;  // only the caller owns its data again
    const std::lock_guard lock(mutex_);
    ended_ = true;
    ending_.notify_one();
  }

  std::function<void(const Control&)> work_;
  Cancellation cancellation_;
  Heard heard_;
  const Control control_;
  std::exception_ptr failure_;
  std::mutex mutex_;
  std::condition_variable ending_;
  bool ended_ = false;
};

void tell(nb::handle progress, const Heard::State& state) {
  progress(state.task, state.done, state.total, state.unit);
}

enum class Leaving { never, late };

void listen(std::function<void(const Control&)> work, nb::handle progress, Leaving leaving) {
  using Clock = std::chrono::steady_clock;
  const bool reports = !progress.is_none();
  const auto session = std::make_shared<Session>(std::move(work), reports);
  const Running running([&] { session->cancel(); });  // until this thread has the lock again
  std::exception_ptr stopped;
  Session::begin(session);
  const auto ended = [&] {
    const nb::gil_scoped_release unlocked;
    return session->ends_within(kBetweenSignals);
  };
  auto next_report = Clock::now() + kBetweenReports;
  std::optional<Clock::time_point> cancelled;
  while (!ended()) {
    if (session->cancelled()) {
      if (!cancelled) cancelled = Clock::now();
      if (leaving == Leaving::never || Clock::now() < *cancelled + kBeforeLeaving) continue;
      if (stopped) std::rethrow_exception(stopped);
      throw Error(ErrorKind::interrupted, "interrupted");
    }
    try {
      if (PyErr_CheckSignals() != 0) nb::raise_python_error();
      if (!reports || Clock::now() < next_report) continue;
      next_report += kBetweenReports;
      if (const Heard::State state = session->heard().state(); state.running) tell(progress, state);
    } catch (...) {
      stopped = std::current_exception();
      session->cancel();
    }
  }
  if (stopped) std::rethrow_exception(stopped);
  session->rethrow_failure();
}

}  // namespace

void listen_while(std::function<void(const Control&)> work, nb::handle progress) {
  listen(std::move(work), progress, Leaving::never);
}

void run_here(const std::function<void(const Control&)>& work) {
  Cancellation cancellation;
  const Running running([&] { cancellation.request(); });  // until this thread has the lock again
  const Cancellable listening(&cancellation);
  const nb::gil_scoped_release unlocked;
  work({nullptr, &cancellation});
}

void listen_or_leave(std::function<void(const Control&)> work, nb::handle progress) {
  listen(std::move(work), progress, Leaving::late);
}

}  // namespace apsp::python
