// A folder in which every input of a target finds the same files, whatever the inputs before it
// wrote, replaced or removed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "fuzz/damage.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::fuzz {

class HeldFolder {
 public:
  const std::string& path() const { return folder_.path(); }
  std::string operator/(const std::string& name) const { return folder_ / name; }

  /// All files that are there now, those of folders within it too.
  Files contents() const;
  /// Files and folders become those of `wanted`. Only what differs is written.
  void hold(const Files& wanted);

 private:
  /// Of a file that was written here: whoever writes it again changes one of them.
  struct Stamp {
    std::uint64_t inode = 0;
    std::int64_t size = 0, seconds = 0, nanoseconds = 0;
    bool operator==(const Stamp&) const = default;
  };
  static Stamp stamp_of(const std::string& file);
  std::string name_of(const std::filesystem::path& file) const {
    return file.string().substr(path().size() + 1);
  }

  TemporaryFolder folder_;
  Files held_;
  std::map<std::string, Stamp> stamps_;  // of those of `held_` that are as they were written
};

}  // namespace apsp::fuzz
