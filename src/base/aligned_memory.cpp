#include "base/aligned_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <apsp/error.hpp>

#include "base/units.hpp"

namespace apsp::base {

AlignedMemory::AlignedMemory(std::int64_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  void* memory = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    throw Error(ErrorKind::does_not_fit,
                fmt::format("the system refused {} of memory", format_bytes(bytes)));
  }
  madvise(memory, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);
  data_ = static_cast<std::byte*>(memory);
}

AlignedMemory::~AlignedMemory() {
  if (data_ != nullptr) munmap(data_, static_cast<std::size_t>(bytes_));
}

void prefer_large_pages(void* memory, std::size_t bytes) {
  constexpr std::uintptr_t kPage = 4096, kLargePage = std::uintptr_t{2} << 20;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory) / kPage * kPage;
  if (bytes < 2 * kLargePage) return;
  madvise(reinterpret_cast<void*>(begin), bytes, MADV_HUGEPAGE);  // a refusal changes nothing
}

}  // namespace apsp::base
