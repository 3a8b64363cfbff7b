// The memory that control groups leave to this process.
//
// A process is in one group of the unified hierarchy (v2), or one of the memory controller's (v1),
// which /proc/self/cgroup names; the limits of that group and of every group around it hold. A
// group's usage counts the files that it has cached: what of them is inactive, or has been active
// and can be dropped, is taken back by the system before anything fails, and so counts as free.
// Source: Linux, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace apsp::base {

struct GroupMemory {
  static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();
  std::int64_t limit = kUnlimited;      ///< bytes; the smallest of all groups around the process
  std::int64_t available = kUnlimited;  ///< bytes; what the fullest of them leaves
};

/// `root` holds proc/self/cgroup, proc/self/mountinfo and sys/fs/cgroup: "/", or a test's folder.
GroupMemory control_group_memory(const std::string& root);

}  // namespace apsp::base
