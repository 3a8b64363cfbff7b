// Work in a child of this process, for code that keeps state of which a process has one.
//
// The child is a copy of the calling thread and of all memory, made by fork(): it reads what was
// there, and gives results through `SharedArray`s. It uses no other thread, no device and no
// communicator, and leaves by _exit(), so that nothing of its parent's is closed or written twice.
// It answers signals as a program does that handles none, so that Ctrl-C ends it, and ignores those
// that its parent ignores. It ends when the thread that began it does.
#pragma once

#include <sys/types.h>
#include <apsp/progress.hpp>
#include <functional>
#include <new>
#include <span>
#include <utility>

namespace apsp::base {

/// From now on no child begins: where the memory of a process is known to a network, as that of
/// MPI, copies of pages may part it from what the network sees.
void forbid_children();

/// How many processes may share the work of so many threads: one where children are forbidden, else
/// at most one for each processor of this process.
int processes_for(int threads);

/// Memory of zeros that a process and its later children share.
class SharedMemory {
 public:
  /// Throws std::bad_alloc.
  explicit SharedMemory(std::size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

/// [size] of a trivial type, in such memory.
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
  /// Begins work() in a child. Where the system gives none, `succeeded` says so.
  explicit ChildProcess(const std::function<void()>& work);
  /// Ends the child if it still works.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  bool began() const { return id_ > 0; }
  pid_t id() const { return id_; }
  /// Waits for its end. Whether work() ran to its end: not where it threw, or a signal ended it.
  /// `while_waiting` is called every millisecond. Throws `Error` (interrupted), and the destructor
  /// ends the child.
  bool succeeded(const Control& control = {}, const std::function<void()>& while_waiting = {});

 private:
  void await();

  SharedArray<bool> done_;  // [1] a program may take the exit status of all its children
  pid_t id_ = -1;           // 0 when it has ended
};

}  // namespace apsp::base
