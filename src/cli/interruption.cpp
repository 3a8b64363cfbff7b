#include "cli/interruption.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string_view>

#include "cli/exit_code.hpp"

namespace apsp::cli {
namespace {

enum class Mode : int { polled, at_once, at_once_json };

Cancellation g_cancellation;
std::atomic<Mode> g_mode{Mode::polled};
static_assert(std::atomic<Mode>::is_always_lock_free);

// Only async-signal-safe calls from here on: write and _exit.
void write_all(int file_descriptor, std::string_view text) {
  const ssize_t written = write(file_descriptor, text.data(), text.size());
  static_cast<void>(written);  // nothing can be done about a failure here
}

extern "C" void on_signal(int) {
  const Mode mode = g_mode.load(std::memory_order_relaxed);
  if (mode == Mode::polled && !g_cancellation.requested()) {
    g_cancellation.request();
    return;
  }
  if (mode == Mode::at_once_json) {
    write_all(STDOUT_FILENO,
              "{\"schema_version\": 1, \"error\": {\"kind\": \"interrupted\", \"message\": "
              "\"interrupted; nothing was written\", \"exit_code\": 8}}\n");
  }
  write_all(STDERR_FILENO,
            mode == Mode::polled
                ? "\n"
                  "apsp: interrupted twice, ended at once; apsp clean OUT removes partial files\n"
                : "\napsp: interrupted; nothing was written\n");
  _exit(kExitInterrupted);
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup ignores it
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
  sigaction(SIGXFSZ, &action, nullptr);
}

const Cancellation& cancellation() { return g_cancellation; }

ExitAtOnce::ExitAtOnce(bool json) { g_mode = json ? Mode::at_once_json : Mode::at_once; }

ExitAtOnce::~ExitAtOnce() { g_mode = Mode::polled; }

}  // namespace apsp::cli
