// The control groups that this process is in: where a container's limits are written.
//
// Groups nest and every one of them limits, whether version 1 of the interface (a hierarchy a
// controller) or version 2 (one for all), cgroups(7). A process inside a container may see its
// group's own folder as the root of the mount.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace apsp::base {

struct ControlGroupFolders {
  std::vector<std::filesystem::path> unified;  ///< version 2, innermost first
  std::vector<std::filesystem::path> own;      ///< version 1, the controller's, innermost first
};

/// The folders of the groups that limit `controller` ("cpu", "memory"). `root`: where /proc and
/// /sys are, another folder in tests.
ControlGroupFolders control_group_folders(const std::string& controller,
                                          const std::filesystem::path& root = "/");

}  // namespace apsp::base
