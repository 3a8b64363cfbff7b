// The machine: its memory, its names, and the processors that this process may really use.
//
// Those are its affinity mask, and the share of time that its control groups grant it. A container
// with 2 of 64 processors' time that starts 64 threads spends most of it stopped in the middle of
// tasks that all wait for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

namespace apsp::base {

/// Bytes that can still be used without swapping, the limits of all control groups respected;
/// caches that the system can take back count as free.
std::int64_t available_memory();
/// Bytes of the machine, or of the smallest control group around this process.
std::int64_t total_memory();
/// Bytes of this process by their name in Linux's /proc/self/status: "VmRSS", resident now, or
/// "VmHWM", the most that ever was, pages of mapped files included; 0 if the system does not say.
std::int64_t process_memory(const std::string& key);
std::string cpu_name();
/// Bytes of a core's first-level data cache; 32 KiB where the system does not say.
std::int64_t level1_cache_bytes();

/// The processors' time that the control groups of this process grant it, the least of nested ones,
/// rounded up, at least 1; 0: there is no limit. `root`: where /proc and /sys are.
int granted_processors(const std::filesystem::path& root = "/");

/// The number of threads that parallel work will use: `requested` if positive, else the limit
/// below, else OMP_NUM_THREADS where it is set, else the processors that this process may run on,
/// as many as it is granted.
int thread_count(int requested);

/// The same without request and limit: what this machine and process offer.
int offered_threads();

/// At most so many threads for all work of this process that asks for no number of its own; 0: no
/// limit. For programs, which know what their user wants; a library passes numbers instead.
void limit_threads(int threads);

/// The memory that control groups leave to this process. A group's usage counts the files that it
/// has cached. The system takes cached files back, active ones too, before anything fails, so they
/// count as free here. Source: Linux, Documentation/admin-guide/cgroup-v2.rst,
/// cgroup-v1/memory.rst.
struct GroupMemory {
  static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();
  std::int64_t limit = kUnlimited;      ///< bytes; the smallest of all groups around the process
  std::int64_t available = kUnlimited;  ///< bytes; what the fullest of them leaves
};

/// `root`: where /proc and /sys are, another folder in tests.
GroupMemory control_group_memory(const std::filesystem::path& root = "/");

}  // namespace apsp::base
