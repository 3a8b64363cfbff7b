// The operating system's files. Reads and writes are positioned, so threads need no lock.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "store/file_system.hpp"
#include "store/held_folder.hpp"
#include "store/mapped_files.hpp"
#include "store/posix_files.hpp"

namespace apsp::store {
namespace {

constexpr int kMostLinks = 40;  // as Linux follows

class PosixWritableFile final : public WritableFile {
 public:
  explicit PosixWritableFile(const std::string& path)
      : descriptor_(path, O_RDWR | O_CREAT | O_EXCL) {}
  PosixWritableFile(const std::string& path, std::int64_t bytes) : descriptor_(path, O_RDWR) {
    if (ftruncate(descriptor_.value(), bytes) != 0) descriptor_.fail();
  }

  void reserve(std::int64_t bytes) override {
    if (bytes == 0 || fallocate(descriptor_.value(), 0, 0, bytes) == 0) return;
    // Not every file system can claim space ahead; then the length alone is set.
    if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL) descriptor_.fail();
    if (ftruncate(descriptor_.value(), bytes) != 0) descriptor_.fail();
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
    if (row_bytes == 0) return;
    if (stride == row_bytes) {
      return write(offset, {from, static_cast<std::size_t>(rows * row_bytes)});
    }
    std::vector<iovec> parts;
    std::int64_t row = 0, of_row = 0;  // what comes next: bytes of a row
    while (row < rows) {
      parts.clear();
      std::int64_t bytes = -of_row;
      for (std::int64_t i = row;
           i < rows && bytes < static_cast<std::int64_t>(kPieceBytes) && parts.size() < kMostParts;
           ++i, bytes += row_bytes) {
        const std::int64_t skipped = i == row ? of_row : 0;
        parts.push_back(
            part(from + i * stride + skipped, static_cast<std::size_t>(row_bytes - skipped)));
      }
      const std::int64_t done = write_parts(offset, parts);
      offset += done;
      row += (of_row + done) / row_bytes;
      of_row = (of_row + done) % row_bytes;
    }
  }
  void sync() override {
    if (fsync(descriptor_.value()) != 0) descriptor_.fail();
  }
  void close() override { descriptor_.close(); }

 private:
  /// The most that is written at once: the disk begins with it while the next piece is copied.
  static constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
  static constexpr std::size_t kMostParts = 1024;   // of one call, on Linux
  static constexpr std::size_t kBlockBytes = 4096;  // what disks write at once, or a multiple

  static iovec part(const std::byte* from, std::size_t bytes) {
    return {const_cast<std::byte*>(from), bytes};
  }

  /// Whole blocks from memory to disk. Returns how many bytes were written: the system may refuse
  /// any of them, and then they go the other way, which says what is wrong.
  std::size_t write_blocks(std::int64_t offset, std::span<const std::byte> blocks) {
    const int flags = fcntl(descriptor_.value(), F_GETFL);
    if (flags < 0 || fcntl(descriptor_.value(), F_SETFL, flags | O_DIRECT) != 0) return 0;
    std::size_t done = 0;
    while (done < blocks.size() && done % kBlockBytes == 0) {
      const ssize_t some = pwrite(descriptor_.value(), blocks.data() + done, blocks.size() - done,
                                  offset + static_cast<std::int64_t>(done));
      if (some < 0 && errno == EINTR) continue;
      if (some <= 0) break;
      done += static_cast<std::size_t>(some);
    }
    if (fcntl(descriptor_.value(), F_SETFL, flags) != 0) descriptor_.fail();
    return done;
  }

  /// Returns how many bytes were written, perhaps not all. Those of a large piece are sent on their
  /// way to the disk, so that `sync` finds little left to wait for; it alone reports what fails.
  std::int64_t write_parts(std::int64_t offset, std::span<const iovec> parts) {
    constexpr ssize_t kWorthSending = 1 << 18;
    ssize_t done = -1;
    do {
      done = pwritev(descriptor_.value(), parts.data(), static_cast<int>(parts.size()), offset);
    } while (done < 0 && errno == EINTR);
    if (done < 0) descriptor_.fail();
    if (done >= kWorthSending) {
      sync_file_range(descriptor_.value(), offset, done, SYNC_FILE_RANGE_WRITE);
    }
    return done;
  }

  Descriptor descriptor_;
};

class PosixFileSystem final : public FileSystem {
 public:
  FileKind kind(const std::string& path) const override { return kind_of({AT_FDCWD, path, path}); }
  std::unique_ptr<ReadableFile> open(const std::string& path) const override {
    return std::make_unique<PosixReadableFile>(NameIn{AT_FDCWD, path, path});
  }
  std::shared_ptr<const ReadableFiles> hold(const std::string& directory,
                                            const std::string& path) const override {
    return std::make_shared<HeldFolder>(directory, path);
  }
  std::vector<std::string> list(const std::string& directory) const override {
    return names_in({AT_FDCWD, directory, directory});
  }
  std::shared_ptr<const std::byte[]> map(std::span<const std::string> paths,
                                         std::int64_t bytes) const override {
    return map_files(paths, bytes);
  }
  std::string resolve(const std::string& path) const override {
    // By hand, because the last name need not exist yet.
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
  void rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) throw system_error(to, errno);
  }
  void exchange(const std::string& a, const std::string& b) override {
    if (renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return;
    if (errno != EINVAL && errno != ENOSYS) throw system_error(b, errno);
    // Three renames instead: for a moment nothing stands at b, but its content is never lost, and
    // after a kill in that moment leftovers.cpp puts it back.
    const std::string aside =
        join(parent_of(b), fmt::format(".{}.previous-{}-0", name_of(b), getpid()));
    rename(b, aside);
    try {
      rename(a, b);
    } catch (const Error&) {
      rename(aside, b);
      throw;
    }
    rename(aside, a);
  }
  void remove_all(const std::string& path) override {
    std::error_code failure;
    std::filesystem::remove_all(path, failure);
    if (failure) throw system_error(path, failure.value());
  }
  std::unique_ptr<base::Claim> claim(const std::string& path) override {
    base::MadeClaim made = base::make_claim(path);
    if (!made.claim && made.error != EEXIST) throw system_error(path, made.error);
    return std::move(made.claim);
  }
  base::TakenClaim take_over(const std::string& path) override {
    return base::take_over_claim(path);
  }
  std::unique_ptr<base::Lock> try_lock(const std::string& path) override {
    return base::try_lock(path);
  }
  void sync_tree(const std::string& directory) override {
    // One call for the file system instead of an fsync for each of up to a million chunks.
    const Descriptor descriptor(directory, O_RDONLY | O_DIRECTORY);
    if (syncfs(descriptor.value()) != 0) descriptor.fail();
  }
  void sync_names(const std::string& directory) override {
    const Descriptor descriptor(directory, O_RDONLY | O_DIRECTORY);
    // Some network file systems know no fsync of a directory; they need none.
    if (fsync(descriptor.value()) != 0 && errno != EINVAL) descriptor.fail();
  }
};

}  // namespace

FileSystem& posix_file_system() {
  static PosixFileSystem file_system;
  return file_system;
}

}  // namespace apsp::store
