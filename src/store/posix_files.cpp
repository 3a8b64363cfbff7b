#include "store/posix_files.hpp"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>

namespace apsp::store {

Descriptor::Descriptor(NameIn at, int flags) : path_(std::move(at.path)) {
  value_ = ::openat(at.folder, at.name.c_str(), flags | O_CLOEXEC, 0666);  // umask takes its part
  if (value_ < 0) fail();
}

Descriptor::~Descriptor() {
  if (value_ >= 0) ::close(value_);
}

void Descriptor::fail() const { throw system_error(path_, errno); }

void Descriptor::close() {
  // Network file systems report a full disk here at the latest.
  if (::close(std::exchange(value_, -1)) != 0) fail();
}

PosixReadableFile::PosixReadableFile(NameIn at) : descriptor_(std::move(at), O_RDONLY) {
  struct stat status = {};
  if (fstat(descriptor_.value(), &status) != 0) descriptor_.fail();
  if (!S_ISREG(status.st_mode)) {
    throw system_error(descriptor_.path(), S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
  }
  size_ = status.st_size;
}

void PosixReadableFile::read(std::int64_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t done = pread(descriptor_.value(), out.data(), out.size(), offset);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) descriptor_.fail();
    if (done == 0) {
      throw Error(ErrorKind::input_output,
                  fmt::format("{}: the file ended at byte {} while it was being read",
                              descriptor_.path(), offset));
    }
    out = out.subspan(static_cast<std::size_t>(done));
    offset += done;
  }
}

FileKind kind_of(const NameIn& at) {
  struct stat status = {};
  if (::fstatat(at.folder, at.name.c_str(), &status, 0) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return FileKind::none;
    throw system_error(at.path, errno);
  }
  if (S_ISDIR(status.st_mode)) return FileKind::directory;
  return S_ISREG(status.st_mode) ? FileKind::file : FileKind::other;
}

std::vector<std::string> names_in(NameIn directory) {
  const Descriptor descriptor(std::move(directory), O_RDONLY | O_DIRECTORY);
  const int own = ::fcntl(descriptor.value(), F_DUPFD_CLOEXEC, 0);
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(own < 0 ? nullptr : ::fdopendir(own),
                                                   ::closedir);
  if (stream == nullptr) descriptor.fail();
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    const dirent* const entry = ::readdir(stream.get());
    if (entry == nullptr) break;
    const std::string_view name(entry->d_name);
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno != 0) descriptor.fail();
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace apsp::store
