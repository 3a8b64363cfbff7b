// Files behind one small interface, so that tests can let the disk fill up, fail or stop at any
// operation. Paths are plain strings with "/" between their parts.
//
// Whatever goes wrong is an `Error` of kind input_output that names the path and what the system
// said. All functions may be called from several threads; a path is changed by one at a time.
#pragma once

#include <apsp/error.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/file_lock.hpp"

namespace apsp::store {

enum class FileKind { none, file, directory, other };

/// Closed by its destructor, which cannot report a failure: call `close` first.
class WritableFile {
 public:
  virtual ~WritableFile() = default;
  /// Sets the length, zeros where nothing is written, and claims the space if the system can.
  virtual void reserve(std::int64_t bytes) = 0;
  virtual void write(std::int64_t offset, std::span<const std::byte> bytes) = 0;
  /// The same for what is not read soon: past the system's cache, where the system can and the
  /// bytes begin on 4096 in memory and in the file. The cache would take a copy of them, and the
  /// memory of what is read.
  virtual void write_past_cache(std::int64_t offset, std::span<const std::byte> bytes) {
    write(offset, bytes);
  }
  /// Writes `rows` rows of `row_bytes` bytes, `stride` bytes apart in memory, without gaps.
  virtual void write_rows(std::int64_t offset, const std::byte* from, std::int64_t stride,
                          std::int64_t row_bytes, std::int64_t rows);
  /// Returns when the contents have reached the disk.
  virtual void sync() = 0;
  virtual void close() = 0;
};

class ReadableFile {
 public:
  virtual ~ReadableFile() = default;
  virtual std::int64_t size() const = 0;
  /// Fills `out`. Throws `Error` (input_output) if the file ends before.
  virtual void read(std::int64_t offset, std::span<std::byte> out) const = 0;
};

/// A result that is not at its path any more while it is read: replaced, renamed or removed.
class Replaced : public Error {
 public:
  explicit Replaced(const std::string& path);
};

/// What can be read: all that the system has, or one folder that is held (`FileSystem::hold`).
class ReadableFiles {
 public:
  virtual ~ReadableFiles() = default;

  virtual FileKind kind(const std::string& path) const = 0;
  virtual std::unique_ptr<ReadableFile> open(const std::string& path) const = 0;
  virtual std::vector<std::string> list(const std::string& directory) const = 0;  ///< sorted names
  /// The first `bytes` of each file, one behind the other, as one read-only mapping that lives as
  /// long as the result; null where the system cannot do that (`bytes` no multiple of a
  /// page).
  virtual std::shared_ptr<const std::byte[]> map(std::span<const std::string>, std::int64_t) const {
    return nullptr;
  }
  /// Whether what is read is still what stands at its path.
  virtual bool in_place() const { return true; }
  /// The whole of a small file. Throws `Error` (input) beyond 1 GiB.
  std::string read_text(const std::string& path) const;
};

class FileSystem : public ReadableFiles {
 public:
  /// The folder that is now at `directory`, to read paths below `path` from it, whatever stands at
  /// that path later: whole as it was, or `Replaced` where its files are gone. Null where the
  /// system cannot do that. Throws `Error` (input_output).
  virtual std::shared_ptr<const ReadableFiles> hold(const std::string&, const std::string&) const {
    return nullptr;
  }
  /// Where `path` leads if it is a symbolic link; else `path`.
  virtual std::string resolve(const std::string& path) const = 0;

  /// Opens a file that must not exist yet.
  virtual std::unique_ptr<WritableFile> create(const std::string& path) = 0;
  /// Opens a file that is there, to write; what it holds beyond `bytes` is cut off.
  virtual std::unique_ptr<WritableFile> reopen(const std::string& path, std::int64_t bytes) = 0;
  /// Makes one directory below an existing one.
  virtual void make_directory(const std::string& path) = 0;
  /// A second name of a file, where the system can give it one. Returns false where it cannot, and
  /// where nothing is at `from` or something is at `to`.
  virtual bool link(const std::string&, const std::string&) { return false; }
  /// Atomic; a file at `to` is replaced.
  virtual void rename(const std::string& from, const std::string& to) = 0;
  /// Swaps two names, atomically where the system can.
  virtual void exchange(const std::string& a, const std::string& b) = 0;
  /// Only the owner may look into what is at `path`, and below it.
  virtual void restrict_to_owner(const std::string&) {}
  /// Gives `to`, and all below it, the permissions of `from` and, where the system allows it, its
  /// owner: folders those of the folder, files those of its zarr.json.
  virtual void copy_permissions(const std::string&, const std::string&) {}
  /// Removes a file, or a directory with all below it; nothing there is no failure.
  virtual void remove_all(const std::string& path) = 0;
  /// Returns when every file below `directory` has reached the disk.
  virtual void sync_tree(const std::string& directory) = 0;
  /// Returns when the names in `directory` have reached the disk.
  virtual void sync_names(const std::string& directory) = 0;

  /// A claim on what is being written; none if the name is another's.
  virtual std::unique_ptr<base::FileLock> claim(const std::string& path) = 0;
  virtual base::TakenClaim take_over(const std::string& path) = 0;
  /// As `base::try_lock`.
  virtual std::unique_ptr<base::Lock> try_lock(const std::string&) {
    return std::make_unique<base::Lock>();
  }

  /// Makes every missing directory on the way to `path`, and `path`.
  void make_directories(const std::string& path);
  /// Writes under a temporary name in the same directory, then renames: never half a file.
  void write_atomically(const std::string& path, std::span<const std::byte> bytes,
                        bool past_cache = false);
  /// `remove_all` for cleaning up behind a failure or at the end, where a second one helps nobody.
  /// Whether all is gone.
  bool discard(const std::string& path) noexcept;
};

/// The operating system's.
FileSystem& posix_file_system();

/// What a failed system call on `path` becomes; says what to do where the disk is full.
Error system_error(const std::string& path, int error_number);

std::string parent_of(const std::string& path);  ///< "." for a bare name
std::string name_of(const std::string& path);
/// "a/b//" is the same path as "a/b"; "/" stays.
std::string without_last_slashes(std::string path);
std::string join(const std::string& directory, const std::string& name);
/// A hidden name beside `path` that no other writer uses, and the claim that keeps it so.
base::Partial claim_partial(FileSystem& files, const std::string& path);
/// Removes what was built, then its claim. Where the system refuses the former, the claim's file
/// stays, and nobody holds it: a later run sees what was left.
void discard_partial(FileSystem& files, base::Partial partial) noexcept;

}  // namespace apsp::store
