#include "cli/interruption.hpp"

#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "cli/exit_code.hpp"

namespace apsp::cli {
namespace {

Cancellation g_cancellation;
pthread_t g_watcher;

/// Never destroyed, because the signal thread lives until the process ends.
struct LateEnds {
  std::mutex mutex;
  std::function<void()> end;
};
LateEnds& late_ends() {
  static LateEnds& ends = *new LateEnds;
  return ends;
}

/// `nohup` ignores SIGHUP, but a blocked signal would be received all the same.
bool is_ignored(int signal) {
  struct sigaction now {};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

sigset_t end_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM}) sigaddset(&signals, signal);
  if (!is_ignored(SIGHUP)) sigaddset(&signals, SIGHUP);
  return signals;
}

/// Forwards a signal that arrived in a thread that started before signals were blocked.
extern "C" void pass_on_signal(int signal) { pthread_kill(g_watcher, signal); }

bool signal_comes(const timespec* within) {
  const sigset_t signals = end_signals();
  for (;;) {
    const int signal = within == nullptr ? sigwaitinfo(&signals, nullptr)
                                         : sigtimedwait(&signals, nullptr, within);
    if (signal > 0) return true;
    if (errno == EAGAIN) return false;
  }
}

[[noreturn]] void end_at_once() {
  constexpr std::string_view kText =
      "\napsp: interrupted twice, ended at once; apsp clean OUT removes partial files\n";
  const ssize_t written = write(STDERR_FILENO, kText.data(), kText.size());
  static_cast<void>(written);  // a failure here has no remedy
  _exit(kExitInterrupted);
}

/// Polled work ends within about 20 ms. A busy machine gets more time, but the process must end
/// within a second.
constexpr timespec kLate{0, 500'000'000};

void watch() {
  signal_comes(nullptr);
  g_cancellation.request();
  if (!signal_comes(&kLate)) {
    {
      const std::lock_guard lock(late_ends().mutex);
      if (late_ends().end) late_ends().end();
    }
    signal_comes(nullptr);
  }
  end_at_once();
}

void begin_to_watch() {
  const sigset_t signals = end_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  try {
    std::thread watcher(watch);
    g_watcher = watcher.native_handle();
    watcher.detach();
  } catch (const std::system_error&) {
    return release_signals();
  }
  struct sigaction action {};
  action.sa_handler = pass_on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (sigismember(&signals, signal) == 1) sigaction(signal, &action, nullptr);
  }
}

}  // namespace

AtLateEnd::AtLateEnd(std::function<void()> end) {
  const std::lock_guard lock(late_ends().mutex);
  late_ends().end = std::move(end);
}

AtLateEnd::~AtLateEnd() {
  const std::lock_guard lock(late_ends().mutex);
  late_ends().end = nullptr;
}

void catch_signals() {
  static std::once_flag once;
  std::call_once(once, begin_to_watch);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void release_signals() {
  const sigset_t signals = end_signals();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal)) std::signal(signal, SIG_DFL);
  }
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

const Cancellation& cancellation() { return g_cancellation; }

}  // namespace apsp::cli
