#include "system/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <utility>

#include "system/open_file.hpp"

namespace apsp::system {
namespace {

/// Local and in-memory file systems by their numbers in statfs (linux/magic.h).
constexpr std::array<unsigned, 8> kLocal = {
    0xEF53 /* ext */,         0x58465342 /* XFS */, 0x9123683E /* Btrfs */, 0x01021994 /* tmpfs */,
    0x794C7630 /* overlay */, 0x2FC12FC1 /* ZFS */, 0xF2F52010 /* F2FS */,  0x858458F6 /* ramfs */};

constexpr std::size_t kBootBytes = 36;  // a UUID

std::string boot() {
  std::string text(kBootBytes, '\0');
  const int file = ::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const ssize_t size = ::read(file, text.data(), text.size());
  ::close(file);
  return size == static_cast<ssize_t>(kBootBytes) ? text : std::string();
}

bool is_local(int file) {
  struct statfs facts = {};
  if (::fstatfs(file, &facts) != 0) return false;
  return std::find(kLocal.begin(), kLocal.end(), static_cast<unsigned>(facts.f_type)) !=
         kLocal.end();
}

bool made_by_this_kernel(int file) {
  std::string text(kBootBytes, '\0');
  const ssize_t size = ::pread(file, text.data(), text.size(), 0);
  return size == static_cast<ssize_t>(kBootBytes) && text == boot();
}

bool still_named(int file) {
  struct stat facts = {};
  return ::fstat(file, &facts) != 0 || facts.st_nlink > 0;  // counts as named if unknown
}

class HeldClaims {
 public:
  void add(const std::string& path) {
    const std::lock_guard lock(mutex_);
    paths_.push_back(path);
  }
  void remove(const std::string& path) noexcept {
    const std::lock_guard lock(mutex_);
    const auto one = std::find(paths_.begin(), paths_.end(), path);
    if (one != paths_.end()) paths_.erase(one);
  }
  std::vector<std::string> paths() {
    const std::lock_guard lock(mutex_);
    return paths_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> paths_;
};

/// Never destroyed: claims may be held until the process has ended.
HeldClaims& held() {
  static HeldClaims& claims = *new HeldClaims;
  return claims;
}

class FileClaim final : public FileLock {
 public:
  /// Holds no file until `hold`, so that no memory is needed after the file is open.
  explicit FileClaim(std::string path) : path_(std::move(path)) { held().add(path_); }
  ~FileClaim() override {
    if (file_.is_open()) ::unlink(path_.c_str());
    held().remove(path_);
  }
  FileClaim(const FileClaim&) = delete;
  FileClaim& operator=(const FileClaim&) = delete;
  void hold(Descriptor file) { file_ = std::move(file); }
  void abandon() noexcept override { file_.close(); }

 private:
  std::string path_;
  Descriptor file_;
};

int open_to_lock(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file >= 0 || (errno != EACCES && errno != EROFS)) return file;
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
}

}  // namespace

Lock::~Lock() {
  if (file_ >= 0) ::close(file_);
}

bool stands_at(int file, const std::string& path) {
  struct stat held = {}, there = {};
  return ::fstat(file, &held) == 0 && ::stat(path.c_str(), &there) == 0 &&
         held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

std::unique_ptr<Lock> try_lock(const std::string& path) {
  auto lock = std::make_unique<Lock>();
  const int file = lock->file_ = open_to_lock(path);
  if (file < 0) return lock;
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return nullptr;
    ::close(std::exchange(lock->file_, -1));
    return lock;
  }
  return stands_at(file, path) ? std::move(lock) : nullptr;
}

MadeClaim make_claim(const std::string& path) {
  constexpr mode_t kReadableByAll = 0666;  // before the user's umask
  auto claim = std::make_unique<FileClaim>(path);
  const std::string kernel = boot();
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kReadableByAll));
  if (!file.is_open()) return {nullptr, errno};
  const bool refused = ::flock(file.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  // A concurrent cleaner was faster.
  if (refused || !still_named(file.number())) return {nullptr, EEXIST};
  // If locks or the space for these bytes are missing, readers report the claim as unknown.
  const ssize_t written = ::pwrite(file.number(), kernel.data(), kernel.size(), 0);
  static_cast<void>(written);
  claim->hold(std::move(file));
  return {std::move(claim), 0};
}

TakenClaim take_over_claim(const std::string& path) {
  auto claim = std::make_unique<FileClaim>(path);
  const int file = open_to_lock(path);
  if (file < 0) {
    const int code = errno;
    if (code == ENOENT) return {Holder::unknown, nullptr, kNoClaim};
    if (code == EACCES) return {Holder::unknown, nullptr, "its lock belongs to another user"};
    return {Holder::unknown, nullptr,
            "its lock cannot be opened: " + std::generic_category().message(code)};
  }
  claim->hold(Descriptor(file));
  const auto unknown = [&](const char* why) {
    return TakenClaim{Holder::unknown, std::move(claim), why};
  };
  const bool locked = ::flock(file, LOCK_EX | LOCK_NB) == 0;
  if (!locked && errno != EWOULDBLOCK) return unknown("this file system has no locks");
  if (!locked || !still_named(file)) {  // its owner is alive or has just ended
    claim->abandon();
    return {Holder::someone, nullptr, {}};
  }
  if (!made_by_this_kernel(file) && !is_local(file)) {
    return unknown(
        "another machine wrote it, or this one before its last start, and on this file "
        "system locks may not tell");
  }
  return {Holder::nobody, std::move(claim), {}};
}

std::vector<std::string> held_claims() { return held().paths(); }

std::string next_partial_path(const std::string& path) {
  // Unpredictable, so that nobody else who may write in the folder can take the name first.
  std::uint64_t drawn = 0;
  if (::getrandom(&drawn, sizeof(drawn), 0) != sizeof(drawn)) {
    static std::atomic<std::uint64_t> serial{0};
    drawn = serial.fetch_add(1);
  }
  const std::size_t name = path.find_last_of('/') + 1;  // 0 for a bare name
  return fmt::format("{}.{}{}{}-{}", path.substr(0, name), path.substr(name), kPartialWord,
                     ::getpid(), drawn);
}

}  // namespace apsp::system
