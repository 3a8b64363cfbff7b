// Permissions of files and folders, so that a replacement is no more accessible than the original.
#pragma once

#include <sys/types.h>
#include <optional>
#include <string>

namespace apsp::system {

struct Permissions {
  mode_t mode = 0;  ///< the nine bits of chmod
  uid_t owner = 0;
  gid_t group = 0;

  bool operator==(const Permissions&) const = default;
};

/// Permissions of the file or folder at the path, links followed; empty if unknown.
std::optional<Permissions> permissions_of(const std::string& path);

/// Sets the mode and, if permitted, owner and group. Ignored by file systems without modes.
void set_permissions(const std::string& path, const Permissions& permissions);

}  // namespace apsp::system
