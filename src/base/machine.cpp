#include "base/machine.hpp"

#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/control_group_memory.hpp"

namespace apsp::base {
namespace {

/// The value behind "key" in a "key: value" file such as /proc/meminfo; empty if absent.
std::string field(const char* file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? std::string() : line.substr(start);
  }
  return {};
}

std::int64_t kib_field(const char* file, const std::string& key) {
  std::istringstream stream(field(file, key));
  std::int64_t kib = 0;
  return stream >> kib ? kib * 1024 : 0;
}

}  // namespace

std::int64_t total_memory() {
  struct sysinfo info {};
  sysinfo(&info);
  const auto physical = static_cast<std::int64_t>(info.totalram) * info.mem_unit;
  return std::min(physical, control_group_memory().limit);
}

std::int64_t available_memory() {
  return std::min(kib_field("/proc/meminfo", "MemAvailable"), control_group_memory().available);
}

std::int64_t process_memory(const std::string& key) { return kib_field("/proc/self/status", key); }

std::string cpu_name() {
  static const std::string name = field("/proc/cpuinfo", "model name");  // takes 0.1 ms
  return name.empty() ? "unknown processor" : name;
}

std::int64_t level1_cache_bytes() {
  constexpr std::int64_t kUsual = 32 << 10;
  const std::int64_t bytes = sysconf(_SC_LEVEL1_DCACHE_SIZE);
  return bytes > 0 ? bytes : kUsual;
}

}  // namespace apsp::base
