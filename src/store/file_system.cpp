#include "store/file_system.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <type_traits>
#include <utility>

#include "base/fail.hpp"
#include "system/open_file.hpp"
#include "system/permissions.hpp"

namespace apsp::store {
namespace {

/// A zarr.json has a few KiB, but a sparse file may claim any size.
constexpr std::int64_t kMostText = std::int64_t{1} << 30;

}  // namespace

Error system_error(const std::string& path, int error_number) {
  // std::strerror is not thread-safe.
  const std::string reason = std::generic_category().message(error_number);
  if (error_number == ENOSPC || error_number == EDQUOT) {
    return Error(ErrorKind::input_output,
                 fmt::format("{}: disk full ({}); free some space there, or write the result to "
                             "another disk",
                             path, reason));
  }
  return Error(ErrorKind::input_output, fmt::format("{}: {}", path, reason));
}

Replaced::Replaced(const std::string& path)
    : Error(ErrorKind::input_output,
            fmt::format("{}: another run replaced or removed this result while it was read; open "
                        "it again to read what is there now",
                        path)) {}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string name_of(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string without_last_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

std::string join(const std::string& directory, const std::string& name) {
  if (directory == ".") return name;
  return directory.ends_with('/') ? directory + name : directory + "/" + name;
}

system::Partial claim_partial(FileSystem& files, const std::string& path) {
  return system::claim_partial(path, [&](const std::string& partial) {
    std::unique_ptr<system::FileLock> claim =
        files.claim(partial + std::string(system::kClaimSuffix));
    if (claim && files.kind(partial) != FileKind::none) claim.reset();  // of unknown origin
    return claim;
  });
}

void discard_partial(FileSystem& files, system::Partial partial) noexcept {
  if (!files.discard(partial.path) && partial.claim != nullptr) partial.claim->abandon();
}

void WritableFile::write_rows(std::int64_t offset, const std::byte* from, std::int64_t stride,
                              std::int64_t row_bytes, std::int64_t rows) {
  for (std::int64_t i = 0; i < rows; ++i) {
    write(offset + i * row_bytes, {from + i * stride, static_cast<std::size_t>(row_bytes)});
  }
}

void ReadableFile::read_rows(std::int64_t offset, std::byte* to, std::int64_t stride,
                             std::int64_t row_bytes, std::int64_t rows) const {
  for (std::int64_t i = 0; i < rows; ++i) {
    read(offset + i * row_bytes, {to + i * stride, static_cast<std::size_t>(row_bytes)});
  }
}

void FileSystem::make_directories(const std::string& path) {
  if (kind(path) == FileKind::directory) return;
  const std::string parent = parent_of(path);
  if (parent != path) make_directories(parent);
  make_directory(path);
}

void FileSystem::write_atomically(const std::string& path, std::span<const std::byte> bytes,
                                  bool past_cache) {
  const std::string partial = join(parent_of(path), "." + name_of(path) + ".partial");
  // A killed run may have left one in a folder that this run resumes.
  if (kind(partial) != FileKind::none) remove_all(partial);
  try {
    const std::unique_ptr<WritableFile> file = create(partial);
    past_cache ? file->write_past_cache(0, bytes) : file->write(0, bytes);
    file->close();
    rename(partial, path);
  } catch (...) {
    discard(partial);
    throw;
  }
}

bool FileSystem::discard(const std::string& path) noexcept {
  try {
    remove_all(path);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

std::string ReadableFiles::read_text(const std::string& path) const {
  const std::unique_ptr<ReadableFile> file = open(path);
  if (file->size() > kMostText) base::fail_input(path, "{} bytes of metadata", file->size());
  std::string text(static_cast<std::size_t>(file->size()), '\0');
  file->read(0, std::as_writable_bytes(std::span(text)));
  return text;
}

// Reads and writes are positioned, so threads need no lock.

namespace {

/// A name relative to an open folder. Messages show `path`.
struct NameIn {
  NameIn(const std::string& whole) : name(whole), path(whole) {}
  NameIn(int in, std::string of, std::string called)
      : folder(in), name(std::move(of)), path(std::move(called)) {}

  int folder = AT_FDCWD;
  std::string name;
  std::string path;
};

class OpenFile {
 public:
  OpenFile(const NameIn& at, int flags)
      : path_(at.path),
        file_(::openat(at.folder, at.name.c_str(), flags | O_CLOEXEC, 0666)) {  // minus the umask
    if (!file_.is_open()) fail();
  }

  int number() const { return file_.number(); }
  const std::string& path() const { return path_; }
  [[noreturn]] void fail() const { throw system_error(path_, errno); }
  void close() {
    // Network file systems may report a full disk only here.
    if (!file_.close()) fail();
  }

 private:
  std::string path_;
  system::Descriptor file_;
};

/// The most bytes of one call, so that the disk works while the next piece is copied.
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
constexpr std::size_t kMostParts = 1024;  // Linux limit of one call

iovec part(const std::byte* memory, std::size_t bytes) {
  return {const_cast<std::byte*>(memory), bytes};
}

/// Moves rows that are contiguous in a file and `stride` bytes apart in memory. move(offset, parts)
/// returns the number of bytes that it has moved, perhaps not all.
template <class Move>
void move_rows(std::int64_t offset, const std::byte* memory, std::int64_t stride,
               std::int64_t row_bytes, std::int64_t rows, const Move& move) {
  std::vector<iovec> parts;
  std::int64_t row = row_bytes == 0 ? rows : 0, of_row = 0;  // next row, and next byte of it
  while (row < rows) {
    parts.clear();
    std::int64_t bytes = -of_row;
    for (std::int64_t i = row;
         i < rows && bytes < static_cast<std::int64_t>(kPieceBytes) && parts.size() < kMostParts;
         ++i, bytes += row_bytes) {
      const std::int64_t skipped = i == row ? of_row : 0;
      parts.push_back(
          part(memory + i * stride + skipped, static_cast<std::size_t>(row_bytes - skipped)));
    }
    const std::int64_t done = move(offset, parts);
    offset += done;
    row += (of_row + done) / row_bytes;
    of_row = (of_row + done) % row_bytes;
  }
}

class PosixReadableFile final : public ReadableFile {
 public:
  explicit PosixReadableFile(const NameIn& at) : file_(at, O_RDONLY) {
    struct stat status = {};
    if (fstat(file_.number(), &status) != 0) file_.fail();
    if (!S_ISREG(status.st_mode)) {
      throw system_error(file_.path(), S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
    }
    size_ = status.st_size;
  }

  std::int64_t size() const override { return size_; }
  void read(std::int64_t offset, std::span<std::byte> out) const override {
    while (!out.empty()) {
      const iovec whole = part(out.data(), out.size());
      const std::int64_t done = read_parts(offset, {&whole, 1});
      out = out.subspan(static_cast<std::size_t>(done));
      offset += done;
    }
  }
  void read_rows(std::int64_t offset, std::byte* to, std::int64_t stride, std::int64_t row_bytes,
                 std::int64_t rows) const override {
    if (stride == row_bytes) return read(offset, {to, static_cast<std::size_t>(rows * row_bytes)});
    move_rows(offset, to, stride, row_bytes, rows,
              [this](auto from, const auto& parts) { return read_parts(from, parts); });
  }

 private:
  /// Returns the bytes read, at least one and perhaps not all.
  std::int64_t read_parts(std::int64_t offset, std::span<const iovec> parts) const {
    ssize_t done = -1;
    do {
      done = preadv(file_.number(), parts.data(), static_cast<int>(parts.size()), offset);
    } while (done < 0 && errno == EINTR);
    if (done < 0) file_.fail();
    if (done == 0) {
      base::fail(ErrorKind::input_output, "{}: the file ended at byte {} while it was being read",
                 file_.path(), offset);
    }
    return done;
  }

  OpenFile file_;
  std::int64_t size_ = 0;
};

FileKind kind_of(const NameIn& at) {
  struct stat status = {};
  if (::fstatat(at.folder, at.name.c_str(), &status, 0) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return FileKind::none;
    throw system_error(at.path, errno);
  }
  if (S_ISDIR(status.st_mode)) return FileKind::directory;
  return S_ISREG(status.st_mode) ? FileKind::file : FileKind::other;
}

std::vector<std::string> names_in(const NameIn& directory) {
  const OpenFile folder(directory, O_RDONLY | O_DIRECTORY);
  const int own = ::fcntl(folder.number(), F_DUPFD_CLOEXEC, 0);
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(own < 0 ? nullptr : ::fdopendir(own),
                                                   ::closedir);
  if (stream == nullptr) folder.fail();
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* const entry = ::readdir(stream.get())) {
    std::string name(entry->d_name);
    if (name != "." && name != "..") names.push_back(std::move(name));
    errno = 0;
  }
  if (errno != 0) folder.fail();
  std::ranges::sort(names);
  return names;
}

bool map_file_at(int folder, const std::string& path, std::byte* to, std::size_t bytes) {
  const system::Descriptor file(::openat(folder, path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat facts = {};
  // An access beyond the end of a file raises a signal.
  return file.is_open() && ::fstat(file.number(), &facts) == 0 &&
         facts.st_size >= static_cast<off_t>(bytes) &&
         ::mmap(to, bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, file.number(), 0) != MAP_FAILED;
}

std::shared_ptr<const std::byte[]> map_files(std::span<const std::string> paths, std::int64_t bytes,
                                             int folder = AT_FDCWD) {
  const auto of_file = static_cast<std::size_t>(bytes);
  if (paths.empty() || of_file == 0) return nullptr;
  if (of_file % static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) != 0) return nullptr;
  const std::size_t size = of_file * paths.size();
  // Reserves addresses without memory.
  auto* const first = static_cast<std::byte*>(
      ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (first == MAP_FAILED) return nullptr;
  std::shared_ptr<const std::byte[]> mapping(first,
                                             [size](std::byte* all) { ::munmap(all, size); });
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!map_file_at(folder, paths[i], first + i * of_file, of_file)) return nullptr;
  }
  return mapping;
}

/// A folder that is held open while another run may replace it at its path. Names are looked up in
/// it, so files of two results never mix. A file that is missing after a replacement is reported as
/// `Replaced`, not as damage.
class HeldFolder final : public ReadableFiles {
 public:
  /// O_PATH suffices to look up names.
  HeldFolder(const std::string& directory, const std::string& path)
      : path_(path), folder_(directory, O_PATH | O_DIRECTORY) {}

  FileKind kind(const std::string& path) const override {
    const FileKind kind = checked([&] { return kind_of(name(path)); });
    if (kind == FileKind::none) require_in_place();
    return kind;
  }
  std::unique_ptr<ReadableFile> open(const std::string& path) const override {
    return checked([&] { return std::make_unique<PosixReadableFile>(name(path)); });
  }
  /// Names may have been removed before they were read.
  std::vector<std::string> list(const std::string& path) const override {
    std::vector<std::string> names = checked([&] { return names_in(name(path)); });
    require_in_place();
    return names;
  }
  std::shared_ptr<const std::byte[]> map(std::span<const std::string> paths,
                                         std::int64_t bytes) const override {
    std::vector<std::string> names;
    for (const std::string& path : paths) names.push_back(name(path).name);
    return map_files(names, bytes, folder_.number());
  }
  bool in_place() const override { return system::stands_at(folder_.number(), path_); }

 private:
  NameIn name(const std::string& path) const {
    if (path == path_) return {folder_.number(), ".", path};
    return {folder_.number(), path.substr(join(path_, "").size()), path};
  }
  void require_in_place() const {
    if (!in_place()) throw Replaced(path_);
  }
  /// Errors are `Replaced` if the folder is no longer at its path.
  template <class F>
  std::invoke_result_t<F> checked(const F& read) const {
    try {
      return read();
    } catch (const Error&) {
      require_in_place();
      throw;
    }
  }

  std::string path_;
  OpenFile folder_;
};

class PosixWritableFile final : public WritableFile {
 public:
  explicit PosixWritableFile(const std::string& path) : file_(path, O_RDWR | O_CREAT | O_EXCL) {}
  PosixWritableFile(const std::string& path, std::int64_t bytes)
      : file_(path, O_RDWR | O_NOFOLLOW) {  // a planted link would name another file
    if (ftruncate(file_.number(), bytes) != 0) file_.fail();
  }

  void reserve(std::int64_t bytes) override {
    if (bytes == 0 || fallocate(file_.number(), 0, 0, bytes) == 0) return;
    // Some file systems cannot reserve space; then only the length is set.
    if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL) file_.fail();
    if (ftruncate(file_.number(), bytes) != 0) file_.fail();
  }
  void write(std::int64_t offset, std::span<const std::byte> bytes) override {
    while (!bytes.empty()) {
      const iovec piece = part(bytes.data(), std::min(bytes.size(), kPieceBytes));
      const std::int64_t done = write_parts(offset, {&piece, 1});
      bytes = bytes.subspan(static_cast<std::size_t>(done));
      offset += done;
    }
  }
  void write_past_cache(std::int64_t offset, std::span<const std::byte> bytes) override {
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % kBlockBytes == 0 &&
        offset % static_cast<std::int64_t>(kBlockBytes) == 0) {
      const std::size_t done =
          write_blocks(offset, bytes.first(bytes.size() - bytes.size() % kBlockBytes));
      bytes = bytes.subspan(done);
      offset += static_cast<std::int64_t>(done);
    }
    write(offset, bytes);
  }
  void write_rows(std::int64_t offset, const std::byte* from, std::int64_t stride,
                  std::int64_t row_bytes, std::int64_t rows) override {
    if (stride == row_bytes) {
      return write(offset, {from, static_cast<std::size_t>(rows * row_bytes)});
    }
    move_rows(offset, from, stride, row_bytes, rows,
              [this](auto to, const auto& parts) { return write_parts(to, parts); });
  }
  void sync() override {
    if (fsync(file_.number()) != 0) file_.fail();
  }
  void close() override { file_.close(); }

 private:
  static constexpr std::size_t kBlockBytes = 4096;  // a multiple of a disk's sector

  /// Writes whole blocks with O_DIRECT. Returns the bytes written, perhaps none; the caller writes
  /// the others through the cache.
  std::size_t write_blocks(std::int64_t offset, std::span<const std::byte> blocks) {
    const int flags = fcntl(file_.number(), F_GETFL);
    if (flags < 0 || fcntl(file_.number(), F_SETFL, flags | O_DIRECT) != 0) return 0;
    std::size_t done = 0;
    while (done < blocks.size() && done % kBlockBytes == 0) {
      const ssize_t some = pwrite(file_.number(), blocks.data() + done, blocks.size() - done,
                                  offset + static_cast<std::int64_t>(done));
      if (some < 0 && errno == EINTR) continue;
      if (some <= 0) break;
      done += static_cast<std::size_t>(some);
    }
    if (fcntl(file_.number(), F_SETFL, flags) != 0) file_.fail();
    return done;
  }

  /// Returns the bytes written, perhaps not all. Starts the write-back of large pieces early.
  std::int64_t write_parts(std::int64_t offset, std::span<const iovec> parts) {
    constexpr ssize_t kWorthSending = 1 << 18;
    ssize_t done = -1;
    do {
      done = pwritev(file_.number(), parts.data(), static_cast<int>(parts.size()), offset);
    } while (done < 0 && errno == EINTR);
    if (done < 0) file_.fail();
    if (done >= kWorthSending) {
      sync_file_range(file_.number(), offset, done, SYNC_FILE_RANGE_WRITE);
    }
    return done;
  }

  OpenFile file_;
};

class PosixFileSystem final : public FileSystem {
 public:
  FileKind kind(const std::string& path) const override { return kind_of(path); }
  std::unique_ptr<ReadableFile> open(const std::string& path) const override {
    return std::make_unique<PosixReadableFile>(path);
  }
  std::shared_ptr<const ReadableFiles> hold(const std::string& directory,
                                            const std::string& path) const override {
    return std::make_shared<HeldFolder>(directory, path);
  }
  std::vector<std::string> list(const std::string& directory) const override {
    return names_in(directory);
  }
  std::shared_ptr<const std::byte[]> map(std::span<const std::string> paths,
                                         std::int64_t bytes) const override {
    return map_files(paths, bytes);
  }
  std::string resolve(const std::string& path) const override {
    constexpr int kMostLinks = 40;
    // Links are followed here, since the last name need not exist yet.
    std::filesystem::path target = path;
    std::error_code failure;
    for (int links = 0; std::filesystem::is_symlink(target, failure); ++links) {
      const std::filesystem::path next = std::filesystem::read_symlink(target, failure);
      if (failure) throw system_error(path, failure.value());
      if (links == kMostLinks) throw system_error(path, ELOOP);
      target = target.parent_path() / next;
    }
    return target.string();
  }

  std::unique_ptr<WritableFile> create(const std::string& path) override {
    return std::make_unique<PosixWritableFile>(path);
  }
  std::unique_ptr<WritableFile> reopen(const std::string& path, std::int64_t bytes) override {
    return std::make_unique<PosixWritableFile>(path, bytes);
  }
  void make_directory(const std::string& path) override {
    if (mkdir(path.c_str(), 0777) != 0) throw system_error(path, errno);
  }
  bool link(const std::string& from, const std::string& to) override {
    return ::link(from.c_str(), to.c_str()) == 0;
  }
  void rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) throw system_error(to, errno);
  }
  void exchange(const std::string& a, const std::string& b) override {
    if (renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return;
    if (errno != EINVAL && errno != ENOSYS) throw system_error(b, errno);
    // Three renames: for a moment nothing is at b. leftovers.cpp repairs a kill in that moment.
    const std::string aside =
        join(parent_of(b), fmt::format(".{}.previous-{}-0", name_of(b), getpid()));
    rename(b, aside);
    try {
      rename(a, b);
    } catch (...) {
      rename(aside, b);
      throw;
    }
    rename(aside, a);
  }
  void restrict_to_owner(const std::string& path) override {
    auto permissions = system::permissions_of(path);
    if (!permissions) return;
    permissions->mode &= S_IRWXU;
    system::set_permissions(path, *permissions);
  }
  void copy_permissions(const std::string& from, const std::string& to) override {
    const auto given = system::permissions_of(from);
    if (!given) return;
    if (kind_of(to) == FileKind::directory) {
      auto of_files = system::permissions_of(join(from, "zarr.json"));
      if (!of_files) {
        constexpr mode_t kExecutable = S_IXUSR | S_IXGRP | S_IXOTH;
        of_files = given;
        of_files->mode &= ~kExecutable;
      }
      std::error_code failure;
      for (const auto& entry : std::filesystem::recursive_directory_iterator(to, failure)) {
        system::set_permissions(entry.path(), entry.is_directory(failure) ? *given : *of_files);
      }
      if (failure) throw system_error(to, failure.value());
    }
    system::set_permissions(to, *given);
  }
  void remove_all(const std::string& path) override {
    std::error_code failure;
    std::filesystem::remove_all(path, failure);
    if (failure) throw system_error(path, failure.value());
  }
  std::unique_ptr<system::FileLock> claim(const std::string& path) override {
    system::MadeClaim made = system::make_claim(path);
    if (!made.claim && made.error != EEXIST) throw system_error(path, made.error);
    return std::move(made.claim);
  }
  system::TakenClaim take_over(const std::string& path) override {
    return system::take_over_claim(path);
  }
  std::unique_ptr<system::Lock> try_lock(const std::string& path) override {
    return system::try_lock(path);
  }
  void sync_tree(const std::string& directory) override {
    // One call for the file system, since up to a million fsync calls are slow.
    const OpenFile folder(directory, O_RDONLY | O_DIRECTORY);
    if (syncfs(folder.number()) != 0) folder.fail();
  }
  void sync_names(const std::string& directory) override {
    const OpenFile folder(directory, O_RDONLY | O_DIRECTORY);
    // Some network file systems lack fsync of a directory and do not need it.
    if (fsync(folder.number()) != 0 && errno != EINVAL) folder.fail();
  }
};

}  // namespace

FileSystem& posix_file_system() {
  static PosixFileSystem file_system;
  return file_system;
}

}  // namespace apsp::store
