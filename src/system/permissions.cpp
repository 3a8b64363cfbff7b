#include "system/permissions.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace apsp::system {

std::optional<Permissions> permissions_of(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  constexpr mode_t kBits = S_IRWXU | S_IRWXG | S_IRWXO;
  return Permissions{status.st_mode & kBits, status.st_uid, status.st_gid};
}

void set_permissions(const std::string& path, const Permissions& permissions) {
  const std::optional<Permissions> now = permissions_of(path);
  if (!now || *now == permissions) return;
  if (now->owner != permissions.owner || now->group != permissions.group) {
    constexpr auto kSame = static_cast<uid_t>(-1);
    // Only root may change the owner; members of a group may set it.
    if (::chown(path.c_str(), permissions.owner, permissions.group) != 0 &&
        ::chown(path.c_str(), kSame, permissions.group) != 0) {
      // The owner stays the present user.
    }
  }
  if (::chmod(path.c_str(), permissions.mode) != 0) {
    // File system without modes.
  }
}

}  // namespace apsp::system
