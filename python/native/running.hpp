// What runs for Python, so that it has ended before the interpreter does.
//
// While Python ends, a thread that asks for the interpreter lock is ended by force, with C++ frames
// on its stack; and a solver must not outlive what the process tears down. So all that runs is
// listed here; before Python ends (its atexit) everything is stopped and awaited. A child after
// fork() begins with an empty list: its parent's threads are not its own.
#pragma once

#include <functional>

namespace apsp::python {

/// Listed from construction to destruction.
class Running {
 public:
  /// `stop` asks for an early end, from any thread, and does not wait for it. Throws `Error`
  /// (interrupted) where Python ends already.
  explicit Running(std::function<void()> stop);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  void* list_;
  std::function<void()> stop_;
  friend struct RunningList;
};

/// Runs `work` on a thread of its own, which no signal is delivered to. Throws `std::system_error`
/// where the system gives no thread.
void run_apart(std::function<void()> work);

/// Stops all that runs and waits until it has ended. Requires: the interpreter lock is held.
void end_all_running();

}  // namespace apsp::python
