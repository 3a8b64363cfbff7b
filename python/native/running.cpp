#include "running.hpp"

#include <nanobind/nanobind.h>
#include <signal.h>
#include <unistd.h>

#include <apsp/error.hpp>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace apsp::python {

struct RunningList {
  const pid_t process = getpid();
  std::mutex mutex;
  std::condition_variable fewer;
  std::set<Running*> all;
  bool ending = false;

  void stop_all() {
    std::unique_lock lock(mutex);
    ending = true;
    for (Running* running : all) running->stop_();
    fewer.wait(lock, [this] { return all.empty(); });
  }
};

namespace {

/// Never destroyed: threads may use it while the process ends.
RunningList& list() {
  static std::atomic<RunningList*> current{new RunningList};
  RunningList* known = current.load(std::memory_order_acquire);
  if (known->process == getpid()) return *known;
  auto fresh = std::make_unique<RunningList>();
  if (current.compare_exchange_strong(known, fresh.get(), std::memory_order_acq_rel)) {
    return *fresh.release();
  }
  return *known;
}

}  // namespace

Running::Running(std::function<void()> stop) : list_(&list()), stop_(std::move(stop)) {
  auto& listed = *static_cast<RunningList*>(list_);
  const std::lock_guard lock(listed.mutex);
  if (listed.ending) throw Error(ErrorKind::interrupted, "Python ends");
  listed.all.insert(this);
}

Running::~Running() {
  auto& listed = *static_cast<RunningList*>(list_);
  const std::lock_guard lock(listed.mutex);
  listed.all.erase(this);
  listed.fewer.notify_all();
}

void run_apart(std::function<void()> work) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // inherited by the thread
  try {
    std::thread(std::move(work)).detach();
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void end_all_running() {
  const nanobind::gil_scoped_release unlocked;
  list().stop_all();
}

}  // namespace apsp::python
