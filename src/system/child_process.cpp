#include "system/child_process.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "base/control.hpp"
#include "system/machine.hpp"

namespace apsp::system {
namespace {

std::atomic<bool> children_forbidden{false};

/// Blocks all signals during its lifetime: a handler of the parent must not run in the child.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~AllSignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

/// Restores the default effect of all signals that are not ignored.
void answer_signals_by_default() {
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction now = {};
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) {
      sigaction(signal, &standard, nullptr);
    }
  }
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void run_as_child(pid_t parent, const std::function<void()>& work, bool& done) {
  answer_signals_by_default();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent ended before it was watched
  try {
    work();
    done = true;
  } catch (...) {
    _exit(1);  // the parent repeats the work, and throws its exception
  }
  _exit(0);
}

}  // namespace

void forbid_children() { children_forbidden = true; }

int processes_for(int threads) {
  // A program of MPI: its network may know the pages of this process.
  const bool launched =
      std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr;
  if (children_forbidden || launched) return 1;
  return std::clamp(thread_count(0), 1, std::max(1, threads));
}

SharedMemory::SharedMemory(std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {
  data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (data_ == MAP_FAILED) throw std::bad_alloc();
}

SharedMemory::~SharedMemory() { munmap(data_, bytes_); }

ChildProcess::ChildProcess(const std::function<void()>& work) : done_(1) {
  if (children_forbidden) return;
  const pid_t parent = getpid();
  const AllSignalsBlocked blocked;
  id_ = fork();
  if (id_ == 0) run_as_child(parent, work, done_.values()[0]);
}

ChildProcess::~ChildProcess() {
  if (!began()) return;
  // 0: it is running, so the id is still its own.
  if (waitpid(id_, nullptr, WNOHANG) == 0) kill(id_, SIGKILL);
  await();
}

void ChildProcess::await() {
  // ECHILD: the program ignores or has collected its children.
  while (waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
  }
  id_ = 0;
}

bool ChildProcess::succeeded(const Control& control, const std::function<void()>& while_waiting) {
  while (began()) {
    const pid_t ended = waitpid(id_, nullptr, WNOHANG);
    if (ended == id_ || (ended < 0 && errno != EINTR)) {
      id_ = 0;
      break;
    }
    base::check_cancelled(control);
    if (while_waiting) while_waiting();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return done_.values()[0];
}

}  // namespace apsp::system
