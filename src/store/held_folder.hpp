// A folder that is read while another run may replace it at its path: it is held open, and all
// names are looked up in it, so that no file of another result is ever taken for one of this. Who
// replaces a result removes the old folder's files; a file that is missing then is `Replaced`,
// where it would be damage in a folder that is still in its place.
//
// One open descriptor for each folder that is held, and no system call more for each file.
#pragma once

#include "store/posix_files.hpp"

namespace apsp::store {

class HeldFolder final : public ReadableFiles {
 public:
  /// As `FileSystem::hold`.
  HeldFolder(const std::string& directory, std::string path);

  FileKind kind(const std::string& path) const override;
  std::unique_ptr<ReadableFile> open(const std::string& path) const override;
  std::vector<std::string> list(const std::string& path) const override;
  std::shared_ptr<const std::byte[]> map(std::span<const std::string> paths,
                                         std::int64_t bytes) const override;
  bool in_place() const override;

 private:
  NameIn name(const std::string& path) const;
  void require_in_place() const;
  /// What `read` returns. What fails where the folder is gone from its path is `Replaced`.
  template <class F>
  auto checked(const F& read) const;

  std::string path_;
  Descriptor folder_;
};

}  // namespace apsp::store
