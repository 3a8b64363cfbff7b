#include "fuzz/held_folder.hpp"

#include <sys/stat.h>

#include <utility>
#include <vector>

namespace apsp::fuzz {

namespace fs = std::filesystem;

Files HeldFolder::contents() const {
  Files files;
  for (const auto& entry : fs::recursive_directory_iterator(path())) {
    if (entry.is_regular_file()) files[name_of(entry.path())] = read_bytes(entry.path().string());
  }
  return files;
}

void HeldFolder::hold(const Files& wanted) {
  std::map<std::string, Stamp> untouched;
  std::vector<fs::path> foreign;
  for (fs::recursive_directory_iterator at(path()), end; at != end; ++at) {
    const std::string name = name_of(at->path());
    if (at->is_directory()) {
      const auto within = wanted.lower_bound(name + "/");
      if (within != wanted.end() && within->first.starts_with(name + "/")) continue;
      at.disable_recursion_pending();
      foreign.push_back(at->path());
      continue;
    }
    const auto file = wanted.find(name);
    const auto stamp = stamps_.find(name);
    if (file == wanted.end()) {
      foreign.push_back(at->path());
    } else if (stamp != stamps_.end() && stamp->second == stamp_of(at->path().string()) &&
               held_[name] == file->second) {
      untouched.insert(*stamp);
    }
  }
  for (const fs::path& entry : foreign) fs::remove_all(entry);
  stamps_ = std::move(untouched);
  held_ = wanted;
  for (const auto& [name, bytes] : held_) {
    if (stamps_.contains(name)) continue;
    const std::string file = *this / name;
    fs::create_directories(fs::path(file).parent_path());
    write_bytes(file, bytes);
    stamps_[name] = stamp_of(file);
  }
}

HeldFolder::Stamp HeldFolder::stamp_of(const std::string& file) {
  struct stat found {};
  ::stat(file.c_str(), &found);
  return {found.st_ino, found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

}  // namespace apsp::fuzz
