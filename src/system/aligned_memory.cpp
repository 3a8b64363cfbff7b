#include "system/aligned_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <system_error>

#include "base/units.hpp"
#include "system/machine.hpp"

namespace apsp::system {
namespace {

constexpr std::uintptr_t kWindow = 64 << 10;    // Linux: fault_around_bytes
constexpr std::uintptr_t kLargePage = 2 << 20;  // or a large page at once

constexpr std::int64_t kPiece = std::int64_t{4} << 20;  // bytes: 0.5 ms to clear
constexpr std::int64_t kLeast = 16 * kPiece;            // less is not worth a thread
#ifdef MADV_POPULATE_WRITE
constexpr int kPopulate = MADV_POPULATE_WRITE;
#else
constexpr int kPopulate = 23;  // MADV_POPULATE_WRITE of Linux 5.14, for older headers
#endif

std::uintptr_t address_of(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

std::uintptr_t page_bytes() { return static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)); }

void advise(void* memory, std::uintptr_t begin, std::uintptr_t end, int advice) {
  const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(begin - address_of(memory));
  madvise(static_cast<std::byte*>(memory) + offset, end - begin, advice);
}

}  // namespace

AlignedMemory::AlignedMemory(std::int64_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  void* memory = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    throw Error(ErrorKind::does_not_fit,
                fmt::format("the system refused {} of memory", base::format_bytes(bytes)));
  }
  madvise(memory, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);
  data_ = static_cast<std::byte*>(memory);
}

AlignedMemory AlignedMemory::on_small_pages(std::int64_t bytes) {
  AlignedMemory memory(bytes);
  if (bytes > 0) madvise(memory.data_, static_cast<std::size_t>(bytes), MADV_NOHUGEPAGE);
  return memory;
}

AlignedMemory::~AlignedMemory() {
  if (data_ != nullptr) munmap(data_, static_cast<std::size_t>(bytes_));
}

void release_mapped(const void* data, std::int64_t begin, std::int64_t end) {
  const std::uintptr_t address = address_of(data), page = page_bytes();
  const std::uintptr_t window = std::max(kWindow, page);
  const auto down_to = [&](std::uintptr_t multiple, std::int64_t offset) {
    return (address + static_cast<std::uintptr_t>(offset)) / multiple * multiple;
  };
  const std::uintptr_t first = std::max(down_to(kLargePage, begin), address / page * page);
  const std::uintptr_t last = down_to(window, end);
  if (first < last) advise(const_cast<void*>(data), first, last, MADV_DONTNEED);
}

void discard(void* first, std::int64_t bytes) {
  const std::uintptr_t address = address_of(first), page = page_bytes();
  const std::uintptr_t begin = (address + page - 1) / page * page;
  const std::uintptr_t end = (address + static_cast<std::uintptr_t>(bytes)) / page * page;
  if (begin < end) advise(first, begin, end, MADV_DONTNEED);
}

void touch(void* first, std::int64_t bytes) {
  const std::uintptr_t address = address_of(first);
  const std::uintptr_t begin = address / page_bytes() * page_bytes();
  // Ignored by Linux before 5.14.
  advise(first, begin, address + static_cast<std::uintptr_t>(bytes), kPopulate);
}

EarlyPages::EarlyPages(void* memory, std::int64_t bytes, int threads) {
  if (memory == nullptr || threads < 2 || bytes < kLeast || available_memory() < 2 * bytes) return;
  // Takes whole pieces, which share no page with other memory.
  const auto beyond = static_cast<std::int64_t>(address_of(memory) % kPiece);
  const std::int64_t skipped = beyond == 0 ? 0 : kPiece - beyond;
  std::byte* const first = static_cast<std::byte*>(memory) + skipped;
  const std::int64_t pieces = (bytes - skipped) / kPiece;
  try {
    thread_ = std::thread([this, first, pieces] {
      for (std::int64_t i = 0; i < pieces && !stopped_; ++i) {
        if (madvise(first + i * kPiece, kPiece, kPopulate) != 0) return;
      }
    });
  } catch (const std::system_error&) {  // without a thread, pages come when they are touched
  }
}

void EarlyPages::stop() {
  stopped_ = true;
  if (thread_.joinable()) thread_.join();
}

}  // namespace apsp::system
