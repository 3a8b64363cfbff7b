#include "call.hpp"

#include <nanobind/stl/string.h>
#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

namespace nb = nanobind;

namespace apsp::python {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBetweenSignals{5};    // a twentieth of what people notice
constexpr milliseconds kBetweenReports{100};  // as often as a bar is drawn

/// What the work has told of its progress, for the calling thread to read.
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

/// A thread that no signal is delivered to.
class Worker {
 public:
  explicit Worker(std::function<void()> work) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this, work = std::move(work)] {
      work();
      const std::lock_guard lock(mutex_);
      ended_ = true;
      ending_.notify_one();
    });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  ~Worker() { thread_.join(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  bool ends_within(milliseconds time) {
    std::unique_lock lock(mutex_);
    return ending_.wait_for(lock, time, [this] { return ended_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable ending_;
  bool ended_ = false;
  std::thread thread_;
};

void tell(nb::handle progress, const Heard::State& state) {
  progress(state.task, state.done, state.total, state.unit);
}

}  // namespace

void listen_while(const std::function<void(const Control&)>& work, nb::handle progress) {
  Cancellation cancellation;
  Heard heard;
  const bool reports = !progress.is_none();
  const Control control{reports ? &heard : nullptr, &cancellation};
  std::exception_ptr failure, stopped;
  {
    Worker worker([&] {
      try {
        work(control);
      } catch (...) {
        failure = std::current_exception();
      }
    });
    const auto ended = [&] {
      const nb::gil_scoped_release unlocked;
      return worker.ends_within(kBetweenSignals);
    };
    auto next_report = std::chrono::steady_clock::now() + kBetweenReports;
    while (!ended()) {
      if (stopped) continue;
      try {
        if (PyErr_CheckSignals() != 0) nb::raise_python_error();
        if (!reports || std::chrono::steady_clock::now() < next_report) continue;
        next_report += kBetweenReports;
        if (const Heard::State state = heard.state(); state.running) tell(progress, state);
      } catch (...) {
        stopped = std::current_exception();
        cancellation.request();
      }
    }
  }
  if (stopped) std::rethrow_exception(stopped);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace apsp::python
