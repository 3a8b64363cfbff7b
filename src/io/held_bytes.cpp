#include "io/held_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <apsp/error.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace apsp::io {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 18;
constexpr std::size_t kFirstBytes = std::size_t{1} << 16;
constexpr std::size_t kFileBytes = std::size_t{1} << 20;  // written to the file at once

[[noreturn]] void fail_to_hold(const std::string& path, int code) {
  throw Error(ErrorKind::input_output,
              fmt::format("cannot read '{}': {}", path, std::strerror(code)));
}

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : owned_(path != "-"),
        number_(owned_ ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO) {
    if (number_ < 0) fail_to_hold(path, errno);
  }
  ~Descriptor() {
    if (owned_) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  bool owned_;
  int number_;
};

struct Unmap {
  std::size_t size;
  void operator()(void* mapping) const { ::munmap(mapping, size); }
};

/// All of an open file; nothing if the system cannot map it.
HeldBytes map_file(int file, std::size_t size) {
  HeldBytes held;
  void* const mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (mapping == MAP_FAILED) return held;
  ::madvise(mapping, size, MADV_SEQUENTIAL);
  held.owner = std::shared_ptr<void>(mapping, Unmap{size});
  held.bytes = {static_cast<const char*>(mapping), size};
  held.mapped = true;
  return held;
}

/// Standard input may be a file as well, read from its beginning.
bool can_be_mapped(int file, const struct stat& facts) {
  return S_ISREG(facts.st_mode) && facts.st_size > 0 && ::lseek(file, 0, SEEK_CUR) == 0;
}

std::string temporary_folder() {
  const char* const folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

[[noreturn]] void fail_temporary(int code) {
  throw Error(ErrorKind::input_output,
              fmt::format("cannot keep the input in {} while it is needed: {}; TMPDIR names "
                          "another folder, and a plain file instead of a stream needs none",
                          temporary_folder(), std::strerror(code)));
}

/// A file that is gone with its descriptor, however the process ends.
int open_without_name() {
  const std::string folder = temporary_folder();
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  std::string name = folder + "/apsp-XXXXXX";  // file systems without O_TMPFILE
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named < 0) fail_temporary(errno);
  ::unlink(name.c_str());
  return named;
}

void write_all(int file, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_temporary(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

bool rests_in_memory(int file) {
  struct statfs facts = {};
  if (::fstatfs(file, &facts) != 0) return false;
  return facts.f_type == TMPFS_MAGIC || facts.f_type == RAMFS_MAGIC;
}

}  // namespace

StreamedBytes::StreamedBytes(FirstLook look, std::size_t most_in_memory)
    : look_(std::move(look)), most_in_memory_(most_in_memory) {}

StreamedBytes::~StreamedBytes() {
  if (file_ >= 0) ::close(file_);
}

void StreamedBytes::take_first_look() {
  if (!look_) return;
  const FirstLook look = std::move(look_);
  look_ = nullptr;
  look(buffer_.bytes().first(std::min(kFirstBytes, buffer_.bytes().size())));
}

void StreamedBytes::move_to_file() {
  if (file_ < 0) file_ = open_without_name();
  write_all(file_, buffer_.bytes());
  in_file_ += buffer_.bytes().size();
  buffer_ = GrowingBuffer();
}

void StreamedBytes::added(std::size_t count) {
  buffer_.added(count);
  const std::size_t size = buffer_.bytes().size();
  if (size >= kFirstBytes || size > most_in_memory_) take_first_look();
  if (size > most_in_memory_ || (file_ >= 0 && size >= kFileBytes)) move_to_file();
}

HeldBytes StreamedBytes::finish() {
  take_first_look();
  HeldBytes held;
  if (file_ < 0) {
    const auto buffer = std::make_shared<const GrowingBuffer>(std::move(buffer_));
    held.bytes = buffer->bytes();
    held.memory = static_cast<std::int64_t>(held.bytes.size());
    held.owner = buffer;
    return held;
  }
  move_to_file();
  held = map_file(file_, in_file_);
  if (!held.mapped) fail_temporary(errno);
  if (rests_in_memory(file_)) held.memory = static_cast<std::int64_t>(in_file_);
  return held;
}

HeldBytes hold_input(const std::string& path, const FirstLook& look) {
  const Descriptor file(path);
  struct stat facts = {};
  if (::fstat(file.number(), &facts) != 0) fail_to_hold(path, errno);
  if (can_be_mapped(file.number(), facts)) {
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
