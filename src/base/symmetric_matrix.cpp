#include "base/symmetric_matrix.hpp"

#include <algorithm>
#include <atomic>

#include "base/team.hpp"

namespace apsp::base {
namespace {

constexpr std::int64_t kBlock = 16;
/// Below this side waking the threads takes longer than the pass.
constexpr std::int64_t kShared = 1024;

/// Rows [i, i_end) and columns [j, j_end) against their mirror image.
template <class T>
bool block_is_mirrored(const T* data, std::int64_t stride, std::int64_t i, std::int64_t i_end,
                       std::int64_t j, std::int64_t j_end) {
  T difference = 0;
  for (std::int64_t r = i; r < i_end; ++r) {
    for (std::int64_t c = j; c < j_end; ++c) {
      difference |= static_cast<T>(data[r * stride + c] ^ data[c * stride + r]);
    }
  }
  return difference == 0;
}

template <class T>
bool is_symmetric_as(const T* data, std::int64_t n, std::int64_t stride, int threads) {
  for (std::int64_t j = 1; j < n; ++j) {
    if (data[j] != data[j * stride]) return false;
  }
  std::atomic<bool> symmetric{true};
  base::share_items((n + kBlock - 1) / kBlock, n >= kShared ? threads : 1, [&](std::int64_t block) {
    const std::int64_t i = block * kBlock;
    for (std::int64_t j = 0; j <= i && symmetric.load(std::memory_order_relaxed); j += kBlock) {
      if (!block_is_mirrored(data, stride, i, std::min(i + kBlock, n), j,
                             std::min(j + kBlock, n))) {
        symmetric.store(false, std::memory_order_relaxed);
      }
    }
  });
  return symmetric;
}

}  // namespace

bool is_symmetric(const void* data, std::int64_t n, std::int64_t stride, int value_size,
                  int threads) {
  switch (value_size) {
    case 1:
      return is_symmetric_as(static_cast<const std::uint8_t*>(data), n, stride, threads);
    case 2:
      return is_symmetric_as(static_cast<const std::uint16_t*>(data), n, stride, threads);
    case 4:
      return is_symmetric_as(static_cast<const std::uint32_t*>(data), n, stride, threads);
    default:
      return is_symmetric_as(static_cast<const std::uint64_t*>(data), n, stride, threads);
  }
}

}  // namespace apsp::base
