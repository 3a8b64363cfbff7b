#include "kernels/cpu/cpu_kernels.hpp"

#include "kernels/cpu/targets.hpp"
// The chosen instruction sets decide what HWY_TARGETS means below.
#include <hwy/targets.h>

#include <array>

#include "kernels/cpu/packing_buffer.hpp"

namespace apsp::kernels::cpu {

TileOperations min_plus_operations(ValueType type, Sign sign);
TileOperations max_plus_operations(ValueType type, Sign sign);
TileOperations max_min_operations(ValueType type, Sign sign);
TileOperations min_max_operations(ValueType type, Sign sign);
TileOperations or_and_operations(ValueType type, Sign sign);

TileOperations operations(Semiring semiring, ValueType type, Sign sign) {
  switch (semiring) {
    case Semiring::max_plus:
      return max_plus_operations(type, sign);
    case Semiring::max_min:
      return max_min_operations(type, sign);
    case Semiring::min_max:
      return min_max_operations(type, sign);
    case Semiring::or_and:
      return or_and_operations(type, sign);
    default:
      return min_plus_operations(type, sign);
  }
}

std::byte* packing_bytes(int slot, std::int64_t bytes) {
  struct Buffer {
    hwy::AlignedFreeUniquePtr<std::byte[]> data;
    std::int64_t bytes = 0;
  };
  thread_local std::array<Buffer, 2> buffers;
  Buffer& buffer = buffers[static_cast<std::size_t>(slot)];
  if (buffer.bytes < bytes) {
    buffer.data = hwy::AllocateAligned<std::byte>(static_cast<std::size_t>(bytes));
    buffer.bytes = bytes;
  }
  return buffer.data.get();
}

namespace {

/// Compiled here and runnable now, best first; forcing a set does not change it.
const std::vector<std::int64_t>& targets() {
  static const std::vector<std::int64_t> list = hwy::SupportedAndGeneratedTargets();
  return list;
}

}  // namespace

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const std::int64_t target : targets()) names.emplace_back(hwy::TargetName(target));
  return names;
}

std::string instruction_set() {
  return hwy::TargetName(hwy::SupportedAndGeneratedTargets().front());
}

void force_instruction_set(const std::optional<std::string>& name) {
  targets();
  hwy::SetSupportedTargetsForTest(0);
  if (name) {
    for (const std::int64_t target : targets()) {
      if (*name == hwy::TargetName(target)) hwy::SetSupportedTargetsForTest(target);
    }
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace apsp::kernels::cpu
