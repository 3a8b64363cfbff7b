// Makes the system's calls on files fail, for a whole program: LD_PRELOAD names this library.
//
//   APSP_FAULT_TRACE=FILE       one letter for each call, in the order of calls
//   APSP_FAULT=NUMBER:WAY[+]    call NUMBER (from 0) fails in this way; with "+" later ones do too
//
// Calls count where they name a relative path, or a path below the working folder at the start, or
// a descriptor that such a call opened. What fails in a way that the system's manual does not give
// for a call is let through. Ways: an errno (EIO, ENOSPC, EMFILE, ENOMEM, EINTR), "short" (half of
// a read or write is done), "torn" (half of a write is done, in whole sectors, and then EIO) and
// "kill" (half of a write is done, and the process is killed).
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

/// The letters of a trace.
enum class Call : char {
  open = 'o',
  create = 'c',
  read = 'r',
  write = 'w',
  sync = 's',
  rename = 'n',
  lengthen = 't',
  make = 'd',
  remove = 'u',
  map = 'm',
  close = 'l',
  look = 'k',
};

constexpr std::size_t kMostFiles = 4096, kSectorBytes = 512;

struct Way {
  std::string_view word;
  int number;                 // errno
  std::string_view of_calls;  // letters
};
constexpr Way kWays[] = {{"EIO", EIO, "ocrwsntdumlk"}, {"ENOSPC", ENOSPC, "cwsntdl"},
                         {"EMFILE", EMFILE, "oc"},     {"ENOMEM", ENOMEM, "m"},
                         {"EINTR", EINTR, "rw"},       {"short", 0, "rw"},
                         {"torn", EIO, "w"},           {"kill", 0, "ocrwsntdumlk"}};

template <class F>
F* next(F*, const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}
// The function of the system's library that has this name.
#define NEXT(name) static auto* const next_##name = next(&::name, #name)

