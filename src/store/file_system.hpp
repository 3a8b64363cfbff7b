// An interface to files, so that tests can make disks fail. Every failure is an `Error`
// (input_output) with path and reason. All functions are thread-safe, but only one thread at a time
// may change a path. Paths use "/".
#pragma once

#include <apsp/error.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "system/file_lock.hpp"

namespace apsp::store {

enum class FileKind { none, file, directory, other };

/// The destructor cannot report a failure: call `close` first.
class WritableFile {
 public:
  virtual ~WritableFile() = default;
  /// Sets the length, filled with zeros, and allocates the space if the system can.
  virtual void reserve(std::int64_t bytes) = 0;
  virtual void write(std::int64_t offset, std::span<const std::byte> bytes) = 0;
  /// Bypasses the page cache if memory and offset are aligned to 4096 bytes and the system can.
  virtual void write_past_cache(std::int64_t offset, std::span<const std::byte> bytes) {
    write(offset, bytes);
  }
  /// Writes rows contiguously. Rows in memory are `stride` bytes apart.
  virtual void write_rows(std::int64_t offset, const std::byte* from, std::int64_t stride,
                          std::int64_t row_bytes, std::int64_t rows);
  /// Returns when the contents are on the disk.
  virtual void sync() = 0;
  virtual void close() = 0;
};

class ReadableFile {
 public:
  virtual ~ReadableFile() = default;
  virtual std::int64_t size() const = 0;
  /// Throws `Error` (input_output) if the file ends earlier.
  virtual void read(std::int64_t offset, std::span<std::byte> out) const = 0;
  /// Reads contiguous rows. Rows in memory are `stride` bytes apart. Throws as `read`.
  virtual void read_rows(std::int64_t offset, std::byte* to, std::int64_t stride,
                         std::int64_t row_bytes, std::int64_t rows) const;
};

/// The result was replaced, renamed or removed while it was read.
class Replaced : public Error {
 public:
  explicit Replaced(const std::string& path);
};

/// All files of the system, or one folder that is held open (`FileSystem::hold`).
class ReadableFiles {
 public:
  virtual ~ReadableFiles() = default;

  virtual FileKind kind(const std::string& path) const = 0;
  virtual std::unique_ptr<ReadableFile> open(const std::string& path) const = 0;
  virtual std::vector<std::string> list(const std::string& directory) const = 0;  ///< sorted names
  /// Maps the first `bytes` of each file contiguously and read-only, for the lifetime of the
  /// returned pointer. Returns null if the system cannot (`bytes` is not a multiple of a page).
  virtual std::shared_ptr<const std::byte[]> map(std::span<const std::string>, std::int64_t) const {
    return nullptr;
  }
  /// Returns false if another run has replaced the held folder at its path.
  virtual bool in_place() const { return true; }
  /// Throws `Error` (input) beyond 1 GiB.
  std::string read_text(const std::string& path) const;
};

class FileSystem : public ReadableFiles {
 public:
  /// Opens the folder `directory`: paths below `path` are read from it even if another result
  /// replaces it. Throws `Replaced` once its files are removed. Null if the system cannot do that.
  virtual std::shared_ptr<const ReadableFiles> hold(const std::string&, const std::string&) const {
    return nullptr;
  }
  /// Follows a symbolic link.
  virtual std::string resolve(const std::string& path) const = 0;

  /// Creates a file. Throws `Error` (input_output) if `path` exists, also as a link.
  virtual std::unique_ptr<WritableFile> create(const std::string& path) = 0;
  /// Opens an existing file and truncates it to `bytes`.
  virtual std::unique_ptr<WritableFile> reopen(const std::string& path, std::int64_t bytes) = 0;
  virtual void make_directory(const std::string& path) = 0;
  /// Makes a hard link. Returns false if the system cannot or `to` exists.
  virtual bool link(const std::string&, const std::string&) { return false; }
  /// Atomic; replaces `to`.
  virtual void rename(const std::string& from, const std::string& to) = 0;
  /// Atomic if the system can.
  virtual void exchange(const std::string& a, const std::string& b) = 0;
  /// Removes the permissions of group and others.
  virtual void restrict_to_owner(const std::string&) {}
  /// Files get the permissions of the zarr.json in `from`. Also sets the owner, if allowed.
  virtual void copy_permissions(const std::string&, const std::string&) {}
  /// No failure if `path` does not exist.
  virtual void remove_all(const std::string& path) = 0;
  /// Returns when every file below `directory` is on the disk.
  virtual void sync_tree(const std::string& directory) = 0;
  /// Returns when the names in `directory` are on the disk.
  virtual void sync_names(const std::string& directory) = 0;

  /// Creates a file lock; null if `path` exists.
  virtual std::unique_ptr<system::FileLock> claim(const std::string& path) = 0;
  virtual system::TakenClaim take_over(const std::string& path) = 0;
  virtual std::unique_ptr<system::Lock> try_lock(const std::string&) {
    return std::make_unique<system::Lock>();
  }

  void make_directories(const std::string& path);
  /// Writes under a temporary name, then renames.
  void write_atomically(const std::string& path, std::span<const std::byte> bytes,
                        bool past_cache = false);
  /// Like `remove_all`, but returns whether it succeeded.
  bool discard(const std::string& path) noexcept;
};

FileSystem& posix_file_system();

Error system_error(const std::string& path, int error_number);

std::string parent_of(const std::string& path);  ///< "." for a bare name
std::string name_of(const std::string& path);
std::string without_last_slashes(std::string path);
std::string join(const std::string& directory, const std::string& name);
/// Locks a hidden name next to `path` that no other writer uses.
system::Partial claim_partial(FileSystem& files, const std::string& path);
/// If removal fails, the lock file stays unlocked, so that a later run finds the remains.
void discard_partial(FileSystem& files, system::Partial partial) noexcept;

}  // namespace apsp::store
