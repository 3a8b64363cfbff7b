#include "base/control_group_folders.hpp"

#include <fstream>
#include <optional>
#include <sstream>

namespace apsp::base {
namespace {

namespace fs = std::filesystem;

/// Whether a list such as "rw,cpu,cpuacct" has this word.
bool has_word(const std::string& list, const std::string& word) {
  std::istringstream words(list);
  for (std::string next; std::getline(words, next, ',');) {
    if (next == word) return true;
  }
  return false;
}

/// The path of this process's group in one hierarchy, "/" for its root: version 2 where
/// `controller` is empty. /proc/self/cgroup: "5:cpu,cpuacct:/a/b", "0::/a/b".
std::optional<std::string> group_of(const fs::path& root, const std::string& controller) {
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string names = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? names.empty() : has_word(names, controller)) {
      return line.substr(second + 1);
    }
  }
  return std::nullopt;
}

struct Mount {
  std::string group;  // the group that lies at the mount point
  std::string point;
};

/// Where that hierarchy is mounted. /proc/self/mountinfo: "31 23 0:28 GROUP POINT options … -
/// cgroup2 source superoptions".
std::optional<Mount> mount_of(const fs::path& root, const std::string& controller) {
  std::ifstream file(root / "proc/self/mountinfo");
  // Without that list, the folders where hierarchies nearly always are.
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

std::vector<fs::path> folders_of(const fs::path& root, const std::string& controller) {
  const std::optional<std::string> group = group_of(root, controller);
  const std::optional<Mount> mount = mount_of(root, controller);
  if (!group || !mount) return {};
  const fs::path point = root / fs::path(mount->point).relative_path();
  // A container's mount may begin at its own group, and its group may be named from there.
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

}  // namespace

ControlGroupFolders control_group_folders(const std::string& controller, const fs::path& root) {
  return {folders_of(root, ""), folders_of(root, controller)};
}

}  // namespace apsp::base
