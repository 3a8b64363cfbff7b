#include "faults/memory_faults.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

// Of the process, without constructors: the first allocations come before any of those.
std::atomic<long> count{0}, live{0}, failing{-1};
std::atomic<bool> fails_onwards{false};

/// A program that LD_PRELOAD gives this library is told by its environment: APSP_MEMORY_FAULT is
/// NUMBER or NUMBER+, APSP_MEMORY_COUNT a file that gets the number of allocations at the end.
[[gnu::constructor]] void read_environment() {
  const char* const order = std::getenv("APSP_MEMORY_FAULT");
  if (order == nullptr) return;
  char* end = nullptr;
  const long at = std::strtol(order, &end, 10);
  apsp_memory_arm(at, *end == '+' ? 1 : 0);
}

bool fails() {
  const long number = count.fetch_add(1, std::memory_order_relaxed);
  const long at = failing.load(std::memory_order_relaxed);
  return at >= 0 &&
         (number == at || (number > at && fails_onwards.load(std::memory_order_relaxed)));
}

void* block(std::size_t bytes, std::size_t alignment) noexcept {
  if (fails()) return nullptr;
  void* memory = nullptr;
  if (alignment <= alignof(std::max_align_t)) {
    memory = std::malloc(bytes > 0 ? bytes : 1);
  } else if (::posix_memalign(&memory, alignment, bytes) != 0) {
    memory = nullptr;
  }
  if (memory != nullptr) live.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

void* block_or_throw(std::size_t bytes, std::size_t alignment) {
  void* const memory = block(bytes, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void give_back(void* memory) noexcept {
  if (memory == nullptr) return;
  live.fetch_sub(1, std::memory_order_relaxed);
  std::free(memory);
}

}  // namespace

extern "C" {

void apsp_memory_arm(long at, int onwards) {
  failing = -1;
  fails_onwards = onwards != 0;
  count = 0;
  failing = at;
}
long apsp_memory_count() { return count; }
long apsp_memory_live() { return live; }

void* mmap(void* at, size_t bytes, int access, int flags, int file, off_t offset) noexcept {
  if (file < 0 && (access & PROT_WRITE) != 0 && fails()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(::syscall(SYS_mmap, at, bytes, access, flags, file, offset));
}
void* mmap64(void* at, size_t bytes, int access, int flags, int file, off64_t offset) noexcept {
  return mmap(at, bytes, access, flags, file, offset);
}
void* aligned_alloc(size_t alignment, size_t bytes) noexcept {
  void* memory = nullptr;
  if (fails() || ::posix_memalign(&memory, alignment, bytes) != 0) return nullptr;
  return memory;
}

}  // extern "C"

void* operator new(std::size_t bytes) { return block_or_throw(bytes, 1); }
void* operator new[](std::size_t bytes) { return block_or_throw(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t to) {
  return block_or_throw(bytes, static_cast<std::size_t>(to));
}
void* operator new[](std::size_t bytes, std::align_val_t to) {
  return block_or_throw(bytes, static_cast<std::size_t>(to));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return block(bytes, 1); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return block(bytes, 1); }
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
