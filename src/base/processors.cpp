#include "base/processors.hpp"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "base/control_group_folders.hpp"

namespace apsp::base {
namespace {

std::atomic<int> limit{0};  // of `limit_threads`

namespace fs = std::filesystem;

constexpr double kNoProcessorLimit = 1e9;

/// Version 2: "QUOTA PERIOD" in microseconds, or "max PERIOD".
double granted_by(const fs::path& file) {
  std::ifstream stream(file);
  double quota = 0;
  double period = 0;
  return stream >> quota >> period && quota > 0 && period > 0 ? quota / period : kNoProcessorLimit;
}

/// Version 1: two files, a quota of −1 where there is no limit.
double granted_by(const fs::path& quota_file, const fs::path& period_file) {
  double quota = 0;
  double period = 0;
  const bool known = (std::ifstream(quota_file) >> quota) && (std::ifstream(period_file) >> period);
  return known && quota > 0 && period > 0 ? quota / period : kNoProcessorLimit;
}

/// Processors that this thread may run on. OpenMP's libraries differ in whether theirs follow the
/// mask of the thread that asks.
int processors_of_mask() {
  for (std::size_t most = CPU_SETSIZE; most <= (1 << 20); most *= 4) {
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(
        CPU_ALLOC(most), [](cpu_set_t* memory) { CPU_FREE(memory); });
    const std::size_t bytes = CPU_ALLOC_SIZE(most);
    CPU_ZERO_S(bytes, set.get());
    if (sched_getaffinity(0, bytes, set.get()) == 0) return CPU_COUNT_S(bytes, set.get());
  }
  return omp_get_num_procs();
}

}  // namespace

int granted_processors(const fs::path& root) {
  const ControlGroupFolders folders = control_group_folders("cpu", root);
  double granted = kNoProcessorLimit;
  for (const fs::path& folder : folders.unified) {
    granted = std::min(granted, granted_by(folder / "cpu.max"));
  }
  for (const fs::path& folder : folders.own) {
    granted =
        std::min(granted, granted_by(folder / "cpu.cfs_quota_us", folder / "cpu.cfs_period_us"));
  }
  return granted == kNoProcessorLimit ? 0 : std::max(1, static_cast<int>(std::ceil(granted)));
}

void limit_threads(int threads) { limit.store(threads, std::memory_order_relaxed); }

int thread_count(int requested) {
  if (requested > 0) return requested;
  if (const int most = limit.load(std::memory_order_relaxed); most > 0) return most;
  return offered_threads();
}

int offered_threads() {
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return omp_get_max_threads();
  const int here = std::max(1, processors_of_mask());
  static const int granted = granted_processors();
  return granted > 0 ? std::min(here, granted) : here;
}

}  // namespace apsp::base
