// The content of a result on disk, to be compared.
#pragma once

#include <map>
#include <string>

#include "store/file_system.hpp"

namespace apsp {

/// Every file below a folder but zarr.json of the group, which holds seconds.
inline std::map<std::string, std::string> files_below(const std::string& folder,
                                                      const std::string& name = "") {
  store::FileSystem& files = store::posix_file_system();
  std::map<std::string, std::string> all;
  for (const std::string& entry : files.list(folder)) {
    const std::string path = store::join(folder, entry), shown = name + "/" + entry;
    if (files.kind(path) == store::FileKind::directory) {
      all.merge(files_below(path, shown));
    } else if (shown != "/zarr.json") {
      all[shown] = files.read_text(path);
    }
  }
  return all;
}

}  // namespace apsp
