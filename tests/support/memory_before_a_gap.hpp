// Memory whose next byte may not be touched: what reads or writes beyond it ends the process. It
// notices what no value tells of, such as writing again what stood there.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "base/rounded_up.hpp"

namespace apsp {

template <class T>
class MemoryBeforeAGap {
 public:
  /// `count` zeros.
  explicit MemoryBeforeAGap(std::int64_t count) {
    const std::int64_t page = sysconf(_SC_PAGESIZE);
    const std::int64_t bytes = count * static_cast<std::int64_t>(sizeof(T));
    const std::int64_t open = base::rounded_up(bytes, page);
    whole_ = static_cast<std::size_t>(open + page);
    pages_ = mmap(nullptr, whole_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(pages_, MAP_FAILED);
    std::byte* const gap = static_cast<std::byte*>(pages_) + open;
    EXPECT_EQ(mprotect(gap, static_cast<std::size_t>(page), PROT_NONE), 0);
    data_ = reinterpret_cast<T*>(gap - bytes);
  }
  ~MemoryBeforeAGap() { munmap(pages_, whole_); }
  MemoryBeforeAGap(const MemoryBeforeAGap&) = delete;
  MemoryBeforeAGap& operator=(const MemoryBeforeAGap&) = delete;

  T* data() { return data_; }

 private:
  void* pages_ = nullptr;
  std::size_t whole_ = 0;
  T* data_ = nullptr;
};

}  // namespace apsp
