// The operating system's files by their descriptors, named from a path or from an open folder.
#pragma once

#include <fcntl.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "store/file_system.hpp"

namespace apsp::store {

/// A name that is looked up in an open folder; `path` is what messages call it.
struct NameIn {
  int folder = AT_FDCWD;
  std::string name;
  std::string path;
};

/// An open file or directory.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : Descriptor({AT_FDCWD, path, path}, flags) {}
  /// Throws `Error` (input_output), as all that fails here.
  Descriptor(NameIn at, int flags);
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int value() const { return value_; }
  const std::string& path() const { return path_; }
  [[noreturn]] void fail() const;
  void close();

 private:
  std::string path_;
  int value_ = -1;
};

class PosixReadableFile final : public ReadableFile {
 public:
  explicit PosixReadableFile(NameIn at);

  std::int64_t size() const override { return size_; }
  void read(std::int64_t offset, std::span<std::byte> out) const override;

 private:
  Descriptor descriptor_;
  std::int64_t size_ = 0;
};

FileKind kind_of(const NameIn& at);
/// Sorted.
std::vector<std::string> names_in(NameIn directory);

}  // namespace apsp::store
