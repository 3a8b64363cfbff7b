#include "base/control_group_memory.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "base/control_group_folders.hpp"

namespace apsp::base {
namespace {

namespace fs = std::filesystem;

/// v1 writes "unlimited" as the largest multiple of a page.
constexpr std::int64_t kNoMemoryLimit = std::int64_t{1} << 60;

/// A number in a one-line file; empty where it is absent, or says "max".
std::optional<std::int64_t> number_in(const fs::path& file) {
  std::ifstream stream(file);
  std::int64_t value = 0;
  if (!(stream >> value)) return std::nullopt;
  return value;
}

/// The value behind `key` in a file of lines "key value"; 0 where it is absent.
std::int64_t field_of(const fs::path& file, std::string_view key) {
  std::ifstream stream(file);
  std::string name;
  std::int64_t value = 0;
  while (stream >> name >> value) {
    if (name == key) return value;
  }
  return 0;
}

/// How one version of the interface names things.
struct Version {
  const char* limit;
  const char* usage;
  const char* inactive;  // file cache, in memory.stat: of the group and all below it
  const char* active;
};
constexpr Version kUnified = {"memory.max", "memory.current", "inactive_file", "active_file"};
constexpr Version kLegacy = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                             "total_inactive_file", "total_active_file"};

void account(const fs::path& group, const Version& version, GroupMemory& memory) {
  const auto limit = number_in(group / version.limit);
  if (!limit || *limit >= kNoMemoryLimit) return;
  const fs::path facts = group / "memory.stat";
  const std::int64_t cache = field_of(facts, version.inactive) + field_of(facts, version.active);
  const std::int64_t usage = number_in(group / version.usage).value_or(0);
  const std::int64_t needed = std::max<std::int64_t>(0, usage - cache);
  memory.limit = std::min(memory.limit, *limit);
  memory.available = std::min(memory.available, std::max<std::int64_t>(0, *limit - needed));
}

}  // namespace

GroupMemory control_group_memory(const fs::path& root) {
  GroupMemory memory;
  const ControlGroupFolders folders = control_group_folders("memory", root);
  for (const fs::path& group : folders.unified) account(group, kUnified, memory);
  for (const fs::path& group : folders.own) account(group, kLegacy, memory);
  return memory;
}

}  // namespace apsp::base
