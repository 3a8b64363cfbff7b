// Who may read and write a file or folder, so that what replaces one is no more open than it was.
#pragma once

#include <sys/types.h>
#include <optional>
#include <string>

namespace apsp::base {

struct Permissions {
  mode_t mode = 0;  ///< the nine bits of chmod
  uid_t owner = 0;
  gid_t group = 0;

  bool operator==(const Permissions&) const = default;
};

/// The permissions of the file or folder that the path leads to; empty if the system does not say.
std::optional<Permissions> permissions_of(const std::string& path);

/// Sets the mode and, where the system allows it, owner and group. A file system without modes
/// leaves what it has.
void set_permissions(const std::string& path, const Permissions& permissions);

}  // namespace apsp::base
