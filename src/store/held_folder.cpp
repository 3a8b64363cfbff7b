#include "store/held_folder.hpp"

#include "store/mapped_files.hpp"

namespace apsp::store {

// O_PATH: nothing but names is looked up in it.
HeldFolder::HeldFolder(const std::string& directory, std::string path)
    : path_(std::move(path)), folder_(directory, O_PATH | O_DIRECTORY) {}

NameIn HeldFolder::name(const std::string& path) const {
  if (path == path_) return {folder_.value(), ".", path};
  // As `join` makes them.
  const std::size_t before = path_ == "."           ? 0
                             : path_.ends_with('/') ? path_.size()
                                                    : path_.size() + 1;
  return {folder_.value(), path.substr(before), path};
}

bool HeldFolder::in_place() const { return base::stands_at(folder_.value(), path_); }

void HeldFolder::require_in_place() const {
  if (!in_place()) throw Replaced(path_);
}

template <class F>
auto HeldFolder::checked(const F& read) const {
  try {
    return read();
  } catch (const Error&) {
    require_in_place();
    throw;
  }
}

FileKind HeldFolder::kind(const std::string& path) const {
  const FileKind kind = checked([&] { return kind_of(name(path)); });
  if (kind == FileKind::none) require_in_place();
  return kind;
}

std::unique_ptr<ReadableFile> HeldFolder::open(const std::string& path) const {
  return checked([&] { return std::make_unique<PosixReadableFile>(name(path)); });
}

/// Names may have gone before they were listed.
std::vector<std::string> HeldFolder::list(const std::string& path) const {
  std::vector<std::string> names = checked([&] { return names_in(name(path)); });
  require_in_place();
  return names;
}

std::shared_ptr<const std::byte[]> HeldFolder::map(std::span<const std::string> paths,
                                                   std::int64_t bytes) const {
  std::vector<std::string> names;
  names.reserve(paths.size());
  for (const std::string& path : paths) names.push_back(name(path).name);
  return map_files(names, bytes, folder_.value());
}

}  // namespace apsp::store
