#include "base/pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace apsp::base {
namespace {

constexpr std::uintptr_t kWindow = 64 << 10;    // Linux: fault_around_bytes
constexpr std::uintptr_t kLargePage = 2 << 20;  // or a large page of the cache at once

}  // namespace

void release_mapped(const void* data, std::int64_t begin, std::int64_t end) {
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t window = std::max(kWindow, page);
  const auto down_to = [&](std::uintptr_t multiple, std::int64_t offset) {
    return (address + static_cast<std::uintptr_t>(offset)) / multiple * multiple;
  };
  // What lies before the mapping is someone else's.
  const std::uintptr_t first = std::max(down_to(kLargePage, begin), address / page * page);
  const std::uintptr_t last = down_to(window, end);
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

void discard(void* first, std::int64_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(first);
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = (address + page - 1) / page * page;
  const std::uintptr_t end = (address + static_cast<std::uintptr_t>(bytes)) / page * page;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

void touch(void* first, std::int64_t bytes) {
#ifdef MADV_POPULATE_WRITE
  const auto address = reinterpret_cast<std::uintptr_t>(first);
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = address / page * page;
  // A refusal (Linux before 5.14) changes nothing.
  madvise(reinterpret_cast<void*>(begin), address - begin + static_cast<std::uintptr_t>(bytes),
          MADV_POPULATE_WRITE);
#else
  static_cast<void>(first);
  static_cast<void>(bytes);
#endif
}

}  // namespace apsp::base
