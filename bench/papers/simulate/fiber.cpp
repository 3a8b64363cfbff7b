#undef _FORTIFY_SOURCE  // its check of longjmp takes another stack for an error

#include "papers/simulate/fiber.hpp"

#include <sys/mman.h>

#include <apsp/error.hpp>
#include <cstdint>
#include <utility>

// The address sanitizer is told of every change of stacks.
#if defined(__SANITIZE_ADDRESS__)
#define APSP_FIBERS_ARE_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define APSP_FIBERS_ARE_WATCHED 1
#endif
#endif
#if defined(APSP_FIBERS_ARE_WATCHED)
#include <sanitizer/common_interface_defs.h>
#endif

namespace apsp::simulation {
namespace {

/// Deep enough for the driver's page and its transport; pages that are not touched cost nothing.
constexpr std::size_t kStackBytes = std::size_t{256} << 10;

void leave_stack([[maybe_unused]] void** kept, [[maybe_unused]] const void* bottom,
                 [[maybe_unused]] std::size_t size) {
#if defined(APSP_FIBERS_ARE_WATCHED)
  __sanitizer_start_switch_fiber(kept, bottom, size);
#endif
}

void enter_stack([[maybe_unused]] void* kept, [[maybe_unused]] const void** bottom,
                 [[maybe_unused]] std::size_t* size) {
#if defined(APSP_FIBERS_ARE_WATCHED)
  __sanitizer_finish_switch_fiber(kept, bottom, size);
#endif
}

}  // namespace

Fiber::Fiber(std::function<void()> body) : body_(std::move(body)) {
  void* const memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) {
    throw Error(ErrorKind::does_not_fit, "no memory for the stack of a simulated process");
  }
  stack_ = static_cast<std::byte*>(memory);
  getcontext(&inside_);
  inside_.uc_stack.ss_sp = stack_;
  inside_.uc_stack.ss_size = kStackBytes;
  inside_.uc_link = nullptr;
  // makecontext passes on whole numbers alone.
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&inside_, reinterpret_cast<void (*)()>(&Fiber::enter), 2,
              static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
}

Fiber::~Fiber() { munmap(stack_, kStackBytes); }

void Fiber::enter(unsigned high, unsigned low) {
  const std::uintptr_t self = (static_cast<std::uintptr_t>(high) << 32) | low;
  reinterpret_cast<Fiber*>(self)->run();  // NOLINT(performance-no-int-to-ptr)
}

// Contexts are only for the first step onto a stack: swapcontext asks the system for the mask of
// signals at each switch, which took a quarter of a simulation's time.
void Fiber::switch_to_body() {
  if (_setjmp(outside_) != 0) return;
  if (!begun_) {
    begun_ = true;
    setcontext(&inside_);
  }
  _longjmp(paused_, 1);
}

void Fiber::run() {
  enter_stack(nullptr, &outside_bottom_, &outside_size_);
  try {
    body_();
  } catch (...) {
    failure_ = std::current_exception();
  }
  ended_ = true;
  leave_stack(nullptr, outside_bottom_, outside_size_);
  _longjmp(outside_, 1);
}

void Fiber::resume() {
  leave_stack(&outside_stack_, stack_, kStackBytes);
  switch_to_body();
  enter_stack(outside_stack_, nullptr, nullptr);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Fiber::pause() {
  leave_stack(&inside_stack_, outside_bottom_, outside_size_);
  if (_setjmp(paused_) == 0) _longjmp(outside_, 1);
  enter_stack(inside_stack_, &outside_bottom_, &outside_size_);
}

}  // namespace apsp::simulation
