#include "io/input_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <apsp/error.hpp>

#include <cerrno>
#include <cstring>

namespace apsp::io {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 18;

[[noreturn]] void fail(const std::string& path, int code) {
  throw Error(ErrorKind::input_output,
              fmt::format("cannot read '{}': {}", path, std::strerror(code)));
}

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : owned_(path != "-"),
        number_(owned_ ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO) {
    if (number_ < 0) fail(path, errno);
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

}  // namespace

InputBytes::InputBytes(const std::string& path) {
  const Descriptor file(path);
  struct stat facts = {};
  if (::fstat(file.number(), &facts) != 0) fail(path, errno);
  if (S_ISREG(facts.st_mode) && facts.st_size > 0 && path != "-") {
    const auto size = static_cast<std::size_t>(facts.st_size);
    void* const mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (mapping != MAP_FAILED) {
      ::madvise(mapping, size, MADV_SEQUENTIAL);
      mapping_ = static_cast<const char*>(mapping);
      mapped_ = size;
      return;
    }
  }
  while (true) {
    const std::span<char> room = buffer_.spare(kReadBytes);
    const ssize_t count = ::read(file.number(), room.data(), room.size());
    if (count == 0) return;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path, errno);
    buffer_.added(static_cast<std::size_t>(count));
  }
}

InputBytes::~InputBytes() {
  if (mapping_ != nullptr) ::munmap(const_cast<char*>(mapping_), mapped_);
}

}  // namespace apsp::io
