// The control groups that this process is in: where a container's limits are written.
//
// Groups nest, and each of them may set a limit. Version 1 of the interface has one hierarchy for
// each controller, version 2 one for all (cgroups(7)). A process inside a container may see its
// group's own folder as the root of the mount.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace apsp::base {

struct ControlGroupFolders {
  std::vector<std::filesystem::path> unified;  ///< of version 2, innermost first
  std::vector<std::filesystem::path> own;      ///< of the controller in version 1, innermost first
};

/// The folders of the groups that limit `controller` ("cpu", "memory"). `root`: where /proc and
/// /sys are, another folder in tests.
ControlGroupFolders control_group_folders(const std::string& controller,
                                          const std::filesystem::path& root = "/");

}  // namespace apsp::base
