#include "base/control_groups.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

namespace apsp::base {
namespace {

/// v1 writes "unlimited" as the largest multiple of a page.
constexpr std::int64_t kNoLimit = std::int64_t{1} << 60;

/// A number in a one-line file; empty where it is absent, or says "max".
std::optional<std::int64_t> number_in(const std::string& file) {
  std::ifstream stream(file);
  std::int64_t value = 0;
  if (!(stream >> value)) return std::nullopt;
  return value;
}

/// The value behind `key` in a file of lines "key value"; 0 where it is absent.
std::int64_t field_of(const std::string& file, std::string_view key) {
  std::ifstream stream(file);
  std::string name;
  std::int64_t value = 0;
  while (stream >> name >> value) {
    if (name == key) return value;
  }
  return 0;
}

/// How one version of the hierarchy names things.
struct Version {
  const char* folder;  // below sys/fs/cgroup
  const char* limit;
  const char* usage;
  const char* inactive;  // file cache, in memory.stat: of the group and all below it
  const char* active;
};
constexpr Version kUnified = {"", "memory.max", "memory.current", "inactive_file", "active_file"};
constexpr Version kLegacy = {"/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                             "total_inactive_file", "total_active_file"};

void account(const std::string& group, const Version& version, GroupMemory& memory) {
  const std::string folder = group + "/";
  const auto limit = number_in(folder + version.limit);
  if (!limit || *limit >= kNoLimit) return;
  const std::string facts = folder + "memory.stat";
  const std::int64_t cache = field_of(facts, version.inactive) + field_of(facts, version.active);
  const std::int64_t usage = number_in(folder + version.usage).value_or(0);
  const std::int64_t needed = std::max<std::int64_t>(0, usage - cache);
  memory.limit = std::min(memory.limit, *limit);
  memory.available = std::min(memory.available, std::max<std::int64_t>(0, *limit - needed));
}

/// The group at `path` and every one around it, up to the root of what is mounted here. Inside a
/// container the path may be the host's, of which only the root is to be seen.
void account_all(const std::string& mount, std::string path, const Version& version,
                 GroupMemory& memory) {
  while (!path.empty() && path.back() == '/') path.pop_back();
  account(mount, version, memory);
  while (!path.empty()) {
    account(mount + path, version, memory);
    path.resize(path.find_last_of('/') == std::string::npos ? 0 : path.find_last_of('/'));
  }
}

bool names_memory(const std::string& controllers) {
  std::istringstream list(controllers);
  for (std::string one; std::getline(list, one, ',');) {
    if (one == "memory") return true;
  }
  return false;
}

}  // namespace

GroupMemory control_group_memory(const std::string& root) {
  GroupMemory memory;
  const std::string mounted = root + "/sys/fs/cgroup";
  bool any = false;
  std::ifstream groups(root + "/proc/self/cgroup");
  // "0::/user.slice/…" is the unified hierarchy, "9:memory:/docker/…" the memory controller's.
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    any = true;
    if (controllers.empty()) {
      account_all(mounted, path, kUnified, memory);
      account_all(mounted + "/unified", path, kUnified, memory);  // beside v1
    } else if (names_memory(controllers)) {
      account_all(mounted + kLegacy.folder, path, kLegacy, memory);
    }
  }
  if (!any) account(mounted, kUnified, memory);
  return memory;
}

}  // namespace apsp::base
