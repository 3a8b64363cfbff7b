// The memory that control groups leave to this process.
//
// The limits of the process's group and of every group around it hold. A group's usage counts the
// files that it has cached. The system takes cached files back, active ones too, before anything
// fails, so they count as free here.
// Source: Linux, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>

namespace apsp::base {

struct GroupMemory {
  static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();
  std::int64_t limit = kUnlimited;      ///< bytes; the smallest of all groups around the process
  std::int64_t available = kUnlimited;  ///< bytes; what the fullest of them leaves
};

/// `root`: where /proc and /sys are, another folder in tests.
GroupMemory control_group_memory(const std::filesystem::path& root = "/");

}  // namespace apsp::base
