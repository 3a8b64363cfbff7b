#include "base/early_pages.hpp"

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <system_error>

#include "base/machine.hpp"

namespace apsp::base {
namespace {

constexpr std::int64_t kPiece = std::int64_t{4} << 20;  // bytes: some 0.5 ms to clear
constexpr std::int64_t kLeast = 16 * kPiece;            // less is not worth a thread
#ifdef MADV_POPULATE_WRITE
constexpr int kPopulate = MADV_POPULATE_WRITE;
#else
constexpr int kPopulate = 23;  // of Linux 5.14, where the library's headers are older
#endif

}  // namespace

EarlyPages::EarlyPages(void* memory, std::int64_t bytes, int threads) {
  if (memory == nullptr || threads < 2 || bytes < kLeast || available_memory() < 2 * bytes) return;
  // Whole pieces: what is shared with other memory at both ends is left alone.
  const auto beyond = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(memory) % kPiece);
  const std::int64_t skipped = beyond == 0 ? 0 : kPiece - beyond;
  std::byte* const first = static_cast<std::byte*>(memory) + skipped;
  const std::int64_t pieces = (bytes - skipped) / kPiece;
  try {
    thread_ = std::thread([this, first, pieces] {
      for (std::int64_t i = 0; i < pieces && !stopped_; ++i) {
        if (madvise(first + i * kPiece, kPiece, kPopulate) != 0) return;
      }
    });
  } catch (const std::system_error&) {  // no thread to be had: pages come when they are touched
  }
}

void EarlyPages::stop() {
  stopped_ = true;
  if (thread_.joinable()) thread_.join();
}

}  // namespace apsp::base
