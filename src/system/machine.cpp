#include "system/machine.hpp"

#include <omp.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "system/memory_limit.hpp"

namespace apsp::system {
namespace {

namespace fs = std::filesystem;

/// Returns the value of `key` in lines "key: value" or "key value"; empty if absent.
std::string field(const fs::path& file, const std::string& key) {
  constexpr const char* kBetween = ": \t";
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t end = line.find_first_of(kBetween, key.size());
    if (end != key.size() || line.compare(0, end, key) != 0) continue;
    const std::size_t start = line.find_first_not_of(kBetween, end);
    return start == std::string::npos ? std::string() : line.substr(start);
  }
  return {};
}

std::int64_t number_field(const fs::path& file, const std::string& key) {
  std::istringstream stream(field(file, key));
  std::int64_t number = 0;
  return stream >> number ? number : 0;
}

std::atomic<int> limit{0};  // of `limit_threads`

constexpr double kNoProcessorLimit = 1e9;
constexpr std::int64_t kKib = 1024;

/// Version 2: "QUOTA PERIOD" in microseconds, or "max PERIOD".
double granted_by(const fs::path& file) {
  std::ifstream stream(file);
  double quota = 0, period = 0;
  return stream >> quota >> period && quota > 0 && period > 0 ? quota / period : kNoProcessorLimit;
}

/// Version 1: two files; a quota of −1 means no limit.
double granted_by(const fs::path& quota_file, const fs::path& period_file) {
  double quota = 0, period = 0;
  const bool known = (std::ifstream(quota_file) >> quota) && (std::ifstream(period_file) >> period);
  return known && quota > 0 && period > 0 ? quota / period : kNoProcessorLimit;
}

/// Processors that this thread may run on; OpenMP libraries may use the mask of another thread.
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

bool has_word(const std::string& list, const std::string& word) {
  std::istringstream words(list);
  for (std::string next; std::getline(words, next, ',');) {
    if (next == word) return true;
  }
  return false;
}

/// The path of this process's group in one hierarchy, "/" for its root; version 2 if `controller`
/// is empty. /proc/self/cgroup: "5:cpu,cpuacct:/a/b", "0::/a/b".
std::optional<std::string> group_of(const fs::path& root, const std::string& controller) {
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string names = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? names.empty() : has_word(names, controller)) {
      return line.substr(second + 1);
    }
  }
  return std::nullopt;
}

struct Mount {
  std::string group;
  std::string point;
};

/// The mount point in /proc/self/mountinfo: "31 23 0:28 GROUP POINT options … - cgroup2 source".
std::optional<Mount> mount_of(const fs::path& root, const std::string& controller) {
  std::ifstream file(root / "proc/self/mountinfo");
  if (!file) return Mount{"/", "/sys/fs/cgroup" + (controller.empty() ? "" : "/" + controller)};
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string id, parent, device, word, type, source, options;
    Mount mount;
    words >> id >> parent >> device >> mount.group >> mount.point;
    while (words >> word && word != "-") {
    }
    words >> type >> source >> options;
    const bool wanted =
        controller.empty() ? type == "cgroup2" : type == "cgroup" && has_word(options, controller);
    if (wanted) return mount;
  }
  return std::nullopt;
}

/// Folders of the control groups that limit a controller ("cpu", "memory"), innermost first:
/// version 1 has one hierarchy for each controller, version 2 one for all (cgroups(7)). Each group
/// may set a limit. Inside a container, the group's own folder may be the root of the mount.
std::vector<fs::path> folders_of(const fs::path& root, const std::string& controller) {
  const std::optional<std::string> group = group_of(root, controller);
  const std::optional<Mount> mount = mount_of(root, controller);
  if (!group || !mount) return {};
  const fs::path point = root / fs::path(mount->point).relative_path();
  // Inside a container, both the mount and the group's name may begin at its own group.
  std::string below = *group;
  if (mount->group != "/" && below.rfind(mount->group, 0) == 0) {
    below = below.substr(mount->group.size());
  }
  fs::path folder = (point / fs::path(below).relative_path()).lexically_normal();
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) folder = point;
  std::vector<fs::path> folders;
  for (; folder != point && folder.has_relative_path(); folder = folder.parent_path()) {
    folders.push_back(folder);
  }
  folders.push_back(point);
  return folders;
}

struct MemoryGroups {
  std::vector<fs::path> unified, legacy;
};

