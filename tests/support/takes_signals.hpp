// Whether the calling thread takes the signals that ask a process to end
// (system/threads.hpp).
#pragma once

#include <csignal>

namespace apsp {

inline bool takes_signals() {
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  return sigismember(&blocked, SIGINT) == 0 || sigismember(&blocked, SIGTERM) == 0;
}

}  // namespace apsp
