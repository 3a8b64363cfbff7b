#include "kernels/cpu/cpu_kernels.hpp"

#include "base/seconds_since.hpp"
#include "base/targets.hpp"

#include <hwy/aligned_allocator.h>
#include <hwy/targets.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <utility>

#include "kernels/cpu/inner_loops.hpp"
#include "kernels/cpu/needed_sets.hpp"
#include "kernels/cpu/tile_operations.hpp"

namespace apsp::kernels::cpu {

namespace {

double seconds_of_product(const TileOperations& operations) {
  constexpr std::int64_t kSide = 192;
  std::vector<double> values(3 * kSide * kSide);
  const View c{values.data(), kSide, kSide, kSide};
  const View a{values.data() + kSide * kSide, kSide, kSide, kSide};
  const View b{values.data() + 2 * kSide * kSide, kSide, kSide, kSide};
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    operations.multiply_add(c, a, b);
    const auto end = std::chrono::steady_clock::now();
    best = std::min(best, std::chrono::duration<double>(end - start).count());
  }
  return best;
}

std::atomic<double> spent_on_trials{0};

/// Sets that are compiled and supported by this machine, best first, regardless of a forced set.
const std::vector<std::int64_t>& targets() {
  static const std::vector<std::int64_t> list = [] {
    std::vector<std::int64_t> found = hwy::SupportedAndGeneratedTargets();
    std::erase_if(found, [](std::int64_t target) { return (target & compiled_targets()) == 0; });
    return found;
  }();
  return list;
}

/// The set forced by a test, or 0; Highway's own query of the processor is slow in virtual
/// machines.
std::atomic<std::int64_t> forced{0};

}  // namespace

bool bits_order_faster(Semiring semiring, ValueType type, Sign sign) {
  if (semiring != Semiring::min_plus || sign == Sign::any ||
      (type != ValueType::f32 && type != ValueType::f64))
    return false;
  static std::mutex mutex;
  static std::map<std::pair<std::string, ValueType>, bool> known;
  const std::lock_guard lock(mutex);
  const auto [entry, fresh] = known.try_emplace({instruction_set(), type}, false);
  if (fresh) {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&](bool by_bits) {
      return seconds_of_product(tile_operations(semiring, type, sign, by_bits));
    };
    entry->second = seconds(true) < 0.98 * seconds(false);
    const double took = base::seconds_since(start);
    spent_on_trials.store(spent_on_trials.load() + took);
  }
  return entry->second;
}

double seconds_of_trials() { return spent_on_trials.load(); }

TileOperations operations(Semiring semiring, ValueType type, Sign sign) {
  return tile_operations(semiring, type, sign, bits_order_faster(semiring, type, sign));
}

std::byte* packing_bytes(int slot, std::int64_t bytes) {
  struct Buffer {
    hwy::AlignedFreeUniquePtr<std::byte[]> data;
    std::int64_t bytes = 0;
  };
  thread_local std::array<Buffer, 3> buffers;
  Buffer& buffer = buffers.at(static_cast<std::size_t>(slot));
  if (buffer.bytes < bytes) {
    buffer.data = hwy::AllocateAligned<std::byte>(static_cast<std::size_t>(bytes));
    buffer.bytes = bytes;
  }
  return buffer.data.get();
}

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const std::int64_t target : targets()) names.emplace_back(hwy::TargetName(target));
  return names;
}

std::string instruction_set() {
  const std::int64_t set = forced.load();
  return hwy::TargetName(set != 0 ? set : targets().front());
}

void force_instruction_set(const std::optional<std::string>& name) {
  targets();
  forced = 0;
  if (name) {
    for (const std::int64_t target : targets()) {
      if (*name == hwy::TargetName(target)) forced = target;
    }
  }
  hwy::SetSupportedTargetsForTest(forced);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace apsp::kernels::cpu