/// Read once for each group that this process is moved to, because the list of mount points is
/// long. It lives until the process ends, without a lock, which a child of fork() could find taken.
const MemoryGroups& memory_groups(const fs::path& root) {
  struct Known {
    fs::path root;
    std::string groups;  // as in /proc/self/cgroup
    MemoryGroups folders;
    const Known* earlier;
  };
  static std::atomic<const Known*> newest{nullptr};
  std::ifstream file(root / "proc/self/cgroup");
  const std::string groups(std::istreambuf_iterator<char>(file), {});
  const Known* known = newest.load();
  for (; known != nullptr; known = known->earlier) {
    if (known->root == root && known->groups == groups) return known->folders;
  }
  MemoryGroups folders{folders_of(root, ""), folders_of(root, "memory")};
  auto* const fresh = new Known{root, groups, std::move(folders), newest.load()};
  while (!newest.compare_exchange_weak(fresh->earlier, fresh)) {
  }
  return fresh->folders;
}

/// Version 1 writes "unlimited" as the largest multiple of a page.
constexpr std::int64_t kNoMemoryLimit = std::int64_t{1} << 60;

/// The number in a one-line file; empty if it is absent or "max".
std::optional<std::int64_t> number_in(const fs::path& file) {
  std::ifstream stream(file);
  std::int64_t value = 0;
  if (!(stream >> value)) return std::nullopt;
  return value;
}

struct Version {
  const char* limit;
  const char* usage;
  const char* inactive;  // file cache in memory.stat, of the group and all below it
  const char* active;
};
constexpr Version kUnified = {"memory.max", "memory.current", "inactive_file", "active_file"};
constexpr Version kLegacy = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                             "total_inactive_file", "total_active_file"};

void account(const fs::path& group, const Version& version, GroupMemory& memory) {
  const auto limit = number_in(group / version.limit);
  if (!limit || *limit >= kNoMemoryLimit) return;
  const fs::path facts = group / "memory.stat";
  const std::int64_t cache =
      number_field(facts, version.inactive) + number_field(facts, version.active);
  const std::int64_t usage = number_in(group / version.usage).value_or(0);
  const std::int64_t needed = std::max<std::int64_t>(0, usage - cache);
  memory.limit = std::min(memory.limit, *limit);
  memory.available = std::min(memory.available, std::max<std::int64_t>(0, *limit - needed));
}

}  // namespace

std::int64_t total_memory() {
  struct sysinfo info {};
  sysinfo(&info);
  const auto physical = static_cast<std::int64_t>(info.totalram) * info.mem_unit;
  return std::min(physical, control_group_memory().limit);
}

std::int64_t available_memory() {
  std::int64_t free = number_field("/proc/meminfo", "MemAvailable") * kKib;
  if (free == 0) {  // without /proc: the reclaimable cache is unknown
    struct sysinfo info {};
    sysinfo(&info);
    free = static_cast<std::int64_t>(info.freeram + info.bufferram) * info.mem_unit;
  }
  free = std::min(free, control_group_memory().available);
  if (memory_limit() == 0) return free;
  return std::clamp<std::int64_t>(memory_limit() - kept_memory(), 0,
                                  std::max<std::int64_t>(free, 0));
}

std::int64_t process_memory(const std::string& key) {
  return number_field("/proc/self/status", key) * kKib;
}

ThreadTimes thread_times() {
  ThreadTimes times;
  std::error_code ended;  // of threads meanwhile, or there is no such folder
  for (fs::directory_iterator thread("/proc/self/task", ended), last; thread != last;
       thread.increment(ended)) {
    double running = 0, waiting = 0;  // ns
    std::ifstream(thread->path() / "schedstat") >> running >> waiting;
    times.running += running * 1e-9;
    times.waiting += waiting * 1e-9;
  }
  return times;
}

std::string cpu_name() {
  static const std::string name = field("/proc/cpuinfo", "model name");  // takes 0.1 ms
  return name.empty() ? "unknown processor" : name;
}

std::int64_t level1_cache_bytes() {
  constexpr std::int64_t kUsual = 32 << 10;
  static const std::int64_t bytes = sysconf(_SC_LEVEL1_DCACHE_SIZE);  // slow in virtual machines
  return bytes > 0 ? bytes : kUsual;
}

int granted_processors(const fs::path& root) {
  double granted = kNoProcessorLimit;
  for (const fs::path& folder : folders_of(root, "")) {
    granted = std::min(granted, granted_by(folder / "cpu.max"));
  }
  for (const fs::path& folder : folders_of(root, "cpu")) {
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

GroupMemory control_group_memory(const fs::path& root) {
  GroupMemory memory;
  const MemoryGroups& groups = memory_groups(root);
  for (const fs::path& group : groups.unified) account(group, kUnified, memory);
  for (const fs::path& group : groups.legacy) account(group, kLegacy, memory);
  return memory;
}

}  // namespace apsp::system
