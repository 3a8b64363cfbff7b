// The machine, and the processors and memory that this process may use. Processors are limited by
// the affinity mask and by the time that control groups grant: with more threads, most time is
// spent in preempted tasks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

namespace apsp::system {

/// Bytes available without swapping, within the limits of control groups; caches count as free.
std::int64_t available_memory();
/// Bytes of the machine, or of the smallest control group of this process.
std::int64_t total_memory();
/// Bytes of this process by their name in /proc/self/status: "VmRSS", resident now, or "VmHWM", the
/// peak, both with pages of mapped files; 0 if unknown.
std::int64_t process_memory(const std::string& key);
/// Seconds of all threads of this process: on processors, and ready to run while others had these;
/// 0 where the system does not tell.
struct ThreadTimes {
  double running = 0, waiting = 0;
};
ThreadTimes thread_times();
std::string cpu_name();
/// Bytes of a core's first-level data cache; 32 KiB if unknown.
std::int64_t level1_cache_bytes();

/// Processors whose time the control groups of this process grant, the least of nested ones,
/// rounded up, at least 1; 0: no limit. `root`: folder of /proc and /sys.
int granted_processors(const std::filesystem::path& root = "/");

/// Returns `requested` if positive, else the limit below, else OMP_NUM_THREADS, else the number of
/// processors that this process may run on and is granted.
int thread_count(int requested);

/// The same without request and limit.
int offered_threads();

/// Limits all work that requests no number of threads; 0: no limit. Programs may call it, not
/// libraries.
void limit_threads(int threads);

/// Memory left by control groups. The usage of a group includes cached files. The system reclaims
/// these, active ones too, before allocations fail, so they count as free. Source: Linux,
/// Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/memory.rst.
struct GroupMemory {
  static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();
  std::int64_t limit = kUnlimited;      ///< bytes; the smallest limit of the process's groups
  std::int64_t available = kUnlimited;  ///< bytes; the smallest remainder of the process's groups
};

/// `root`: folder of /proc and /sys.
GroupMemory control_group_memory(const std::filesystem::path& root = "/");

}  // namespace apsp::system
