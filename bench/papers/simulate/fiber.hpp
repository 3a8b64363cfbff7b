// A function that can stop in the middle and go on later, on a stack of its own.
//
// Thousands of processes of a simulated machine run the driver's page in one thread: only one runs
// at a time, and it says itself when the next may. What the function throws arrives in `resume`.
#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <cstddef>
#include <exception>
#include <functional>

namespace apsp::simulation {

class Fiber {
 public:
  explicit Fiber(std::function<void()> body);
  /// Requires: it has ended, or never began.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Runs the body until it pauses or ends.
  void resume();
  /// Called by the body: returns at the next `resume`.
  void pause();
  bool ended() const { return ended_; }

 private:
  static void enter(unsigned high, unsigned low);
  void run();
  void switch_to_body();

  std::function<void()> body_;
  std::byte* stack_;
  ucontext_t inside_{};
  jmp_buf outside_, paused_;
  bool begun_ = false, ended_ = false;
  std::exception_ptr failure_;
  void* outside_stack_ = nullptr;  // as sanitizers know them
  const void* outside_bottom_ = nullptr;
  std::size_t outside_size_ = 0;
  void* inside_stack_ = nullptr;
};

}  // namespace apsp::simulation
