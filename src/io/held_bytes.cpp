#include "io/held_bytes.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/fail.hpp"
#include "base/units.hpp"

namespace apsp::io {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 18;
constexpr std::size_t kFirstBytes = std::size_t{1} << 16;
constexpr std::size_t kFileBytes = std::size_t{1} << 20;

[[noreturn]] void fail_to_hold(const std::string& path, int code) {
  base::fail(ErrorKind::input_output, "cannot read '{}': {}", path, std::strerror(code));
}

std::atomic<std::int64_t> temporary_now, temporary_most, temporary_limit;

/// `file`: what lasts as long as the mapping; may be null.
HeldBytes map_file(int number, std::size_t size, std::shared_ptr<void> file = nullptr) {
  HeldBytes held;
  void* const mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, number, 0);
  if (mapping == MAP_FAILED) return held;
  ::madvise(mapping, size, MADV_SEQUENTIAL);
  held.owner = std::shared_ptr<void>(
      mapping, [size, file = std::move(file)](void* all) { ::munmap(all, size); });
  held.bytes = {static_cast<const char*>(mapping), size};
  held.mapped = true;
  return held;
}

std::string temporary_folder() {
  const char* const folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

[[noreturn]] void fail_temporary(int code) {
  base::fail(ErrorKind::input_output,
             "cannot keep a copy of the input in {}: {}; name another folder with "
             "TMPDIR, or a plain file instead of a stream",
             temporary_folder(), std::strerror(code));
}

bool rests_in_memory(int file) {
  struct statfs facts = {};
  if (::fstatfs(file, &facts) != 0) return false;
  return facts.f_type == TMPFS_MAGIC || facts.f_type == RAMFS_MAGIC;
}

/// Throws `Error` (does_not_fit) if `more` bytes exceed the limit.
void take_temporary(std::int64_t more) {
  const std::int64_t now = temporary_now += more, limit = temporary_limit;
  for (std::int64_t most = temporary_most;
       most < now && !temporary_most.compare_exchange_weak(most, now);) {
  }
  if (limit == 0 || now <= limit) return;
  base::fail(ErrorKind::does_not_fit,
             "the input takes more than {} of temporary files in {}; `disk` must allow what it "
             "takes unpacked, or give a plain file in place of a stream or an archive",
             base::format_bytes(limit), temporary_folder());
}

}  // namespace

TemporaryBytes temporary_bytes() { return {temporary_now, temporary_most}; }
void begin_temporary_bytes() { temporary_most = temporary_now.load(); }
void limit_temporary_bytes(std::int64_t most) { temporary_limit = most; }

StreamedBytes::StreamedBytes(FirstLook look, std::size_t most_in_memory)
    : look_(std::move(look)), most_in_memory_(most_in_memory) {}

void StreamedBytes::take_first_look() {
  if (!look_) return;
  const FirstLook look = std::move(look_);
  look_ = nullptr;
  look(buffer_.bytes().first(std::min(kFirstBytes, buffer_.bytes().size())));
}

void StreamedBytes::move_to_file() {
  if (!file_.is_open()) {
    file_ = system::open_nameless(temporary_folder());
    counted_ = {new std::int64_t(0), [](const std::int64_t* bytes) {
                  temporary_now -= *bytes;
                  delete bytes;
                }};
  }
  const auto size = static_cast<std::int64_t>(buffer_.bytes().size());
  if (file_.is_open() && !rests_in_memory(file_.number())) {
    *counted_ += size;
    take_temporary(size);
  }
  if (!file_.is_open() || !system::write_all(file_.number(), buffer_.bytes()))
    fail_temporary(errno);
  in_file_ += buffer_.bytes().size();
  buffer_ = GrowingBuffer();
}

void StreamedBytes::added(std::size_t count) {
  buffer_.added(count);
  const std::size_t size = buffer_.bytes().size();
  if (size >= kFirstBytes || size > most_in_memory_) take_first_look();
  if (size > most_in_memory_ || (file_.is_open() && size >= kFileBytes)) move_to_file();
}

HeldBytes StreamedBytes::finish() {
  take_first_look();
  HeldBytes held;
  if (!file_.is_open()) {
    const auto buffer = std::make_shared<const GrowingBuffer>(std::move(buffer_));
    held.bytes = buffer->bytes();
    held.memory = static_cast<std::int64_t>(held.bytes.size());
    held.owner = buffer;
    return held;
  }
  move_to_file();
  held = map_file(file_.number(), in_file_, counted_);
  if (!held.mapped) fail_temporary(errno);
  if (rests_in_memory(file_.number())) held.memory = static_cast<std::int64_t>(in_file_);
  return held;
}

HeldBytes hold_input(const std::string& path, const FirstLook& look) {
  const system::Descriptor file(path == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                            : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat facts = {};
  if (!file.is_open() || ::fstat(file.number(), &facts) != 0) fail_to_hold(path, errno);
  // Standard input may be a file at its beginning.
  if (S_ISREG(facts.st_mode) && facts.st_size > 0 && ::lseek(file.number(), 0, SEEK_CUR) == 0) {
    HeldBytes held = map_file(file.number(), static_cast<std::size_t>(facts.st_size));
    if (held.mapped) {
      if (look) look(held.bytes.first(std::min(kFirstBytes, held.bytes.size())));
      return held;
    }
  }
  StreamedBytes stream(look);
  while (true) {
    const std::span<char> room = stream.spare(kReadBytes);
    const ssize_t count = ::read(file.number(), room.data(), room.size());
    if (count == 0) return stream.finish();
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_to_hold(path, errno);
    stream.added(static_cast<std::size_t>(count));
  }
}

}  // namespace apsp::io
