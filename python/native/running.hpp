// Work for Python that must end before the interpreter does.
//
// A thread that requests the interpreter lock while Python ends is killed with C++ frames on its
// stack, and a solver must not outlive what the process destroys. All work is therefore listed
// here, and stopped and awaited before Python ends (atexit). A child after fork() starts with an
// empty list, because it has no threads of its parent.
#pragma once

#include <chrono>
#include <functional>

namespace apsp::python {

inline constexpr std::chrono::milliseconds kBetweenSignals{5};   // a twentieth of what users notice
inline constexpr std::chrono::milliseconds kBeforeLeaving{100};  // most polling work ends within 20

/// Listed during its lifetime.
class Running {
 public:
  /// `stop` requests an early end without waiting; called by any thread. Throws `Error`
  /// (interrupted) if Python is ending.
  explicit Running(std::function<void()> stop);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  void* list_;
  std::function<void()> stop_;
  friend struct RunningList;
};

/// Runs `work` on its own thread, with signals blocked. Throws `std::system_error` if the system
/// provides no thread.
void run_apart(std::function<void()> work);

/// Stops all work and waits for its end. Requires: the interpreter lock is held.
void end_all_running();

}  // namespace apsp::python