class Faults {
 public:
  Faults() {
    if (getcwd(folder_, sizeof(folder_)) == nullptr) folder_[0] = '\0';
    if (const char* const path = std::getenv("APSP_FAULT_TRACE")) {
      NEXT(open);
      trace_ = next_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
    const char* const order = std::getenv("APSP_FAULT");
    if (order == nullptr) return;
    char* end = nullptr;
    at_ = std::strtol(order, &end, 10);
    std::string_view word(end);
    if (word.starts_with(':')) word.remove_prefix(1);
    onwards_ = word.ends_with('+');
    if (onwards_) word.remove_suffix(1);
    way_ = std::ranges::find(kWays, word, &Way::word);
    if (way_ != std::end(kWays)) return;
    std::fprintf(stderr, "APSP_FAULT: no way of failing: %s\n", order);
    std::abort();
  }

  bool watches(int file) const {
    return file >= 0 && static_cast<std::size_t>(file) < kMostFiles && files_[file];
  }
  bool watches(int in, const char* path) const {
    if (path[0] != '/') return in == AT_FDCWD || watches(in);
    const std::size_t length = std::strlen(folder_);
    return length > 0 && std::strncmp(path, folder_, length) == 0;
  }
  void opened(int file, bool watched) {
    if (file >= 0 && static_cast<std::size_t>(file) < kMostFiles) files_[file] = watched;
  }

  /// Counts a call. How it fails, or null.
  const Way* next_call(Call call) {
    const long number = count_.fetch_add(1);
    const char letter = static_cast<char>(call);
    if (trace_ >= 0) {
      NEXT(write);
      (void)!next_write(trace_, &letter, 1);
    }
    const bool now = number == at_ || (onwards_ && at_ >= 0 && number > at_);
    return now && way_->of_calls.find(letter) != std::string_view::npos ? way_ : nullptr;
  }
  /// The same of a call that fails whole. True: it fails, and errno says why.
  bool fails(Call call) {
    const Way* const way = next_call(call);
    if (way == nullptr) return false;
    if (way->word == "kill") raise(SIGKILL);
    errno = way->number;
    return true;
  }

 private:
  char folder_[PATH_MAX] = {};
  int trace_ = -1;
  long at_ = -1;
  bool onwards_ = false;
  const Way* way_ = std::end(kWays);
  std::atomic<long> count_{0};
  std::atomic<bool> files_[kMostFiles] = {};
};

Faults& faults() {
  static Faults all;
  return all;
}

/// How many of the bytes of a read or write are done; −1: none, and errno says why.
ssize_t share(const Way* way, std::size_t bytes) {
  const auto all = static_cast<ssize_t>(bytes);
  if (way == nullptr) return all;
  if (way->word == "short") return std::max<ssize_t>(std::min<ssize_t>(1, all), all / 2);
  if (way->word == "torn" || way->word == "kill") {
    return static_cast<ssize_t>(bytes / 2 / kSectorBytes * kSectorBytes);
  }
  errno = way->number;
  return -1;
}

/// A write of `bytes` bytes: write_part(part) does a part of it.
template <class F>
ssize_t written(int file, std::size_t bytes, F&& write_part) {
  if (!faults().watches(file)) return write_part(bytes);
  const Way* const way = faults().next_call(Call::write);
  const ssize_t part = share(way, bytes);
  if (part < 0) return -1;
  const ssize_t done = part == 0 && bytes > 0 ? 0 : write_part(static_cast<std::size_t>(part));
  if (way == nullptr || way->word == "short") return done;
  if (way->word == "kill") raise(SIGKILL);
  errno = way->number;
  return -1;
}

template <class F>
ssize_t bytes_read(int file, std::size_t bytes, F&& read_part) {
  if (!faults().watches(file)) return read_part(bytes);
  const Way* const way = faults().next_call(Call::read);
  if (way != nullptr && way->word == "kill") raise(SIGKILL);
  const ssize_t part = share(way, bytes);
  return part < 0 ? -1 : read_part(static_cast<std::size_t>(part));
}

template <class F>
int opened(int in, const char* path, int flags, F&& open_it) {
  const bool watched = faults().watches(in, path);
  const Call call =
      (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? Call::create : Call::open;
  if (watched && faults().fails(call)) return -1;
  const int file = open_it();
  faults().opened(file, watched);
  return file;
}

/// `more`: the mode, where the file may be created.
int open_in(int in, const char* path, int flags, va_list more) {
  NEXT(openat);
  const bool creates = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  const mode_t mode = creates ? va_arg(more, mode_t) : 0;
  return opened(in, path, flags, [&] { return next_openat(in, path, flags, mode); });
}

/// A call on a path that returns 0 or −1.
template <class F>
int on_path(Call call, int in, const char* path, F&& work) {
  return faults().watches(in, path) && faults().fails(call) ? -1 : work();
}
template <class F>
int on_file(Call call, int file, F&& work) {
  return faults().watches(file) && faults().fails(call) ? -1 : work();
}

struct Parts {
  int file;
  const iovec* parts;
  int count;
  off_t offset;
};
size_t bytes_of(const iovec* parts, int count) {
  size_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += parts[i].iov_len;
  return bytes;
}

/// Moves the first `wanted` bytes of some parts: by `all` if these are all, else one by one.
template <class All, class One>
ssize_t in_parts(All all, One one, const Parts& of, size_t wanted) {
  const auto& [file, parts, count, offset] = of;
  if (wanted == bytes_of(parts, count)) return all(file, parts, count, offset);
  ssize_t done = 0;
  for (int i = 0; i < count && wanted > 0; ++i) {
    const size_t some = std::min(wanted, parts[i].iov_len);
    if (one(file, parts[i].iov_base, some, offset + done) < 0) return -1;
    done += static_cast<ssize_t>(some);
    wanted -= some;
  }
  return done;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int file = open_in(AT_FDCWD, path, flags, more);
  va_end(more);
  return file;
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int file = open_in(AT_FDCWD, path, flags, more);
  va_end(more);
  return file;
}
int openat(int in, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int file = open_in(in, path, flags, more);
  va_end(more);
  return file;
}
int openat64(int in, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int file = open_in(in, path, flags, more);
  va_end(more);
  return file;
}
int close(int file) {
  NEXT(close);
  const bool fails = faults().watches(file) && faults().fails(Call::close);
  const int code = errno;
  faults().opened(file, false);
  const int done = next_close(file);  // as Linux does: the descriptor is gone in any case
  if (!fails) return done;
  errno = code;
  return -1;
}

ssize_t read(int file, void* to, size_t bytes) {
  NEXT(read);
  return bytes_read(file, bytes, [&](size_t part) { return next_read(file, to, part); });
}
ssize_t pread(int file, void* to, size_t bytes, off_t offset) {
  NEXT(pread);
  return bytes_read(file, bytes, [&](size_t part) { return next_pread(file, to, part, offset); });
}
ssize_t pread64(int file, void* to, size_t bytes, off64_t offset) {
  return pread(file, to, bytes, offset);
}
ssize_t write(int file, const void* from, size_t bytes) {
  NEXT(write);
  return written(file, bytes, [&](size_t part) { return next_write(file, from, part); });
}
ssize_t pwrite(int file, const void* from, size_t bytes, off_t offset) {
  NEXT(pwrite);
  return written(file, bytes, [&](size_t part) { return next_pwrite(file, from, part, offset); });
}
ssize_t pwrite64(int file, const void* from, size_t bytes, off64_t offset) {
  return pwrite(file, from, bytes, offset);
}
ssize_t preadv(int file, const iovec* parts, int count, off_t offset) {
  NEXT(preadv);
  NEXT(pread);
  return bytes_read(file, bytes_of(parts, count), [&](size_t wanted) {
    return in_parts(next_preadv, next_pread, {file, parts, count, offset}, wanted);
  });
}
ssize_t preadv64(int file, const iovec* parts, int count, off64_t offset) {
  return preadv(file, parts, count, offset);
}
ssize_t pwritev(int file, const iovec* parts, int count, off_t offset) {
  NEXT(pwritev);
  NEXT(pwrite);
  return written(file, bytes_of(parts, count), [&](size_t wanted) {
    return in_parts(next_pwritev, next_pwrite, {file, parts, count, offset}, wanted);
  });
}
ssize_t pwritev64(int file, const iovec* parts, int count, off64_t offset) {
  return pwritev(file, parts, count, offset);
}

int fsync(int file) {
  NEXT(fsync);
  return on_file(Call::sync, file, [&] { return next_fsync(file); });
}
int fdatasync(int file) {
  NEXT(fdatasync);
  return on_file(Call::sync, file, [&] { return next_fdatasync(file); });
}
int syncfs(int file) noexcept {
  NEXT(syncfs);
  return on_file(Call::sync, file, [&] { return next_syncfs(file); });
}
int rename(const char* from, const char* to) noexcept {
  NEXT(rename);
  return on_path(Call::rename, AT_FDCWD, to, [&] { return next_rename(from, to); });
}
int renameat2(int in, const char* from, int to_in, const char* to, unsigned flags) noexcept {
  NEXT(renameat2);
  return on_path(Call::rename, to_in, to,
                 [&] { return next_renameat2(in, from, to_in, to, flags); });
}
int ftruncate(int file, off_t bytes) noexcept {
  NEXT(ftruncate);
  return on_file(Call::lengthen, file, [&] { return next_ftruncate(file, bytes); });
}
int ftruncate64(int file, off64_t bytes) noexcept { return ftruncate(file, bytes); }
int fallocate(int file, int mode, off_t offset, off_t bytes) {
  NEXT(fallocate);
  return on_file(Call::lengthen, file, [&] { return next_fallocate(file, mode, offset, bytes); });
}
int fallocate64(int file, int mode, off64_t offset, off64_t bytes) {
  return fallocate(file, mode, offset, bytes);
}
int mkdir(const char* path, mode_t mode) noexcept {
  NEXT(mkdir);
  return on_path(Call::make, AT_FDCWD, path, [&] { return next_mkdir(path, mode); });
}
int unlink(const char* path) noexcept {
  NEXT(unlink);
  return on_path(Call::remove, AT_FDCWD, path, [&] { return next_unlink(path); });
}
int unlinkat(int in, const char* path, int flags) noexcept {
  NEXT(unlinkat);
  return on_path(Call::remove, in, path, [&] { return next_unlinkat(in, path, flags); });
}
int remove(const char* path) noexcept {
  NEXT(remove);
  return on_path(Call::remove, AT_FDCWD, path, [&] { return next_remove(path); });
}
int rmdir(const char* path) noexcept {
  NEXT(rmdir);
  return on_path(Call::remove, AT_FDCWD, path, [&] { return next_rmdir(path); });
}
int fstat(int file, struct stat* facts) noexcept {
  NEXT(fstat);
  return on_file(Call::look, file, [&] { return next_fstat(file, facts); });
}
int stat(const char* path, struct stat* facts) noexcept {
  NEXT(stat);
  return on_path(Call::look, AT_FDCWD, path, [&] { return next_stat(path, facts); });
}
int fstatat(int in, const char* path, struct stat* facts, int flags) noexcept {
  NEXT(fstatat);
  return on_path(Call::look, in, path, [&] { return next_fstatat(in, path, facts, flags); });
}

void* mmap(void* at, size_t bytes, int access, int flags, int file, off_t offset) noexcept {
  NEXT(mmap);
  if (faults().watches(file) && faults().fails(Call::map)) return MAP_FAILED;
  return next_mmap(at, bytes, access, flags, file, offset);
}
void* mmap64(void* at, size_t bytes, int access, int flags, int file, off64_t offset) noexcept {
  return mmap(at, bytes, access, flags, file, offset);
}

}  // extern "C"
