// Work in a child process, for code with state that exists once per process.
//
// The child is a copy of the calling thread and of all memory, made by fork(), and returns results
// in `SharedArray`s. It uses no other thread, device or communicator, and leaves by _exit(), so
// that nothing of its parent is closed or written twice. Signals have their default effect, except
// those that the parent ignores. It ends when the thread that started it ends.
#pragma once

#include <sys/types.h>
#include <apsp/progress.hpp>
#include <functional>
#include <new>
#include <span>
#include <utility>

namespace apsp::system {

/// Forbids children: networks (MPI) that know the pages of a process may lose track of copied ones.
void forbid_children();

/// Returns the number of processes for the work of so many threads: one if children are forbidden,
/// else at most one per processor of this process.
int processes_for(int threads);

class SharedMemory {
 public:
  explicit SharedMemory(std::size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

/// [size] of a trivial type.
template <class T>
class SharedArray {
 public:
  explicit SharedArray(std::size_t size) : memory_(size * sizeof(T)), size_(size) {}
  std::span<T> values() const { return {static_cast<T*>(memory_.data()), size_}; }

 private:
  SharedMemory memory_;
  std::size_t size_;
};

class ChildProcess {
 public:
  /// Runs work() in a child. If the system refuses, `succeeded` returns false.
  explicit ChildProcess(const std::function<void()>& work);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  bool began() const { return id_ > 0; }
  pid_t id() const { return id_; }
  /// Waits for the end of the child. Returns whether work() finished without an exception or a
  /// signal. Calls `while_waiting` every millisecond. Throws `Error` (interrupted); the
  /// destructor then kills the child.
  bool succeeded(const Control& control = {}, const std::function<void()>& while_waiting = {});

 private:
  void await();

  // [1] the exit status is not reliable: a program may collect it from all its children
  SharedArray<bool> done_;
  pid_t id_ = -1;  // 0 after its end
};

}  // namespace apsp::system
